"""The document of `ddsrta lf simulate`: what runs showed, beside the bounds; and its tables."""

from __future__ import annotations

from ddsrta.base.text import plural, rounded_down, rounded_up, shown
from ddsrta.base.units import format_duration
from ddsrta.lf.run.simulation.compare import Row as Compared
from ddsrta.lf.run.simulation.simulate import Simulation
from ddsrta.report.findings import finding_lines
from ddsrta.report.json import FORMAT, plain, written
from ddsrta.report.lf.page import Document, state_cell
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import NOTHING, Cell, Row, bound, joined, table

_TITLES_SEEN = (">seen", ">bound", ">seen / bound")
_TITLES = (
    ("grant", "grant after a tag's time"),
    ("done", "federate done with a tag"),
    ("chain", "chain"),
)


def simulation_json(simulation: Simulation) -> str:
    """The text of the document."""
    return written(simulation_dict(simulation))


def simulation_dict(simulation: Simulation) -> Document:
    """The document.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.run.simulation.simulate import simulate
    >>> document = simulation_dict(simulate(two_federates(), runs=3))
    >>> document["verdict"], document["violations"]
    ('met', [])
    """
    federation, seen = simulation.federation, simulation.seen
    return {
        "ddsrta": FORMAT,
        "federation": federation.name,
        "coordination": simulation.coordination,
        "verdict": simulation.verdict,
        "runs": simulation.runs,
        "attacks": simulation.attacks,
        "seed": simulation.seed,
        "horizon": simulation.horizon,
        "federates": {
            name: {
                "tags": seen.tags[name],
                "start": seen.start[name].most if name in seen.start else None,
                "start_count": seen.start[name].count if name in seen.start else 0,
            }
            for name in federation.federates
        },
        "observations": [_row_dict(row) for row in simulation.rows],
        "missed_deadlines": [
            {"federate": name, "reaction": reaction, "count": count}
            for (name, reaction), count in sorted(seen.missed.items())
        ],
        "tags": seen.distinct,
        "messages": [
            {"kind": kind, "direction": direction, "count": count}
            for (kind, direction), count in sorted(seen.messages.items())
        ],
        "violations": [_row_dict(row) for row in simulation.violations],
        "findings": plain(simulation.findings),
    }


def _row_dict(row: Compared) -> Document:
    return {
        "kind": row.kind,
        "name": row.name,
        "seen": row.seen,
        "before_any_tardy": row.clean,
        "bound": row.bound,
        "count": row.count,
        "run": row.run,
    }


def simulation_text(simulation: Simulation, style: Style = PLAIN) -> str:
    """The whole report as text.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.run.simulation.simulate import simulate
    >>> print(simulation_text(simulate(two_federates(), runs=3)).splitlines()[0])
    OK  two federates: no tardy message in 4 runs of 500 ms, nothing above its bound
    """
    document = simulation_dict(simulation)
    sections = [
        _verdict(document, style),
        *(_rows(title, kind, document, style) for kind, title in _TITLES),
        _connections(document, style),
        _deadlines(simulation, document, style),
        _messages(document, style),
        finding_lines(simulation.findings, style),
    ]
    return joined(sections)


def _of_kind(document: Document, kind: str) -> dict[str, Document]:
    return {row["name"]: row for row in document["observations"] if row["kind"] == kind}


def _verdict(document: Document, style: Style) -> list[str]:
    violations, verdict = document["violations"], document["verdict"]
    word, paint = ("VIOLATION", style.bad) if violations else ("OK", style.good)
    if not violations and verdict != "met":
        word, paint = verdict.upper(), style.bad if verdict == "missed" else style.unsure
    late = sum(row["count"] for row in _of_kind(document, "tardy").values())
    tardy = plural(late, "tardy message") if late else "no tardy message"
    above = plural(len(violations), "thing") if violations else "nothing"
    runs = plural(document["runs"] + document["attacks"], "run")
    head = (
        f"{style.strong(paint(word))}  {shown(document['federation'])}: {tardy} in {runs} of "
        f"{format_duration(document['horizon'])}, {above} above its bound"
    )
    return [head, *(_violation(row, document["seed"], style) for row in violations)]


def _violation(row: Document, seed: int, style: Style) -> str:
    where = f"  {style.bad('VIOLATION')}  {row['kind']} of {shown(row['name'])}"
    if row["kind"] == "tardy":
        return f"{where}: there can be none"
    run = "" if row["run"] is None else f" in run {row['run'] + 1}"
    seen, bound = row["before_any_tardy"] or 0, row["bound"] or 0
    return (
        f"{where}: {format_duration(seen)}{run} "
        f"(--seed {seed}), above the bound of {format_duration(bound)}"
    )


def _rows(title: str, kind: str, document: Document, style: Style) -> list[str]:
    cells: list[Row] = [
        [*_seen(row, document), f"{row['count']:,}" if row["count"] else ""]
        for row in _of_kind(document, kind).values()
        if row["seen"] is not None or row["bound"] is not None
    ]
    return table((title, *_TITLES_SEEN, ">?count"), cells, style)


def _seen(row: Document, document: Document) -> Row:
    bad = "bad" if row in document["violations"] else ""
    seen = NOTHING if row["seen"] is None else rounded_up(row["seen"])
    near = share(row["seen"], row["bound"])
    return [row["name"], Cell(seen, bad), bound(row["bound"]), Cell(near, bad)]


def share(seen: int | None, bound: int | None) -> str:
    """How near the bound came, rounded down; what follows a tardy message can be above it.

    >>> share(999, 1000)
    '99.9 %'
    """
    if seen is None or bound is None or bound <= 0 or seen < 0:
        return NOTHING
    tenths = seen * 1000 // bound
    if seen > bound:
        tenths = max(-(-seen * 1000 // bound), 1001)
    return f"{tenths // 10}.{tenths % 10} %"


def _connections(document: Document, style: Style) -> list[str]:
    cells: list[Row] = []
    tardy = _of_kind(document, "tardy")
    for name, row in _of_kind(document, "arrival").items():
        late = tardy[name]["count"]
        late_cell = Cell(f"{late:,}", "bad" if late else "")
        cells.append([*_seen(row, document), f"{row['count']:,}", late_cell])
    first = "message received after its tag's time"
    return table((first, *_TITLES_SEEN, ">messages", ">tardy"), cells, style)


def _deadlines(simulation: Simulation, document: Document, style: Style) -> list[str]:
    cells: list[Row] = []
    rows = _of_kind(document, "reaction")
    for name, federate in simulation.federation.federates.items():
        for reaction in federate.reactions.values():
            if reaction.deadline is None:
                continue
            row = rows[f"{name}.{reaction.name}"]
            missed = simulation.seen.missed[name, reaction.name]
            state: Cell | str = f"missed {missed:,} times" if missed else state_cell(True)
            cells.append([*_seen(row, document), rounded_down(reaction.deadline), state])
    titles = ("start of a reaction", *_TITLES_SEEN, ">deadline", "in these runs")
    return table(titles, cells, style)


def _messages(document: Document, style: Style) -> list[str]:
    tags = document["tags"]
    if not tags:
        return []
    cells: list[Row] = []
    for each in document["messages"]:
        hundredths = (100 * each["count"] + tags // 2) // tags
        average = f"{hundredths // 100}.{hundredths % 100:02}"
        cells.append([each["kind"], each["direction"], f"{each['count']:,}", average])
    return table(("messages with the RTI", "", ">count", ">per tag"), cells, style)
