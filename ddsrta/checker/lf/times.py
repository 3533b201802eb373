"""Which tags each place of a federation can have, and since when (lemma meeting-tags)."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.checker.lf.moved import Arrival, moved, now_and_then
from ddsrta.checker.lf.tags import START, Place, Tags
from ddsrta.checker.lf.things import Action, Federation

MOST = 160  # of a place; the analysis gives up long before
_Thing = tuple[str, str | int]  # an action, or a connection


class Times:
    """The tags of each place of a federation. `first`: none is before that; `sure`: from then on
    each certainly comes (None: never); where there are too many a federate is `dense`. Where some
    may have no event in any run it is `loose`."""

    def __init__(self, federation: Federation) -> None:
        self.federation = federation
        self.first: dict[Place, dict[Tags, int]] = {}
        self.sure: dict[Place, dict[Tags, int | None]] = {}
        self.dense: set[str] = set()
        self.loose: set[str] = set()
        self._ways: dict[Place, list[tuple[Place, int | None, bool]]] = {}
        self._delayed: dict[_Thing, list[tuple[Place, Place, int]]] = {}
        self._connect()
        queue = [place_and_tags for place_and_tags in self._roots() if self._new(*place_and_tags)]
        while queue:
            self._follow(queue)
            queue = [item for item in self._moved() if self._new(*item)]
        self._spread()

    def _follow(self, queue: list[tuple[Place, Tags, int, int | None]]) -> None:
        while queue:
            place, tags, first, sure = queue.pop()
            for target, delay, always in self._ways.get(place, ()):
                moved = target, tags.shifted(delay), first + (delay or 0), sure
                if sure is not None:
                    moved = (*moved[:3], sure + (delay or 0) if always else None)
                if self._new(*moved):
                    queue.append(moved)

    def _moved(self) -> Iterator[tuple[Place, Tags, int, int | None]]:
        """What has to give way to others of the same action or connection."""
        for ways in self._delayed.values():
            end = ways[0][1]
            arrivals = [
                Arrival(source, tags, tags.shifted(delay), first + delay)
                for source, _, delay in ways
                for tags, first in self.of(source).items()
            ]
            if end[0] in self.dense or len(arrivals) < 2:
                continue
            if now_and_then(arrivals):
                self.loose.add(end[0])
            for tags, first in list(moved(arrivals)):
                yield end, tags, first, None

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
                    self._way((name, trigger), node, None, True, (name, trigger))
                for effect in set(reaction.effects):
                    action = federate.actions.get(effect)
                    if action is None or not action.free:
                        delay = action.delay if isinstance(action, Action) else None
                        self._way(node, (name, effect), delay, reaction.always, (name, effect))
            for number, inner in enumerate(federate.inner):
                ends = (name, inner.source), (name, inner.target)
                self._way(*ends, inner.after, True, (name, number))
        for number, c in enumerate(self.federation.connections):
            if not c.physical:
                self._way((c.source, c.output), (c.target, c.input), c.after, True, ("", number))

    def _way(
        self, source: Place, target: Place, delay: int | None, always: bool, thing: _Thing
    ) -> None:
        self._ways.setdefault(source, []).append((target, delay, always))
        if delay is not None and self.federation.target == "C":
            self._delayed.setdefault(thing, []).append((source, target, delay))

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
