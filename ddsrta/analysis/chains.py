"""Latency along a path: of messages, chains, and through registers (theory 6)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ddsrta.analysis.joins import wait
from ddsrta.analysis.solve import Solution, bounded
from ddsrta.analysis.stages import Edge, Key
from ddsrta.models.graph import Hop
from ddsrta_kernel import Outcome


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of a path. `carried` is what the path had taken before the origin of the stage's
    stretch, `before` the time from the origin to the arrival here, `outcome` the stage's window."""

    stage: int
    edge: Edge | None  # None at the start of a segment
    origin: int
    carried: int
    before: int
    outcome: Outcome | None

    @property
    def total(self) -> int | None:
        """The latency of the path up to the end of the stage."""
        if self.outcome is None or bounded(self.outcome.latency) is None:
            return None
        return self.carried + self.outcome.latency


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a path that one event runs through, from a thread to the next register."""

    steps: tuple[Step, ...]
    data_latency: int | None
    gap: int | None  # largest time between releases of the first thread

    @property
    def latency(self) -> int | None:
        """Trigger latency of the segment."""
        return self.steps[-1].total


def segments(solution: Solution, start: str, hops: tuple[Hop, ...]) -> list[Segment]:
    """The segments of a path, cut where it enters a thread that is released by time."""
    system = solution.system
    result = []
    keys: list[Key] = [("job", start)]
    for hop in hops:
        keys += _stages_of(solution, hop)
        target: Key = ("job", hop.target)
        if system.threads[hop.target].arrival is not None:
            result.append(_segment(solution, keys, hop))
            keys = [target]
        else:
            keys.append(target)
    result.append(_segment(solution, keys, None))
    return result


def message_latency(solution: Solution, keys: list[Key]) -> int | None:
    """DDL: from the arrival at the first of these stages to the end of the last."""
    return _walk(solution, keys)[-1].total


def _stages_of(solution: Solution, hop: Hop) -> list[Key]:
    """The middleware stages between two threads."""
    if hop.topic is None:
        return []
    sample: Key = ("sample", hop.source, hop.topic)
    message: Key = ("message", hop.source, hop.topic, hop.target)
    return [sample, message] if sample in solution.compiled.stage_number else [message]


def _segment(solution: Solution, keys: list[Key], register: Hop | None) -> Segment:
    steps = _walk(solution, keys)
    arrival = solution.system.threads[keys[0][1]].arrival
    data = _data_latency(solution, steps)
    if register is not None and register.topic is None:
        steps, data = _reaching_register(solution, steps, data, register)
    return Segment(tuple(steps), data, arrival.largest_gap if arrival else None)


def _reaching_register(
    solution: Solution, steps: list[Step], data: int | None, register: Hop
) -> tuple[list[Step], int | None]:
    """A value that is handed over directly reaches the register after the delay of `follows`."""
    follows = solution.system.threads[register.target].follows
    assert follows is not None
    last = steps[-1]
    moved = Step(
        last.stage, last.edge, last.origin, last.carried + follows.delay, last.before, last.outcome
    )
    return [*steps[:-1], moved], None if data is None else data + follows.delay


def _walk(solution: Solution, keys: list[Key]) -> list[Step]:
    """Trigger latency, stage by stage; None outcomes from the first unbounded one on."""
    compiled = solution.compiled
    numbers = [solution.number(key) for key in keys]
    origin, carried = numbers[0], 0
    steps = [Step(origin, None, origin, 0, 0, solution.evaluate(origin, origin, 0))]
    for previous, number in pairwise(numbers):
        stage = compiled.stages[number]
        edge = next(edge for edge in stage.inputs if edge.source == previous)
        total = steps[-1].total
        if total is None:
            steps.append(Step(number, edge, origin, carried, 0, None))
            continue
        if len(stage.inputs) > 1:
            origin, carried = number, total + edge.worst
        before = total + edge.worst - carried
        outcome = solution.evaluate(number, origin, before)
        steps.append(Step(number, edge, origin, carried, before, outcome))
    return steps


def _data_latency(solution: Solution, steps: list[Step]) -> int | None:
    """The same, with the waits at AND joins; never below the trigger latency."""
    compiled = solution.compiled
    if steps[-1].total is None:
        return None
    origin = steps[0].stage
    from_base = not compiled.stages[origin].inputs
    total: int | None = steps[0].total
    carried = 0
    for step in steps[1:]:
        assert step.edge is not None
        if total is None:
            return None
        stage = compiled.stages[step.stage]
        arrived = total + step.edge.worst
        if len(stage.inputs) == 1:
            outcome = solution.evaluate(step.stage, origin, arrived - carried)
            total = _plus(carried, bounded(outcome.latency))
            continue
        same = compiled.streams.of[step.stage].entries[0] is None
        if same and from_base:
            total = solution.latency(step.stage)
            # From here on `before` is that of the base, which the origin's stream shares.
            carried = 0
            continue
        if stage.activation == "and":
            others = [edge for edge in stage.inputs if edge != step.edge]
            waiting = wait(solution, step.edge, others)
            if waiting is None:
                return None
            arrived += waiting
        origin, carried, from_base = step.stage, arrived, False
        total = _plus(carried, solution.response(step.stage))
    return total


def _plus(first: int, second: int | None) -> int | None:
    return None if second is None else first + second


def data_age(parts: list[Segment]) -> int | None:
    """From the release that read the sensor to the last completion that used what it read."""
    return _sum([p.data_latency for p in parts] + [p.gap for p in parts[:-1]])


def reaction_time(parts: list[Segment]) -> int | None:
    """From a stimulus just missed to the first completion that knows of it."""
    return _sum([p.data_latency for p in parts] + [p.gap for p in parts])


def _sum(values: list[int | None]) -> int | None:
    total = 0
    for value in values:
        if value is None:
            return None
        total += value
    return total
