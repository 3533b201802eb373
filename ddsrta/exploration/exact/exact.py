"""Worst cases from both sides: all runs, by exploration, and the worst one that an attack finds.

Where both meet the figure is exact. Elsewhere the worst case is between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ddsrta.base.diagnostics import Diagnostic, InputError, expect_texts, whole
from ddsrta.base.frozen import frozen
from ddsrta.base.shown import Shown
from ddsrta.base.units import Duration
from ddsrta.bounds.evidence.checked import analyze_checked
from ddsrta.bounds.evidence.misread import misread
from ddsrta.bounds.result import Check, Result
from ddsrta.exploration.critical_instant import hints_of
from ddsrta.exploration.exact.certificate import Claim, certificate
from ddsrta.exploration.exact.closer import closer
from ddsrta.exploration.exact.explore import STATES, Exploration, NotSmallError, Proof
from ddsrta.exploration.exact.moves import Moves
from ddsrta.exploration.exact.small import FIGURES, is_explored, is_latency
from ddsrta.exploration.exact.small import check as check_small
from ddsrta.exploration.targets import Target, targets
from ddsrta.models.document import digest
from ddsrta.models.system import System
from ddsrta.models.validate import refuse_invalid
from ddsrta.simulation.attack import Budget, Found, attack_all
from ddsrta.simulation.attack.hint import Hint
from ddsrta.simulation.build import program_of
from ddsrta_simulator import Measure, Program

RUNS = 2000
WIDTHS = (1, 8, 1 << 30)  # how many zones are kept apart: tried in turn

Tick = Callable[[str], None]


class Explored(NamedTuple):
    """No run has more than `most` (-1: none ends), found by so many situations. Other widths are
    left that may find less. The proof has what was found."""

    most: int
    states: int
    left: tuple[int, ...]
    proof: Proof


@frozen
class WorstCase:
    """A target, what was explored of it, if that is explored at all, and the worst run found. The
    bound is `sure` where the checker confirms it: an exploration may allow for more. The worst case
    is `proven` where it confirms the certificate of what was explored, and of the run."""

    target: Target
    deadline: Duration | None
    explored: Explored | None
    run: Found
    seed: int
    sure: bool = False
    proven: bool = False

    @property
    def name(self) -> str:
        """Of the chain or message."""
        return self.target.name

    @property
    def bound(self) -> Duration | None:
        """What the analysis says."""
        return _duration(self.target.bound)

    @property
    def at_most(self) -> Duration | None:
        """No run has more; none where nothing is known, or no run has any."""
        if self.explored is None or self.explored.most < 0:
            return None
        return self.bound if self.by_bound else _duration(self.explored.most)

    @property
    def by_bound(self) -> bool:
        """Whether the analysis says less than the exploration."""
        bound, explored = self.target.bound, self.explored
        return self.sure and bound is not None and explored is not None and bound < explored.most

    @property
    def found(self) -> Duration | None:
        """The most that was seen; none where nothing was."""
        return _duration(self.run.worst if self.run.worst >= 0 else None)

    @property
    def exact(self) -> bool:
        """Whether a run takes as long as any can, and the checker confirms both."""
        return self.proven and self.at_most is not None and self.at_most == self.found

    @property
    def late(self) -> bool:
        """Whether it has no bound, or one above its deadline."""
        most = self.bound if self.explored is None else self.at_most
        return most is None or (self.deadline is not None and most > self.deadline)

    @property
    def broken(self) -> bool:
        """Whether a run takes longer than any can: a defect."""
        if self.explored is None:
            return False
        return self.run.worst > (self.target.bound or 0 if self.by_bound else self.explored.most)


def _duration(time: int | None) -> Duration | None:
    return None if time is None else Duration(time)


@frozen
class Exact(Shown):
    """Of chains and messages, beside the result of the analysis; and what the checker says of the
    certificate, which has a proof and a run for each."""

    result: Result
    cases: tuple[WorstCase, ...]
    certified: dict[str, Any]
    check: Check

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The rules on which runs and bounds rest."""
        return tuple(self.certified["assumptions"])


def exact(
    system: System,
    wanted: Sequence[str] = (),
    *,
    states: int = STATES,
    runs: int = RUNS,
    seed: int = 1,
    tick: Tick | None = None,
) -> Exact:
    """The worst cases of chains and messages of a small system; an InputError says why not.

    `wanted` names some of them (a message is a topic, or 'sensor -> speed -> control'); else it is
    all. `states` is how many situations make a system that is not small, `runs` how many each
    search has, from `seed` on. `tick` is told of what it is about.

    >>> from ddsrta.examples import two_threads
    >>> found = exact(two_threads(), ["control loop"])
    >>> [(case.name, case.at_most, case.found, case.exact) for case in found.cases]
    [('control loop', 3.286 ms, 3.286 ms, True)]
    """
    refuse_invalid(system)
    expect_texts(wanted=wanted)
    states, runs, seed = whole(states=states, runs=runs, seed=seed).values()
    _refuse_few(states=states, runs=runs)
    program = program_of(system)
    check_small(program, system)
    checked = analyze_checked(system)
    result = checked.result
    chosen = [_by_latency(program, one) for one in targets(system, program, result, wanted)]
    numbers = {target.measure: target for target in chosen}
    known: dict[int, Explored] = {}
    for group in _groups(program, {one for one in numbers if is_explored(program, one)}):
        if tick is not None:
            tick(numbers[min(group)].name)
        found = _explored(program, group, states, WIDTHS)
        if not found:
            what = f"the system is not small: it has more than {states} situations"
            raise InputError([Diagnostic(None, what, "allow for more of them: --states")])
        known |= found
    hints = {hint.measure: hint for hint in hints_of(checked.solution, program, numbers)}
    figures = []
    sure = result.check is not None and result.check.status == "confirmed"
    for target in chosen:
        explored = known.get(target.measure)
        worst = _attacked(program, target, explored, Budget(runs=runs), seed, hints)
        if explored is not None and worst.worst < explored.most:
            closer = _explored(program, {target.measure}, states, explored.left)
            explored = min((explored, *closer.values()), key=lambda one: one.most)
        chain = result.chains.get(target.name)
        deadline = None if chain is None else chain.deadline
        figures.append(WorstCase(target, deadline, explored, worst, seed, sure))
    certified, check = _checked(system, program, result, figures, tick)
    proven = check.status == "confirmed"
    return Exact(result, tuple(replace(one, proven=proven) for one in figures), certified, check)


def _refuse_few(**counts: int) -> None:
    wrong = [
        f"{name} is {count}: it must be above 0" for name, count in counts.items() if count < 1
    ]
    if wrong:
        raise InputError([Diagnostic(None, each) for each in wrong])


def _checked(
    system: System,
    program: Program,
    result: Result,
    cases: Sequence[WorstCase],
    tick: Tick | None,
) -> tuple[dict[str, Any], Check]:
    """The certificate of these figures, and what becomes of it."""
    claims = [
        Claim(_claimed(one.explored), one.explored.proof, one.run)
        for one in cases
        if one.explored is not None
    ]
    rules = [assumption.rule for assumption in result.assumptions]
    certified = certificate(system, program, claims, rules)
    seal = digest(certified)
    if not cases and result.check is not None:
        return certified, result.check
    if not claims:
        return certified, Check("unchecked", seal, because="no figure is explored")
    if tick is not None:
        tick("what the checker says of it")
    try:
        because = misread(system, certified["system"])
        if because is None:
            from ddsrta.checker import check

            verdict = check(certified)
            if verdict.ok:
                return certified, Check("confirmed", seal)
            because = verdict.failure
            if verdict.status == "undecided":
                return certified, Check("unchecked", seal, because=because)
        return certified, Check("refuted", seal, because=because)
    except Exception as error:  # a fault of whatever kind confirms nothing
        failure = f"the checker failed: {type(error).__name__}: {error}"
        return certified, Check("unchecked", seal, because=failure)


def _claimed(explored: Explored) -> int | None:
    """What the situations prove, whatever the analysis says."""
    return None if explored.most < 0 else explored.most


def _by_latency(program: Program, target: Target) -> Target:
    """What is the latency of its path is explored as that."""
    latency = Measure("latency", program.measures[target.measure].of)
    if (
        target.kind in FIGURES
        and latency in program.measures
        and is_latency(program, target.measure)
    ):
        return target._replace(measure=program.measures.index(latency))
    return target


def _groups(program: Program, wanted: set[int]) -> list[set[int]]:
    """What needs no clock of its own is explored together, if it needs the same threads."""
    together: dict[frozenset[int], set[int]] = {}
    apart = []
    for one in sorted(wanted):
        moves = Moves(program, {one})
        if moves.needs_clocks():
            apart.append({one})
        else:
            together.setdefault(frozenset(moves.kept.servers), set()).add(one)
    return [*together.values(), *apart]


def _explored(
    program: Program, wanted: set[int], states: int, widths: tuple[int, ...]
) -> dict[int, Explored]:
    """By the first of these widths that comes to an end, if any does."""
    for place, width in enumerate(widths, 1):
        exploration = Exploration(program, wanted, states, width)
        try:
            worst = exploration.run()
        except NotSmallError:
            continue
        proof = Proof(exploration.known)
        left = widths[place:]
        return {one: Explored(worst[one], exploration.count, left, proof) for one in wanted}
    return {}


def _attacked(
    program: Program,
    target: Target,
    explored: Explored | None,
    budget: Budget,
    seed: int,
    hints: dict[int, Hint],
) -> Found:
    """The worst run found; none is worse than what is explored."""
    bounds = [-1] * len(program.measures)
    bounds[target.measure] = -1 if explored is None else explored.most
    own = [hints[target.measure]]
    (found,) = attack_all(program, [target.measure], seed, budget, bounds=bounds, hints=own)
    return found if explored is None else closer(found, explored.most)
