"""What the result of `ddsrta lf enclaves` may say, given its certificate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ddsrta.checker.leaves import TEXT, Named, same
from ddsrta.checker.lf.document import read_federation
from ddsrta.checker.lf.enclaves.cut import Cut, cut
from ddsrta.checker.lf.said_besides import WORDS

Raw = Mapping[str, Any]
_PARTS = ("waits", "tag_barrier", "work", "level_barrier", "others")


def enclaves_said(evidence: Raw) -> dict[str, Any]:
    """All but what each result has. Why something has no bound is for people."""
    parted = cut(read_federation(evidence["federation"]))
    searched = evidence["search"]
    return {
        "unbounded": WORDS,
        "target": same(evidence["federation"]["target"]),
        "enclaves": Named({name: _enclave(evidence, parted, name) for name in parted.members}),
        "deadlines": [_deadline(parted, row) for row in evidence["deadlines"]],
        "chains": Named({name: _chain(evidence, name) for name in evidence["chains"]}),
        **({} if searched is None else {"search": _search(evidence, searched)}),
    }


def _enclave(evidence: Raw, parted: Cut, name: str) -> dict[str, Any]:
    row, part = evidence["enclaves"][name], parted.whole.federates[name]
    federate, enclave = parted.members[name]
    return {
        "federate": same(federate),
        "enclave": same(enclave or None),
        "reactions": same(len(part.reactions)),
        "workers": same(part.workers),
        **{key: same(row[key]) for key in _PARTS},
        "done": same(row["done"]),
        "path": WORDS,
        "unbounded_because": TEXT,
    }


def _deadline(parted: Cut, row: Raw) -> dict[str, Any]:
    reaction = parted.whole.federates[row["enclave"]].reactions[row["reaction"]]
    return {
        "enclave": same(row["enclave"]),
        "reaction": same(row["reaction"]),
        "deadline": same(reaction.deadline),
        "latest_start": same(row["latest_start"]),
        "met": same(row["met"]),
        "unbounded_because": TEXT,
    }


def _chain(evidence: Raw, name: str) -> dict[str, Any]:
    row = evidence["chains"][name]
    return {
        "latency": same(row["latency"]),
        "wanted": same(evidence["federation"]["chains"][name]["latency"]),
        "met": same(row["met"]),
        "delay": same(row["delay"]),
        **{key: same(row[key]) for key in _PARTS},
        "unbounded_because": TEXT,
    }


def _search(evidence: Raw, found: Raw) -> dict[str, Any]:
    return {
        "tried": same(found["tried"]),
        "seed": same(found["seed"]),
        "before": _summary(evidence),
        "after": _summary(found),
        "federates": same(found["federates"]),
    }


def _summary(claims: Raw) -> dict[str, Any]:
    latencies = [row["latency"] for row in claims["chains"].values()]
    slowest = None if None in latencies else max(latencies, default=0)
    return {
        "verdict": same(claims["verdict"]),
        "slowest_chain": same(slowest),
    }
