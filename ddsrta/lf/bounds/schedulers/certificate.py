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
        "starts": [_start(report, column, key) for key in report.deadlines],
    }


def start_row(report: ScheduleReport, column: Column, key: tuple[str, str]) -> dict[str, Any]:
    """The latest start of a reaction, but for what comes before it."""
    latest = column.latest[key]
    return {
        "environment": key[0],
        "reaction": key[1],
        "deadline": report.deadlines[key],
        "latest_start": latest.lag,
        "exact": latest.exact,
        "met": report.met(column, key),
        "tag": latest.tag,
    }


def _start(report: ScheduleReport, column: Column, key: tuple[str, str]) -> dict[str, Any]:
    latest = column.latest[key]
    return {
        **start_row(report, column, key),
        "seen": latest.seen,
        "slack": None if latest.lag is None else report.deadlines[key] - latest.lag,
        "blockers": [{"name": one.name, "time": one.time} for one in latest.blockers],
    }
