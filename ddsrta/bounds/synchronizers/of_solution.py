"""The bounds of the synchronizers of a solved system, and what curves owe to them (lemma
set-curves)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ddsrta.bounds.edges import Edge
from ddsrta.bounds.stages import Stage
from ddsrta.bounds.streams import multiplicity, sources_of
from ddsrta.bounds.unbounded import (
    NO_COMMON_SOURCE,
    NO_STAMP,
    OVERTAKEN,
    ROUNDS,
    SAME_STAMP,
    SETS_DELAY,
    Because,
)
from ddsrta.models.arrivals import Periodic

if TYPE_CHECKING:
    from ddsrta.bounds.solution import Solution
    from ddsrta.bounds.synchronizers.bounds import Bounds, Input

_BEYOND = 1 << 60


def bounds_of(solution: Solution) -> dict[str, Bounds]:
    """Of all synchronizers, by their threads."""
    stages = [stage for stage in solution.compiled.stages if stage.synchronizer is not None]
    if not stages:
        return {}

    sources = sources_of(solution.compiled.streams, solution.compiled.stages)
    found: dict[str, Bounds] = {}
    gaps: dict[int, int | None] = {}  # between the sets of a node
    for stage in stages:  # each after those before it
        one = found[stage.key[1]] = _bounds(solution, stage, sources, gaps)
        gaps[solution.compiled.streams.of[solution.number(stage.key)].node] = one.gap
    return found


def why(solution: Solution, name: str) -> Because:
    """Why nothing bounds what is allowed for at a thread."""
    found = solution.synchronizers.get(name)
    if found is not None:
        return found.because or SETS_DELAY.of()
    return ROUNDS.of()


def topics_of(solution: Solution, stage: Stage) -> list[str]:
    """The topic behind each input of a stage with a synchronizer."""
    thread = solution.system.threads[stage.key[1]]
    names: list[str] = []
    for edge in stage.inputs:
        key = solution.compiled.stages[edge.source].key
        if key[0] == "message":
            names.append(key[2])
            continue
        subscription = key[1].removeprefix(f"{thread.name}/")
        names.append(edge.within or subscription)
    return names


def added(solution: Solution, found: Mapping[str, Bounds]) -> dict[str, int]:
    """By how much a message that a set is counted by may be older than when it arrived: curves of
    these synchronizers must allow for it beside what their input takes. One that counts by numbers
    and may lose some is among them, and counts so no more."""
    needed: dict[str, int] = {}
    if not found:
        return needed
    from ddsrta.bounds.synchronizers.bounds import least

    streams = solution.compiled.streams
    sources = sources_of(solution.compiled.streams, solution.compiled.stages)
    for name, each in found.items():
        number = solution.number(("job", name))
        place = streams.counted_by(number)
        if solution.compiled.stages[number].by_number and None in each.renewals:
            needed[name] = 0
        if place is None:
            continue
        edge = solution.compiled.stages[number].inputs[place]
        _, latest = solution.arrival_window(edge)
        source = sources[edge.source]
        counted = least(each.counted, *each.kept[place : place + 1])
        if counted is None or latest is None or source is None:
            needed[name] = _BEYOND
        else:  # latest counts from the base, of which the source may be released later
            released = streams.of[source].best + streams.of[source].late
            needed[name] = max(0, released + counted - latest)
    return needed


def _bounds(
    solution: Solution,
    stage: Stage,
    sources: Sequence[int | None],
    gaps: Mapping[int, int | None],
) -> Bounds:
    from ddsrta.bounds.synchronizers.bounds import Bounds, bounds, by_room

    assert stage.synchronizer is not None
    policy, queue = stage.synchronizer.policy, stage.synchronizer.queue
    equal = stage.has_equal_stamps
    losing = solution.compiled.mispaired.get(stage.key[1])
    nothing = (None,) * len(stage.inputs)
    inputs, because = _inputs(solution, stage, sources)
    known = [each for each in inputs if each is not None]
    origins = {sources[edge.source] for edge in stage.inputs}
    by_stamp = equal or policy == "exact_time"
    if because is None and by_stamp and len(origins) > 1:
        because = NO_COMMON_SOURCE.of()
    if because is None:
        found = bounds(stage.synchronizer, known, losing, equal)
    else:
        found = Bounds(None, nothing, nothing, because=because)
    room = 1 if policy == "latest" else queue
    if by_stamp or room is None or losing or not solution.compiled.room_ages:
        return found
    coming = zip(inputs, stage.inputs, topics_of(solution, stage), strict=True)
    followed = [one or _of_sets(solution, edge, topic, gaps) for one, edge, topic in coming]
    return by_room(found, room, followed)


def _of_sets(
    solution: Solution, edge: Edge, topic: str, gaps: Mapping[int, int | None]
) -> Input | None:
    """What is known of messages of the sets of another synchronizer, one of each set in their
    order; None of others."""
    from ddsrta.bounds.synchronizers.bounds import Input

    streams, stages = solution.compiled.streams, solution.compiled.stages
    gap = gaps.get(streams.of[edge.source].node)
    if gap is None or multiplicity(streams, edge) > 1 or stages[edge.source].reorders:
        return None
    earliest, latest = solution.arrival_window(edge)
    return Input(topic, None, gap, 0, earliest, latest, lambda _: 0)


def _inputs(
    solution: Solution, stage: Stage, sources: Sequence[int | None]
) -> tuple[list[Input | None], Because | None]:
    """What is known of each, None where its messages have no stamp of their own; and the first
    reason why one has none."""
    streams = solution.compiled.streams
    inputs: list[Input | None] = []
    first: Because | None = None
    for edge, topic in zip(stage.inputs, topics_of(solution, stage), strict=True):
        source = sources[edge.source]
        count = streams.of[edge.source].multiplicity * edge.multiplicity
        because: Because | None = None
        if solution.compiled.stages[edge.source].reorders:
            because = OVERTAKEN.of(topic=topic)
        elif source is None:
            because = NO_STAMP.of(topic=topic)
        elif count > 1:
            because = SAME_STAMP.of(count=count, topic=topic)
        first = first or because
        if source is None or because is not None:
            inputs.append(None)
        else:
            inputs.append(_input(solution, edge, topic, source))
    return inputs, first


def _input(solution: Solution, edge: Edge, topic: str, source: int) -> Input:
    """Times count from the release of the source, which its base may be ahead of (lemma
    known-offsets)."""
    from ddsrta.bounds.synchronizers.bounds import Input
    from ddsrta.bounds.synchronizers.paces import events

    stream = solution.compiled.streams.of[source]
    arrival = solution.compiled.stages[source].arrival
    assert arrival is not None
    earliest, latest = solution.arrival_window(edge)
    first = arrival.largest_gap
    if isinstance(arrival, Periodic):
        later = solution.compiled.streams.nodes[stream.node].offset + stream.best
        first = arrival.period + later + arrival.jitter
    return Input(
        topic,
        first,
        arrival.largest_gap,
        arrival.least_distance(2),
        earliest - stream.best,
        None if latest is None else latest - stream.best,
        lambda window: events(arrival, window),
    )
