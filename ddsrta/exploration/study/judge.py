"""What becomes of candidates: their goals, and how far from all limits they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ddsrta.base.diagnostics import InputError
from ddsrta.exploration.evaluation import Measure, Refused
from ddsrta.exploration.study.goals import Numbers
from ddsrta.exploration.study.setup import Bound, Setup
from ddsrta.exploration.study.space import Point
from ddsrta.exploration.study.subject import Analysis

PARTS = 1_000_000
Wrong = tuple[int, int, int]  # how much is wrong, what of that is unbounded, and how far it is off
RIGHT: Wrong = (0, 0, 0)


class Outcome(NamedTuple):
    """Of a candidate: `refused` says why there is no such system; `wrong` is what a limit or a
    deadline lacks; `goals` are as they are asked for, None where unbounded."""

    refused: str
    wrong: Wrong
    goals: tuple[int | None, ...]

    @property
    def is_feasible(self) -> bool:
        """Whether it keeps all that is asked, and all its goals are bounded."""
        return not self.refused and self.wrong == RIGHT and None not in self.goals


class Judge:
    """Looks at candidates of one study.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.exploration.study.setup import read_setup
    >>> setup = read_setup({
    ...     "study": 1, "base": "two_threads.yaml", "objectives": [{"minimize": "latency"}],
    ...     "parameters": {"wcet": {"place": "threads/sensor/wcet", "values": ["1ms", "9ms"]}}},
    ...     two_threads())
    >>> Judge(setup).outcomes([(0,), (1,)])
    [Outcome(refused='', wrong=(0, 0, 0), goals=(3286000,)), \
Outcome(refused='', wrong=(1, 0, 438750), goals=(11510000,))]
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.measure, self.close = setup.subject.measuring(setup.space.places, setup.measures)

    def outcomes(self, points: Sequence[Point]) -> list[Outcome]:
        """What becomes of each."""
        found = self.measure([self.setup.space.row(point) for point in points])
        return [self._outcome(*each) for each in zip(points, found, strict=True)]

    def _outcome(self, point: Point, found: Sequence[int | None] | Refused) -> Outcome:
        if isinstance(found, Refused):
            return Outcome(found.reason, (1, 0, 0), (None,) * len(self.setup.goals))
        measured = dict(zip(self.setup.measures, found, strict=True))
        loads = None
        if self.setup.wants_loads:
            try:
                loads = self.setup.subject.loads(self.setup.space.edits(point))
            except InputError as error:
                reason = error.diagnostics[0].message
                return Outcome(reason, (1, 0, 0), (None,) * len(self.setup.goals))
        changes = self.setup.space.changes(point)
        return judged(self.setup, Numbers(measured, loads, changes))


def outcome_of(setup: Setup, analysis: Analysis, changes: int) -> Outcome:
    """The same, of what its own analysis says."""
    measured = {measure: analysis.value(measure) for measure in setup.measures}
    return judged(setup, Numbers(measured, analysis.loads, changes))


def judged(setup: Setup, numbers: Numbers) -> Outcome:
    """What becomes of a candidate, from its numbers."""
    parts = [_beyond(each, numbers) for each in setup.bounds]
    parts += _late(setup, numbers.measured)
    wrong = (sum(p[0] for p in parts), sum(p[1] for p in parts), sum(p[2] for p in parts))
    if setup.must_be_met and wrong == RIGHT and not numbers.measured[Measure("verdict", "met")]:
        wrong = (1, 0, 0)  # an order, an error, or a part without a bound
    return Outcome("", wrong, tuple(each.value(numbers) for each in setup.goals))


def _beyond(bound: Bound, numbers: Numbers) -> Wrong:
    value = bound.goal.value(numbers)
    return _off(value, bound.amount.value, bound.goal.sign)


def _late(setup: Setup, measured: Mapping[Measure, int | None]) -> list[Wrong]:
    """Of each deadline, where they count."""
    slack = setup.deadlines
    if slack is None or not setup.must_be_met:
        return []
    pairs = zip(slack.measures, slack.deadlines, strict=True)
    return [_off(measured[measure], due) for measure, (_, due) in pairs]


def _off(value: int | None, limit: int, sign: int = 1) -> Wrong:
    """How far a value is beyond a limit, in millionths of it.

    >>> _off(3, 2), _off(2, 2), _off(None, 2), _off(1, 2, -1)
    ((1, 0, 500000), (0, 0, 0), (1, 1, 0), (1, 0, 500000))
    """
    if value is None:
        return (1, 1, 0)
    beyond = sign * (value - limit)
    return (1, 0, -(-PARTS * beyond // max(1, abs(limit)))) if beyond > 0 else RIGHT
