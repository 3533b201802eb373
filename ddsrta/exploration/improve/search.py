"""Looks for moves, and sets of moves, after which nothing is late: single ones, then sets of those
that came nearest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from ddsrta.base.diagnostics import InputError
from ddsrta.base.frozen import frozen
from ddsrta.base.units import Duration
from ddsrta.base.watch import Watch
from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.result import Result
from ddsrta.exploration.edits import Edit, edited
from ddsrta.exploration.improve.causes import causes, hopeless, late_of, sampled
from ddsrta.exploration.improve.move import Move, View
from ddsrta.exploration.improve.moves import PLACES, moves
from ddsrta.exploration.improve.score import MET, Score, late_chains, score
from ddsrta.models.system import System

WIDTH = 6  # sets of moves that are gone on with
ALIKE = 2  # of them that change the same places
DEPTH = 8  # moves of a set
BARREN = 2  # rounds in a row that come no nearer
INTERRUPTED = "it was interrupted"


class Size(NamedTuple):
    """How large a change is: places of the file, what kind of change, how far values go."""

    places: int
    kind: int
    far: Fraction


@frozen
class State:
    """A system after some moves."""

    score: Score
    moves: tuple[Move, ...]
    system: System

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All edits of its moves, in their order."""
        return tuple(edit for move in self.moves for edit in move.edits)

    @property
    def size(self) -> Size:
        """Of all of them."""
        return size_of(self.moves)

    @property
    def rank(self) -> tuple[Score, Size]:
        """The best comes first, of those the smallest."""
        return self.score, self.size


def _places(chosen: Sequence[Move]) -> frozenset[object]:
    return frozenset(edit.path for move in chosen for edit in move.edits)


def size_of(chosen: Sequence[Move]) -> Size:
    """The size of a set of moves."""
    kind = max((PLACES[move.kind] for move in chosen), default=0)
    return Size(len(_places(chosen)), kind, sum((move.far for move in chosen), Fraction(0)))


@frozen
class Limits:
    """When to end: after so many candidates, at a time of the clock, or when somebody says so; of
    those that meet all, the smallest are `enough`."""

    candidates: int
    enough: int = 5
    watch: Watch | None = None
    stop: Callable[[], bool] = lambda: False

    @property
    def over(self) -> str:
        """Why it is to end now, whatever was tried."""
        if self.stop():
            return INTERRUPTED
        return "its time was up" if self.watch and self.watch.is_over() else ""


@frozen
class Heard:
    """What is told while it goes on."""

    tried: int
    candidates: int
    best: Score
    doing: str
    hopeless: Mapping[str, Duration]


class EndedError(Exception):
    """No candidate more."""


class Search:
    """All that was tried of one system, each candidate once.

    >>> from ddsrta.examples import two_threads
    >>> late = two_threads().replace("chains", "control loop", deadline="3 ms")
    >>> search = Search(late, ("priorities", "cores"), (), Limits(1000))
    >>> search.root.score, len(search.singles()) == search.count
    (Score(wrong=1, unbounded=0, lateness=95334), True)
    """

    def __init__(
        self,
        system: System,
        only: Sequence[str],
        keep: Sequence[str],
        limits: Limits,
        hear: Callable[[Heard], None] | None = None,
    ) -> None:
        self.only, self.keep, self.limits, self.hear = only, keep, limits, hear
        self.alone: dict[str, Score] = {}  # of single moves, by what they say
        self.met: dict[frozenset[object], Size] = {}  # the smallest at each set of places
        self.base = analyze(system, check=False)
        self.root = State(score(self.base), (), system)
        self.late = late_of(system, late_chains(self.base))
        self.sampled = sampled(self.late)
        self.hopeless = hopeless(self.base, self.sampled)
        self.untried: Counter[str] = Counter()
        self.best = self.root
        self.known: set[str | bytes] = set()
        self.tried: Counter[str] = Counter()
        self.invalid = 0
        self.ended = ""
        self.doing = "single changes"

    @property
    def count(self) -> int:
        """How many candidates were analysed."""
        return self.tried.total()

    @property
    def is_enough(self) -> bool:
        """Whether all is met that can be: beside chains that sample too slowly."""
        return self.best.score.wrong <= len(self.hopeless)

    @property
    def left_out(self) -> str:
        """What was not tried of sets that were looked at."""
        kinds = ", ".join(f"{name} {count}" for name, count in self.untried.items())
        return f"of {self.doing} and less, not tried: {kinds}" if kinds else ""

    @property
    def left(self) -> int:
        """How many more there may be."""
        return max(0, self.limits.candidates - self.count)

    def view(self, state: State) -> View:
        """A state with what delays it."""
        system, late = state.system, self.late
        if system is not late.system:
            late = late_of(system, late_chains(self.result(system)))
        return View(system, causes(late))

    def result(self, system: System) -> Result:
        """Its bounds, unchecked."""
        return self.base.update(system)

    def state(self, before: State, move: Move, again: bool = False) -> State | None:
        """A state after one move more; None where that cannot be, or was had before, unless it is
        asked for `again`."""
        self.go_on()
        try:
            system = edited(before.system, move.edits)
        except InputError:
            self.invalid += 1
            return None
        assert system.written is not None
        if system.written.text in self.known and not again:
            return None
        self.known.add(system.written.text)
        self.tried[move.kind] += 1
        try:
            found = State(score(self.result(system)), (*before.moves, move), system)
        except InputError:
            self.invalid += 1
            return None
        if not before.moves:
            self.alone[str(move.edits)] = found.score
        if found.score == MET:
            places = _places(found.moves)
            self.met[places] = min(self.met.get(places, found.size), found.size)
        if found.rank < self.best.rank:
            self.best = found
        if self.hear is not None:
            most = self.limits.candidates
            self.hear(Heard(self.count, most, self.best.score, self.doing, self.hopeless))
        return found

    def go_on(self) -> None:
        """Raises EndedError where it is time to end."""
        self.ended = self.limits.over
        if not self.ended and not self.left:
            self.ended = f"it had tried {self.count} candidates"
        if self.ended:
            raise EndedError

    def singles(self) -> list[State]:
        """The system after each single move; what was found until it ended."""
        return self._after([self.root], max(self.left * 2 // 3, 1))

    def _after(self, states: Iterable[State], each: int) -> list[State]:
        """All states after one move more, at most `each` of one state."""
        found: list[State] = []
        waiting: list[Move] = []
        try:
            for state in states:
                if self.limits.over:
                    self.go_on()
                most = self.count + each
                waiting = self._hopeful(state)
                while waiting and self.count < most:
                    move = waiting.pop()
                    if self._is_large((*state.moves, move)):
                        continue
                    after = self.state(state, move)
                    if after is not None:
                        found.append(after)
                self.untried.update(move.kind for move in reversed(waiting))
        except EndedError:
            self.untried.update(move.kind for move in reversed(waiting))
        return found

    def _hopeful(self, state: State) -> list[Move]:
        """The moves of a state: last those that help most alone."""
        found = moves(self.view(state), self.only, self.keep)
        if self.alone:  # else all of them are alike
            found.sort(key=lambda move: self.alone.get(str(move.edits), self.root.score))
        return found[::-1]

    def _is_large(self, chosen: Sequence[Move]) -> bool:
        """Whether so many smaller sets meet all that nobody asks for this one."""
        if len(self.met) < self.limits.enough:
            return False
        return size_of(chosen) >= sorted(self.met.values())[self.limits.enough - 1]

    def sets(self, states: Sequence[State]) -> list[list[State]]:
        """Sets of moves, round by round, from those states that came nearest; ends with a round in
        which something meets all."""
        rounds: list[list[State]] = []
        best, barren = self.best.score, 0
        while not (self.ended or self.is_enough) and len(rounds) < DEPTH - 1 and barren < BARREN:
            chosen = nearest(states)
            if not chosen:
                break
            self.doing = f"sets of {len(chosen[0].moves) + 1} changes"
            states = self._after(chosen, max(1, self.left // (2 * len(chosen))))
            rounds.append(states)
            barren = 0 if self.best.score < best else barren + 1
            best = self.best.score
        return rounds


def nearest(states: Iterable[State]) -> list[State]:
    """The best ones, few of which change the same places."""
    alike: Counter[frozenset[object]] = Counter()
    chosen: list[State] = []
    for state in sorted(states, key=lambda each: each.rank):
        places = _places(state.moves)
        alike[places] += 1
        if alike[places] <= ALIKE:
            chosen.append(state)
        if len(chosen) == WIDTH:
            break
    return chosen
