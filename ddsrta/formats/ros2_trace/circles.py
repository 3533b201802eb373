"""Callbacks that release each other in circles, and how often messages went round."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ddsrta.formats.ros2_trace.entities import UNKNOWN, Callback
from ddsrta.formats.ros2_trace.naming import HOUSEKEEPING, Names
from ddsrta.formats.ros2_trace.observed import ObservedCircle
from ddsrta.formats.ros2_trace.runs import Runs

_Inputs = dict[Callback, list[Callback]]


class _Circle(NamedTuple):
    members: tuple[Callback, ...]  # from the first one round to the last
    because: str = ""

    @property
    def topic(self) -> str:
        end = self.members[0].endpoint
        return (end.topic if end else None) or ""


def observed_circles(
    callbacks: Sequence[Callback], names: Names, runs: Runs
) -> tuple[ObservedCircle, ...]:
    """All circles of a trace, with what went round in them."""
    inputs = _inputs([one for one in callbacks if names.kind_of(one) != "unknown"])
    found = [_entered(group, inputs, names, runs) for group in _circular(inputs)]
    depths = _Depths(found, runs)
    return tuple(depths.of(circle, names) for circle in found)


def _inputs(callbacks: Sequence[Callback]) -> _Inputs:
    """Who publishes what releases each callback."""
    writers: dict[str, list[Callback]] = {}
    for one in callbacks:
        for topic in one.published:
            if topic != HOUSEKEEPING:
                writers.setdefault(topic, []).append(one)
    found: _Inputs = {}
    for one in callbacks:
        end = one.endpoint
        reads = end.topic if end and end.kind == "subscription" else None
        found[one] = writers.get(reads or "", [])
    return found


def _circular(inputs: _Inputs) -> Iterator[list[Callback]]:
    """Groups of callbacks each of which all others of the group lead to."""
    outputs: _Inputs = {one: [] for one in inputs}
    for one, sources in inputs.items():
        for source in sources:
            outputs[source].append(one)
    taken: set[Callback] = set()
    for one in _by_end(inputs):
        if one not in taken:
            group = [one]
            taken.add(one)
            for member in group:
                ahead = [other for other in outputs[member] if other not in taken]
                taken.update(ahead)
                group += ahead
            if len(group) > 1 or one in inputs[one]:
                yield group


def _by_end(inputs: _Inputs) -> list[Callback]:
    """All callbacks, the last first of those that a search along inputs has done with."""
    done: list[Callback] = []
    seen: set[Callback] = set()
    for start in inputs:
        if start in seen:
            continue
        seen.add(start)
        ahead = [(start, iter(inputs[start]))]
        while ahead:
            one, sources = ahead[-1]
            source = next((each for each in sources if each not in seen), None)
            if source is None:
                done.append(one)
                ahead.pop()
            else:
                seen.add(source)
                ahead.append((source, iter(inputs[source])))
    return done[::-1]


def _entered(group: list[Callback], inputs: _Inputs, names: Names, runs: Runs) -> _Circle:
    """The circle from where it is entered; or why it is none that a counter ends."""
    within = {one: [source for source in inputs[one] if source in group] for one in group}
    way = _way(within, min(group, key=lambda one: one.order))
    if any(len(sources) != 1 for sources in within.values()) or len(way) < len(group):
        return _Circle(way, "several circles share callbacks")
    entries = [one for one in way if len(inputs[one]) > 1]
    if len(entries) > 1:
        told = ", ".join(sorted(names.callbacks[one] for one in entries))
        return _Circle(way, f"it is entered at several callbacks: {told}")
    if not entries:
        entries = [one for one in way if _topic(one) in runs.outside]
    if len(entries) != 1:
        return _Circle(way, "no callback outside was seen to release one of it")
    at = way.index(entries[0])
    found = _Circle((*way[at:], *way[:at]))
    several = [one for one, to in _hops(found) if one.published[_topic(to)].most > 1]
    if several:
        told = names.callbacks[several[0]]
        return found._replace(because=f"a job of {told} sends several messages round")
    return found


def _way(within: _Inputs, start: Callback) -> tuple[Callback, ...]:
    """From a callback round to the one that releases it, or where the way meets itself."""
    way = [start]
    while (before := within[way[0]][0]) not in way:
        way.insert(0, before)
    return (way[-1], *way[:-1])


def _hops(circle: _Circle) -> Iterator[tuple[Callback, Callback]]:
    members = circle.members
    return zip(members, (*members[1:], members[0]), strict=True)


def _topic(callback: Callback) -> str:
    return (callback.endpoint.topic if callback.endpoint else None) or ""


class _Depths:
    """How often what released each job of a circle had gone round."""

    def __init__(self, circles: list[_Circle], runs: Runs) -> None:
        self.causes = runs.causes
        self.depth = array("q")
        self.unknown: dict[int, int] = {}  # jobs by the order of their callback
        self.goes_on = bytearray()  # whether a job of the circle was released by a job's message
        place = {one.order: at for at, each in enumerate(circles) for one in each.members}
        closing = {each.members[0].order: each.members[-1].order for each in circles}
        for job, (callback, cause) in enumerate(zip(*self._jobs(bool(circles)), strict=True)):
            self.depth.append(0)
            self.goes_on.append(0)
            if callback not in place:
                continue
            if cause >= 0 and place.get(self.causes.of[cause]) == place[callback]:
                again = closing.get(callback) == self.causes.of[cause]
                self.depth[job] = self.depth[cause] + again
                self.goes_on[cause] = 1
            elif cause == UNKNOWN:
                self.unknown[callback] = self.unknown.get(callback, 0) + 1

    def _jobs(self, needed: bool) -> tuple[Sequence[int], Sequence[int]]:
        return (self.causes.of, self.causes.cause) if needed else ((), ())

    def of(self, circle: _Circle, names: Names) -> ObservedCircle:
        """What was seen of a circle."""
        told = tuple(names.callbacks[one] for one in circle.members)
        if circle.because:
            return ObservedCircle(told, circle.topic, because=circle.because)
        last = circle.members[-1].published[circle.topic]
        rounds = max(self.depth[job] + 1 for job in last.jobs)
        unknown = sum(self.unknown.get(one.order, 0) for one in circle.members)
        return ObservedCircle(
            told, circle.topic, rounds, len(last.jobs), unknown, self._open(circle, rounds)
        )

    def _open(self, circle: _Circle, rounds: int) -> bool:
        """Whether what went round most often was not seen to end: its last message was taken by no
        job, or its last job did not end."""
        for one, to in _hops(circle):
            sent = set(one.published[_topic(to)].jobs)
            for job in self._of(one.order):
                depth = self.depth[job] + (job in sent and to is circle.members[0])
                unheard = job in sent or not self.causes.ended[job]
                if depth == rounds and unheard and not self.goes_on[job]:
                    return True
        return False

    def _of(self, callback: int) -> Iterator[int]:
        return (job for job, of in enumerate(self.causes.of) if of == callback)
