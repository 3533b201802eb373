"""How the callbacks of one executor delay each other (definition executor-relations)."""

from __future__ import annotations

from ddsrta.checker.costs import is_reached_directly
from ddsrta.checker.kinds import BY_PRIORITY, ORDERS, in_rounds
from ddsrta.checker.things import System

INLINE = "inline"
_OFTEN = ("latest", "approximate_time")
_Place = tuple[int, int]  # of the kind, and within it


class Turns:
    """The callbacks of one executor, and where each stands in a round."""

    def __init__(self, system: System, name: str) -> None:
        self.system = system
        self.executor = system.executors[name]
        self.in_rounds = in_rounds(self.executor.kind, self.executor.release)
        self.numbers = {callback: at for at, callback in enumerate(self.executor.callbacks)}
        self.places = {callback: self._place(callback) for callback in self.numbers}

    def turn(self, entity: str) -> int:
        """Where entities of a kind stand in a round."""
        order = ORDERS[self.executor.kind]
        return order.index(entity) if order else 0

    @property
    def lets_linger(self) -> bool:
        """Whether windows may open while threads of the same priority have work."""
        return self.in_rounds or self.executor.kind in BY_PRIORITY

    def relation(self, mine: str, other: str) -> str | None:
        """How one callback delays another, in the words of definition delay-relations."""
        if self._is_inline(mine):
            return None
        if self.in_rounds:
            return self._in_rounds(mine, other)
        return _BY_KIND[self.executor.kind](self, mine, other)

    def _in_rounds(self, mine: str, other: str) -> str:
        if self._may_come_often(other):
            return "lingers"
        return "precedes" if self._may_come_first(other, mine) else "alternates"

    def in_order(self, mine: str, other: str) -> str:
        """One queue of events."""
        free = self._is_inline(other) or self._is_timer(mine)
        return "overtakes" if free else "ahead"

    def by_priority(self, mine: str, other: str) -> str:
        """The bigger the more urgent, equals in any order."""
        ours, theirs = (self.system.threads[name].urgency for name in (mine, other))
        less_urgent = theirs < ours and not self._is_inline(other)
        return "blocked_by" if less_urgent else "overtakes"

    def whichever(self, mine: str, other: str) -> str:
        """Nobody knows which comes next."""
        return "overtakes"

    def _may_come_often(self, callback: str) -> bool:
        """Whether sets may release it several times in a round (lemma set-response)."""
        synchronizer = self.system.threads[callback].synchronizer
        if synchronizer is None or synchronizer.policy in _OFTEN:
            return synchronizer is not None
        if synchronizer.policy != "exact_time":
            return False
        from ddsrta.checker.stamps import stamped_in_order

        return not stamped_in_order(self.system, callback)

    def _is_inline(self, callback: str) -> bool:
        return self.system.threads[callback].entity == INLINE

    def _is_timer(self, callback: str) -> bool:
        """Whether it is in the queue of an events executor only when its timers thread has run: at
        the latest when there is nothing else in it (lemma timers-thread)."""
        return self.system.threads[callback].entity == "timer"

    def _may_come_first(self, other: str, mine: str) -> bool:
        """Whether one callback may come before another in a round."""
        first, last = self.places[other], self.places[mine]
        if first is None or last is None:
            return True
        return first <= last if self.executor.registered else first[0] <= last[0]

    def _place(self, callback: str) -> _Place | None:
        """Where a callback stands at the earliest; None where that may be anywhere."""
        thread = self.system.threads[callback]
        if thread.entity == INLINE:
            places = [self._place(other) for other in thread.follows]
            known = [place for place in places if place is not None]
            return min(known) if len(known) == len(places) else None
        if thread.entity is None or is_reached_directly(self.system, callback):
            return None
        return self.turn(thread.entity), self.numbers[callback]


_BY_KIND = {
    "multi_threaded": Turns.whichever,
    "events": Turns.in_order,
    "events_cbg": Turns.whichever,
    "static": Turns.whichever,
    "fixed_priority": Turns.by_priority,
}
