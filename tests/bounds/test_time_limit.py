"""A limit of time is kept, or refused."""

import pytest

import ddsrta
from ddsrta.base.diagnostics import InputError
from ddsrta.examples import two_threads


def test_the_published_analysis_refuses_a_limit_that_it_would_not_keep():
    with pytest.raises(InputError, match="published analysis cannot end at a time limit"):
        ddsrta.analyze(two_threads(), profile="published", time_limit=10)
    assert ddsrta.analyze(two_threads(), profile="published").profile == "published"
