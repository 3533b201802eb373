"""Orders of priorities: Audsley's algorithm where bounds allow it, all orders where they are few.

N. C. Audsley (1991): the least urgent place goes to anything that is in time there, then the next
one, and so on. That finds an order whenever there is one, if the bound of a thing depends on which
things are more urgent, and not on their order. Here that is so on cores where all threads only
compute: what sends, or is released by others, takes its jitter from how those are ordered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import product
from math import prod

from ddsrta.base.frozen import frozen
from ddsrta.bounds.deadlines import deadlines
from ddsrta.bounds.result import Result
from ddsrta.exploration.edits import Edit, edited
from ddsrta.exploration.improve.move import Move
from ddsrta.exploration.improve.moves import keeps
from ddsrta.exploration.improve.orders import count, orders
from ddsrta.exploration.improve.ranks import Member, Ranking, alone, assigned, rankings
from ddsrta.exploration.improve.score import MET
from ddsrta.exploration.improve.search import EndedError, Search, State
from ddsrta.models.arrivals import Periodic
from ddsrta.models.system import System

MOST_ORDERS = 50_000
AUDSLEY, STRICT, WITH_TIES = "Audsley's algorithm", "strict orders", "orders, with ties,"


@frozen
class Space:
    """A set of orders of priorities that was looked through: all of it, where it is `whole`; then
    that none `meets` is certain, of these bounds."""

    name: str
    method: str
    count: int
    is_whole: bool
    meets: bool
    why: str = ""


def audsley(
    members: Sequence[Member], fits: Callable[[Member, Sequence[Member]], bool]
) -> list[Member] | None:
    """An order from the least urgent on, of which each fits below the rest; None if there is none.

    >>> a, b = Member(("threads", "a", "priority"), 1), Member(("threads", "b", "priority"), 2)
    >>> [m.thing[1] for m in audsley([a, b], lambda member, above: member == b or not above)]
    ['b', 'a']
    """
    order: list[Member] = []
    rest = list(members)
    while rest:
        for member in rest:
            above = [each for each in rest if each != member]
            if fits(member, above):
                order.append(member)
                rest = above
                break
        else:
            return None
    return order


def why_not(system: System, ranking: Ranking) -> str:
    """Why Audsley's algorithm proves nothing of a ranking; nothing where it does."""
    followed = {name for t in system.threads.values() if t.follows for name in t.follows.threads}
    for member in ranking.members:
        section, name = member.thing[:2]
        if section != "threads":
            return (
                f"{section} are in it, and bounds along a path depend on the order of what is above"
            )
        thread = system.threads[name]
        if thread.publishes or thread.subscribes or thread.follows or name in followed:
            return f"{name} sends, reads or is followed: its jitter depends on the order above it"
        if thread.datagrams:
            return f"{name} is an event thread, and waits for others that send"
        if thread.arrival is None or thread.cores:
            return f"{name} is not released by time on one core"
        if isinstance(thread.arrival, Periodic) and thread.arrival.offset is not None:
            return f"{name} has an offset: what is above it counts by when it comes"
    return ""


@frozen
class Looked:
    """What came of all of them: states that meet all, or settle a core, what was looked through,
    and whether it is certain that nothing but priorities is left to change."""

    found: list[State]
    spaces: list[Space]
    is_settled: bool


def search_orders(search: Search) -> Looked:
    """The orders that meet all, and what was looked through."""
    search.doing = "orders of priorities"
    look = _Look(search)
    is_settled = False
    with suppress(EndedError):
        is_settled = look.through()
    return Looked(look.found, look.spaces, is_settled)


class _Look:
    def __init__(self, search: Search) -> None:
        self.search = search
        self.start = search.root  # with the orders of cores that are settled
        self.found: list[State] = []
        self.spaces: list[Space] = []

    def through(self) -> bool:
        """Whether no order is left that could meet all, or one was found."""
        system = self.start.system
        view = self.search.view(self.start)
        ranked = [each for each in rankings(view) if len(self._kept(each)) < len(each.members)]
        ranked.sort(key=lambda each: -view.cost([member.thing for member in each.members]))
        plain = [each for each in ranked if not (why_not(system, each) or self._kept(each))]
        for ranking in plain:
            if _own_are_met(self.search, self.start, [ranking]) or self._audsley(ranking):
                continue
            with_ties = not ranking.is_strict and self._all([ranking], WITH_TIES, _own_are_met)
            if not with_ties:
                return with_ties is False  # then this core is late in each order
        rest = [ranking for ranking in ranked if ranking not in plain]
        return not rest or self.start.score == MET or self._rest(system, rest)

    def _rest(self, system: System, rest: list[Ranking]) -> bool:
        """Of what Audsley's algorithm proves nothing of: all orders, or those of each place."""
        method = STRICT
        looked = self._all(rest, STRICT, _all_is_met)
        if looked is False and not all(ranking.is_strict for ranking in rest):
            method = WITH_TIES
            looked = self._all(rest, WITH_TIES, _all_is_met)
        if looked is not None:
            return True
        for ranking in rest if method == STRICT and len(rest) > 1 else ():
            if self._all([ranking], STRICT, _all_is_met):
                return True
        why = next(filter(None, (why_not(system, ranking) for ranking in rest)), "")
        self.spaces.append(Space(_names(rest), method, 0, False, False, why))
        return False

    def _kept(self, ranking: Ranking) -> tuple[Member, ...]:
        """Those that must have the priority that they have."""
        return tuple(
            m for m in ranking.members if keeps(_move((Edit(m.path, "1"),)), self.search.keep)
        )

    def _audsley(self, ranking: Ranking) -> bool:
        """Whether there is an order of threads that only compute."""
        tried = 0

        def fits(member: Member, above: Sequence[Member]) -> bool:
            nonlocal tried
            self.search.go_on()
            tried += 1
            below = [m for m in ranking.order if m != member and m not in above]
            edits = assigned(ranking, alone([*below, member, *above]))
            assert edits is not None
            result = self.search.result(edited(self.start.system, edits))
            return _own_is_met(result, member.thing[1])

        order = audsley(ranking.order, fits)
        self.spaces.append(Space(_names([ranking]), AUDSLEY, tried, True, order is not None))
        if order is not None:
            edits = assigned(ranking, alone(order))
            assert edits  # it is late as it is
            after = self.search.state(self.start, _move(edits), again=True)
            assert after is not None
            self._go_on_from(after)
        return order is not None

    def _go_on_from(self, after: State) -> None:
        self.start = after
        self.found.append(after)

    def _all(self, chosen: list[Ranking], method: str, enough: _Enough) -> bool | None:
        """Whether one of all orders is enough, those that change least first; None where they are
        too many."""
        strict = method == STRICT
        if prod(count(each, strict) for each in chosen) > min(MOST_ORDERS, self.search.left):
            return None
        lists = [self._edits(ranking, strict) for ranking in chosen]
        sets = [tuple(edit for edits in each for edit in edits) for each in product(*lists)]
        sets.sort(key=lambda edits: (len(edits), [(edit.path, edit.value) for edit in edits]))
        meets = is_whole = False
        try:
            for edits in filter(None, sets):
                again = enough is not _all_is_met
                state = self.search.state(self.start, _move(edits), again)
                if state is not None and enough(self.search, state, chosen):
                    meets = True
                    self._go_on_from(state)
                    break
            is_whole = True
        finally:
            kept = any(self._kept(each) for each in chosen)
            why = " that leave alone what is to be kept" if kept else ""
            if sets:
                self.spaces.append(Space(_names(chosen), method, len(sets), is_whole, meets, why))
        return meets

    def _edits(self, ranking: Ranking, strict: bool) -> list[tuple[Edit, ...]]:
        kept = self._kept(ranking)
        found = (assigned(ranking, order, kept) for order in orders(ranking, strict))
        return [edits for edits in found if edits is not None]


_Enough = Callable[[Search, State, Sequence[Ranking]], bool]


def _all_is_met(search: Search, state: State, chosen: Sequence[Ranking]) -> bool:
    return state.score == MET


def _own_are_met(search: Search, state: State, chosen: Sequence[Ranking]) -> bool:
    result = search.result(state.system)
    members = [member for ranking in chosen for member in ranking.members]
    return all(_own_is_met(result, member.thing[1]) for member in members)


def _own_is_met(result: Result, name: str) -> bool:
    """Whether one thread has a bound, and its chains are in time."""
    mine = [each for each in deadlines(result) if result.chains[each.chain].path == (name,)]
    return all(each.state == "met" for each in mine) and result.threads[name].wcrt is not None


def _names(chosen: Sequence[Ranking]) -> str:
    return ", ".join(ranking.name for ranking in chosen)


def _move(edits: tuple[Edit, ...]) -> Move:
    return Move("priorities", edits)
