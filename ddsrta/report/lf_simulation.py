"""What a person reads of `ddsrta lf simulate`: what runs showed, beside the bounds."""

from __future__ import annotations

from collections.abc import Iterable

from ddsrta.base.text import plural, rounded_down, rounded_up, shown
from ddsrta.base.units import format_duration
from ddsrta.lf.run.simulation.compare import Row
from ddsrta.lf.run.simulation.simulate import Simulation
from ddsrta.report.findings import finding_lines
from ddsrta.report.lf_cells import bound_cell, state_cell
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import Cell, Column, table

NOTHING = "–"
_TITLES = (
    ("grant", "grant after a tag's time"),
    ("done", "federate done with a tag"),
    ("chain", "chain"),
)


def simulation_text(simulation: Simulation, style: Style = PLAIN) -> str:
    """The whole report as text.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.run.simulation.simulate import simulate
    >>> print(simulation_text(simulate(two_federates(), runs=3)).splitlines()[0])
    OK  two federates: no tardy message in 4 runs of 500 ms, nothing above its bound
    """
    sections = [
        _verdict(simulation, style),
        *(
            _rows(title, [row for row in simulation.rows if row.kind == kind], style)
            for kind, title in _TITLES
        ),
        _connections(simulation, style),
        _deadlines(simulation, style),
        _messages(simulation, style),
        finding_lines(simulation.findings, style),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def _verdict(simulation: Simulation, style: Style) -> list[str]:
    violations = simulation.violations
    paint = style.bad if violations else style.good
    word = "VIOLATION" if violations else "OK"
    if not violations and simulation.verdict != "met":
        word, paint = simulation.verdict.upper(), style.unsure
        paint = style.bad if simulation.verdict == "missed" else style.unsure
    total = simulation.runs + simulation.attacks
    tardy = plural(simulation.tardy, "tardy message") if simulation.tardy else "no tardy message"
    above = plural(len(violations), "thing") if violations else "nothing"
    name = shown(simulation.federation.name)
    horizon = format_duration(simulation.horizon)
    head = (
        f"{style.strong(paint(word))}  {name}: {tardy} in {plural(total, 'run')} of {horizon}, "
        f"{above} above its bound"
    )
    return [head, *(_violation(row, simulation, style) for row in violations)]


def _violation(row: Row, simulation: Simulation, style: Style) -> str:
    where = f"{row.kind} of {shown(row.name)}"
    if row.kind == "tardy":
        return f"  {style.bad('VIOLATION')}  {where}: there can be none"
    run = "" if row.run is None else f" in run {row.run + 1}"
    return (
        f"  {style.bad('VIOLATION')}  {where}: {format_duration(row.clean or 0)}{run} "
        f"(--seed {simulation.seed}), above the bound of {format_duration(row.bound or 0)}"
    )


def _rows(title: str, rows: Iterable[Row], style: Style) -> list[str]:
    cells = [
        [shown(row.name), *_seen(row, style), f"{row.count:,}" if row.count else ""]
        for row in rows
        if row.seen is not None or row.bound is not None
    ]
    columns = [
        Column(title),
        Column("seen", right=True),
        Column("bound", right=True),
        Column("seen / bound", right=True),
        Column("count", right=True, spare=True),
    ]
    return table(columns, cells, style) if cells else []


def _seen(row: Row, style: Style) -> list[Cell | str]:
    bad = style.bad if row.violated else None
    seen = NOTHING if row.seen is None else rounded_up(row.seen)
    return [Cell(seen, bad), bound_cell(row.bound, style), Cell(share(row), bad)]


def share(row: Row) -> str:
    """How near the bound came, rounded down; what follows a tardy message can be above it.

    >>> share(Row("done", "f", 999, 999, 1000))
    '99.9 %'
    """
    if row.seen is None or row.bound is None or row.bound <= 0 or row.seen < 0:
        return NOTHING
    tenths = row.seen * 1000 // row.bound
    if row.seen > row.bound:
        tenths = max(-(-row.seen * 1000 // row.bound), 1001)
    return f"{tenths // 10}.{tenths % 10} %"


def _connections(simulation: Simulation, style: Style) -> list[str]:
    cells = []
    tardy = {row.name: row for row in simulation.rows if row.kind == "tardy"}
    for row in simulation.rows:
        if row.kind != "arrival":
            continue
        late = tardy[row.name].count
        cells.append(
            [
                shown(row.name),
                *_seen(row, style),
                f"{row.count:,}",
                Cell(f"{late:,}", style.bad if late else None),
            ]
        )
    columns = [
        Column("message received after its tag's time"),
        Column("seen", right=True),
        Column("bound", right=True),
        Column("seen / bound", right=True),
        Column("messages", right=True),
        Column("tardy", right=True),
    ]
    return table(columns, cells, style) if cells else []


def _deadlines(simulation: Simulation, style: Style) -> list[str]:
    cells = []
    rows = {row.name: row for row in simulation.rows if row.kind == "reaction"}
    for name, federate in simulation.federation.federates.items():
        for reaction in federate.reactions.values():
            if reaction.deadline is None:
                continue
            row = rows[f"{name}.{reaction.name}"]
            missed = simulation.seen.missed[name, reaction.name]
            state: Cell | str = f"missed {missed:,} times" if missed else state_cell(True, style)
            cells.append(
                [shown(row.name), *_seen(row, style), rounded_down(reaction.deadline), state]
            )
    columns = [
        Column("start of a reaction"),
        Column("seen", right=True),
        Column("bound", right=True),
        Column("seen / bound", right=True),
        Column("deadline", right=True),
        Column("in these runs"),
    ]
    return table(columns, cells, style) if cells else []


def _messages(simulation: Simulation, style: Style) -> list[str]:
    seen = simulation.seen
    if not seen.distinct:
        return []
    cells = []
    for (kind, direction), count in sorted(seen.messages.items()):
        hundredths = (100 * count + seen.distinct // 2) // seen.distinct
        average = f"{hundredths // 100}.{hundredths % 100:02}"
        cells.append([kind, direction, f"{count:,}", average])
    columns = [
        Column("messages with the RTI"),
        Column(""),
        Column("count", right=True),
        Column("per tag", right=True),
    ]
    return table(columns, cells, style) if cells else []
