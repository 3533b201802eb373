"""What `tests.soundness.worth` measures of drawn systems."""

from __future__ import annotations

import pytest

from tests.soundness.worth import measured, page


@pytest.mark.parametrize(
    "kind", ["pools", "single_threaded", "all", "circles", "beside", "rallies"]
)
def test_bounds_are_never_below_runs(kind):
    found = measured(kind, range(4), runs=20)
    assert all(min(worth.ratios, default=1) >= 1 for worth in found.values())
    assert sum(len(worth.ratios) for worth in found.values()) > 10
    assert sum(worth.number for worth in found.values()) > 30


def test_what_is_left_out_is_noticed():
    found = measured("bursts", range(10), runs=0, without="bursts_once")
    assert any(worth.gains for worth in found.values())
    assert not any(worth.ratios for worth in found.values())
    assert "| trigger latency |" in page(found)


def test_without_anything_left_out_nothing_is_gained():
    found = measured("bursts", range(2), runs=0)
    assert not any(worth.gains or worth.finite or worth.higher for worth in found.values())


@pytest.mark.parametrize("kind", ["events", "fixed_priority", "pools"])
def test_closed_windows_lower_what_is_finite_and_raise_nothing(kind):
    found = measured(kind, range(12), runs=0, without="closed_windows")
    assert sum(len(worth.gains) for worth in found.values()) > 5
    assert not any(worth.higher for worth in found.values())


def test_circles_cut_open_bound_what_has_no_bound_and_raise_nothing():
    found = measured("beside", range(14, 34), runs=0, without="cut_circles", load=1.0)
    assert sum(worth.finite + len(worth.gains) for worth in found.values()) > 200
    assert not any(worth.higher for worth in found.values())


def test_rounds_in_turn_and_circles_cut_open_lower_what_rallies_have():
    for refinement in ("rounds_in_turn", "cut_circles"):
        found = measured("rallies", range(8), runs=0, without=refinement, load=1.0)
        assert sum(len(worth.gains) for worth in found.values()) > 5
        assert not any(worth.higher for worth in found.values())


def test_windows_of_all_that_share_locks_bound_what_has_no_bound_and_raise_nothing():
    found = measured("fastdds", range(10, 24), runs=0, without="lock_windows")
    assert sum(worth.finite for worth in found.values()) > 5
    assert not any(worth.higher for worth in found.values())
