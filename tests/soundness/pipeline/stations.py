"""The stations that a system goes through: analysis, checker, engine, attack, traces.

The engine runs it compiled and interpreted, and is held against the definitions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ddsrta.bounds.order.sets import MOST_ORDERS, order_sets
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.result import Result
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.solve import solve
from ddsrta.checker.check import check
from ddsrta.exploration.critical_instant import hints_of
from ddsrta.models.system import System
from ddsrta.simulation import Run, program_of, random_choices, worst_choices
from ddsrta.simulation.attack import Budget
from ddsrta_simulator import Program
from ddsrta_simulator.program import ARRIVED, SENT, TRACE
from ddsrta_simulator.simulator import Engine
from tests.simulation.oracle.choices import covered
from tests.simulation.oracle.compare import differs
from tests.soundness.attack import MOST_EVENTS, Worst, attack, span_of, violations
from tests.soundness.bounds import FIGURES, UNBOUNDED, bounds_of, kinds_of
from tests.soundness.deliveries import first_orders, flow_of, seen_overtakings, sequences
from tests.soundness.pipeline.drawn import MOST_STEPS, is_bounded
from tests.soundness.pipeline.filling import busiest
from tests.soundness.pipeline.product import certified, present, status_of
from tests.soundness.shrink import kind_of

BOTH_JOBS = 40  # about, in a run of both engines
BOTH_EVENTS = 8000
ORDER_JOBS = 120
RUNS = 24


class Failure(NamedTuple):
    """A defect: which relation does not hold (`kind`), and of what."""

    kind: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


@dataclass
class Seen:
    """What became of a system at its stations."""

    program: Program
    solution: Solution
    result: Result
    bounds: list[int]
    worst: Worst
    status: list[str] = field(default_factory=list)  # of each certificate
    failures: list[Failure] = field(default_factory=list)
    whole: bool = False  # each job and each message has a bound
    other: Solution | None = None  # without a refinement
    unbounded: int = 0
    looser: int = 0  # relatives with less known or more to do, and a lower bound
    differing: int = 0  # times that other words led to other bounds
    load: float = 0.0  # of the busiest supply
    compared: dict[str, int] = field(default_factory=dict)  # claims of each kind that a run came to


def solved(system: System, without: str | None = None, steps: int = MOST_STEPS) -> Solution:
    """The solution, with all refinements or without one."""
    some = None if without is None else Refinements(**{without: False})
    return solve(system, some, most_steps=steps)


def through(
    system: System,
    seed: int,
    without: str | None = None,
    runs: int = RUNS,
    *,
    solution: Solution | None = None,
    both: bool = True,
) -> Seen:
    """A system at all stations; `without`: its bounds without this refinement are checked, too;
    not `both`: the engine runs it only as it is, and fewer runs show orders."""
    solution = solution or solved(system)
    result = present(solution)
    program = program_of(system)
    bounds = bounds_of(program, result)
    worst = attacked(solution, program, bounds, seed, runs)
    seen = Seen(program, solution, result, bounds, worst, whole=is_bounded(solution))
    seen.load = busiest(solution.compiled)
    checked(seen, certified(solution, result))
    if without is not None:
        other = solved(unclocked(system) if without == "offsets" else system, without)
        checked(seen, certified(other, present(other)))
        seen.other = other
    seen.failures += above(seen)
    if both:
        seen.failures += different(seen, seed)
    seen.failures += sent_late(seen)
    if system.orders:
        seen.failures += disordered(seen, seed, 3 if both else 1)
    count(seen)
    return seen


def unclocked(system: System) -> System:
    """The system without known offsets: a certificate that uses none is one of this system, as
    latencies count from other events."""
    threads = {
        name: replace(thread, arrival=replace(thread.arrival, offset=None))
        if getattr(thread.arrival, "offset", None) is not None
        else thread
        for name, thread in system.threads.items()
    }
    return replace(system, threads=threads)


def checked(seen: Seen, certificate: dict[str, Any]) -> None:
    """What the checker says of a certificate."""
    verdict = check(certificate)
    status = status_of(verdict)
    seen.status.append(status)
    if status == "refuted":
        seen.failures.append(Failure("refuted", str(verdict.failure)))


def attacked(
    solution: Solution, program: Program, bounds: list[int], seed: int, runs: int
) -> Worst:
    """The worst runs of all that has a bound."""
    wanted = [measure for measure, bound in enumerate(bounds) if bound >= 0]
    hints = hints_of(solution, program, wanted)
    budget = Budget(runs=runs, events=MOST_EVENTS // 4)
    span = span_of(solution.system, program, bounds, most_jobs=300)
    return attack(program, bounds, seed, budget, span, hints=hints)


def above(seen: Seen) -> Iterator[Failure]:
    """Runs that are worse than a bound."""
    for found in violations(seen.worst, seen.bounds):
        kind = " ".join(kind_of(found))
        told = f"{found} ({seen.status[0]} by the checker)"
        yield Failure(f"above {kind}", told)


def different(seen: Seen, seed: int) -> Iterator[Failure]:
    """What is seen otherwise compiled, interpreted, or by the definitions; and timers that skip
    although they never do."""
    program = seen.program
    horizon = span_of(seen.solution.system, program, [], most_jobs=BOTH_JOBS)
    first = Run(program, worst_choices(program))
    first.advance(horizon)
    if first.events > BOTH_EVENTS:
        horizon = horizon * BOTH_EVENTS // first.events + 1
    for choices in (worst_choices(program), random_choices(program, seed, horizon)):
        run, engine = Run(program, choices), Engine(program, choices)
        skipped = watched(engine)
        run.advance(horizon)
        engine.advance(horizon)
        for what in ("worst", "worst_at", "counts"):
            mine, other = list(getattr(run, what)), list(getattr(engine, what)())
            if mine != other:
                first = next(
                    i for i, pair in enumerate(zip(mine, other, strict=True)) if pair[0] != pair[1]
                )
                yield Failure(
                    "engines", f"{what} of {program.measures[first]}: {mine[first]}, {other[first]}"
                )
                return
        told = covered(program) and differs(seen.solution.system, program, choices, horizon)
        if told:
            yield Failure("definitions", told)
        for thread in sorted(skipped):
            name = program.stages[thread][1]
            if name not in getattr(seen.solution.compiled, "skips", ()):
                yield Failure("skips", f"{name} skips releases")


def watched(engine: Engine) -> set[int]:
    """The threads whose releases an engine skips, as it runs."""
    skipped: set[int] = set()
    asked = engine.skips

    def skips(thread: int, due: int) -> bool:
        if asked(thread, due):
            skipped.add(thread)
            return True
        return False

    engine.skips = skips  # type: ignore[method-assign]
    return skipped


def sent_late(seen: Seen) -> Iterator[Failure]:
    """Copies that leave later than promised, in the worst runs of their deliveries."""
    program = seen.program
    promised = {(m.publisher, m.topic, m.subscriber): m.sent for m in seen.result.messages}
    number_of = {key: i for i, key in enumerate(program.stages)}
    runs = [
        one for one in seen.worst.found.values() if one.measure.kind == "ddl" and one.worst >= 0
    ]
    for found in runs[:2]:
        arrived: dict[tuple[int, int], int] = {}
        rows = found.replay().take_trace()
        columns = (rows[column::TRACE] for column in range(TRACE))
        for time, kind, what, number, other in zip(*columns, strict=True):
            if kind == ARRIVED:
                arrived[what, number] = time
            elif kind == SENT:
                stream = program.streams[what]
                sample = number_of.get(("sample", *stream[:2]))
                if sample is None and seen.solution.system.threads[stream[0]].entity == "inline":
                    continue  # it counts from the last of its messages
                from_job = number_of["job", stream[0]], other
                begin = arrived.get(from_job if sample is None else (sample, number))
                bound = promised.get(stream)
                if begin is not None and bound is not None and time - begin > bound:
                    yield Failure("above sent", f"{stream}: {time - begin} seen, {bound} promised")
                    return


def disordered(seen: Seen, seed: int, runs: int) -> Iterator[Failure]:
    """Orders of messages that the analysis calls impossible."""
    system, solution = seen.solution.system, seen.solution
    horizon = span_of(system, seen.program, [], most_jobs=ORDER_JOBS * (runs + 1) // 4)
    names = dict.fromkeys(order.subscriber for order in system.orders.values())
    sets = [s for name in names for s in order_sets(solution, name) if not s.together]
    for number in range(runs if sets else 0):
        log = flow_of(system, 10 * seed + number, horizon).deliveries
        for found in sets:
            possible = {(o.first, o.second, o.later) for o in found.overtakings if o.possible}
            for each in seen_overtakings(log, found) - possible:
                yield Failure("order", f"{found.subscriber} of {found.origin}: {each}")
            for order in first_orders(log, found).keys() - {*found.orders}:
                yield Failure("order", f"{found.subscriber} of {found.origin}: {order}")
            if len(found.sequences) < MOST_ORDERS:
                for order in sequences(log, found).keys() - {*found.sequences}:
                    yield Failure("order", f"{found.subscriber} of {found.origin}: {order}")


def count(seen: Seen) -> None:
    """Claims of each kind that a run came to."""
    kinds = kinds_of(seen.program, seen.solution.system)
    asked = {(chain.constraint, chain.path) for chain in seen.result.chains.values()}
    for measure, bound in zip(seen.program.measures, seen.bounds, strict=True):
        is_claimed = measure.kind not in FIGURES or tuple(measure) in asked
        seen.unbounded += bound == UNBOUNDED and is_claimed
    for kind, worst, bound in zip(kinds, seen.worst.seen, seen.bounds, strict=True):
        if worst >= 0 and bound >= 0:
            seen.compared[kind] = seen.compared.get(kind, 0) + 1
