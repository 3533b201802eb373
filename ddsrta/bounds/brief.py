"""What the kernel says of a system by itself: its verdict, and the figures of its chains. All else
of the result is made by `present` when it is first asked for, of what the kernel has solved and
told of each way.

It cannot say how bounds come about: for that there is `solve`, and walks along paths.
`tests/bounds/test_brief.py` holds one against the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.base.units import duration
from ddsrta.bounds.asking import Answers, Asked, Asking, Figures
from ddsrta.bounds.assemble import known, present
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.event_alone.alone import EventsAlone, Orders
from ddsrta.bounds.findings import has_errors
from ddsrta.bounds.paths.concrete import NamedPath, named_paths
from ddsrta.bounds.present import FIGURES, judged
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.result import ChainResult, Result, Verdict, unless_errors
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.solve import solve
from ddsrta.bounds.unaided import Unaided
from ddsrta.models.system import System
from ddsrta_kernel import Solver

if TYPE_CHECKING:
    from ddsrta.base.watch import Watch

_REST = (  # in the order in which a result is made
    "threads",
    "callbacks",
    "messages",
    "queues",
    "basis",
    "cores",
    "orders",
    "synchronizers",
    "links",
    "warnings",
    "assumptions",
)


class Brief(NamedTuple):
    """A verdict, the `FIGURES` of each path, and what solved the problem, answers for it, and knows
    in what order comes what an event brings that is alone."""

    verdict: Verdict
    paths: list[tuple[NamedPath, Figures]]
    unaided: Unaided
    solver: Solver
    answers: Answers
    orders: Orders
    asked: Solution  # which knows the ways that were looked at

    def solution(self) -> Solution | None:
        """All of it, with nothing that explains windows; None where the kernel cannot tell it."""
        compiled, solver = self.unaided.compiled, self.solver
        if (told := self.answers.tell(solver)) is None:
            return None
        solution = self.unaided.solution(solver)
        solution.sources, solution.back = self.asked.sources, self.asked.back
        ways = [way for way in Asking(compiled).other_ways() if way not in told.numbers]
        if (others := Answers(solution, ways)).by(solver, compiled, self.orders) is None:
            return None
        solution.told = told.and_others(others.told)
        solution.events_alone = EventsAlone(compiled, solver, self.orders)
        return solution


def analyze_briefly(
    system: System, refinements: Refinements | None = None, watch: Watch | None = None
) -> Result:
    """The result of a valid system, not checked: with what the kernel finds of it by itself, and
    the rest when it is asked for. What takes more than the kernel ends when it is time to.

    >>> from ddsrta.examples import two_threads
    >>> result = analyze_briefly(two_threads())
    >>> result.verdict, result.threads["sensor"].wcrt
    ('met', 1 ms)
    """
    asked = refinements or Refinements.all()
    compiled = compile_system(system, asked)
    brief = brief_of(compiled)

    @cache
    def whole() -> Result:
        solution = brief.solution() if brief else None
        return present(solution or solve(system, asked, watch=watch, known=compiled), asked)

    return whole() if brief is None else Result.later(_parts(brief, whole), **known(system, system))


def brief_of(compiled: Compiled) -> Brief | None:
    """What the kernel says of a system; None where it cannot tell all of it."""
    if not Unaided.fits(compiled):
        return None
    paths, cut = named_paths(compiled.system)
    asking, asked = Asking(compiled), list[Asked]()
    for path in paths:
        for figure in asking.figures(path):
            if figure is None:
                return None
            asked.append(figure)
    wanted = asking.judged(paths)
    if wanted is None:
        return None
    unaided = Unaided(compiled)
    solver = unaided.solved(compiled)
    if solver is None:
        return None
    orders = Orders(compiled)
    solution = Solution(compiled, solver)
    answers = Answers(solution, [*asked, *wanted.figures], wanted.bounds)
    found = answers.by(solver, compiled, orders)
    if found is None:
        return None
    verdict = wanted.verdict(found[len(asked) :])
    # what loads and queues tell beside these is no error
    if verdict == "met" and has_errors(compiled.system):
        verdict = "error"
    verdict = unless_errors(verdict, cut)
    size = len(FIGURES)
    figures = [(one, found[n * size : (n + 1) * size]) for n, one in enumerate(paths)]
    return Brief(verdict, figures, unaided, solver, answers, orders, solution)


def _parts(brief: Brief, whole: Callable[[], Result]) -> Iterator[tuple[str, object]]:
    """What a result has: first what is known, then what is to be found."""
    yield "verdict", brief.verdict
    yield "chains", {path.name: _chain(path, found, whole) for path, found in brief.paths}
    for name in _REST:
        yield name, getattr(whole(), name)


def _chain(path: NamedPath, found: Figures, whole: Callable[[], Result]) -> ChainResult:
    chain = path.chain
    met, slack = judged(found[FIGURES.index(chain.constraint)], chain.deadline)
    return ChainResult.later(
        _reasons(path, whole),
        **dict(zip(FIGURES, map(duration, found), strict=True)),
        constraint=chain.constraint,
        deadline=duration(chain.deadline),
        met=met,
        slack=slack,
        label=path.label,
    )


def _reasons(path: NamedPath, whole: Callable[[], Result]) -> Iterator[tuple[str, object]]:
    """What a path leads through, and how it comes to its figures."""
    yield "path", path.path
    yield "hops", whole().chains[path.name].hops
    yield "unbounded_because", whole().chains[path.name].unbounded_because
