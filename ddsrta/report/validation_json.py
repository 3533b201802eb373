"""The JSON form of a validation. Times are integer nanoseconds."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ddsrta.report.json import check_dict
from ddsrta.validation.compare import Row, Validation
from ddsrta.validation.late import Above

FORMAT = 1


def validation_json(validation: Validation) -> str:
    """The text of the document, escaped to ASCII."""
    return _text(
        {
            "ddsrta": FORMAT,
            "system": validation.system,
            "source": validation.source,
            "format": validation.format,
            "verdict": validation.verdict,
            "rows": [_row(row) for row in validation.rows],
            "unmatched": [{"name": n, "advice": advice} for n, advice in validation.unmatched],
            "not_measured": list(validation.unmeasured),
            "notes": list(validation.notes),
            "broken": list(validation.broken),
            "contradicted": [one._asdict() for one in validation.contradicted],
            "held": validation.held,
            "compared": validation.compared,
            "check": check_dict(validation.check),
        }
    )


def inconclusive_json(reasons: Iterable[str]) -> str:
    """The document for a file that nothing follows from.

    >>> json.loads(inconclusive_json(["cut off"]))
    {'ddsrta': 1, 'verdict': 'inconclusive', 'reasons': ['cut off']}
    """
    return _text({"ddsrta": FORMAT, "verdict": "inconclusive", "reasons": list(reasons)})


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def _row(row: Row) -> dict[str, Any]:
    seen = row.seen
    return {
        "kind": row.kind,
        "name": row.name,
        "figure": row.figure,
        "bound": None if row.bound is None else int(row.bound),
        "violated": row.violated,
        "difference": None if row.difference is None else float(row.difference),
        "measured": {
            "max": seen.most,
            "min": seen.least,
            "mean": seen.mean,
            "p50": int(seen.percentile(50)),
            "p99": int(seen.percentile(99)),
            "p999": int(seen.percentile(999, 1000)),
            "count": seen.count,
            "histogram": [[least, count] for least, _, count in seen.histogram()],
        },
        "above": _above(seen.above),
        "worst": None if seen.worst is None else seen.worst._asdict(),
    }


def _above(above: Above | None) -> dict[str, Any] | None:
    """How many were above the bound, and why as far as the trace tells."""
    if above is None or not above.count:
        return None
    longest = above.longest
    return {
        "count": above.count,
        "causes": above.causes if above.verdicts else None,
        "longest": None
        if longest is None
        else {
            "value": longest.late.value,
            "begin": longest.late.begin,
            "what": longest.late.what,
            "cause": longest.cause,
            "text": longest.text,
        },
    }
