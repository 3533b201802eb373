"""What an explanation says: stages, the terms of each, and both in short."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ddsrta.base.frozen import frozen
from ddsrta.bounds.terms.window import OWN_WORK, SUPPLY, Kind, Term

WORDS: Mapping[Kind, str] = {
    "work": "own work",
    "preempted": "preempted",
    "behind": "behind others",
    "blocked": "blocked",
    "waits": "waits",
    "way": "on the way",
    "together": "all that is served meanwhile",
    "less": "less, counted twice",
}
LARGEST = 3  # causes of a bound that are told
# What speaks of the stage that it is of, and names nobody else.
_OF_STAGE = {
    OWN_WORK: "own work of {}",
    "behind its own earlier ones": "behind earlier ones of {}",
    "behind its own others": "behind others of {}",
    SUPPLY: "{} waits for supply",
    "on the way": "on the way to {}",
    "waits for locks, datagrams and limits": "{} waits for locks, datagrams and limits",
}


@frozen
class StageExplanation:
    """What one window adds to a chain: its terms add up to its total. The window is that of one
    stage or, as `note` says then, of several that follow each other on one core."""

    stage: str
    where: str
    terms: tuple[Term, ...]
    total: int
    note: str = ""
    sampled: int = 0  # how much of it a sample waits whatever priorities and cores are

    @property
    def title(self) -> str:
        """The stage or, where none is served but something is waited for, what that is.

        >>> StageExplanation("tokens", "", (Term("until b is released", 9),), 9).title
        'until b is released'
        """
        served = self.stage not in ("tokens", "register")
        return self.stage if served else max(self.terms, key=lambda term: abs(term.time)).label

    def named(self, term: Term) -> str:
        """What one of its terms is called wherever it stands in a bound.

        >>> StageExplanation("thread b", "m/c", (), 0).named(Term("own work", 5))
        'own work of thread b'
        """
        of_stage = _OF_STAGE.get(term.label)  # names may have braces, too
        return of_stage.format(self.stage) if of_stage else term.label

    @property
    def shares(self) -> dict[Kind, int]:
        """Its time by kinds, in the order of `WORDS`; they add up to its total.

        >>> terms = (Term("own work", 5), Term("all", 7, kind="together", own=3))
        >>> StageExplanation("thread t", "m/c", terms, 12).shares
        {'work': 8, 'together': 4}
        """
        sums = dict.fromkeys(WORDS, 0)
        for term in self.terms:
            sums[term.kind] += term.time - term.own
            sums["work"] += term.own
        return {kind: time for kind, time in sums.items() if time}

    @property
    def kinds(self) -> list[Term]:
        """Its terms, those of one kind as one, which names the largest of them.

        >>> terms = (Term("own work of a", 5), Term("own work of b", 7))
        >>> StageExplanation("thread b", "m/c", terms, 12).kinds
        [Term(label='own work of b and 1 more', time=12, detail='', kind='work', own=0)]
        """
        found = []
        for kind in WORDS:
            terms = [term for term in self.terms if term.kind == kind]
            if terms:
                label = max(terms, key=lambda term: abs(term.time)).label
                label += f" and {len(terms) - 1} more" if len(terms) > 1 else ""
                found.append(Term(label, sum(term.time for term in terms), kind=kind))
        return found


class Cause(NamedTuple):
    """Something that a bound is made of, wherever it stands in it."""

    what: str
    kind: Kind
    time: int


@frozen
class Explanation:
    """A chain, or by its name whatever else has a bound: the totals of its stages add up to it."""

    chain: str
    path: tuple[str, ...]
    bound: int | None
    stages: tuple[StageExplanation, ...]
    reason: str | None = None

    @property
    def sampled(self) -> int:
        """How much of it is waits for the next value of what something samples, but for releases
        that timers skip for the work of others.

        >>> terms = (Term("sampled", 12, kind="waits"),)
        >>> wait = StageExplanation("register", "t", terms, 12, sampled=9)
        >>> Explanation("way", ("s", "t"), 9, (wait,)).sampled
        9
        """
        return sum(stage.sampled for stage in self.stages)

    @property
    def causes(self) -> list[Cause]:
        """All that the bound is made of, the largest first: it adds up to the bound.

        >>> from ddsrta.bounds.terms.explain import explain
        >>> from ddsrta.examples import two_threads
        >>> for cause in explain(two_threads(), "control loop").causes[:2]:
        ...     print(cause.what, cause.time)
        own work of thread control 2000000
        own work of thread sensor 1000000
        """
        found: dict[tuple[str, Kind], int] = {}
        for stage in self.stages:
            for term in stage.terms:
                what = stage.named(term)
                what += f": {term.detail}" if term.label.startswith("responses on ") else ""
                found[what, term.kind] = found.get((what, term.kind), 0) + term.time
        listed = [Cause(what, kind, time) for (what, kind), time in found.items() if time]
        return sorted(listed, key=lambda cause: -cause.time)
