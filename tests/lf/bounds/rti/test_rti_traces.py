"""Lags and counts of runs with an RTI beside the formula, fed with what each run itself shows.

Medians of an unisolated machine: sums of medians are no bounds, so both sides have a margin.
"""

from __future__ import annotations

import pytest

from casestudies.lf_traces.feeding import LARGEST, centralized, formula, seen
from casestudies.lf_traces.programs import CENTRALIZED, run
from ddsrta.lf.bounds.rti.counts import counts
from ddsrta.lf.bounds.rti.lags import lags
from ddsrta.lf.run.traces import RunSeen
from tests.formats.real_traces import shared

MARGIN = 20  # percent


@pytest.fixture(scope="module")
def runs() -> dict[str, RunSeen]:
    shared("lf/traces")
    return {program: run(program) for program in CENTRALIZED}


@pytest.mark.parametrize("program", ["Chain4", "Chain4N", "Diamond", "After"])
def test_medians_are_those_of_the_formula(runs: dict[str, RunSeen], program: str) -> None:
    run = runs[program]
    for name, expected in formula(program, run, 50).items():
        assert expected is not None
        median = seen(run.federates[name].lags, 50)
        assert abs(median - expected) * 100 <= MARGIN * median, (name, median, expected)


@pytest.mark.parametrize("program", ["Chain4", "Chain4N", "Diamond", "After"])
def test_at_most_two_in_a_hundred_are_above_the_formula_of_p99(
    runs: dict[str, RunSeen], program: str
) -> None:
    run = runs[program]
    for name, most in formula(program, run, 99).items():
        assert most is not None
        late = [(time, lag) for time, _, lag in run.federates[name].by_tag if lag > most]
        assert len(late) * 50 <= len(run.federates[name].by_tag), (name, most, late)


@pytest.mark.parametrize("program", CENTRALIZED)
def test_no_tag_is_above_the_formula_of_the_largest_times(
    runs: dict[str, RunSeen], program: str
) -> None:
    run = runs[program]
    found = formula(program, run, LARGEST)
    late = [
        (name, time, lag, most)
        for name, most in found.items()
        for time, _, lag in run.federates[name].by_tag
        if most is not None and lag > most
    ]
    assert not late
    assert any(most is not None for most in found.values()) or program == "Zdc"


@pytest.mark.parametrize(("program", "interval"), [("PhysUp", 10_000_000), ("PhysUpA", 5_000_000)])
def test_physical_actions_upstream_cost_up_to_the_interval(
    runs: dict[str, RunSeen], program: str, interval: int
) -> None:
    """The formula is for the worst moment within the interval: p99 is near it, not the median."""
    run = runs[program]
    expected = formula(program, run, 50)["d"]
    assert expected is not None
    lag = run.federates["d"].lags
    assert interval < expected < interval * 108 // 100
    assert abs(seen(lag, 99) - expected) * 100 <= 5 * expected
    assert seen(lag, 50) * 100 <= 55 * expected
    late = [(time, over) for time, _, over in run.federates["d"].by_tag if over > expected]
    assert all(over < expected + 3_500_000 for _, over in late), late


EVENTS = {
    ("MSG", "up"): "receive_TAGGED_MSG", ("MSG", "down"): "send_TAGGED_MSG",
    ("LTC", "up"): "receive_LTC", ("NET", "up"): "receive_NET", ("PTAG", "down"): "send_PTAG",
    ("TAG", "down"): "send_TAG", ("DNET", "down"): "send_DNET",
}  # fmt: skip


@pytest.mark.parametrize("program", ["Chain4", "Chain4N", "Diamond", "After", "Zdc"])
def test_messages_per_tag(runs: dict[str, RunSeen], program: str) -> None:
    run = runs[program]
    for count in counts(lags(centralized(program, run, 50))):
        really = run.per_tag(EVENTS[count.kind, count.direction])
        if count.claim == "at least":
            assert really * 100 >= count.count * 99, (count, really)
        else:
            assert abs(really - count.count) * 50 <= max(1, count.count), (count, really)
