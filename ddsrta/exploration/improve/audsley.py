"""Orders of priorities: Audsley's algorithm where bounds allow it, all orders where they are few.

N. C. Audsley (1991): the least urgent place goes to anything that is in time there, then the next
one, and so on. That finds an order whenever there is one, if the bound of a thing depends on which
things are more urgent, and not on their order. Here that is so on cores where all threads only
compute: what sends, or is released by others, takes its jitter from how those are ordered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import permutations, product
from math import factorial, prod

from ddsrta.base.frozen import frozen
from ddsrta.bounds.deadlines import deadlines
from ddsrta.exploration.edits import Edit, edited
from ddsrta.exploration.improve.move import Move, View
from ddsrta.exploration.improve.moves import keeps
from ddsrta.exploration.improve.ranks import Member, Ranking, assigned, rankings
from ddsrta.exploration.improve.score import MET
from ddsrta.exploration.improve.search import EndedError, Search, State
from ddsrta.models.arrivals import Periodic
from ddsrta.models.system import System

MOST_ORDERS = 50_000


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
        if thread.arrival is None or thread.cores:
            return f"{name} is not released by time on one core"
        if isinstance(thread.arrival, Periodic) and thread.arrival.offset is not None:
            return f"{name} has an offset: what is above it counts by when it comes"
    return ""


def search_orders(search: Search) -> tuple[list[State], list[Space]]:
    """The orders that meet all, and what was looked through."""
    search.doing = "orders of priorities"
    spaces: list[Space] = []
    found: list[State] = []
    view = search.view(search.root)
    ranked = [each for each in rankings(view) if _may_change(search, each)]
    ranked.sort(key=lambda each: -view.cost([member.thing for member in each.members]))
    with suppress(EndedError):
        _look(search, view, ranked, found, spaces)
    return found, spaces


def _may_change(search: Search, ranking: Ranking) -> bool:
    """Whether at least two of them may have another priority."""
    free = [m for m in ranking.members if not keeps(_move((Edit(m.path, "1"),)), search.keep)]
    return len(free) > 1 and len(ranking.members) <= ranking.most - ranking.least + 1


def _look(
    search: Search, view: View, ranked: list[Ranking], found: list[State], spaces: list[Space]
) -> None:
    start = search.root
    plain = [ranking for ranking in ranked if not why_not(view.system, ranking)]
    for ranking in plain:
        after = _audsley(search, start, ranking, spaces)
        if after is not None:
            start = after
            found.append(after)
    rest = [ranking for ranking in ranked if ranking not in plain]
    if not rest or start.score == MET:
        return
    room = min(MOST_ORDERS, search.left)
    for chosen in (rest, *([ranking] for ranking in rest if len(rest) > 1)):
        count = prod(factorial(len(ranking.members)) for ranking in chosen)
        if count <= room:
            found += _all_orders(search, start, chosen, count, spaces)
            if (found and found[-1].score == MET) or chosen is rest:
                return
    why = next(filter(None, (why_not(view.system, ranking) for ranking in rest)), "")
    spaces.append(Space(_names(rest), "single places only", 0, False, False, why))


def _audsley(search: Search, start: State, ranking: Ranking, spaces: list[Space]) -> State | None:
    """The order that Audsley's algorithm finds of threads that only compute."""
    if any(keeps(_move((Edit(m.path, "1"),)), search.keep) for m in ranking.members):
        return None
    tried = 0

    def fits(member: Member, above: Sequence[Member]) -> bool:
        nonlocal tried
        tried += 1
        below = [m for m in ranking.order if m != member and m not in above]
        edits = assigned(ranking, [*below, member, *above])
        assert edits is not None
        return _own_is_met(search, edited(start.system, edits), member.thing[1])

    order = audsley(ranking.order, fits)
    method = "Audsley's algorithm"
    spaces.append(Space(_names([ranking]), method, tried, True, order is not None))
    edits = assigned(ranking, order) if order else None
    return search.state(start, _move(edits), again=True) if edits else None


def _own_is_met(search: Search, system: System, name: str) -> bool:
    """Whether one thread has a bound, and its chains are in time."""
    result = search.result(system)
    mine = [each for each in deadlines(result) if result.chains[each.chain].path == (name,)]
    return all(each.state == "met" for each in mine) and result.threads[name].wcrt is not None


def _all_orders(
    search: Search, start: State, chosen: list[Ranking], count: int, spaces: list[Space]
) -> list[State]:
    """All strict orders, those that change least first, up to the first that meets all."""
    sets = [edits for edits in _orders(chosen) if edits]
    sets.sort(key=lambda edits: (len(edits), [(edit.path, edit.value) for edit in edits]))
    found: list[State] = []
    name = _names(chosen)
    try:
        for edits in sets:
            move = _move(edits)
            state = None if keeps(move, search.keep) else search.state(start, move)
            if state is not None and state.score == MET:
                found.append(state)
                break
    finally:
        kept = "but for what is to be kept" if search.keep else ""
        is_whole = not search.ended
        spaces.append(Space(name, "all strict orders", count, is_whole, bool(found), kept))
    return found


def _orders(chosen: Sequence[Ranking]) -> Iterator[tuple[Edit, ...]]:
    lists = [
        [assigned(ranking, order) or () for order in permutations(ranking.order)]
        for ranking in chosen
    ]
    for each in product(*lists):
        yield tuple(edit for edits in each for edit in edits)


def _names(chosen: Sequence[Ranking]) -> str:
    return ", ".join(ranking.name for ranking in chosen)


def _move(edits: tuple[Edit, ...]) -> Move:
    return Move("priorities", edits)
