"""What documents of `ddsrta lf` and their tables have in common.

A document has stable keys, times in integer nanoseconds, and null for what is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ddsrta.base.diagnostics import Position
from ddsrta.base.text import plural, rounded_down, rounded_up, shown
from ddsrta.bounds.result import Finding
from ddsrta.lf.bounds.latencies.chains import Latency
from ddsrta.lf.bounds.latencies.deadlines import Start
from ddsrta.lf.bounds.latencies.rows import Unbounded, reasons
from ddsrta.lf.bounds.offsets.certificate import chain, met_unless, start_row
from ddsrta.lf.program.federation import Federation
from ddsrta.report.findings import finding_lines
from ddsrta.report.json import FORMAT, plain
from ddsrta.report.style import Style
from ddsrta.report.table import Cell, Row, bound, down, joined, table

Document = dict[str, Any]


def page(
    summary: str,
    document: Document,
    sections: Iterable[list[str]],
    style: Style,
    *last: list[str],
) -> str:
    """The whole report as text: errors come first, other findings come behind."""
    paint = {"met": style.good, "unbounded": style.unsure}.get(document["verdict"], style.bad)
    verdict = style.strong(paint(document["verdict"].upper()))
    findings = [_finding(each) for each in document["findings"]]
    parts = [
        [f"{verdict}  {shown(document['federation'])}: {summary}"],
        finding_lines([each for each in findings if each.severity == "error"], style),
        *sections,
        finding_lines([each for each in findings if each.severity != "error"], style),
        *last,
    ]
    return joined(parts)


def _finding(found: Document) -> Finding:
    place = None if found["file"] is None else (found["file"], found["line"], found["column"])
    position = None if place is None else Position(*place)
    return Finding(found["rule"], found["severity"], found["message"], position)


def most(values: Sequence[int | None], what: str, without: str, largest: str) -> str:
    """The largest of some bounds, or how many have none."""
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return f"{plural(len(values) - len(known), what)} {without}"
    return largest.format(rounded_up(max(known, default=0)))


def count(document: Document, connections: int) -> str:
    """How many there are."""
    federates = plural(len(document["federates"]), "federate")
    return f"{federates}, {plural(connections, 'connection')}"


def arrows(names: Sequence[str], most_names: int = 5, first: int = 2) -> str:
    """Names in a row; of many the first and the last."""
    if len(names) > most_names:
        names = [*names[:first], "…", *names[-2:]]
    return " → ".join(names)


def state_cell(met: bool | None) -> Cell:
    """Whether a deadline is met; None: by what is only assumed."""
    if met is None:
        return Cell("assumed", "unsure")
    return Cell("met", "good") if met else Cell("missed", "bad")


def assumed_dict(because: str | None) -> Document:
    """Why a lag is assumed, where it is."""
    return {} if because is None else {"assumed_because": because}


def start_dict(start: Start, assumed: str | None = None) -> Document:
    """The latest start of a reaction beside its deadline."""
    return {
        **start_row(start),
        "deadline": start.deadline,
        "met": met_unless(start.met, assumed),
        "unbounded_because": start.because,
        **assumed_dict(assumed),
    }


def starts_table(document: Document, style: Style, owner: str = "federate") -> list[str]:
    """Latest starts of reactions beside their deadlines."""
    rows: list[Row] = [
        [
            f"{start[owner]}.{start['reaction']}",
            bound(start["latest_start"]),
            rounded_down(start["deadline"]),
            "" if start["latest_start"] is None else state_cell(start["met"]),
        ]
        for start in document["deadlines"]
    ]
    return table(("reaction", ">latest start", ">deadline", ""), rows, style)


def latency_dict(latency: Latency, assumed: str | None = None) -> Document:
    """The latency of a chain, and what it is made of."""
    return {
        **chain(latency),
        "wanted": latency.chain.latency,
        "met": met_unless(latency.met, assumed),
        "unbounded_because": latency.because,
        **assumed_dict(assumed),
    }


def latency_cells(name: str, row: Document) -> tuple[Row, Cell | str]:
    """A chain, its latency and the one that is wanted; and how that stands."""
    state: Cell | str = "assumed" if "assumed_because" in row else ""
    if row["latency"] is None:
        state = row["unbounded_because"] or ""
    elif row["wanted"] is not None:
        state = state_cell(row["met"])
    return [name, bound(row["latency"]), down(row["wanted"])], state


def heading(federation: Federation, verdict: str) -> Document:
    """What documents begin with."""
    return {
        "ddsrta": FORMAT,
        "federation": federation.name,
        "coordination": federation.coordination,
        "verdict": verdict,
    }


def ending(unbounded: Sequence[Unbounded], findings: Iterable[Finding]) -> Document:
    """What documents end with: rows without a bound, each with its reason, and findings."""
    return {
        "unbounded": plain(list(unbounded)),
        "findings": plain(list(findings)),
    }


def unbounded_lines(document: Document) -> list[str]:
    """Why there is no bound: each reason once, with the rows that it leaves without one.

    The table of chains has the reasons of chains, and deadlines are named where no federate is.
    """
    rows = [Unbounded(**row) for row in document["unbounded"]]
    found = reasons(row for row in rows if row.kind not in ("chain", "deadline"))
    late = reasons(row for row in rows if row.kind == "deadline" and row.because not in found)
    return [
        f"  unbounded: {', '.join(map(shown, names[:6]))}{', …' if len(names) > 6 else ''}: "
        f"{shown(because)}"
        for because, names in {**found, **late}.items()
    ]
