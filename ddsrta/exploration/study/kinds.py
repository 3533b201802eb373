"""Parameters of all that `improve` changes under one name: its moves, sorted by their places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ddsrta.base.diagnostics import Position
from ddsrta.exploration.improve.by_sending import plain
from ddsrta.exploration.improve.move import Move, View, servers
from ddsrta.exploration.improve.moves import KINDS, keeps
from ddsrta.exploration.improve.ranks import Ranking, rankings, strict
from ddsrta.exploration.spoken import spoken, thing
from ddsrta.exploration.study.space import Parameter, Path


def of_kind(
    kind: str, keep: Sequence[str], view: View, position: Position | None = None
) -> list[Parameter]:
    """One parameter for each set of places that moves of a kind change together.

    >>> from ddsrta.examples import two_threads
    >>> view = View(two_threads(), {})
    >>> [(each.name, each.size) for each in of_kind("priorities", (), view)]
    [('priorities: core ecu/c0', 2), ('priorities: core ecu/c1', 2)]
    >>> [each.name for each in of_kind("cores", ("sensor",), view)]
    ['control: core', 'flow controller F: core', 'listener L: core']
    """
    if kind == "priorities":
        found = [_ranked(each, keep, position) for each in rankings(view)]
        return [each for each in found if len(each.places) > 1]
    if kind == "split":
        return [_split(together, view, position) for together in _together(_splits(view, keep))]
    moves = [move for move in KINDS[kind].moves(view) if not keeps(move, keep)]
    if kind == "cores":
        moves = [move for move in moves if len(move.edits) == 1]  # priorities are of another kind
    return [_moved(together, view, position) for together in _together(moves)]


def _splits(view: View, keep: Sequence[str]) -> list[Move]:
    """A second executor for one callback, or for those on the way of a chain."""
    ways = [servers(view.system, chain.path) for chain in view.system.chains.values()]
    views = [View(view.system, dict.fromkeys(way, 2)) for way in ways] or [view]
    found = [move for each in views for move in KINDS["split"].moves(each)]
    return [move for move in found if not keeps(move, keep)]


def _split(moves: Sequence[Move], view: View, position: Position | None) -> Parameter:
    """That, said by what goes where."""
    made = _moved(moves, view, position, f"split of {thing(moves[0].about[-1])}")
    (place,) = (each for each in made.places if each[0] == "executors")
    words = ["not split", *(_taken(made.places, row, place) for row in made.choices[1:])]
    return replace(made, words=tuple(words))


def _taken(places: Sequence[Path], row: Sequence[Any], place: Path) -> str:
    """
    >>> ex, see = ("executors", "ex_2"), ("callbacks", "see", "executor")
    >>> _taken([ex, see], [{"core": "m/c", "priority": "9"}, "ex_2"], ex)
    'see → ex_2 on m/c, priority 9'
    """
    said = dict(zip(places, row, strict=True))
    taken = ", ".join(thing(each) for each in places if said[each] == place[1])
    made = said[place]
    urgent = f", priority {made['priority']}" if "priority" in made else ""
    return f"{taken} → {place[1]} on {made['core']}{urgent}"


def _ranked(ranking: Ranking, keep: Sequence[str], position: Position | None) -> Parameter:
    """All priorities of one place, handed out anew; those alike are made to differ."""
    from ddsrta.exploration.edits import Edit

    members = [
        member
        for member in ranking.order
        if not keeps(Move("priorities", (Edit(member.path, ""),)), keep)
    ]
    places = tuple(member.path for member in members)
    values = sorted(member.value for member in members)
    room = ranking.most - ranking.least + 1
    if len(set(values)) < len(values) <= room:
        values = strict(values, ranking.least, ranking.most)
    given = [member.value for member in members]
    order = values if ranking.sign > 0 else values[::-1]
    base = tuple(range(len(places))) if given == order else None
    name = f"priorities: {ranking.name}"
    return Parameter(name, places, (), tuple(map(str, order)), base, position)


def _together(moves: Sequence[Move]) -> list[list[Move]]:
    """Moves that have places in common, or places inside of others."""
    sets: list[tuple[set[Path], list[Move]]] = []
    for move in moves:
        paths = {edit.path for edit in move.edits}
        joined = [each for each in sets if _meet(each[0], paths)]
        found = [one for each in joined for one in each[1]]
        paths |= {path for each in joined for path in each[0]}
        at = sets.index(joined[0]) if joined else len(sets)
        sets = [each for each in sets if each not in joined]
        sets.insert(at, (paths, [*found, move]))
    return [found for _, found in sets]


def _meet(one: set[Path], other: set[Path]) -> bool:
    return any(a[: len(b)] == b or b[: len(a)] == a for a in one for b in other)


def _moved(
    moves: Sequence[Move], view: View, position: Position | None, name: str = ""
) -> Parameter:
    """What the base says, and what it says after each of some moves."""
    places = tuple(dict.fromkeys(edit.path for move in moves for edit in move.edits))
    present = tuple(_said(view, place) for place in places)
    rows = {repr(present): present}
    for move in moves:
        new = {edit.path: edit.value for edit in move.edits}
        row = tuple(new.get(place, old) for place, old in zip(places, present, strict=True))
        rows.setdefault(repr(row), row)
    name = name or spoken(places[0] if len(places) == 1 else _shared(places))
    return Parameter(name, places, tuple(rows.values()), base=0, position=position)


def _said(view: View, place: Path) -> Any:
    node = view.node(place)
    return None if node is None else plain(node)


def _shared(places: Sequence[Path]) -> Path:
    """The part of the way that all of them have in common."""
    first = places[0]
    return next(
        first[:length]
        for length in range(len(first), 0, -1)
        if all(place[:length] == first[:length] for place in places)
    )
