"""Partitions to begin a search with, and changes of one into another."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

from ddsrta.base.components import connected
from ddsrta.lf.bounds.enclaves.partition import Atoms, Cut

_MOST_STAGES = 4
Groups = list[list[int]]


class Builder:
    """Makes cuts of groups of atoms: the first is outside enclaves, and may be empty."""

    def __init__(self, found: Atoms, workers: int) -> None:
        self.atoms, self.workers = found, workers
        self.number = {name: at for at, row in enumerate(found.members) for name in row}
        self.free = list(range(1, len(found.members)))

    def cut(self, groups: Iterable[Sequence[int]], workers: Sequence[int] | None = None) -> Cut:
        """The cut of some groups, with workers for where they help most unless they are given."""
        first, *rest = groups
        kept = [sorted(first), *(sorted(group) for group in rest if group)]
        given = list(workers) if workers is not None and len(kept) == len(workers) else None
        return Cut(
            tuple(tuple(name for at in group for name in self.atoms.members[at]) for group in kept),
            tuple(given or self._spread(kept)),
        )

    def groups(self, cut: Cut) -> Groups:
        """The atoms of each group of a cut; one that is parted goes where its first reactor is."""
        seen: set[int] = set()
        found: Groups = [[0]]
        seen.add(0)
        for place, group in enumerate(cut.groups):
            row = list(dict.fromkeys(self.number[name] for name in group))
            row = [at for at in row if at not in seen]
            seen.update(row)
            if place:
                found.append(row)
            else:
                found[0] += row
        return found

    def _spread(self, groups: Sequence[Sequence[int]]) -> list[int]:
        """One worker each, and what is left one by one to the group that needs it most."""
        result = [1] * len(groups)
        needs = [self._need(group) for group in groups]
        outside = self.atoms.pinned or len(groups[0]) > 1  # else nothing runs there
        left = self.workers - len(groups) + (0 if outside else 1)
        for _ in range(left):
            gains = [
                (work - path) // count - (work - path) // (count + 1)
                for (work, path), count in zip(needs, result, strict=True)
            ]
            result[gains.index(max(gains))] += 1
        return result

    def _need(self, group: Sequence[int]) -> tuple[int, int]:
        """The work of a group, and of its longest way."""
        inside = set(group)
        longest: dict[int, int] = {}
        for at in sorted(group, key=self.atoms.depth.__getitem__, reverse=True):
            rest = [longest[other] for other in self.atoms.follows[at] if other in inside]
            longest[at] = self.atoms.cost[at] + max(rest, default=0)
        return sum(self.atoms.cost[at] for at in group), max(longest.values(), default=0)

    def beginnings(self) -> Iterator[Cut]:
        """What people would draw."""
        yield self.cut([[0, *self.free]])
        yield self.cut([[0], self.free])
        for rest, pipelines in self._pipelines():
            most = min(len(pipelines), max(self.workers, 1))
            for bins in range(1, most + 1):
                for stages in range(1, _MOST_STAGES + 1):
                    if bins * stages <= max(self.workers, bins):
                        yield self.cut([[0, *rest], *self._staged(pipelines, bins, stages)])
            yield self.cut([[0, *rest], *pipelines])
        yield self.cut([[0], *([at] for at in self.free)])

    def _pipelines(self) -> Iterator[tuple[list[int], Groups]]:
        """What falls apart once the first few levels, or also the last, are taken away."""
        seen: set[tuple[int, ...]] = set()
        ends = [at for at in self.free if not self.atoms.follows[at]]
        for heads in range(_MOST_STAGES):
            for last in ([], ends):
                rest = [at for at in self.free if self.atoms.depth[at] < heads or at in last]
                left = [at for at in self.free if at not in set(rest)]
                pieces = self.pieces(left)
                if len(pieces) > 1 and tuple(rest) not in seen:
                    seen.add(tuple(rest))
                    yield rest, pieces

    def pieces(self, group: Sequence[int]) -> Groups:
        """The parts of a group that do not depend on each other, the most work first."""
        inside = set(group)
        ways = [(at, other) for at in group for other in self.atoms.follows[at] if other in inside]
        both = [pair for way in ways for pair in (way, way[::-1])]
        found = [sorted(members) for members in connected(group, both)]
        return sorted(found, key=lambda row: (-sum(self.atoms.cost[at] for at in row), row))

    def _staged(self, pipelines: Groups, bins: int, stages: int) -> Groups:
        """Pipelines in so many groups of about the same work, each cut across into stages."""
        loads = [0] * bins
        groups: Groups = [[] for _ in range(bins)]
        for row in pipelines:
            least = loads.index(min(loads))
            groups[least] += row
            loads[least] += sum(self.atoms.cost[at] for at in row)
        return [part for group in groups for part in self.across(group, stages)]

    def across(self, group: Sequence[int], stages: int) -> Groups:
        """Stages of about the same work, one after the other."""
        total = sum(self.atoms.cost[at] for at in group)
        found: Groups = [[] for _ in range(stages)]
        done = 0
        depths = sorted({self.atoms.depth[at] for at in group})
        for depth in depths:
            row = [at for at in group if self.atoms.depth[at] == depth]
            work = sum(self.atoms.cost[at] for at in row)
            stage = min(stages - 1, (2 * done + work) * stages // max(1, 2 * total))
            found[stage] += row
            done += work
        return [row for row in found if row]


def changed(builder: Builder, cut: Cut, chance: random.Random) -> Cut | None:
    """A cut that differs a little: something moved, joined or parted, or a worker elsewhere."""
    groups = builder.groups(cut)
    kind = chance.choice(("move", "move", "join", "part", "across", "worker"))
    full = [place for place, group in enumerate(groups) if group and (place or len(group) > 1)]
    if not full:
        return None
    if kind == "worker":
        return _with_worker_moved(cut, builder.workers, chance)
    source = chance.choice(full)
    movable = [at for at in groups[source] if at]
    if kind == "move":
        pieces = builder.pieces(movable)
        row = chance.choice(pieces) if chance.random() < 0.7 else [chance.choice(movable)]
        target = chance.randrange(len(groups) + 1)
        if target == source:
            return None
        groups.append([])
        groups[source] = [at for at in groups[source] if at not in row]
        groups[target] += row
    elif kind == "join":
        target = chance.randrange(len(groups))
        if target == source:
            return None
        groups[target] += movable
        groups[source] = [at for at in groups[source] if not at]
    else:
        parts = builder.across(movable, 2) if kind == "across" else builder.pieces(movable)
        if len(parts) < 2:
            return None
        half = [row for index, row in enumerate(parts) if index % 2]
        groups[source] = [at for at in groups[source] if not any(at in row for row in half)]
        groups.append([at for row in half for at in row])
    return builder.cut(groups)


def _with_worker_moved(cut: Cut, most: int, chance: random.Random) -> Cut | None:
    workers = list(cut.workers)
    source, target = chance.randrange(len(workers)), chance.randrange(len(workers))
    if source == target or workers[source] < 2:
        if sum(workers) < most:
            workers[target] += 1
            return cut._replace(workers=tuple(workers))
        return None
    workers[source] -= 1
    workers[target] += 1
    return cut._replace(workers=tuple(workers))
