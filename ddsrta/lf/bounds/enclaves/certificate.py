"""What an independent checker needs to confirm what `ddsrta lf enclaves` prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ddsrta.lf.bounds.enclaves.contention import Way
from ddsrta.lf.bounds.enclaves.judge import ChainRow, EnclaveReport, Row
from ddsrta.lf.bounds.enclaves.partition import Cut
from ddsrta.lf.bounds.enclaves.search import Found
from ddsrta.lf.bounds.latencies.deadlines import Start
from ddsrta.lf.bounds.offsets.certificate import head


def enclaves_certificate(report: EnclaveReport, found: Found | None = None) -> dict[str, Any]:
    """The certificate; of a search that of the best partition, too.

    >>> from ddsrta.lf.bounds.enclaves.judge import judge_enclaves
    >>> from ddsrta.lf.program.examples import enclaves
    >>> enclaves_certificate(judge_enclaves(enclaves()))["enclaves"]["radio.decoding"]["done"]
    4200000
    """
    best = None
    if found is not None:
        best = {
            "federates": cuts(found.best.cuts),
            "tried": found.tried,
            "seed": found.seed,
            "better": found.best is not found.first,
            **_claims(found.best.report),
        }
    return {
        **head("lf-enclaves", report.split.original, report.assumptions),
        **_claims(report),
        "search": best,
    }


def cuts(found: Mapping[str, Cut]) -> dict[str, Any]:
    """Partitions as plain data."""
    return {
        name: {
            "workers": cut.workers[0],
            "enclaves": {
                enclave: {"reactors": list(reactors), "workers": workers}
                for enclave, reactors, workers in cut.enclaves()
            },
        }
        for name, cut in found.items()
    }


def shares(row: Row | ChainRow) -> dict[str, int | None]:
    """Where time goes."""
    found = row.parts
    return {
        "waits": row.waits,
        "tag_barrier": None if found is None else found.tag_barrier,
        "work": None if found is None else found.work,
        "level_barrier": None if found is None else found.level_barrier,
        "others": row.others,
    }


def start_row(start: Start) -> dict[str, Any]:
    """The latest start of a reaction."""
    return {
        "enclave": start.federate,
        "reaction": start.reaction,
        "latest_start": start.latest,
        "met": start.met,
    }


def _claims(report: EnclaveReport) -> dict[str, Any]:
    return {
        "enclaves": {row.name: {**shares(row), "done": row.done} for row in report.rows},
        "deadlines": [start_row(start) for start in report.starts],
        "chains": {name: _chain(row) for name, row in report.chains.items()},
        "shared": [_way(way) for way in report.shared.ways],
        "verdict": report.verdict,
    }


def _chain(row: ChainRow) -> dict[str, Any]:
    latency = row.latency
    return {
        "latency": latency.latency,
        "delay": latency.delay,
        "lag": latency.lag,
        "met": latency.met,
        **shares(row),
    }


def _way(way: Way) -> dict[str, Any]:
    if way.kind == "in step":
        return {"way": way.kind, "others": dict(way.figures)}
    if way.kind == "one core":
        return {"way": way.kind, "busy": dict(way.figures)}
    assert way.slowed is not None
    lags = way.slowed
    enclaves = {
        name: {"waits": value, "done": lags.done[name]} for name, value in lags.values.items()
    }
    return {"way": way.kind, "burst": dict(way.figures), "enclaves": enclaves}
