"""The table and the JSON form of `ddsrta lf lag`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ddsrta.base.text import rounded_up
from ddsrta.lf.bounds.schedulers.lag import TimerLag, TimerLoad
from ddsrta.lf.bounds.schedulers.throttling import Throttle
from ddsrta.report.json import FORMAT, written
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import Row, bound, table


class LagRow(NamedTuple):
    """A utilisation in percent, what it makes of a tick, and the lag."""

    percent: Fraction
    load: TimerLoad
    found: TimerLag


def lag_text(rows: Sequence[LagRow], throttle: Throttle, style: Style = PLAIN) -> str:
    """The table.

    >>> from ddsrta.lf.bounds.schedulers.lag import timer_lag
    >>> load = TimerLoad(1000, 960)
    >>> row = LagRow(Fraction(96), load, timer_lag(load))
    >>> print(lag_text([row], Throttle()).splitlines()[-1].partition(";")[0])
      96 %                  960 ns  unbounded  throttling leaves less time than the ticks take
    """
    cells: list[Row] = [
        [
            f"{float(row.percent):g} %",
            rounded_up(row.load.job),
            bound(row.found.lag),
            row.found.because or ("throttling can set in" if row.found.throttled else ""),
        ]
        for row in rows
    ]
    titles = ("utilization", ">takes at a tick", ">lag", "")
    period = rounded_up(rows[0].load.period) if rows else ""
    most = f"{rounded_up(throttle.runtime)} in {rounded_up(throttle.period)}"
    head = f"timer of {period}, at most {most}"
    if throttle.runtime == throttle.period:
        head = f"timer of {period}, without throttling"
    return "\n".join([head, "", *table(titles, cells, style)]) + "\n"


def lag_json(rows: Sequence[LagRow], throttle: Throttle) -> str:
    """The document: times in integer nanoseconds, null for unbounded."""
    document = {
        "ddsrta": FORMAT,
        "runtime": throttle.runtime,
        "throttle_period": throttle.period,
        "lags": [
            {
                "utilization_percent": float(row.percent),
                "period": row.load.period,
                "work": row.load.work,
                "busy_wait": row.load.busy_wait,
                "wake": row.load.wake,
                "lag": row.found.lag,
                "throttled": row.found.throttled,
                "unbounded_because": row.found.because,
            }
            for row in rows
        ],
    }
    return written(document)
