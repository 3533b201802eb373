"""What a study found: the front, each member of which was analysed and confirmed anew."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.base.files import atomic_write
from ddsrta.base.frozen import frozen
from ddsrta.base.shown import document, page, plot, table, text
from ddsrta.bounds.result import Result
from ddsrta.exploration.edits import Edit
from ddsrta.exploration.improve.said import Said, said_of
from ddsrta.exploration.minds import minds
from ddsrta.exploration.study.front import Front
from ddsrta.exploration.study.goals import Goal
from ddsrta.exploration.study.judge import Outcome, outcome_of
from ddsrta.exploration.study.run import Searched, Tried, entry, nearest
from ddsrta.exploration.study.samplers import chosen
from ddsrta.exploration.study.setup import Setup
from ddsrta.exploration.study.subject import Analysis
from ddsrta.models.system import System

if TYPE_CHECKING:
    from ddsrta.exploration.difference.difference import Difference


@frozen
class Member:
    """A candidate of the front: what it changes of the base, its goals, and its own analysis.
    `asks`: the warnings and assumptions that it brings, which somebody has to look at."""

    number: int
    says: tuple[Said, ...]
    goals: tuple[int | None, ...]
    analysis: Analysis
    asks: tuple[str, ...] = ()

    @property
    def result(self) -> Any:
        """All of its bounds: what `analyze` says, or the report of a federation."""
        return self.analysis.result

    @property
    def system(self) -> Any:
        """The candidate: a System, or a Federation."""
        return self.analysis.thing


@frozen
class Unconfirmed:
    """A candidate that would be on the front, and is not: the search and its own analysis differ,
    or the checker does not confirm that."""

    number: int
    goals: tuple[int | None, ...]
    because: str


@frozen
class Study:
    """The front is whole where all points of the space were looked at: then nothing in the space is
    better, of these bounds; else nothing that was tried is."""

    setup: Setup
    searched: Searched
    present: Outcome  # of the base
    front: tuple[Member, ...]
    unconfirmed: tuple[Unconfirmed, ...]

    @property
    def name(self) -> str:
        """What the study is called."""
        return self.setup.name

    @property
    def goals(self) -> tuple[Goal, ...]:
        """What is to be small or large."""
        return self.setup.goals

    @property
    def tried(self) -> tuple[Tried, ...]:
        """All candidates, in the order in which they were asked for."""
        return self.searched.tried

    @property
    def is_whole(self) -> bool:
        """Whether all points of the space were looked at, or are forbidden."""
        return self.searched.is_whole

    @property
    def sampler(self) -> str:
        """How points were chosen."""
        return chosen(self.setup)

    @cached_property
    def feasible(self) -> int:
        """How many keep all that is asked."""
        return sum(each.outcome.is_feasible for each in self.tried)

    @cached_property
    def refused(self) -> int:
        """How many are no system."""
        return sum(bool(each.outcome.refused) for each in self.tried)

    @property
    def best(self) -> tuple[Member, ...]:
        """For each goal the member that is best in it, of those the best in the others."""
        return tuple(
            min(self.front, key=lambda member: self._loss(number, member))
            for number in range(len(self.goals))
            if self.front
        )

    def _loss(self, number: int, member: Member) -> tuple[int, ...]:
        pairs = zip(self.goals, member.goals, strict=True)
        losses = [goal.sign * value for goal, value in pairs if value is not None]
        return (losses[number], *losses)

    @property
    def best_numbers(self) -> dict[str, int]:
        """The same by their numbers."""
        numbers = [member.number for member in self.best]
        return {goal.name: number for goal, number in zip(self.goals, numbers, strict=False)}

    @property
    def count(self) -> int:
        """How many were tried."""
        return len(self.tried)

    @property
    def nearest(self) -> Tried | None:
        """What comes nearest to all limits, where nothing keeps them."""
        return None if self.feasible else nearest(self.tried)

    def candidate(self, number: int) -> Tried:
        """One of all that were tried, by its number."""
        if not 1 <= number <= len(self.tried):
            message = f"there is no candidate {number}"
            raise InputError([Diagnostic(None, message, f"they are 1 … {len(self.tried)}")])
        return self.tried[number - 1]

    def system(self, number: int) -> Any:
        """A candidate as a System, or a Federation."""
        found = self.candidate(number)
        if found.outcome.refused:
            message = f"candidate {number} is no system: {found.outcome.refused}"
            raise InputError([Diagnostic(None, message)])
        return self.setup.subject.changed(self._edits(number))

    def _edits(self, number: int) -> tuple[Edit, ...]:
        return self.setup.space.edits(self.candidate(number).point)

    def diff(self, number: int, seconds: float = 60.0) -> Difference:
        """Why a candidate is better than the base: its changes, and what each of them does."""
        from ddsrta.exploration.difference.difference import difference

        base = self.setup.subject.present.thing
        if not isinstance(base, System):
            message = "what each change does is known of systems alone, not of federations"
            raise InputError([Diagnostic(None, message)])
        return difference(base, self.system(number), seconds)

    def text(self, number: int) -> str:
        """A candidate as its file: that of the base with other values, its comments as they are."""
        self.system(number)
        return self.setup.subject.text(self._edits(number))

    def write(self, number: int, path: str | Path) -> None:
        """Put that into a file."""
        atomic_write(path, self.text(number))

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return document(self)

    def to_frame(self) -> Any:
        """All candidates as a table of pandas: a column for each parameter and goal."""
        found = list(rows(self, {member.number for member in self.front}))
        return table({key: [row[key] for row in found] for key in (found[0] if found else ())})

    def plot(self, axes: Any = None) -> Any:
        """The front over the first two goals by matplotlib, in `axes` if there are some; over the
        candidates, where there is one goal. Returns the axes."""
        return plot(self, axes)

    def __repr__(self) -> str:
        return f"<Study '{self.name}': {self.count} tried, {len(self.front)} on the front>"

    def __str__(self) -> str:
        return text(self)

    def _repr_html_(self) -> str:
        return page(self)


def rows(study: Study, front: set[int]) -> Iterator[dict[str, Any]]:
    """Each candidate as a mapping."""
    for each in study.tried:
        pairs = zip(study.setup.space.parameters, each.point, strict=True)
        values = {one.name: one.word(choice) for one, choice in pairs}
        goals = dict(zip((g.name for g in study.goals), each.outcome.goals, strict=True))
        more = {"feasible": each.outcome.is_feasible, "front": each.number in front}
        yield {"candidate": each.number, **values, **goals, **more}


def confirmed(setup: Setup, searched: Searched) -> Study:
    """The study with the front of all candidates that are what the search said they are."""
    entries = [entry(setup, each) for each in searched.tried if each.outcome.is_feasible]
    known: dict[int, Member] = {}
    refused: dict[int, Unconfirmed] = {}
    while True:
        front = Front(each for each in entries if each.number not in refused).entries
        new = [each.number for each in front if each.number not in known]
        for number in new:
            found = _looked_at(setup, searched.tried[number - 1])
            if isinstance(found, Member):
                known[number] = found
            else:
                refused[number] = found
        if not any(each.number in refused for each in front):
            break
    present = outcome_of(setup, setup.subject.present, 0)
    members = tuple(known[each.number] for each in front)
    return Study(setup, searched, present, members, tuple(refused.values()))


def _looked_at(setup: Setup, tried: Tried) -> Member | Unconfirmed:
    """Its own analysis, if that is confirmed, and what the search said."""
    edits = setup.space.edits(tried.point)
    analysis = setup.subject.analysed(edits)
    goals = tried.outcome.goals
    if analysis.check is None or analysis.check.status != "confirmed":
        status = analysis.check.status if analysis.check else "unchecked"
        return Unconfirmed(tried.number, goals, f"its bounds are {status}")
    found = outcome_of(setup, analysis, len(edits))
    if found != tried.outcome:
        return Unconfirmed(tried.number, goals, f"its analysis says {found.goals}")
    says = said_of(setup.subject.base.tree, analysis.tree, edits)
    before, after = setup.subject.present.result, analysis.result
    both = isinstance(before, Result) and isinstance(after, Result)
    return Member(tried.number, says, goals, analysis, minds(before, after) if both else ())
