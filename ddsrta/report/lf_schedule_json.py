"""The JSON form of `ddsrta lf schedule`: times in integer nanoseconds, null for unbounded."""

from __future__ import annotations

import json
from typing import Any

from ddsrta.lf.bounds.schedulers.judge import Column, ScheduleReport
from ddsrta.report.json import plain

FORMAT = 1


def report_json(report: ScheduleReport) -> str:
    """The text of the document: escaped to ASCII, so that no terminal or pipe can spoil it."""
    return json.dumps(report_dict(report), indent=2, allow_nan=False) + "\n"


def report_dict(report: ScheduleReport) -> dict[str, Any]:
    """The document.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.schedulers.judge import schedule
    >>> report_dict(schedule(two_federates(), ["np"]))["schedulers"][0]["verdict"]
    'met'
    """
    return {
        "ddsrta": FORMAT,
        "federation": report.federation.name,
        "verdict": report.verdict,
        "schedulers": [_column(report, column) for column in report.columns],
        "findings": [plain(finding) for finding in report.findings],
    }


def _column(report: ScheduleReport, column: Column) -> dict[str, Any]:
    return {
        "scheduler": column.scheduler,
        "workers": column.workers,
        "verdict": report.verdict_of(column),
        "reactions": [
            {
                "environment": key[0],
                "reaction": key[1],
                "deadline": deadline,
                "latest_start": column.latest[key].lag,
                "exact": column.latest[key].exact,
                "met": report.met(column, key),
                "seen_start": column.latest[key].seen,
                "tag": column.latest[key].tag,
                "blockers": [
                    {"name": blocker.name, "time": blocker.time, "why": blocker.why}
                    for blocker in column.latest[key].blockers
                ],
                "unbounded_because": column.latest[key].because,
            }
            for key, deadline in report.deadlines.items()
        ],
    }
