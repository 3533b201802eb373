"""The document of `ddsrta lf enclaves`: enclaves, chains, what a search found; and its tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ddsrta.base.text import plural, rounded_up
from ddsrta.formats.draft import Mapping
from ddsrta.formats.yaml_writer import entry, scalar
from ddsrta.lf.bounds.enclaves.certificate import cuts, shares, start_row
from ddsrta.lf.bounds.enclaves.judge import ChainRow, EnclaveReport
from ddsrta.lf.bounds.enclaves.judge import Row as EnclaveRow
from ddsrta.lf.bounds.enclaves.search import Found, Scored
from ddsrta.report.json import FORMAT
from ddsrta.report.lf.page import (
    Document,
    arrows,
    ending,
    latency_cells,
    most,
    page,
    starts_table,
    unbounded_lines,
)
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import UNBOUNDED, Cell, Row, bound, some, table, up

_MOST_ROWS = 40
_SHARES = (">waits", ">tag barrier", ">work", ">level barrier", ">others")


def report_dict(report: EnclaveReport, found: Found | None = None) -> Document:
    """The document.

    >>> from ddsrta.lf.bounds.enclaves.judge import judge_enclaves
    >>> from ddsrta.lf.program.examples import enclaves
    >>> report_dict(judge_enclaves(enclaves()))["enclaves"]["radio.decoding"]["done"]
    4200000
    """
    document: Document = {
        "ddsrta": FORMAT,
        "federation": report.split.original.name,
        "target": report.split.original.target,
        "verdict": report.verdict,
        "enclaves": {row.name: _row(row) for row in report.rows},
        "deadlines": [
            {
                **start_row(start),
                "deadline": start.deadline,
                "unbounded_because": start.because,
            }
            for start in report.starts
        ],
        "chains": {name: _chain(row) for name, row in report.chains.items()},
        **ending(report.unbounded, report.findings),
    }
    if found is not None:
        document["search"] = _search(found)
    return document


def _row(row: EnclaveRow) -> Document:
    return {
        "federate": row.federate,
        "enclave": row.enclave or None,
        "reactions": row.reactions,
        "workers": row.workers,
        **shares(row),
        "done": row.done,
        "path": [wait.source for wait in row.path],
        "unbounded_because": row.because if row.done is None else None,
    }


def _chain(row: ChainRow) -> Document:
    latency = row.latency
    return {
        "latency": latency.latency,
        "wanted": latency.chain.latency,
        "met": latency.met,
        "delay": latency.delay,
        **shares(row),
        "unbounded_because": latency.because if latency.latency is None else None,
    }


def _search(found: Found) -> dict[str, Any]:
    return {
        "tried": found.tried,
        "seed": found.seed,
        "before": {"verdict": found.first.report.verdict, "slowest_chain": found.first.worst},
        "after": {"verdict": found.best.report.verdict, "slowest_chain": found.best.worst},
        "federates": cuts(found.best.cuts),
    }


def report_text(report: EnclaveReport, found: Found | None = None, style: Style = PLAIN) -> str:
    """The whole report as text.

    >>> from ddsrta.lf.bounds.enclaves.judge import judge_enclaves
    >>> from ddsrta.lf.program.examples import enclaves
    >>> print(report_text(judge_enclaves(enclaves())).splitlines()[0])
    MET  a radio: 2 enclaves, 3 workers, tags done at most 4.2 ms after their time
    """
    document = report_dict(report, found)
    sections = [
        _enclaves(document, style),
        unbounded_lines(document),
        starts_table(document, style, "enclave"),
        _chains(document, style),
    ]
    searched = [] if found is None else _found(found, style)
    return page(_summary(report), document, sections, style, searched)


def _summary(report: EnclaveReport) -> str:
    done = [row.done for row in report.rows]
    latest = most(done, "enclave", "without a bound", "tags done at most {} after their time")
    workers = plural(sum(row.workers for row in report.rows), "worker")
    return f"{plural(len(report.rows), 'enclave')}, {workers}, {latest}"


def _enclaves(document: Document, style: Style) -> list[str]:
    """The enclaves; of very many those whose tags are done last."""
    rows = list(document["enclaves"].items())
    left_out = len(rows) - _MOST_ROWS
    if left_out > 0:
        late = sorted(rows, key=lambda row: row[1]["done"] is not None and -row[1]["done"])
        kept = {name for name, _ in late[:_MOST_ROWS]}
        rows = [row for row in rows if row[0] in kept]
    names = ("enclave", ">reactions", ">workers", *_SHARES, ">done", "?because of")
    cells = [_cells(name, row) for name, row in rows]
    lines = table(names, cells, style)
    return [*lines, f"  … and {left_out} more, done earlier"] if left_out > 0 else lines


def _cells(name: str, row: Document) -> Row:
    return [
        name,
        str(row["reactions"]),
        str(row["workers"]),
        bound(row["waits"]),
        *_barriers(row),
        bound(row["done"]),
        arrows([*row["path"], name], 4, 1) if row["path"] else "",
    ]


def _barriers(row: Document) -> list[Cell | str]:
    """What the tag barrier takes, the work, the level barrier, and others on the cores."""
    tag, level, others = row["tag_barrier"], row["level_barrier"], row["others"]
    return [some(tag), up(row["work"]), some(level), some(others)]


def _chains(document: Document, style: Style) -> list[str]:
    rows: list[Row] = []
    for name, chain in document["chains"].items():
        cells, state = latency_cells(name, chain)
        rows.append([*cells, some(chain["delay"]), up(chain["waits"]), *_barriers(chain), state])
    names = ("chain", ">latency", ">wanted", ">after", *_SHARES, "")
    return table(names, rows, style)


def _found(found: Found, style: Style) -> list[str]:
    """The best partition, what it gains, and how to write it down."""
    lines = [
        style.strong(f"search: {plural(found.tried, 'partition')} tried, seed {found.seed}"),
        f"  as it is: {summary(found.first)}",
        f"  best:     {summary(found.best)}",
    ]
    if found.best.cuts == found.first.cuts:
        return [*lines, "  nothing better was found"]
    return [*lines, "", *_written(found)]


def _written(found: Found) -> Iterator[str]:
    """The best partition as it is written in the file."""
    federates = found.first.report.split.original.federates
    yield "  federates:"
    for name, cut in found.best.cuts.items():
        yield f"    {scalar(name)}:"
        if any(reaction.level is not None for reaction in federates[name].reactions.values()):
            yield "      # without 'level' of its reactions: those are of the partition before"
        yield f"      workers: {cut.workers[0]}"
        groups: Mapping = {
            enclave: {"workers": workers, "reactors": list(group)}
            for enclave, group, workers in cut.enclaves()
        }
        yield from entry("enclaves", groups, 6, fold=False)


def summary(found: Scored) -> str:
    """A partition in a line."""
    worst = found.worst
    chain = f", slowest chain {UNBOUNDED if worst is None else rounded_up(worst)}"
    text = f"{found.report.verdict.upper()}, {_summary(found.report)}"
    return text if worst == 0 else text + chain
