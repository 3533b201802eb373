"""Where the groups that end with a stage may begin (lemma group-window).

Within a stretch of joined stages only behind something less urgent: what comes before any other
stage would count on. So a way keeps, for each of its stages, the first one behind the last less
urgent one, and finds all beginnings from there without a look at what lies between.
"""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.checker.levels import Levels
from ddsrta.checker.stages import Key


class Way:
    """A stage, and all that lies before it on one way."""

    __slots__ = ("behind", "depth", "joined", "key", "priority", "times")

    def __init__(self, key: Key, priority: int, depth: int, joined: Way | None, times: int) -> None:
        self.key = key
        self.priority = priority
        self.depth = depth  # number on its way
        self.joined = joined  # the stage before, which it is joined to
        self.times = times  # units of it for one of the first stage of its stretch
        self.behind: Way | None = None  # the first of those below, if that is another one

    @property
    def head(self) -> Way:
        """From where to this stage nothing is less urgent than this one."""
        return self.behind or self


class Ways:
    """The ways to stages, and on from there."""

    def __init__(self, levels: Levels) -> None:
        self.levels = levels
        self.known: dict[Key, Way] = {}
        self.after: dict[tuple[Way, Key], Way] = {}

    def to(self, key: Key) -> Way:
        """The only way to a stage that a group may run through; it begins with a root, or where
        several come together."""
        stages, joined = self.levels.stages, self.levels.joined
        missing: list[Key] = []
        while key not in self.known:
            missing.append(key)
            inputs = stages[key].inputs
            if not joined[key] or len(inputs) != 1:
                self.known[key] = Way(key, self.levels.priority(key), 0, None, 1)
                break
            key = inputs[0].source
        way = self.known[key]
        for key in reversed(missing):
            if key not in self.known:
                self.known[key] = self.on(way, key)
            way = self.known[key]
        return way

    def on(self, way: Way, key: Key) -> Way:
        """The way on to another stage."""
        if (way, key) not in self.after:
            self.after[way, key] = self._on(way, key)
        return self.after[way, key]

    def _on(self, way: Way, key: Key) -> Way:
        priority, depth = self.levels.priority(key), way.depth + 1
        if not self.levels.joined[key]:
            return Way(key, priority, depth, None, 1)
        edge = self.levels.stages[key].entered_from(way.key)
        found = Way(key, priority, depth, way, way.times * edge.times)
        before: Way | None = way
        while before is not None and before.priority >= priority:
            self.levels.budget.curve()
            found.behind = before.head
            before = before.head.joined
        return found

    def heads(self, way: Way) -> Iterator[tuple[Way, int]]:
        """Every beginning of a group that ends with the last stage, and the least priority from
        there on, the longest group first."""
        found: list[tuple[Way, int]] = []
        at: Way | None = way
        while at is not None:
            self.levels.budget.curve()
            found.append((at.head, at.priority))
            at = at.head.joined
        return reversed(found)
