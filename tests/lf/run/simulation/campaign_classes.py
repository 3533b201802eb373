"""Runs of federations that have the classes of `tests.lf.run.simulation.classes`, held against
`judge`: what is MET has no late start and no tardy message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ddsrta.lf.bounds.offsets.judge import Report
from ddsrta.lf.run.simulation.seen import Seen
from ddsrta.lf.run.simulation.simulate import simulate
from tests.lf.run.simulation.classes import draw_class

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
    counts["classes: met with short waits"] += bool(found.report.network.short)
    if found.seen.waiting:  # attacks silence senders, so that it may be there
        yield seed, "classes: MET", f"waits without end: {found.seen.waiting}"


def _met(seed: int, what: str, seen: Seen) -> Iterator[Problem]:
    if seen.missed:
        yield seed, what, f"late: {dict(seen.missed)}"
    if seen.tardy:
        yield seed, what, f"tardy: {seen.tardy}"
