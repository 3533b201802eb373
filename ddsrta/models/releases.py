"""How a file says that a thread is released by time."""

from __future__ import annotations

from dataclasses import replace

from ddsrta.base.diagnostics import InputError
from ddsrta.base.records import key, record, shape_of
from ddsrta.base.shapes import DURATION, PERIOD, POSITIVE_DURATION, Choice, Context, Integer, Text
from ddsrta.base.structures import ListOf
from ddsrta.base.units import Rounded
from ddsrta.models.arrivals import Arrival, Burst, Curve, Periodic, Sporadic, superadditive

# The ways to be released, by the key that tells them apart, and what else may stand beside it.
_BESIDE = {
    "sporadic": {"jitter", "max_distance"},
    "burst": {"max_distance"},
    "curve": {"period", "repeat", "max_distance"},
    "trace": {"unit", "max_distance"},
    "period": {"jitter", "min_distance", "offset"},
}
_ONE_WAY = "a thread is released in one way"
_PERIOD = "neighbours are at most the period and the jitter apart"
# Stands in where what is said is wrong and was reported: the thread is released somehow.
_SOMEHOW = Sporadic(1)


@record("burst")
class BurstDeclaration:
    """What a file says of bursts."""

    count: int = key(Integer(1, 10_000), "releases in a burst")
    distance: int = key(DURATION, "time between releases in a burst")
    period: int = key(POSITIVE_DURATION, "time between bursts")


@record("arrival", usual="period")
class ArrivalDeclaration:
    """What a file says of releases."""

    period: int | None = key(
        PERIOD, "the period, or rate, of releases; the period of a curve", default=None
    )
    jitter: int | None = key(DURATION, "how late a release may come", default=None, shown="0 ms")
    min_distance: int | None = key(
        DURATION, "the least time between two releases", default=None, shown="0 ms"
    )
    offset: int | None = key(
        DURATION,
        "known phase of a period: release n at t0 + offset + n · period, t0 per machine",
        default=None,
    )
    sporadic: int | None = key(
        PERIOD, "the least time between two sporadic releases, or their rate at most", default=None
    )
    burst: BurstDeclaration | None = key(
        shape_of(BurstDeclaration), "bursts of releases", default=None
    )
    curve: tuple[int, ...] = key(
        ListOf(DURATION, may_be_empty=False),
        "least distances that 1, 2, … releases span, starting with 0",
        default=(),
    )
    repeat: int | None = key(
        Integer(1, 1_000_000),
        "how many of the curve's last distances recur each period (all, if missing)",
        default=None,
    )
    trace: str | None = key(Text(), "file of release timestamps, one a line", default=None)
    max_distance: int | None = key(
        POSITIVE_DURATION,
        "the longest time without a release, of one that is not periodic (unbounded, if missing)",
        default=None,
    )
    unit: str | None = key(
        Choice(("ns", "us", "ms", "s")), "unit of the trace's timestamps", default=None, shown="ns"
    )

    def arrival(self, folder: str) -> Arrival:
        """What is said, which may be wrong; traces are looked for in the folder."""
        gap = self.max_distance
        if self.sporadic is not None:
            return Sporadic(int(self.sporadic), self.jitter or 0, gap)
        if self.burst is not None:
            return Burst(self.burst.count, self.burst.distance, self.burst.period, gap)
        if self.curve and self.period is not None:
            return Curve(self.curve, self.repeat or len(self.curve), int(self.period), gap)
        if self.curve:
            return superadditive(self.curve, gap)
        if self.trace is not None:
            from pathlib import Path

            from ddsrta.models.trace import read_trace

            return read_trace(Path(folder) / self.trace, self.unit or "ns", gap)
        assert self.period is not None
        rounded = isinstance(self.period, Rounded)
        return Periodic(
            int(self.period), self.jitter or 0, self.min_distance or 0, self.offset, rounded
        )


def released(
    said: ArrivalDeclaration | None,
    period: int | None,
    context: Context,
    folder: str,
    *path: str,
) -> Arrival | None:
    """How a thread, to which the path leads, is released by time, from its `arrival` and the period
    beside it; None if it is not."""
    if said is None and period is None:
        return None
    inside = _given(said) if said else set()
    if said and said.period and period:
        context.report_at("the period is given twice", *path, "arrival", "period")
    whole = said or ArrivalDeclaration()
    if period:
        whole = replace(whole, period=period)
    given = _given(whole)
    kind = next((key for key in _BESIDE if key in given), None)
    if kind is None:
        advice = "give one of: " + ", ".join(_BESIDE)
        context.report_at("no way to be released", *path, "arrival", advice=advice)
        return _SOMEHOW
    for extra in sorted(given - _BESIDE[kind] - {kind}):
        where = (*path, "arrival", extra) if extra in inside else (*path, extra)
        context.report_at(
            f"'{extra}' does not go with '{kind}'",
            *where,
            advice=_ONE_WAY if extra in _BESIDE else _PERIOD if extra == "max_distance" else "",
        )
    if "repeat" in given and "period" not in given:
        advice = "give the 'period' in which the distances recur"
        context.report_at("'repeat' goes with a period", *path, "arrival", "repeat", advice=advice)
    try:
        return whole.arrival(folder)
    except ValueError as error:
        of_gap = "max_distance" in given and "max_distance" in str(error)
        context.report_at(str(error), *path, "arrival", "max_distance" if of_gap else kind)
    except InputError as error:
        for diagnostic in error.diagnostics:
            context.add(diagnostic)
    return _SOMEHOW


def _given(said: ArrivalDeclaration) -> set[str]:
    """The keys that are written."""
    return {
        key for key in shape_of(ArrivalDeclaration).keys if getattr(said, key) not in (None, ())
    }
