"""The arrival model of a thread from what the shapes have read."""

from __future__ import annotations

from typing import Any

from ddsrta.base.diagnostics import InputError
from ddsrta.base.shapes import Context
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


def arrival(
    value: dict[str, Any], thread: str, context: Context, folder: str, section: str = "threads"
) -> Arrival | None:
    """How a thread is released by time; None if it is not."""
    raw = dict(value.get("arrival", {}))
    path = (section, thread, "arrival")
    if "period" in value:
        if "period" in raw:
            context.report_at("the period is given twice", *path, "period")
        raw["period"] = value["period"]
    elif "arrival" not in value:
        return None
    kind = next((key for key in _BESIDE if key in raw), None)
    if kind is None:
        advice = "give one of: " + ", ".join(_BESIDE)
        context.report_at("no way to be released", *path, advice=advice)
        return _SOMEHOW
    for extra in sorted(raw.keys() - _BESIDE[kind] - {kind}):
        where = (*path, extra) if extra in value.get("arrival", {}) else (*path[:-1], extra)
        context.report_at(
            f"'{extra}' does not go with '{kind}'",
            *where,
            advice=_ONE_WAY if extra in _BESIDE else _PERIOD if extra == "max_distance" else "",
        )
    if "repeat" in raw and "period" not in raw:
        advice = "give the 'period' in which the distances recur"
        context.report_at("'repeat' goes with a period", *path, "repeat", advice=advice)
    try:
        return _arrival(kind, raw, folder)
    except ValueError as error:
        context.report_at(str(error), *path, _blamed(kind, raw, str(error)))
    except InputError as error:
        for diagnostic in error.diagnostics:
            context.add(diagnostic)
    return _SOMEHOW


def _blamed(kind: str, raw: dict[str, Any], error: str) -> str:
    """The key that an error is about."""
    return "max_distance" if "max_distance" in raw and "max_distance" in error else kind


def _arrival(kind: str, raw: dict[str, Any], folder: str) -> Arrival:
    gap = raw.get("max_distance")
    if kind == "sporadic":
        return Sporadic(raw["sporadic"], raw.get("jitter", 0), gap)
    if kind == "burst":
        return Burst(**raw["burst"], gap=gap)
    if kind == "trace":
        from pathlib import Path

        from ddsrta.models.trace import read_trace

        return read_trace(Path(folder) / raw["trace"], raw.get("unit", "ns"), gap)
    if kind == "curve":
        distances = tuple(raw["curve"])
        if "period" in raw:
            return Curve(distances, raw.get("repeat", len(distances)), raw["period"], gap)
        return superadditive(distances, gap)
    return Periodic(
        raw["period"], raw.get("jitter", 0), raw.get("min_distance", 0), raw.get("offset")
    )
