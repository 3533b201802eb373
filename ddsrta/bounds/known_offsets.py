"""Sources of one machine with known offsets and one period: how they are in step (lemma
known-offsets)."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from ddsrta.bounds.skipped import Skipping
from ddsrta.bounds.stages import Stage
from ddsrta.models.arrivals import Arrival, Periodic
from ddsrta.models.system import System


class Clocked(NamedTuple):
    """A source with a known offset; `offset` is beyond the least one of its group."""

    group: tuple[str, int]  # machine and period
    offset: int
    shares: bool  # the base of the group, which others share, too


def clocked(system: System, stages: list[Stage]) -> dict[int, Clocked]:
    """The sources with a known offset, by the number of their stage."""
    groups: dict[int, tuple[str, int]] = {}
    least: dict[tuple[str, int], int] = {}
    for number, stage in enumerate(stages):
        arrival = stage.arrival
        if isinstance(arrival, Periodic | Skipping) and arrival.offset is not None:
            machine = system.machine_of(system.threads[stage.key[1]].core)
            period = arrival.period if isinstance(arrival, Periodic) else arrival.distance
            group = groups[number] = (machine, period)
            least[group] = min(arrival.offset, least.get(group, arrival.offset))
    fit = {number for number in groups if _fits(stages[number].arrival)}
    members = Counter(groups[number] for number in fit)
    return {
        number: Clocked(
            group, _offset(stages[number]) - least[group], number in fit and members[group] > 1
        )
        for number, group in groups.items()
    }


def _offset(stage: Stage) -> int:
    assert isinstance(stage.arrival, Periodic | Skipping)
    return stage.arrival.offset or 0


def _fits(arrival: Arrival | None) -> bool:
    """Whether an offset tells something (jitter is less than a period), and the least distance
    nothing that period and jitter do not; and whether it leaves no release out (lemma
    timer-skips)."""
    return (
        isinstance(arrival, Periodic)
        and arrival.jitter + max(1, arrival.min_distance) <= arrival.period
    )
