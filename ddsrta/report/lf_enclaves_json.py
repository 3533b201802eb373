"""The JSON form of `ddsrta lf enclaves`: stable keys, integer nanoseconds, null for unbounded."""

from __future__ import annotations

import json
from typing import Any

from ddsrta.lf.bounds.enclaves.certificate import cuts, parts
from ddsrta.lf.bounds.enclaves.judge import ChainRow, EnclaveReport, Row
from ddsrta.lf.bounds.enclaves.search import Found
from ddsrta.report.json import plain
from ddsrta.report.lf_cells import unbounded_list

FORMAT = 1


def report_json(report: EnclaveReport, found: Found | None = None) -> str:
    """The text of the document: escaped to ASCII, so that no terminal or pipe can spoil it."""
    return json.dumps(report_dict(report, found), indent=2, allow_nan=False) + "\n"


def report_dict(report: EnclaveReport, found: Found | None = None) -> dict[str, Any]:
    """The document.

    >>> from ddsrta.lf.bounds.enclaves.judge import judge_enclaves
    >>> from ddsrta.lf.program.examples import enclaves
    >>> report_dict(judge_enclaves(enclaves()))["enclaves"]["radio.decoding"]["done"]
    4200000
    """
    document: dict[str, Any] = {
        "ddsrta": FORMAT,
        "federation": report.split.original.name,
        "target": report.split.original.target,
        "verdict": report.verdict,
        "enclaves": {row.name: _row(row) for row in report.rows},
        "deadlines": [
            {
                "enclave": start.federate,
                "reaction": start.reaction,
                "deadline": start.deadline,
                "latest_start": start.latest,
                "met": start.met,
                "unbounded_because": start.because,
            }
            for start in report.starts
        ],
        "chains": {name: _chain(row) for name, row in report.chains.items()},
        "unbounded": unbounded_list(report.unbounded),
        "findings": [plain(finding) for finding in report.findings],
    }
    if found is not None:
        document["search"] = _search(found)
    return document


def _row(row: Row) -> dict[str, Any]:
    return {
        "federate": row.federate,
        "enclave": row.enclave or None,
        "reactions": row.reactions,
        "workers": row.workers,
        "waits": row.waits,
        **parts(row.parts),
        "others": row.others,
        "done": row.done,
        "path": [wait.source for wait in row.path],
        "unbounded_because": row.because if row.done is None else None,
    }


def _chain(row: ChainRow) -> dict[str, Any]:
    latency = row.latency
    return {
        "latency": latency.latency,
        "wanted": latency.chain.latency,
        "met": latency.met,
        "delay": latency.delay,
        "waits": row.waits,
        **parts(row.parts),
        "others": row.others,
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
