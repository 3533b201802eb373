"""Repairs of a system that is late: what to change, confirmed, smallest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from ddsrta.base import shown
from ddsrta.base.diagnostics import (
    Diagnostic,
    InputError,
    did_you_mean,
    expect_texts,
    given,
    whole,
)
from ddsrta.base.frozen import frozen
from ddsrta.base.units import Duration
from ddsrta.bounds.analyze import analyze, analyze_until, watch_of
from ddsrta.bounds.assemble import Basis
from ddsrta.bounds.deadlines import Deadline, deadlines
from ddsrta.bounds.result import Result
from ddsrta.exploration.comparison import Move as BoundMove
from ddsrta.exploration.comparison import compare
from ddsrta.exploration.edits import Edit, edited
from ddsrta.exploration.improve.audsley import Space, search_orders
from ddsrta.exploration.improve.causes import hopeless
from ddsrta.exploration.improve.move import Move
from ddsrta.exploration.improve.moves import KINDS, idle_keeps
from ddsrta.exploration.improve.said import Said, said
from ddsrta.exploration.improve.score import MET, Score, score
from ddsrta.exploration.improve.search import (
    INTERRUPTED,
    Heard,
    Limits,
    Search,
    Size,
    State,
    nearest,
    size_of,
)
from ddsrta.exploration.minds import minds
from ddsrta.models.system import System
from ddsrta.models.validate import refuse_invalid

MOST = 5  # repairs
WORK = 25_000  # candidates times the stages that are solved for each: about 15 s of a processor
FEWEST, HIGHEST = 300, 5_000  # candidates


@frozen
class Repair:
    """Edits of the file, what they say, and each bound that they move. `is_met`: all deadlines hold
    then. The result is confirmed by the checker, whatever it says. `minds`: warnings and
    assumptions that it brings."""

    edits: tuple[Edit, ...]
    kinds: tuple[str, ...]
    says: tuple[Said, ...]
    size: Size
    score: Score
    result: Result
    better: tuple[BoundMove, ...]
    worse: tuple[BoundMove, ...]
    minds: tuple[str, ...] = ()

    @property
    def is_met(self) -> bool:
        """Whether nothing is late after it."""
        return self.result.verdict == "met"

    @property
    def asks(self) -> tuple[str, ...]:
        """What somebody has to look at before it is made."""
        kinds = dict.fromkeys(KINDS[one].asks for one in self.kinds if KINDS[one].asks)
        return *kinds, *self.minds

    @property
    def system(self) -> System:
        """The system that is repaired."""
        assert self.result.model is not None
        return self.result.model


@frozen
class Improvement:
    """What was found: `repairs` after which all deadlines hold, smallest first; else the `nearest`,
    if anything comes nearer. `tried` counts candidates by their kind; `refused` those of which the
    checker did not confirm what the analysis said; `spaces` are orders of priorities that were
    looked through; `ended` says why the search ended before it was through, `untried` what it had
    not tried of what it looked at. `sampled` is how long late chains wait for what samples at
    times of its own."""

    before: Result
    late: tuple[Deadline, ...]
    repairs: tuple[Repair, ...] = ()
    nearest: Repair | None = None
    tried: Mapping[str, int] = field(default_factory=dict)
    invalid: int = 0
    refused: int = 0
    spaces: tuple[Space, ...] = ()
    ended: str = ""
    untried: str = ""
    sampled: Mapping[str, Duration] = field(default_factory=dict)

    @property
    def hopeless(self) -> Mapping[str, Duration]:
        """Chains that wait longer for what samples than their deadlines."""
        return hopeless(self.before, self.sampled)

    @property
    def score(self) -> Score:
        """Of the system as it is."""
        return score(self.before)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: times in integer nanoseconds."""
        return shown.document(self)

    def __str__(self) -> str:
        return shown.text(self)

    def _repr_html_(self) -> str:
        return shown.page(self)


def improve(
    system: System,
    *,
    only: Sequence[str] = (),
    keep: Sequence[str] = (),
    most: int = MOST,
    candidates: int | None = None,
    seconds: float | None = None,
    hear: Callable[[Heard], None] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Improvement:
    """Changes after which the deadlines of a late system hold, at most so many.

    `only` names kinds of changes, `keep` patterns of what must stay as it is (`L*`, `*: core`).
    It ends after a number of candidates that follows from the size of the system, so that the same
    input has the same output; or after so many `seconds`, where that is asked for, the
    first analysis with them.

    >>> from ddsrta.models.reader import loads
    >>> found = improve(loads('''
    ... ddsrta: 1
    ... machines: {m: {cores: [c]}}
    ... threads:
    ...   slow: {core: m/c, priority: 9, wcet: 5ms, period: 50ms}
    ...   fast: {core: m/c, priority: 5, wcet: 1ms, period: 10ms}
    ... chains: {fast: {path: [fast], deadline: 4ms}}
    ... '''))
    >>> found.late[0].sentence
    'latency 6 ms is above the deadline 4 ms by 2 ms'
    >>> found.repairs[0].says[0].text, found.repairs[0].result.chains["fast"].latency
    ('fast: priority 5 → 10', 1 ms)
    """
    refuse_invalid(system)
    expect_texts(only=only, keep=keep)
    whole(most=most, **given(candidates=candidates))
    kinds = known_kinds(only)
    if system.written is not None and (idle := idle_keeps(system.written.tree, keep)):
        raise InputError(idle)
    if most < 1 or (candidates is not None and candidates < 1):
        raise ValueError("wanted: one repair at the least, and one candidate")
    watch = watch_of(seconds)
    before = analyze(system, time_limit=seconds)
    late = tuple(each for each in deadlines(before) if each.state != "met")
    if before.verdict == "met" or system.written is None:
        return Improvement(before, late)
    limits = Limits(candidates or usual_candidates(before), most, watch, stop)
    if over := limits.over:  # before that much is looked at which a large system has
        return Improvement(before, late, ended=over)
    return _Improver(Search(system, kinds, keep, limits, hear), before, late, most).found()


def known_kinds(only: Sequence[str]) -> tuple[str, ...]:
    """All kinds, or those that are asked for, in their order."""
    for name in only:
        if name not in KINDS:
            message = f"there is no kind of change '{name[:40]}'"
            raise InputError([Diagnostic(None, message, did_you_mean(name, KINDS))])
    return tuple(name for name in KINDS if not only or name in only)


def usual_candidates(result: Result) -> int:
    """Fewer of a large system, as each takes longer; what a synchronizer keeps is solved anew."""
    assert isinstance(result.basis, Basis)
    stages = sum(result.basis.stages.values()) * (1 + len(result.synchronizers))
    return max(FEWEST, min(HIGHEST, WORK // max(1, stages)))


class _Improver:
    def __init__(
        self, search: Search, before: Result, late: tuple[Deadline, ...], most: int
    ) -> None:
        self.search = search
        self.before = before
        self.late = late
        self.most = most
        self.refused = 0
        self.spaces: list[Space] = []

    def found(self) -> Improvement:
        """Single moves; if none does it, orders of priorities; if none does it, sets of moves."""
        states: list[State] = []
        repairs: list[Repair] = []
        for after in self._stages():
            states += after
            repairs = self._repairs(states)
            if repairs or self.search.is_enough or self._is_stopped():
                break
        near = None if repairs or self._is_stopped() else self._nearest(states)
        search = self.search
        if not search.ended and self._is_stopped():
            search.ended = INTERRUPTED
        return Improvement(
            self.before, self.late, tuple(repairs), near, dict(search.tried), search.invalid,
            self.refused, tuple(self.spaces), search.ended, search.left_out,
            search.sampled,
        )  # fmt: skip

    def _stages(self) -> Iterator[list[State]]:
        search = self.search
        states = search.singles()
        yield states
        if "priorities" in search.only and not search.ended:
            looked = search_orders(search)
            self.spaces = looked.spaces
            yield looked.found
            if looked.is_settled and search.only == ("priorities",):
                return
            states = [*states, *looked.found]
        if not search.ended:
            yield from search.sets(states)

    def _repairs(self, states: list[State]) -> list[Repair]:
        """The smallest that meet all, each without what it does not need, and confirmed."""
        met = sorted((state for state in states if state.score == MET), key=lambda each: each.rank)
        found: list[Repair] = []
        seen = set()
        for state in _by_places(met):
            moves = self._needed(state)
            text = self._system(moves).written
            if text is None or text.text in seen:
                continue
            seen.add(text.text)
            repair = self._repair(moves)
            if repair.is_met and _is_confirmed(repair.result):
                found.append(repair)
            elif not repair.result.is_ended:
                self.refused += 1
            if self._is_stopped() or len(found) == (1 if self.was_asked else self.most):
                break
        return sorted(found, key=lambda each: each.size)

    def _needed(self, state: State) -> tuple[Move, ...]:
        """Its moves without those that it does without; of one of priorities, without edits."""
        moves = list(state.moves)
        if len(moves) == 1 and moves[0].kind == "priorities":
            moves = [Move("priorities", (edit,), moves[0].far) for edit in moves[0].edits]
        for move in list(moves):
            rest = [each for each in moves if each is not move]
            if rest and len(moves) > 1 and self._meets(rest):
                moves = rest
        return tuple(moves)

    def _meets(self, moves: Sequence[Move]) -> bool:
        try:
            return score(self.search.result(self._system(moves))) == MET
        except InputError:
            return False

    def _system(self, moves: Sequence[Move]) -> System:
        system = self.search.root.system
        for move in moves:
            system = edited(system, move.edits)
        return system

    def _repair(self, moves: Sequence[Move]) -> Repair:
        system = self._system(moves)
        result = analyze_until(system, self._is_stopped)
        moved = compare(self.before, result)
        kinds = tuple(name for name in KINDS if any(move.kind == name for move in moves))
        edits = tuple(edit for move in moves for edit in move.edits)
        says = said(self.search.root.system, system, edits)
        return Repair(
            edits, kinds, says, size_of(moves), score(result), result, moved.better, moved.worse,
            minds(self.before, result),
        )  # fmt: skip

    def _nearest(self, states: list[State]) -> Repair | None:
        """What comes nearest, if the checker says so."""
        before = score(self.before)
        for state in nearest([each for each in states if each.score < before]):
            repair = self._repair(state.moves)
            if repair.score < before and _is_confirmed(repair.result):
                return repair
            if self._is_stopped():
                break
            self.refused += 1
        return None

    @property
    def was_asked(self) -> bool:
        """Whether somebody asked the search to stop: then one repair is confirmed."""
        return self.search.ended == INTERRUPTED

    def _is_stopped(self) -> bool:
        """Whether somebody asked to stop while repairs were confirmed."""
        return not self.was_asked and self.search.limits.stop()


def _by_places(states: Sequence[State]) -> list[State]:
    """The first of each set of places, then the second ones, and so on."""
    counts: Counter[frozenset[object]] = Counter()
    numbered: list[tuple[int, int, State]] = []
    for state in states:
        places = frozenset(edit.path for edit in state.edits)
        numbered.append((counts[places], len(numbered), state))
        counts[places] += 1
    return [state for _, _, state in sorted(numbered, key=lambda each: each[:2])]


def _is_confirmed(result: Result) -> bool:
    return result.check is not None and result.check.status == "confirmed"
