"""When reactions of a federation are activated, in logical time.

Each tag goes back to an event at a root: a timer's tick, the start, an event of a physical action.
What happens at one distance from the events of one root is a moment. Logical time is the same for
all federates, so that moments of different federates can be compared exactly.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ddsrta.base.components import reached
from ddsrta.lf.bounds.logical_time.moments import START, Moment, Root
from ddsrta.lf.bounds.logical_time.piles import Due, Pile
from ddsrta.lf.program.federates import BUILT_IN, Federate, Timer
from ddsrta.lf.program.federation import Connection, Federation
from ddsrta.lf.program.tags import SAME, Shift

MOST_MOMENTS = 64
_Place = tuple[str, str]  # federate, and timer, action or port
Moments = dict[Moment, bool]  # True: each event of the root certainly leads to it


@dataclass
class Activation:
    """The moments of each place and reaction; `dense` are federates with more than can be followed,
    `loose` those with moments that may have no event in any run, `parted` those that the runtime
    for C cuts into enclaves."""

    places: dict[_Place, Moments] = field(default_factory=dict)
    reactions: dict[_Place, Moments] = field(default_factory=dict)
    dense: set[str] = field(default_factory=set)
    loose: set[str] = field(default_factory=set)
    parted: set[str] = field(default_factory=set)

    def of(self, federate: Federate) -> dict[Moment, list[str]]:
        """The reactions of each moment of a federate."""
        found: dict[Moment, list[str]] = {}
        for name in federate.reactions:
            for moment in self.reactions.get((federate.name, name), ()):
                found.setdefault(moment, []).append(name)
        return found

    def tags(self, federate: Federate, besides: Collection[str] = ()) -> dict[Moment, str]:
        """All moments to which a federate's tag can advance, with a place that makes it so.

        Some places are left out: `besides`.
        """
        triggers = {name for reaction in federate.reactions.values() for name in reaction.triggers}
        found: dict[Moment, str] = {}
        for place in self._places_of.get(federate.name, ()):
            if place not in besides and (place in triggers or place not in BUILT_IN):
                for moment in self.places[federate.name, place]:
                    found.setdefault(moment, place)
        return found

    @cached_property
    def _places_of(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for federate, place in self.places:
            found.setdefault(federate, []).append(place)
        return found


def activation(federation: Federation) -> Activation:
    """Follow all events through reactions, actions and connections."""
    return _Walk(federation).run()


def later(moment: Moment, shift: Shift) -> tuple[Moment, bool]:
    """The moment of a tag with a shift added, and whether it is sure.

    Tags of a timer come again each period. One that is a whole period later than an event is also
    the tag of the next event: but there is none at the first.

    >>> tick = Moment(Root("f", "t", 10, 0))
    >>> later(tick, Shift(3))[0].time, later(tick, Shift(13))[0].time, later(tick, Shift(13))[1]
    (3, 3, False)
    """
    if not shift.time:
        return moment._replace(microstep=moment.microstep + shift.microsteps), True
    time = moment.time + shift.time
    root = moment.root
    if root.phase is not None and root.period is not None and time >= root.period:
        return Moment(root, time % root.period), False
    return Moment(root, time), True


class _Walk:
    """A queue of places that got a new moment."""

    def __init__(self, federation: Federation) -> None:
        self.federation = federation
        self.found = Activation()
        self.queue: deque[tuple[_Place, Moment, bool]] = deque()
        self.triggered: dict[_Place, list[str]] = {}
        self.inner: dict[_Place, list[tuple[int, str, Shift]]] = {}
        self.piles: dict[tuple[str, str | int], Pile] = {}
        self.outer: dict[_Place, list[Connection]] = {}
        for federate in federation.federates.values():
            for name, reaction in federate.reactions.items():
                for trigger in dict.fromkeys(reaction.triggers):
                    self.triggered.setdefault((federate.name, trigger), []).append(name)
            for index, inner in enumerate(federate.connections):
                place = (federate.name, inner.source)
                self.inner.setdefault(place, []).append((index, inner.target, inner.shift))
        for connection in federation.connections:
            place = (connection.source, connection.output)
            self.outer.setdefault(place, []).append(connection)

    def run(self) -> Activation:
        for place, root in _roots(self.federation):
            self._arrive(place, Moment(root), root.phase is not None)
        while self.queue:
            place, moment, sure = self.queue.popleft()
            if place[0] not in self.found.dense:
                self._leave(place, moment, sure)
        self._spread()
        for federate in self.federation.federates.values():
            if federate.enclaves and self.federation.target == "C":
                self.found.parted.add(federate.name)
        return self.found

    def _spread(self) -> None:
        """What follows a dense federate is not known either."""
        after: dict[str, list[str]] = {}
        for connection in self.federation.connections:
            if not connection.physical:
                after.setdefault(connection.source, []).append(connection.target)
        self.found.dense.update(reached(self.found.dense, lambda name: after.get(name, ())))

    def _arrive(self, place: _Place, moment: Moment, sure: bool) -> None:
        moments = self.found.places.setdefault(place, {})
        if self._add(moments, moment, sure, place):
            self.queue.append((place, moment, sure))

    def _add(self, moments: Moments, moment: Moment, sure: bool, place: _Place) -> bool:
        if moments.get(moment, None) in (True, sure):
            return False
        if len(moments) >= MOST_MOMENTS:
            self.found.dense.add(place[0])
            return False
        moments[moment] = sure
        return True

    def _leave(self, place: _Place, moment: Moment, sure: bool) -> None:
        federate = self.federation.federates[place[0]]
        for name in self.triggered.get(place, ()):
            reached = (federate.name, name)
            if self._add(self.found.reactions.setdefault(reached, {}), moment, sure, reached):
                self._run(federate, name, moment, sure)
        for index, target, shift in self.inner.get(place, ()):
            queue = (federate.name, index)
            self._shift((federate.name, target), moment, shift, sure, queue)
        for connection in self.outer.get(place, ()):
            if not connection.physical:
                end = (connection.target, connection.input)
                self._shift(end, moment, connection.shift, sure, (connection.name, ""))

    def _run(self, federate: Federate, name: str, moment: Moment, sure: bool) -> None:
        reaction = federate.reactions[name]
        sure = sure and reaction.always
        for effect in dict.fromkeys(reaction.effects):
            action = federate.actions.get(effect)
            if action is None:
                self._arrive((federate.name, effect), moment, sure)
            elif not action.is_free:
                place = (federate.name, effect)
                self._shift(place, moment, action.shift, sure, place, name)

    def _shift(
        self,
        place: _Place,
        moment: Moment,
        shift: Shift,
        sure: bool,
        queue: tuple[str, str | int],
        by: str = "",
    ) -> None:
        """`queue`: what is delayed, an action or a connection; `by`: who schedules it, if any."""
        moved, still_sure = later(moment, shift)
        self._arrive(place, moved, sure and still_sure)
        if shift == SAME or self.federation.target != "C":
            return
        pile = self.piles.setdefault(queue, Pile())
        for more in pile.add(Due(by, moment, moved)):
            self._arrive(place, more, False)
        if pile.loose:
            self.found.loose.add(place[0])


def _roots(federation: Federation) -> Iterator[tuple[_Place, Root]]:
    for name, federate in federation.federates.items():
        yield (name, "startup"), START.root
        yield (name, "shutdown"), Root("", "shutdown", None, once=True)
        yield (name, "reset"), Root(name, "reset", None)
        for timer in federate.timers.values():
            yield (name, timer.name), timer_root(name, timer)
        for action in federate.actions.values():
            if action.is_free:
                yield (name, action.name), Root(name, action.name, action.spacing)
    for connection in federation.connections:
        if connection.physical:
            place = (connection.target, connection.input)
            yield place, Root(*place, connection.min_spacing)


def timer_root(federate: str, timer: Timer) -> Root:
    """The root of a timer: timers with the same period and offset tick at the same tags.

    >>> timer_root("f", Timer("t", 15, 10))
    Root(federate='', name='timer 15 10', period=10, phase=15, once=False)
    """
    name = f"timer {timer.offset} {timer.period}"
    return Root("", name, timer.period, timer.offset, once=timer.period is None)
