"""Moves of priorities: one thing at another place among those that it competes with."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ddsrta.exploration.edits import Edit
from ddsrta.exploration.improve.move import Move, View
from ddsrta.exploration.improve.ranks import Member, Ranking, alone, assigned, rankings


def priorities(view: View) -> Iterator[Move]:
    """Each thing at each other place, then level with each other."""
    for ranking in rankings(view):
        for member in ranking.members:
            yield from _elsewhere(ranking, member)
    for ranking in rankings(view):
        for member in ranking.members:
            yield from _level(ranking, member)


def _elsewhere(ranking: Ranking, member: Member) -> Iterator[Move]:
    others = [each for each in ranking.order if each != member]
    values = sorted({each.value for each in others})
    ends = zip([ranking.least - 1, *values], [*values, ranking.most + 1], strict=True)
    for low, high in ends:
        if low < member.value < high:
            continue
        if high - low > 1:
            value = min(max(member.value, low + 1), high - 1)
            yield _move(ranking, (Edit(member.path, str(value)),), member, value)
        elif ranking.is_strict:
            yield from _squeezed(ranking, member, low)


def _squeezed(ranking: Ranking, member: Member, low: int) -> Iterator[Move]:
    """Between two that leave no room: others make it."""
    sign = ranking.sign
    others = [each for each in ranking.order if each != member]
    place = sum(1 for each in others if (each.value <= low if sign > 0 else each.value > low))
    edits = assigned(ranking, alone([*others[:place], member, *others[place:]]))
    if edits:
        yield _move(ranking, edits, member, low)


def _level(ranking: Ranking, member: Member) -> Iterator[Move]:
    for value in sorted({each.value for each in ranking.members} - {member.value}):
        yield _move(ranking, (Edit(member.path, str(value)),), member, value)


def _move(ranking: Ranking, edits: tuple[Edit, ...], member: Member, value: int) -> Move:
    far = Fraction(abs(value - member.value), ranking.most - ranking.least)
    things = {edit.path[:-1] for edit in edits}
    about = tuple(each.thing for each in ranking.members if each.path[:-1] in things)
    return Move("priorities", edits, far, about)
