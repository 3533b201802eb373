"""Which tags there can be, in classes, and how close two of them come (lemma meeting-tags)."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import NamedTuple

from ddsrta.checker.lf.things import Action, Federation

MOST = 160  # of a place; the analysis gives up long before
Place = tuple[str, str]


class Tags(NamedTuple):
    """Tags of one microstep: with `root` None those at `at` (and each `period` from there, taken
    modulo it), else so long after events of the outer world, which come `period` apart."""

    root: Place | None
    period: int | None
    at: int
    step: int = 0
    once: bool = False

    def shifted(self, delay: int | None) -> Tags:
        """Those that `after` makes of these."""
        if delay is None:
            return self
        if delay == 0:
            return self._replace(step=self.step + 1)
        at = self.at + delay
        return self._replace(at=at % self.period if self._returns else at, step=0)  # type: ignore[operator]

    @property
    def _returns(self) -> bool:
        return self.root is None and self.period is not None


START = Tags(None, None, 0, 0, once=True)


def meet(one: Tags, other: Tags) -> bool:
    """Whether they can have a tag in common."""
    if one == other or one.root is not None or other.root is not None:
        return True
    return one.step == other.step and same_time(one, other)


def same_time(one: Tags, other: Tags) -> bool:
    """Whether two classes of known times can have tags of one time."""
    apart, rhythm = other.at - one.at, _rhythm(one, other)
    return not (apart % rhythm if rhythm else apart)


def microsteps(one: Tags, other: Tags) -> bool:
    """Whether they can have two tags of one time, in different microsteps."""
    if one.root is not None or other.root is not None:
        return one != other or one.period is None
    return one.step != other.step and same_time(one, other)


def gap(earlier: Tags, tag: Tags) -> int | None:
    """The least time from one of `earlier` to a later one of `tag`; None where there is none."""
    if earlier == tag:
        return None if tag.once else tag.period
    if earlier.root is not None or tag.root is not None:
        return 0
    rhythm, apart = _rhythm(earlier, tag), tag.at - earlier.at
    if rhythm:
        apart %= rhythm
    if apart < 0:
        return None
    if apart:
        return apart
    return 0 if earlier.step < tag.step else rhythm or None


def _rhythm(one: Tags, other: Tags) -> int:
    return gcd(one.period or 0, other.period or 0)


class Times:
    """The tags of each place of a federation. `first`: none is before that; `sure`: from then on
    each certainly comes (None: never); where there are too many a federate is `dense`."""

    def __init__(self, federation: Federation) -> None:
        self.federation = federation
        self.first: dict[Place, dict[Tags, int]] = {}
        self.sure: dict[Place, dict[Tags, int | None]] = {}
        self.dense: set[str] = set()
        self._ways: dict[Place, list[tuple[Place, int | None, bool]]] = {}
        self._connect()
        queue = [place_and_tags for place_and_tags in self._roots() if self._new(*place_and_tags)]
        while queue:
            place, tags, first, sure = queue.pop()
            for target, delay, always in self._ways.get(place, ()):
                moved = target, tags.shifted(delay), first + (delay or 0), sure
                if sure is not None:
                    moved = (*moved[:3], sure + (delay or 0) if always else None)
                if self._new(*moved):
                    queue.append(moved)
        self._spread()

    def of(self, place: Place) -> dict[Tags, int]:
        """The classes of a place."""
        return self.first.get(place, {})

    def _new(self, place: Place, tags: Tags, first: int, sure: int | None) -> bool:
        known, certain = self.first.setdefault(place, {}), self.sure.setdefault(place, {})
        if tags not in known:
            if len(known) >= MOST or place[0] in self.dense:
                self.dense.add(place[0])
                return False
            known[tags], certain[tags] = first, sure
            return True
        before = certain[tags]
        better = sure is not None and (before is None or sure < before)
        if first >= known[tags] and not better:
            return False
        known[tags] = min(first, known[tags])
        certain[tags] = sure if better else before
        return True

    def _connect(self) -> None:
        for name, federate in self.federation.federates.items():
            for key, reaction in federate.reactions.items():
                node = (name, f"reaction {key}")
                for trigger in set(reaction.triggers):
                    self._way((name, trigger), node, None, True)
                for effect in set(reaction.effects):
                    action = federate.actions.get(effect)
                    if action is None or not action.free:
                        delay = action.delay if isinstance(action, Action) else None
                        self._way(node, (name, effect), delay, reaction.always)
            for inner in federate.inner:
                self._way((name, inner.source), (name, inner.target), inner.after, True)
        for c in self.federation.connections:
            if not c.physical:
                self._way((c.source, c.output), (c.target, c.input), c.after, True)

    def _way(self, source: Place, target: Place, delay: int | None, always: bool) -> None:
        self._ways.setdefault(source, []).append((target, delay, always))

    def _roots(self) -> Iterator[tuple[Place, Tags, int, int | None]]:
        for name, federate in self.federation.federates.items():
            yield (name, "startup"), START, 0, 0
            yield (name, "shutdown"), Tags(("", "shutdown"), None, 0, 0, once=True), 0, None
            yield (name, "reset"), Tags((name, "reset"), None, 0), 0, None
            for key, timer in federate.timers.items():
                at, period = timer
                tags = Tags(None, period, at % period if period else at, 0, once=period is None)
                yield (name, key), tags, at, at
            for key, action in federate.actions.items():
                if action.free:
                    yield (name, key), Tags((name, key), action.spacing, 0), 0, None
        for c in self.federation.connections:
            if c.physical:
                place = (c.target, c.input)
                yield place, Tags(place, c.spacing, 0), 0, None

    def _spread(self) -> None:
        """What follows a dense federate is not known either."""
        changed = bool(self.dense)
        while changed:
            more = {
                c.target
                for c in self.federation.connections
                if not c.physical and c.source in self.dense
            }
            changed = not more <= self.dense
            self.dense |= more

    def advanced(self, name: str) -> dict[Tags, int]:
        """All tags of a federate, each with the first time at which it can come."""
        federate = self.federation.federates[name]
        triggers = {t for reaction in federate.reactions.values() for t in reaction.triggers}
        found: dict[Tags, int] = {}
        for place, known in self._places(name):
            if place in ("startup", "shutdown", "reset") and place not in triggers:
                continue
            for tags, first in known.items():
                found[tags] = min(first, found.get(tags, first))
        return found

    def _places(self, name: str) -> Iterator[tuple[str, dict[Tags, int]]]:
        federate = self.federation.federates[name]
        kinds = (federate.timers, federate.actions, federate.inputs, federate.outputs)
        for place in ("startup", "shutdown", "reset", *(key for kind in kinds for key in kind)):
            if (name, place) in self.first:
                yield place, self.first[name, place]
