"""What a person reads of a simulation: first whether a bound was exceeded, then the tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ddsrta.base.text import plural, rounded_up, shown
from ddsrta.base.units import Duration
from ddsrta.report.checked import check_line
from ddsrta.report.findings import finding_lines, graded
from ddsrta.report.histogram import histogram_lines
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import NOTHING, UNBOUNDED, Cell, Row, joined, table
from ddsrta.simulation.simulation import (
    ChainSeen,
    Observation,
    Simulation,
    ThreadSeen,
    named_observations,
)

NOTE = "Percentiles are upper edges of histogram buckets: at most 1/16 too large, never too small."
Shown = tuple[str, str, Observation]


def simulation_text(
    simulation: Simulation, style: Style = PLAIN, *, histograms: bool = False
) -> str:
    """The whole simulation as text."""
    sections = [
        [*verdict_lines(simulation, style), style.faint(_how(simulation))],
        finding_lines(graded(simulation.analysis.warnings)[0], style),
        *(_table(title, rows, style) for title, rows in kinds(simulation)),
        [style.faint(NOTE), check_line(simulation.analysis, style)],
    ]
    if histograms:
        sections += [
            histogram_lines(name, seen, style) for name, seen in _all(simulation) if seen.count
        ]
    return joined(sections)


def verdict_lines(simulation: Simulation, style: Style = PLAIN) -> list[str]:
    """The verdict in one line, and one more for each observation above its bound."""
    amount = f"{simulation.delivered:,} messages, {simulation.events:,} events"
    name = shown(simulation.system)
    if not simulation.violations:
        if simulation.limited:
            verdict = style.strong(style.unsure("STOPPED"))
            return [f"{verdict}  {name}: {amount}, no observation above its bound up to there"]
        if (check := simulation.analysis.check) and check.status != "confirmed":
            verdict = style.strong(style.bad(check.status.upper()))
            return [f"{verdict}  {name}: {amount}, and no bound that they were held against stands"]
        verdict = style.strong(style.good("OK"))
        return [f"{verdict}  {name}: {amount}, no observation above its bound"]
    above = plural(len(simulation.violations), "observation")
    verdict = style.strong(style.bad("VIOLATION"))
    lines = [f"{verdict}  {name}: {amount}, {above} above the bound"]
    for violation in simulation.violations:
        timed = isinstance(violation.observed, Duration)
        observed = str(violation.observed) if timed else f"{violation.observed} pending"
        lines.append(
            f"  {style.bad('VIOLATION')}  {shown(violation.what)}: {observed} with seed "
            f"{violation.seed}, above the bound of {violation.bound}"
        )
    return lines


def _how(simulation: Simulation) -> str:
    """The call that shows the same."""
    last = simulation.seed + simulation.seeds - 1
    seeds = (
        f"seed {simulation.seed}" if simulation.seeds == 1 else f"seeds {simulation.seed}–{last}"
    )
    if simulation.choices == "worst":
        seeds = "everything at its worst"
    text = f"{seeds}, horizon {simulation.horizon}"
    if simulation.limited:
        runs = f"{simulation.limited} of {plural(simulation.seeds, 'run')}"
        text += f"; STOPPED at the limit of {simulation.most_events:,} events in a run: {runs}"
        text += f", after {simulation.simulated} in all: the figures are not those of the horizon"
    if simulation.interrupted:
        text += f"; INTERRUPTED after {simulation.simulated}"
        text += f" and {simulation.finished} of {simulation.seeds} seeds" * (simulation.seeds > 1)
    return text


TITLES = (">max", ">?p50", ">p99", ">?p99.9", ">?count", ">bound", ">max/bound")


def kinds(simulation: Simulation) -> Iterator[tuple[str, Iterable[Shown]]]:
    """What was seen, by the title of its table."""
    yield "chain", _chains(simulation)
    yield "delivery of a message", _messages(simulation)
    yield "response of a thread", _jobs(simulation.threads)
    yield "response of a callback", _jobs(simulation.callbacks)
    yield "synchronizer", _sets(simulation)
    yield "queue", _queues(simulation)


def _table(title: str, rows: Iterable[Shown], style: Style) -> list[str]:
    return table((title, "", *TITLES), [row(*each) for each in rows], style)


def row(name: str, what: str, seen: Observation) -> Row:
    """One of them: a name, what of it, and the figures."""
    bad = "bad" if seen.violated else ""
    return [
        name,
        Cell(what, "faint"),
        Cell(_figure(seen.max), bad),
        *(_figure(value) for value in (seen.p50, seen.p99, seen.p999)),
        f"{seen.count:,}",
        Cell(UNBOUNDED, "unsure") if seen.bound is None else _figure(seen.bound),
        Cell(ratio(seen), bad),
    ]


def _figure(value: int | None) -> str:
    if value is None:
        return NOTHING
    return rounded_up(value) if isinstance(value, Duration) else str(value)


def ratio(seen: Observation) -> str:
    """Observed maximum by bound, in per cent; above 100 % only where the bound is exceeded.

    >>> ratio(Observation(999, 1, 1, 999, 999, 999, 1000))
    '99.9 %'
    >>> ratio(Observation(100_001, 1, 1, 1, 1, 1, 100_000))
    '100.1 %'
    """
    if seen.max is None or not seen.bound:
        return NOTHING
    scaled = seen.max * 1000
    tenths = -(-scaled // seen.bound) if seen.violated else scaled // seen.bound
    return f"{tenths // 10}.{tenths % 10} %"


def _chains(simulation: Simulation) -> Iterable[Shown]:
    for name, chain in simulation.chains.items():
        for figure, seen in _figures(chain):
            yield name, figure, seen


def _figures(chain: ChainSeen) -> Iterable[tuple[str, Observation]]:
    """Those that are asked for, or have a bound that says something else than the one before."""
    latency, trigger = chain.latency, chain.trigger_latency
    asked = chain.constraint
    if latency is not None and (latency.bound is not None or asked == "latency"):
        yield "latency", latency
    same = latency and trigger and (latency.max, latency.bound) == (trigger.max, trigger.bound)
    if trigger is not None and trigger.bound is not None and not same:
        yield "trigger latency", trigger
    age, reaction = chain.data_age, chain.reaction_time
    if age is not None and (age.bound is not None or asked == "data_age"):
        yield "data age", age
    if reaction is not None and (reaction.bound is not None or asked == "reaction_time"):
        yield "reaction", reaction


def _messages(simulation: Simulation) -> Iterable[Shown]:
    for m in simulation.messages:
        yield f"{m.publisher} → {m.topic} → {m.subscriber}", m.mode, m.ddl


def _jobs(jobs: Mapping[str, ThreadSeen]) -> Iterable[Shown]:
    for name, job in jobs.items():
        yield name, "", job.response


def _queues(simulation: Simulation) -> Iterable[Shown]:
    for name, queue in simulation.queues.items():
        yield name, "", queue.backlog


def _sets(simulation: Simulation) -> Iterable[Shown]:
    for name, sets in simulation.synchronizers.items():
        yield name, "disparity", sets.disparity
        yield name, "a set each", sets.gap
        for topic, wait in sets.waits.items():
            yield name, f"{shown(topic)} waits", wait


def _all(simulation: Simulation) -> Iterable[tuple[str, Observation]]:
    s = simulation
    return named_observations(
        s.threads, s.callbacks, s.messages, s.chains, s.queues, s.synchronizers
    )
