"""What the result of `ddsrta lf schedule` says, given a certificate that was confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ddsrta.checker.leaves import TEXT, same

_Raw = Mapping[str, Any]
_SAME = ("environment", "reaction", "deadline", "latest_start", "exact", "met", "tag")


def said_schedule(evidence: _Raw) -> dict[str, Any]:
    """Each start under each scheduler; reasons are words."""
    return {"schedulers": [_column(column) for column in evidence["columns"]]}


def _column(column: _Raw) -> dict[str, Any]:
    return {
        **{key: same(column[key]) for key in ("scheduler", "workers", "verdict")},
        "reactions": [_start(row) for row in column["starts"]],
    }


def _start(row: _Raw) -> dict[str, Any]:
    return {
        **{key: same(row[key]) for key in _SAME},
        "seen_start": same(row["seen"]),
        "blockers": [
            {"name": same(blocker["name"]), "time": same(blocker["time"]), "why": TEXT}
            for blocker in row["blockers"]
        ],
        "unbounded_because": TEXT,
    }
