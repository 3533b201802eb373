"""Who released what opened a window: one unit of one of all less urgent stages of its supply (lemma
one-opener)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.levels import Levels
from ddsrta.checker.related import Relations
from ddsrta.checker.stages import LINK, Key, Stage
from ddsrta.checker.windows import Window
from ddsrta.checker.work import AllBut, Sum, Term, Terms

MOST = 8  # openers of a stage, and three times as many stages that they bring: else none is told


class Opener(NamedTuple):
    """How many units of each stage from below it brings, and whether ours come as it opens."""

    brought: dict[Key, int]
    at_once: bool


def openers(stage: Stage, given: Relations, levels: Levels) -> list[Opener]:
    """All that may have opened a window of a stage; none where that is not known."""
    if stage.kind == LINK or stage.first or stage.swaps or not _is_plain(given):
        return []
    below = _from_below(stage, given, levels)
    mine = below.get(stage.key)
    who = {one for sources in below.values() for one in sources} if mine is None else set(mine)
    if len(who) > MOST or len(below) > 3 * MOST:
        return []
    blocking = {one.key for one in given.blocked_by}
    return [
        Opener(
            {key: sources.get(one, 0) for key, sources in below.items()},
            mine is not None and one not in blocking,
        )
        for one in sorted(who)
    ]


def _from_below(stage: Stage, given: Relations, levels: Levels) -> dict[Key, dict[Key, int]]:
    """What less urgent stages bring, and who how much of it; no more than one too many."""
    served = {one.key for one in (stage, *given.preempts, *given.overtakes, *given.ahead)}
    below: dict[Key, dict[Key, int]] = {}
    for one in (stage, *given.overtakes, *given.ahead):
        if levels.joined.get(one.key) and served.isdisjoint(edge.source for edge in one.inputs):
            sources = below.setdefault(one.key, {})
            for edge in one.inputs:
                sources[edge.source] = sources.get(edge.source, 0) + edge.times
        if len(below) > 3 * MOST:
            break
    return below


def _is_plain(given: Relations) -> bool:
    """Whether others only preempt, overtake, are ahead or block."""
    others = given.contends, given.lingers, given.alternates, given.precedes, given.due
    more = given.served, given.groups, given.reentrant
    special = given.is_own or given.mixes or given.moves or given.goes_on or given.wait
    return not any((*others, *more, special, given.threads > 1, given.own is not given.supply))


def opened(opener: Opener, window: Window) -> Window:
    """The windows that it opened, of those of a stage."""
    one = copy(window)
    one.sums = [_less(each, window, opener.brought) for each in window.sums]
    one.total = min(window.total, opener.brought.get(window.stage.key, window.total))
    if opener.at_once:
        one.length = EPSILON
    return one


def _less(one: Sum, window: Window, brought: dict[Key, int]) -> Sum:
    given = window.relations
    overtakes = Opened(_limited(given.overtakes, one.overtakes, brought))
    ahead: Terms | AllBut
    if isinstance(one.ahead, AllBut):
        limited = (
            term for term in _limited(given.ahead, one.ahead, brought) if term.brought is not None
        )
        late = {**one.ahead.late, **{id(term.stream): term for term in limited}}
        ahead = AllBut(one.ahead.whole, one.ahead.place, late)
    else:
        ahead = Terms(_limited(given.ahead, one.ahead, brought))
    return one._replace(overtakes=overtakes, ahead=ahead)


def _limited(
    stages: Sequence[Stage], terms: Iterable[Term], brought: dict[Key, int]
) -> Iterable[Term]:
    for stage, term in zip(stages, terms, strict=True):
        yield term._replace(brought=brought.get(stage.key))


class Opened(Terms):
    """What overtakes, no more of each than was brought."""

    def arriving(self, length: int) -> int:
        """The work that arrives in a window."""
        if not self or length <= 0:
            return 0
        less = sum(
            max(0, term.stream.most(length) - term.brought) * term.cost
            for term in self
            if term.brought is not None
        )
        return super().arriving(length) - less
