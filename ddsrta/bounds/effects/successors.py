"""Which stages come only after the completion of others, as ranges of a numbering (definition
later-effect)."""

from __future__ import annotations

from typing import TypeVar

from ddsrta.base.frozen import frozen
from ddsrta.bounds.stages import Stage
from ddsrta.bounds.streams import Streams

T = TypeVar("T")
Range = tuple[int, int]
MOST_RANGES = 64  # of one stage: effects beyond these are not known
MOST_EFFECTS = 1000  # of one stage, that are looked up one by one


@frozen
class Successors:
    """Stages are numbered anew, in an `order` in which each has its `place`. For the same event,
    the stages in the ranges `after` another come only when that one has completed."""

    order: list[int]
    place: list[int]
    after: list[list[Range]]

    def effects_in(self, places: list[T], stage: int) -> list[T]:
        """What has the places of stages that come only after one has completed; no more than
        MOST_EFFECTS of them."""
        found: list[T] = []
        for first, end in self.after[stage]:
            found += places[first:end]
        return found[:MOST_EFFECTS]


def completions(stages: list[Stage], streams: Streams, sets: bool) -> Successors:
    """The effects of all stages, which come in an order in which causes precede effects. With
    `sets`, an AND job that continues a stream is an effect of each of its inputs (lemma
    effects-behind-joins).

    A stage hangs below the first that must have completed, so its effects follow it in one range;
    what hangs below another, as an AND job may, is in a range of its own.
    """
    parents = _parents(stages, streams, sets)
    below: list[list[int]] = [[] for _ in stages]
    more: list[list[int]] = [[] for _ in stages]
    tops: list[int] = []
    for number, found in enumerate(parents):
        (below[found[0]] if found else tops).append(number)
        for other in found[1:]:
            more[other].append(number)
    begin, end = _numbered(tops, below)
    after: list[list[Range]] = [[] for _ in stages]
    for number in reversed(range(len(stages))):
        ranges = [(begin[number] + 1, end[number])]
        for child in below[number]:
            ranges += after[child][1:]
        for child in more[number]:
            ranges += [(begin[child], end[child]), *after[child][1:]]
        after[number] = _merged(ranges) if len(ranges) > 1 else ranges
    order = sorted(range(len(stages)), key=begin.__getitem__)
    return Successors(order, begin, after)


def releases_at_end(stages: list[Stage], source: int, target: int) -> bool:
    """Whether a stage releases another only by completing: a job those that follow it, a message
    and a sample of one copy everything."""
    kind = stages[source].key[0]
    if kind == "job":
        released = stages[target]
        if released.key[0] != "job":
            return False
        return not [e for e in released.inputs if e.within and e.source == source]
    if kind == "transfer":
        return False  # a receiver may have it before the end of the frame
    return kind == "message" or stages[source].copies == 1


def _parents(stages: list[Stage], streams: Streams, sets: bool) -> list[list[int]]:
    """The last stages that must have completed before a stage is released, none of them twice."""
    parents: list[list[int]] = []
    for number, stage in enumerate(stages):
        found: list[int] = []
        entries = streams.of[number].entries
        if entries == [None]:
            source = stage.inputs[0].source
            found = [source] if releases_at_end(stages, source, number) else parents[source]
        elif sets and entries == [None] * len(entries):
            for source in dict.fromkeys([edge.source for edge in stage.inputs]):
                found += [source] if releases_at_end(stages, source, number) else parents[source]
            found = list(dict.fromkeys(found))[:MOST_RANGES]
        parents.append(found)
    return parents


def _numbered(tops: list[int], below: list[list[int]]) -> tuple[list[int], list[int]]:
    """Where the range of each stage begins, with itself, and ends, with all that hangs below it."""
    begin, end, count = [0] * len(below), [0] * len(below), 0
    path = [(top, False) for top in reversed(tops)]
    while path:
        stage, done = path.pop()
        if done:
            end[stage] = count
            continue
        begin[stage] = count
        count += 1
        path.append((stage, True))
        for child in below[stage]:
            path.append((child, False))
    return begin, end


def _merged(ranges: list[Range]) -> list[Range]:
    """The first range, and those that lie in no other one; not too many."""
    own, *others = ranges
    kept = [own]
    for first, end in sorted(set(others), key=lambda each: (each[0], -each[1])):
        if not own[0] <= first < own[1] and (len(kept) == 1 or first >= kept[-1][1]):
            kept.append((first, end))
    return kept[:MOST_RANGES]
