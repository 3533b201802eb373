"""What jobs may leave out: in which of them it may be sent, its alternatives, and how far apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ddsrta.models.system import Publication, System, Thread
from ddsrta_simulator import Program


def add_left_out(
    system: System,
    program: Program,
    live: Sequence[tuple[Thread, Publication]],
    decision: Callable[[tuple[object, ...], bool], int],
) -> None:
    """Of each publication that somebody reads."""
    p = program
    for thread, publication in live:
        most, of = publication.part or (0, 0)
        p.publication_most.append(most)
        p.publication_of.append(of)
        leaves = ("leaves", thread.name, publication.topic)
        p.publication_leaves.append(decision(leaves, of > 0))
        p.publication_apart.append(publication.min_separation or 0)
        p.publication_rounds.append(publication.rounds or 0)
        others = _others(system, thread, publication.one_of)
        place = others.index(publication) if others else 0
        what = ("alternative", thread.name, publication.one_of)
        p.publication_choice.append(
            p.publication_choice[-1] if place else decision(what, len(others) > 1)
        )
        p.publication_place.append(place)
        p.publication_others.append(max(0, len(others) - 1))


def _others(system: System, thread: Thread, name: str | None) -> list[Publication]:
    """The alternatives of a name that somebody reads."""
    named = (one for one in thread.publishes if name is not None and one.one_of == name)
    return [one for one in named if system.readers(one.topic)]
