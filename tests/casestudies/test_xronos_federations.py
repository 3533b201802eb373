"""What Xronos had to try out: offsets that keep the order, and what aligns trajectories."""

from __future__ import annotations

import pytest

from casestudies.xronos_federations.tables import SAFE, aligned, least_after, ordered, outcome
from ddsrta.lf.bounds.offsets.judge import judge

MS = 10**6


def test_the_least_offset_of_the_gear_and_the_motion() -> None:
    """Four reactions of 25 us and four sends of 10 us before the last message, which takes
    168 + 10 us: the interface works through its four tags one after the other."""
    report = ordered(maxwait="318us")
    assert report.offsets.offsets["behavior_planner"].value == 4 * 35_000 + 178_000
    assert outcome(report) == SAFE
    assert outcome(ordered(maxwait="317999ns")) == "can be tardy"


@pytest.mark.parametrize("period", ["1ms", "10ms", "30ms", "100ms"])
def test_five_milliseconds_keep_the_order_from_a_millisecond_on(period: str) -> None:
    assert outcome(ordered(period)) == SAFE


def test_no_offset_lasts_at_a_hundred_microseconds() -> None:
    offset = ordered("100us").offsets.offsets["behavior_planner"]
    assert offset.value is None
    assert "140 %" in str(offset.because)


def test_the_trajectory_holds_the_controller_up_unless_it_has_an_after() -> None:
    """Backward from 10 ms: the controller may wait 9 ms less what it still has to do."""
    assert judge(aligned()).verdict == "missed"
    enough = least_after()
    assert judge(aligned(f"{enough}ns")).verdict == "met"
    assert judge(aligned(f"{enough - 1 * MS}ns")).verdict == "missed"
    # Later than the motion two periods after, before the one three periods after.
    assert 2 * 33_333_333 < enough < 3 * 33_333_333
