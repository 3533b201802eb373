"""Soyer's four scenarios: her verdicts, the trigger that misses, and what throttling does."""

from __future__ import annotations

import pytest

from casestudies.soyer_scenarios.pinned import text_of
from casestudies.soyer_scenarios.tables import (
    CLAIMS,
    FEDERATIONS,
    MS,
    PERIODS,
    THROTTLED,
    UTILIZATIONS,
    Claim,
    column,
    is_met,
    least_busy_wait,
    may_throttle,
    names,
)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.states)
def test_verdict_is_that_of_the_thesis_unless_the_readme_says_why(claim: Claim) -> None:
    assert claim.holds == (not claim.remark)


@pytest.mark.parametrize(
    ("scheduler", "met"),
    [("fifo", [True, False, False, False]), ("deadline-monotonic", [True, True, True, False]),
     ("edf", [True, True, True, True])],
)  # fmt: skip
def test_only_edf_meets_all_four(scheduler: str, met: list[bool]) -> None:
    assert [is_met(f"scenario{number}", scheduler) for number in (1, 2, 3, 4)] == met


def test_it_is_the_third_trigger_that_is_late_in_scenario_2() -> None:
    found = column("scenario2", "fifo").latest["main.second", "end2"]
    assert (found.lag, found.tag) == (28 * MS, 50 * MS)
    assert found.blockers[0].name == "main.first"
    assert "equal priorities do not preempt" in found.blockers[0].why


def test_two_enclaves_on_one_core_are_up_to_linux() -> None:
    for latest in column("scenario1", "gedf-np").latest.values():
        assert latest.lag is None
        assert "up to Linux" in (latest.because or "")


@pytest.mark.parametrize("name", names())
def test_result_is_the_pinned_one(name: str) -> None:
    pinned = (FEDERATIONS / "expected" / f"{name}.json").read_text(encoding="utf-8")
    assert text_of(name) == pinned


def test_throttling_sets_in_where_it_was_seen_but_for_one() -> None:
    found = {(p, u) for p in PERIODS for u in UTILIZATIONS if may_throttle(p, u)}
    assert found == THROTTLED - {(MS, 80)}
    assert least_busy_wait(MS, 80) == 150_001
