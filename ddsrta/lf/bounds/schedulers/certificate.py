"""What an independent checker needs to confirm what `ddsrta lf schedule` prints."""

from __future__ import annotations

from typing import Any

from ddsrta.lf.bounds.offsets.certificate import head
from ddsrta.lf.bounds.schedulers.judge import Column, ScheduleReport
from ddsrta.lf.bounds.schedulers.throttling import DEFAULT_THROTTLE


def schedule_certificate(report: ScheduleReport) -> dict[str, Any]:
    """The certificate: every figure of every column.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.schedulers.judge import schedule
    >>> schedule_certificate(schedule(two_federates(), ["np"]))["columns"][0]["verdict"]
    'met'
    """
    runtime, period = DEFAULT_THROTTLE
    return {
        **head("lf-schedule", report.federation, report.assumptions),
        "throttle": {"runtime": runtime, "period": period},
        "columns": [_column(report, column) for column in report.columns],
        "verdict": report.verdict,
    }


def _column(report: ScheduleReport, column: Column) -> dict[str, Any]:
    return {
        "scheduler": column.scheduler,
        "workers": column.workers,
        "verdict": report.verdict_of(column),
        "starts": [
            {
                "environment": key[0],
                "reaction": key[1],
                "deadline": deadline,
                "latest_start": column.latest[key].lag,
                "exact": column.latest[key].exact,
                "seen": column.latest[key].seen,
                "met": report.met(column, key),
                "slack": _slack(column.latest[key].lag, deadline),
                "tag": column.latest[key].tag,
                "blockers": [
                    {"name": blocker.name, "time": blocker.time}
                    for blocker in column.latest[key].blockers
                ],
            }
            for key, deadline in report.deadlines.items()
        ],
    }


def _slack(lag: int | None, deadline: int) -> int | None:
    return None if lag is None else deadline - lag
