"""Attacks: searches for the runs in which something takes longest, and what they found."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ddsrta.models.system import System
from ddsrta.simulation.attack.hint import Hint
from ddsrta.simulation.attack.search import Search
from ddsrta.simulation.build import program_of
from ddsrta.simulation.run import Run
from ddsrta_simulator import Choices, Measure, Program
from ddsrta_simulator.program import ANCHORED

RUNS = 2000
START = 50  # what it costs to start a run, in events
RELEASES = 5000  # in a run, about
SCALE = 1 << 60


class Budget(NamedTuple):
    """When to stop: the first limit that is reached counts. Only `seconds` depends on the machine;
    `events` counts 50 more for each run, for its start."""

    runs: int | None = None
    events: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The worst run of one measure.

    `worst` is -1 where the measure was never seen. A time began at `begin` and was over at `end`.
    """

    program: Program
    measure: Measure
    number: int
    worst: int
    end: int
    choices: Choices
    runs: int

    @property
    def begin(self) -> int:
        """When the worst instance began; of what counts, when it was the most."""
        return self.end if self.measure.kind == "pending" else self.end - self.worst

    @property
    def horizon(self) -> int:
        """How long to simulate to see it."""
        return self.end + 1

    def replay(self, records: int = 0, trace: int = 1 << 40) -> Run:
        """The run again, up to the end of the worst instance; its buffers can be taken."""
        run = Run(self.program, self.choices, records=records, trace=trace)
        run.advance(self.horizon)
        return run


def attack(
    system: System,
    target: Measure,
    seed: int,
    *,
    runs: int | None = RUNS,
    seconds: float | None = None,
    bound: int = -1,
    hints: Sequence[Hint] = (),
) -> Found:
    """The worst run found of one measure, such as Measure("ddl", (publisher, topic, subscriber)).

    It stops early when the bound is reached, if one is given.

    >>> from ddsrta.examples import two_threads
    >>> attack(two_threads(), Measure("response", ("job", "sensor")), 1, runs=5).worst
    1000000
    """
    program = program_of(system)
    number = program.measures.index(target)
    bounds = [-1] * len(program.measures)
    bounds[number] = bound
    budget = Budget(runs=runs, seconds=seconds)
    return attack_all(program, [number], seed, budget, bounds=bounds, hints=hints)[0]


def attack_all(
    program: Program,
    measures: Iterable[int],
    seed: int,
    budget: Budget,
    *,
    bounds: Sequence[int] = (),
    hints: Sequence[Hint] = (),
    known: Sequence[Found] = (),
    horizon: int | None = None,
    tick: Callable[[Search], bool] | None = None,
) -> list[Found]:
    """The worst runs found of each of these measures, all in one search.

    `bounds` has one for each measure of the program, -1 where none is known; what is far from its
    bound gets most of the effort. The search goes on from the worst runs that are `known`, which
    may be of other measures, too: these come last. `tick` is told of each run, and may ask to stop.

    >>> from ddsrta.examples import two_threads
    >>> program = program_of(two_threads())
    >>> target = program.measures.index(Measure("response", ("job", "sensor")))
    >>> [found.worst for found in attack_all(program, [target], 1, Budget(runs=5))]
    [1000000]
    """
    wanted = list(measures)
    if horizon is None:
        horizon = horizon_of(program, [bounds[measure] for measure in wanted] if bounds else ())
    search = Search(program, wanted, seed, horizon, bounds, hints)
    for one in known:
        search.recall(one.number, one.worst, one.end, one.choices)
    search.begin()
    end = None if budget.seconds is None else time.monotonic() + budget.seconds
    while not search.is_done() and not _spent(search, budget, end):
        search.step()
        if tick is not None and tick(search):
            break
    return [_found(search, number) for number in search.watched]


def _spent(search: Search, budget: Budget, end: float | None) -> bool:
    if budget.runs is not None and search.runs >= budget.runs:
        return True
    if budget.events is not None and search.events + START * search.runs >= budget.events:
        return True
    return end is not None and time.monotonic() >= end


def _found(search: Search, number: int) -> Found:
    choices = search.best[number]
    assert choices is not None  # even what is never seen is kept once
    return Found(
        search.program,
        search.program.measures[number],
        number,
        search.worst[number],
        search.at[number],
        choices,
        search.runs,
    )


def horizon_of(program: Program, bounds: Sequence[int] = ()) -> int:
    """Long enough for a burst after a while and for what follows, up to these bounds; but not for
    very many releases, where slow sources stand beside fast ones.

    >>> from ddsrta.examples import two_threads
    >>> horizon_of(program_of(two_threads()))
    80000000
    """
    rows = zip(program.source_period, program.source_b, program.source_model, strict=True)
    periods = [max(1, p if model == ANCHORED else p // b) for p, b, model in rows]
    rate = sum(SCALE // period for period in periods)
    most = RELEASES * SCALE // max(1, rate)
    longest = min(2 * max(bounds, default=0), 10 * most)
    return max(1000, longest, min(8 * max(periods, default=1), most))
