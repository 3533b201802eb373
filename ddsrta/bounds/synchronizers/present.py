"""What people read of synchronizers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from ddsrta.base.units import Duration, duration
from ddsrta.bounds.findings.rules import finding
from ddsrta.bounds.result import Finding, SynchronizerResult
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.stages import Stage
from ddsrta.bounds.synchronizers.of_solution import topics_of
from ddsrta.bounds.synchronizers.paces import mean_distance
from ddsrta.models.synchronization import Synchronizer
from ddsrta.models.system import System

if TYPE_CHECKING:
    from ddsrta.bounds.synchronizers.bounds import Bounds


def synchronizer_results(solution: Solution) -> dict[str, SynchronizerResult]:
    """All of them, by their threads."""
    return {
        name: _result(solution, solution.compiled.stages[solution.number(("job", name))], bounds)
        for name, bounds in solution.synchronizers.items()
    }


def _result(solution: Solution, stage: Stage, bounds: Bounds) -> SynchronizerResult:
    assert stage.synchronizer is not None
    waits: dict[str, Duration | None] = {}
    for number, topic in enumerate(topics_of(solution, stage)):
        waits[topic] = duration(bounds.waits[number]) if bounds.waits else None
    period = _period(solution, stage, stage.synchronizer)
    return SynchronizerResult(
        stage.synchronizer.policy,
        duration(bounds.disparity),
        waits,
        duration(period),
        duration(bounds.gap),
        bounds.needed,
        stage.synchronizer.queue,
        solution.lost.get(stage.key[1], bounds.because),
    )


def _period(solution: Solution, stage: Stage, synchronizer: Synchronizer) -> int | None:
    """Each set has a new message of each topic; of `latest`, of one at least."""
    streams = solution.compiled.streams
    means: list[Fraction] = []
    for edge in stage.inputs:
        stream = streams.of[edge.source]
        arrival = streams.nodes[stream.node].arrival
        if arrival is None:
            return None
        means.append(mean_distance(arrival) / (stream.multiplicity * edge.multiplicity))
    if synchronizer.policy == "latest":
        return int(1 / sum((1 / mean for mean in means), Fraction(0)))
    return int(max(means))


def short_queues(system: System, found: Mapping[str, SynchronizerResult]) -> Iterator[Finding]:
    """Synchronizers that may lose messages for want of room."""
    for name, one in found.items():
        if one.queue is not None and (one.needed is None or one.needed > one.queue):
            asked = "any number" if one.needed is None else f"up to {one.needed}"
            yield finding(
                system,
                "queue-overflow",
                ("threads", name, "subscribes", "queue"),
                f"the synchronizer of '{name}' may have to keep {asked} and has room for "
                f"{one.queue}: what it loses makes sets late, or worse ones; enlarge its 'queue'",
            )
