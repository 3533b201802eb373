"""The kinds of moves, from those that change least of what runs to those that change most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from ddsrta.base.diagnostics import Diagnostic, did_you_mean, shown
from ddsrta.base.yaml_tree import Tree
from ddsrta.exploration.improve.by_place import cores, executors, groups, split
from ddsrta.exploration.improve.by_priority import priorities
from ddsrta.exploration.improve.by_sending import controllers, order, policies, sending
from ddsrta.exploration.improve.by_supply import budgets, depth, offsets
from ddsrta.exploration.improve.move import Kind, Move, View
from ddsrta.exploration.spoken import thing

_APART = "callbacks that may then run at the same time must not share data without a lock"

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("priorities", "another priority of a thread, topic or callback", priorities),
        Kind("budgets", "a larger budget of a reservation, or one in shorter periods", budgets),
        Kind("depth", "more room in a history or queue", depth),
        Kind("policies", "another policy of a flow controller", policies),
        Kind("controllers", "another flow controller for a publication", controllers),
        Kind("sending", "a publication sent by the job itself, or by a flow controller", sending),
        Kind(
            "order",
            "a publication earlier in its job",
            order,
            "whoever relies on the order in which messages of one job leave",
        ),
        Kind("offsets", "another phase of what has an offset", offsets),
        Kind("cores", "another core of the same machine", cores),
        Kind("groups", "a callback group of its own, or one thread more", groups, _APART),
        Kind("executors", "another executor for a callback", executors, _APART),
        Kind("split", "a second executor for some callbacks of one", split, _APART),
    )
}
PLACES = {name: number for number, name in enumerate(KINDS)}


def moves(view: View, only: Sequence[str], keep: Sequence[str]) -> list[Move]:
    """Those of some kinds that change nothing that is to be kept: what may help most first, kinds
    in turn."""
    found = []
    for name in only:
        allowed = [move for move in KINDS[name].moves(view) if not keep or not keeps(move, keep)]
        allowed.sort(key=lambda move: -view.cost(move.about))
        found.append(allowed)
    return list(_in_turn(found))


def _in_turn(lists: Sequence[Sequence[Move]]) -> Iterator[Move]:
    """
    >>> list(_in_turn(["ab", "c"]))
    ['a', 'c', 'b']
    """
    for number in range(max(map(len, lists), default=0)):
        yield from (each[number] for each in lists if number < len(each))


def keeps(move: Move, patterns: Sequence[str]) -> bool:
    """Whether a move would change what a pattern names: a thing, or a place of it.

    >>> from ddsrta.exploration.edits import Edit
    >>> move = Move("priorities", (Edit(("listeners", "L1", "priority"), "3"),))
    >>> [keeps(move, [one]) for one in ("L*", "listener L1: priority", "*: core", "sensor")]
    [True, True, False, False]
    """
    return any(
        fnmatchcase(name, pattern)
        for edit in move.edits
        for name in (edit.name, thing(edit.path), str(edit.path[1]))
        for pattern in patterns
    )


def idle_keeps(tree: Tree, patterns: Sequence[str]) -> list[Diagnostic]:
    """What is wrong with patterns that name nothing: what somebody means to keep would change.

    >>> from ddsrta.examples import two_threads
    >>> tree = two_threads().written.tree
    >>> [each.advice for each in idle_keeps(tree, ["sensr", "L", "listener *: core", "*: core"])]
    ["did you mean 'sensor'?"]
    """
    known = dict.fromkeys(_names(tree))
    return [
        Diagnostic(None, f"'keep' of {shown(pattern)} names nothing", did_you_mean(pattern, known))
        for pattern in patterns
        if not any(
            fnmatchcase(name, part) for part in (pattern, _thing_of(pattern)) for name in known
        )
    ]


def _thing_of(pattern: str) -> str:
    """The part of a pattern of places that is of things."""
    return pattern.rpartition(": ")[0] or pattern


def _names(tree: Tree) -> Iterator[str]:
    """All that the file names, as edits speak of it."""
    for section in tree.names():
        for name in tree.names(section):
            yield from (name, thing((section, name)))
            if section == "nodes":
                callbacks = tree.names(section, name, "callbacks")
                yield from (thing((section, name, "callbacks", each)) for each in callbacks)
