"""The registry of features: nothing that can be written is left out, and every pair is drawn."""

from __future__ import annotations

import pytest

from tests.soundness.pipeline.covering import covering, pairs_of
from tests.soundness.pipeline.drawn import drawn, rows
from tests.soundness.pipeline.recognise import missing
from tests.soundness.pipeline.registry import DIMENSIONS, NOT_DRAWN, excluded, pairs
from tests.soundness.pipeline.words import of_grammar, used
from tests.soundness.version import rotation


@pytest.fixture(scope="module")
def systems():
    """Those of one covering array."""
    array = rotation()
    return [drawn(array, number) for number in range(len(rows(array)))]


def test_each_pair_of_features_is_drawn_or_excluded_with_a_reason():
    array = covering(1)
    reached = {pair for row in array for pair in pairs_of(row)}
    assert reached == set(pairs()) - set(excluded())
    assert all(excluded().values())
    assert len(array) < 1.6 * len(DIMENSIONS["refinement"]) * len(DIMENSIONS["arrival"])


def test_a_seed_draws_the_same_array():
    assert covering(5) == covering(5) != covering(6)


def test_systems_have_the_features_of_their_rows(systems):
    assert {one.seed: found for one in systems if (found := missing(one.row, one.system))} == {}


def test_each_word_of_the_grammar_is_drawn_or_left_out_with_a_reason(systems):
    """What few rows can have may be missing in one array: then in the next ones."""
    left = {word for word in of_grammar() if word.split("=")[0] not in NOT_DRAWN}
    left -= {word for one in systems for word in used(one.data)}
    for array in range(rotation() + 1, rotation() + 6):
        for number in range(len(rows(array)) if left else 0):
            left.difference_update(used(drawn(array, number).data))
    assert not left
    assert all(NOT_DRAWN.values())
