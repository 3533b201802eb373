"""Things whose attributes are made when they are first asked for."""

import copy
import pickle
from dataclasses import replace

import pytest

from ddsrta.base.frozen import frozen
from ddsrta.base.later import Later
from ddsrta.bounds.analyze import analyze
from ddsrta.examples import two_threads


@frozen
class Three(Later):
    """At the top of a module, for pickle."""

    first: int
    second: int
    third: int = 3


def three(made):
    def parts():
        for name, value in (("first", 1), ("second", 2)):
            made.append(name)
            yield name, value

    return Three.later(parts())


def test_what_is_asked_for_is_made_once_and_all_before_it():
    made = []
    found = three(made)
    assert (made, found.third) == ([], 3)
    assert (found.second, found.first, found.second) == (2, 1, 2)
    assert made == ["first", "second"]


def test_it_is_what_it_would_be_if_it_were_made_at_once():
    whole = Three(1, 2)
    assert three([]) == whole
    assert hash(three([])) == hash(whole)
    assert repr(three([])) == repr(whole)
    assert replace(three([]), third=4) == Three(1, 2, 4)
    for again in (copy.copy(three([])), copy.deepcopy(three([]))):
        assert again == whole
    assert pickle.loads(pickle.dumps(three([]))) == whole


def test_what_there_is_none_of_makes_nothing():
    made = []
    with pytest.raises(AttributeError, match="has no attribute 'fourth'"):
        getattr(three(made), "fourth")  # noqa: B009
    assert made == []


def test_no_part_of_a_result_depends_on_what_was_asked_for_first():
    names = ["threads", "messages", "chains", "queues", "warnings", "verdict", "assumptions"]
    whole = analyze(two_threads(), check=False).to_dict()
    for name in names:
        result = analyze(two_threads(), check=False)
        getattr(result, name)
        assert result.to_dict() == whole
