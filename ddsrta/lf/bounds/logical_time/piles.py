"""Events of one action, or of one connection with `after`, that are due at one tag (lemma
meeting-tags): the C runtime moves each but the first to a microstep of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ddsrta.lf.bounds.logical_time.moments import Moment, is_exact, same_time


class Due(NamedTuple):
    """What is scheduled by a reaction (a connection: by none) at one moment, for another one."""

    by: str
    at: Moment
    due: Moment


@dataclass
class Pile:
    """All that schedules events of one thing. `loose`: some of the moments that it makes may have
    no event in any run, where events of different periods meet only now and then."""

    dues: list[Due] = field(default_factory=list)
    loose: bool = False

    def add(self, new: Due) -> Iterator[Moment]:
        """The moments to which events may be moved, now that there is one more that comes."""
        if new in self.dues:
            return
        self.dues.append(new)
        for one in self.dues:
            others = [other for other in self.dues if other != one and _moves(other, one)]
            if one == new or new in others:
                self.loose |= any(_rarity(o.due) != _rarity(one.due) for o in others)
                yield from _moved(one.due, others)


def _moves(other: Due, one: Due) -> bool:
    """Whether an event of `other` may take the microstep of one of `one`.

    Of two classes the rarer one is said to move, of equals either. A reaction schedules one event
    at a tag. Of the outer world any event may be at any microstep as it is: they only have to be
    as many.
    """
    if not is_exact(one.due):
        return other.due == one.due
    if not is_exact(other.due):
        return True
    if other.by == one.by and other.at.microstep == one.at.microstep:
        return False
    return _rarity(other.due) <= _rarity(one.due) and same_time(other.due, one.due)


def _rarity(moment: Moment) -> tuple[bool, int]:
    return moment.root.period is None, moment.root.period or 0


def _moved(due: Moment, others: list[Due]) -> Iterator[Moment]:
    """All microsteps up to the first that is free once all others have one."""
    taken: set[int] = set()
    for other in sorted(others, key=lambda other: other.due.microstep):
        known = is_exact(other.due) or other.due == due
        taken.add(_free(taken, other.due.microstep if known else due.microstep))
    for microstep in range(due.microstep + 1, _free(taken, due.microstep) + 1):
        yield due._replace(microstep=microstep)


def _free(taken: set[int], microstep: int) -> int:
    while microstep in taken:
        microstep += 1
    return microstep
