"""Many runs of a system, and what they have shown beside its bounds."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from ddsrta.base.diagnostics import Diagnostic, InputError, expect_files, given, whole
from ddsrta.base.units import parse_duration
from ddsrta.bounds.analyze import analyze
from ddsrta.models.system import System
from ddsrta.simulation.build import program_of
from ddsrta.simulation.checkpoint import Checkpoint, save
from ddsrta.simulation.compare import compare
from ddsrta.simulation.labels import labels
from ddsrta.simulation.ledger import Ledger
from ddsrta.simulation.plan import MOST_EVENTS, RANDOM, WORST, Plan, default_horizon
from ddsrta.simulation.records import check_folder
from ddsrta.simulation.simulation import Simulation
from ddsrta.simulation.workers import Stop, Tick, run_here, run_there

EVERY = 15.0  # seconds between two checkpoints
CHOICES = (RANDOM, WORST)


def simulate(
    system: System,
    *,
    horizon: int | str | None = None,
    seed: int | None = None,
    seeds: int | None = None,
    jobs: int = 1,
    events: int | None = None,
    choices: str | None = None,
    profile: str = "busy-window",
    parquet: str | None = None,
    checkpoint: str | None = None,
    resume: bool = False,
    stop: Stop = lambda: False,
    tick: Tick = lambda ledger: None,
) -> Simulation:
    """Simulate `seeds` runs from 0 to the horizon (ns, or a text such as '10s').

    The seed decides everything: the same call gives the same numbers, however many `jobs` work on
    it. `choices` is 'random', or 'worst' for the one run in which everything takes its worst case.
    `parquet` is a folder for all observations; `checkpoint` a file to go on from with `resume`,
    where what is not given is as it was. A run stops at so many `events` (100,000,000 if nothing
    is said), and the simulation is `limited` then. `stop` is asked now and then whether to stop
    and return what was seen so far; `tick` is told how far it is.

    >>> from ddsrta.examples import two_threads
    >>> simulation = simulate(two_threads(), horizon="1s", choices="worst")
    >>> simulation.chains["control loop"].latency.max
    3.286 ms
    """
    time = _nanoseconds(horizon) if isinstance(horizon, str) else horizon
    said = whole(jobs=jobs, **given(horizon=time, seed=seed, seeds=seeds, events=events))
    expect_files(**given(parquet=parquet, checkpoint=checkpoint))
    result = analyze(system, profile=profile)
    program = program_of(system)
    if resume and checkpoint is None:
        raise _wrong("to resume needs the name of a checkpoint")
    found = Checkpoint(checkpoint) if resume and checkpoint is not None else None
    before: dict[str, Any] = found.settings if found else {}
    plan = Plan(
        program,
        tuple(labels(system, program)),
        _first(said.get("horizon"), before.get("horizon"), lambda: default_horizon(program)),
        _first(choices, before.get("choices"), lambda: RANDOM),
        _first(said.get("seed"), before.get("first"), lambda: 1),
        _first(said.get("seeds"), before.get("count"), lambda: 1),
        _first(parquet, before.get("parquet"), lambda: None),
        said.get("events", MOST_EVENTS),
    )
    _check(plan, jobs)
    if plan.parquet is not None:
        check_folder(plan.parquet, resume)
    ledger = found.ledger(plan) if found else Ledger(plan)
    _run(ledger, jobs, checkpoint, stop, tick)
    return compare(ledger, result)


def _run(ledger: Ledger, jobs: int, checkpoint: str | None, stop: Stop, tick: Tick) -> None:
    """All that remains, with checkpoints on the way and one at the end."""
    every = None if checkpoint is None else EVERY
    saved = monotonic()

    def keep(ledger: Ledger) -> None:
        nonlocal saved
        if checkpoint is not None and monotonic() - saved >= EVERY:
            save(ledger, checkpoint)
            saved = monotonic()
        tick(ledger)

    if jobs == 1 or len(ledger.remaining()) < 2:
        run_here(ledger, every, stop, keep)
    else:
        run_there(ledger, jobs, every, stop, keep)
    if checkpoint is not None:
        save(ledger, checkpoint)


def _first(given: Any, before: Any, otherwise: Callable[[], Any]) -> Any:
    """What is given, or else what it was before."""
    if given is not None:
        return given
    return before if before is not None else otherwise()


def _nanoseconds(horizon: str) -> int:
    try:
        return parse_duration(horizon)
    except ValueError as error:
        raise _wrong(f"the horizon {error}") from error


def _check(plan: Plan, jobs: int) -> None:
    if plan.horizon < 1 or plan.count < 1 or jobs < 1 or plan.events < 1:
        raise _wrong("the horizon, the numbers of seeds, jobs and events must be positive")
    if plan.choices not in CHOICES:
        raise _wrong(f"there are no choices '{plan.choices}'", f"use {' or '.join(CHOICES)}")
    if plan.choices == WORST and plan.count > 1:
        raise _wrong("all runs with the choices 'worst' are the same", "one seed is enough")


def _wrong(message: str, advice: str = "") -> InputError:
    return InputError([Diagnostic(None, message, advice)])
