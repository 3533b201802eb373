"""Latency along a path: of messages, chains, and through registers (lemmas path-latency,
register-chain and clocked-registers)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ddsrta.base.frozen import frozen
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.paths import Step, delayed
from ddsrta.bounds.paths.walk import Walk, along
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.stages import Key, Stage
from ddsrta.models.arrivals import Periodic
from ddsrta.models.graph import Hop, is_partial

if TYPE_CHECKING:
    from ddsrta.bounds.paths.clocked import Clock
    from ddsrta.bounds.paths.told import Told


@frozen
class Segment:
    """A stretch of a path that one event runs through, from a thread to the next register."""

    last: Walk | Told  # of events whose tokens come last
    every: Walk | Told  # of every event
    delay: int  # of what is handed over directly behind it
    reaction: int | None  # the same up to what knows of an event, where messages are left out
    gap: int | None  # largest time between releases of the first thread
    late: int = 0  # how much longer than that its first release may take (lemma known-offsets)
    clock: Clock | None = None
    # why what is older may come last (note ordered-delivery, lemma overtaking-jobs)
    reorders: str | None = None
    left_out: Hop | None = None  # where jobs send some messages only (lemma thinned-stream)
    rounds: Hop | None = None  # where on the whole path messages go round (note rounds-alone)

    @property
    def latency(self) -> int | None:
        """Latency of every event."""
        return _sum([self.every.total, self.delay])

    @property
    def trigger_latency(self) -> int | None:
        """Latency of events whose token comes last at each AND; these are some of all events."""
        return least(_sum([self.last.total, self.delay]), self.latency)

    @property
    def stages(self) -> Sequence[int]:
        """Its stages, in order."""
        return self.every.way

    @property
    def totals(self) -> list[int | None]:
        """The latency of every event up to the end of each."""
        *before, latency = self.every.totals
        return [*before, _sum([latency, self.delay])]

    @property
    def trigger_totals(self) -> list[int | None]:
        """The same of events whose token comes last at each AND."""
        *before, latency = self.last.totals
        return [*before, _sum([latency, self.delay])]

    @property
    def steps(self) -> tuple[Step, ...]:
        """Step by step, of events whose tokens come last."""
        return _steps(self.last, self.delay)

    @property
    def waiting(self) -> tuple[Step, ...]:
        """The same of every event."""
        return _steps(self.every, self.delay)


def _steps(walk: Walk | Told, delay: int) -> tuple[Step, ...]:
    from ddsrta.bounds.paths.steps import steps_of

    *before, step = steps_of(walk)
    return *before, delayed(step, delay)


def segments(solution: Solution, start: str, hops: tuple[Hop, ...]) -> list[Segment]:
    """The segments of a path, cut where it enters a thread that is released by time."""
    system = solution.system
    result = []
    keys: list[Key] = [("job", start)]
    left_out: Hop | None = None
    goes_round: Hop | None = None
    rounds = {name for circle in system.closed for name in circle.threads}
    for hop in hops:
        keys += stages_of(solution.compiled, hop)
        target: Key = ("job", hop.target)
        left_out = left_out or (hop if is_partial(system, hop) else None)
        if hop.source in rounds or hop.target in rounds:
            goes_round = goes_round or hop
        if system.threads[hop.target].arrival is not None:
            result.append(_segment(solution, keys, hop, left_out))
            keys, left_out = [target], None
        else:
            keys.append(target)
    result.append(_segment(solution, keys, None, left_out))
    return [replace(part, rounds=goes_round) for part in result] if goes_round else result


def message_latency(solution: Solution, keys: list[Key]) -> int | None:
    """DDL: from the arrival at the first of these stages to the end of the last."""
    return along(solution, keys).total


def stages_of(compiled: Compiled, hop: Hop) -> list[Key]:
    """The middleware stages between two threads; none within a process."""
    if hop.topic is None:
        return []
    sample: Key = ("sample", hop.source, hop.topic)
    message: Key = ("message", hop.source, hop.topic, hop.target)
    known = compiled.stage_number
    if message not in known:  # else the sample, if any, is for readers of other processes
        threads = compiled.system.threads
        local = compiled.system.is_local(threads[hop.source], threads[hop.target])
        return [sample] if local and sample in known else []
    return [*([sample] if sample in known else []), *transfers(compiled, message), message]


def transfers(compiled: Compiled, message: Key) -> list[Key]:
    """The stage on a shared link before that of a message at its listener, if there is one."""
    stages = compiled.stages
    before = stages[stages[compiled.stage_number[message]].inputs[0].source].key
    return [before] if before[0] == "transfer" else []


def _segment(
    solution: Solution, keys: list[Key], register: Hop | None, left_out: Hop | None
) -> Segment:
    last = every = along(solution, keys)
    stages = [solution.compiled.stages[number] for number in last.way]
    arrival = solution.system.threads[keys[0][1]].arrival
    if any(stage.anew or len(stage.inputs) > 1 for stage in stages[1:]):
        every = along(solution, keys, waits=True)
    reaction, delay = every.total, 0
    if any(stage.synchronizer for stage in stages):
        reaction = along(solution, keys, waits=True, renews=True).total
    if register is not None and register.topic is None:
        follows = solution.system.threads[register.target].follows
        assert follows is not None
        # a value that is handed over directly reaches the register after the delay of `follows`
        delay = follows.delay
        reaction = _sum([reaction, delay])
    late = arrival.offset or 0 if isinstance(arrival, Periodic) else 0
    reorders = next(_reordering(solution, stages, register), None) if register else None
    released = stages[0].arrival
    gap = released.largest_gap if released else None
    clock = None
    if isinstance(released, Periodic) and released.offset is not None:
        from ddsrta.bounds.paths.clocked import clock_of

        clock = clock_of(solution, last.start)
    return Segment(last, every, delay, reaction, gap, late, clock, reorders, left_out)


def _reordering(solution: Solution, stages: list[Stage], register: Hop) -> Iterator[str]:
    """What may change the order of what goes through these stages, and to the register behind."""
    for stage in stages:
        if stage.overlaps:
            yield f"jobs of {stage.key[1]} may run at the same time"
        if True in [edge.overtakes for edge in stage.inputs]:
            kind, name, *rest = stage.key
            what = f"messages of '{rest[0]}'" if kind == "message" else f"what releases {name}"
            yield f"{what} may overtake each other on the way"
    if register.topic is not None:
        return
    if solution.system.overtakes(register.source, None, register.target):
        yield f"jobs of {register.source} may overtake each other on the way"


def least(one: int | None, other: int | None) -> int | None:
    """The least of two bounds of the same.

    >>> least(3, None), least(3, 2)
    (3, 2)
    """
    return min((bound for bound in (one, other) if bound is not None), default=None)


def data_age(parts: list[Segment]) -> int | None:
    """From the release that read the sensor to the last completion that used what it read. A value
    stays in a register until a newer one comes there: what is left out on the way brings none."""
    if reordered(parts) or left_out(parts[:-1]) or parts[0].rounds:
        return None
    return _sum([*(p.reaction for p in parts[:-1]), *age_gaps(parts), parts[-1].latency])


def reaction_time(parts: list[Segment]) -> int | None:
    """From a stimulus just missed to the first completion that knows of it."""
    if reordered(parts) or left_out(parts) or parts[0].rounds:
        return None
    return _sum([*(p.reaction for p in parts), *reaction_gaps(parts)])


def age_gaps(parts: list[Segment]) -> list[int | None]:
    """What a data age takes more behind each segment but the last: until the next value is there,
    or by one clock until the release that reads it."""
    gaps = [part.gap for part in parts[:-1]]
    for first, last, way, time in _clocked(parts):
        known = _sum([*gaps[first:last], way])
        if known is None or time < known:
            gaps[first:last] = [*[0] * (last - first - 1), time - way]
    return gaps


def reaction_gaps(parts: list[Segment]) -> list[int | None]:
    """What a reaction time takes more before each segment: until its release."""
    gaps = [_sum([part.gap, part.late * (n > 0)]) for n, part in enumerate(parts)]
    for first, last, way, age in _clocked(parts):
        clock = parts[last].clock
        assert clock is not None
        time = age + clock.period + parts[first].late * (first > 0)
        known = _sum([*gaps[first : last + 1], way])
        if known is None or time < known:
            gaps[first : last + 1] = [time - way, *[0] * (last - first)]
    return gaps


def _clocked(parts: list[Segment]) -> Iterator[tuple[int, int, int, int]]:
    """Segments in a row that are released by one clock: the first, the last, what those before that
    take, and the longest from a release of the first to that of the last which uses its value."""
    first = 0
    for end in range(1, len(parts) + 1):
        here = None if end == len(parts) else parts[end].clock
        before = parts[end - 1].clock
        if here is not None and before is not None and here.machine == before.machine:
            continue
        ways = [part.reaction for part in parts[first : end - 1]]
        known = [way for way in ways if way is not None]
        if ways and len(known) == len(ways):
            from ddsrta.bounds.paths.clocked import sampled

            clocks = [part.clock for part in parts[first:end] if part.clock is not None]
            time = sampled(clocks, known)
            if time is not None:
                yield first, end - 1, sum(known), time
        first = end


def reordered(parts: list[Segment]) -> str | None:
    """What may overtake each other on the way to a register: what is older may come last."""
    return next((part.reorders for part in parts[:-1] if part.reorders), None)


def left_out(parts: list[Segment]) -> Hop | None:
    """Where jobs may send nothing: how long it takes until one does is not bounded."""
    return next((part.left_out for part in parts if part.left_out), None)


def lossy(solution: Solution, parts: list[Segment], losing: frozenset[Key]) -> Key | None:
    """The first stage of these where a message may be lost: what comes after it is later."""
    handed = {(key[1], key[3]): key for key in losing if key[0] == "direct"}
    for part in parts:
        keys = [solution.compiled.stages[number].key for number in part.stages]
        for before, key in zip([("", ""), *keys], keys, strict=False):
            if key in losing:
                return key
            if key[0] == "job" and (before[1], key[1]) in handed:
                return handed[before[1], key[1]]
    return None


def _sum(values: list[int | None]) -> int | None:
    total = 0
    for value in values:
        if value is None:
            return None
        total += value
    return total
