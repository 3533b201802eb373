"""Runs of federations that have the classes of `tests.lf.simulation.classes`, held against
`judge`: what is MET has no late start and no tardy message, also with the runtime's longer waits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ddsrta.lf.federation import Federation
from ddsrta.lf.judge import Report
from ddsrta.lf.short import lengthened
from ddsrta.lf.simulation.choices import Choices
from ddsrta.lf.simulation.compare import waits_of
from ddsrta.lf.simulation.run import run_decentralized
from ddsrta.lf.simulation.seen import Seen
from ddsrta.lf.simulation.simulate import KINDS, simulate
from tests.lf.simulation.classes import draw_class

HORIZON = 600
RUNS = 6
Problem = tuple[int, str, object]


def classed(seed: int, counts: Counter[str]) -> Iterator[Problem]:
    """Runs of one such federation, and attacks on its offsets."""
    federation, unit = draw_class(seed)
    found = simulate(federation, runs=RUNS, seed=100 * seed, horizon=HORIZON * unit)
    assert isinstance(found.report, Report)
    counts["classes: federations"] += 1
    counts[f"classes: {found.report.verdict}"] += 1
    for row in found.rows:
        never = row.kind == "tardy" and row.bound == 0
        counts["classes: never tardy"] += never
        if row.bound is not None and row.clean is not None and row.kind != "tardy":
            counts[f"classes: {row.kind} bounded and seen"] += 1
            counts[f"classes: {row.kind} reached"] += row.clean == row.bound
        if row.violated:
            yield seed, "classes", row
    if found.report.verdict != "met":
        return
    yield from _met(seed, "classes: MET", found.seen)
    longer, names = lengthened(found.report.network, found.report.waits.values)
    counts["classes: met with short waits"] += bool(names)
    seen = _runs(seed, longer, found.report, HORIZON * unit)
    yield from _met(seed, f"classes: MET with 50 us more for {names}", seen)
    if seen.waiting:  # attacks silence senders, so that it may be there
        yield seed, "classes: MET", f"waits without end: {seen.waiting}"


def _runs(seed: int, federation: Federation, report: Report, horizon: int) -> Seen:
    """The waits are those of the report, whatever the runtime makes of absence."""
    seen = Seen()
    for number in range(RUNS):
        seen.begin(number)
        choices = Choices(100 * seed + number, KINDS[number % len(KINDS)])
        run_decentralized(federation, waits_of(report), choices, horizon, seen)
    return seen


def _met(seed: int, what: str, seen: Seen) -> Iterator[Problem]:
    if seen.missed:
        yield seed, what, f"late: {dict(seen.missed)}"
    if seen.tardy:
        yield seed, what, f"tardy: {seen.tardy}"
