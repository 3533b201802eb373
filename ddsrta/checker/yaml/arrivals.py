"""How threads are released by time."""

from __future__ import annotations

from typing import Any

from ddsrta.checker.yaml import values
from ddsrta.checker.yaml.nodes import Node, fields, listed, wrong
from ddsrta.checker.yaml.traces import Traces

Document = dict[str, Any]
_KINDS = {
    "sporadic": ("jitter", "max_distance"),
    "burst": ("max_distance",),
    "curve": ("period", "repeat", "max_distance"),
    "trace": ("unit", "max_distance"),
}
_PERIODIC = ("period", "jitter", "min_distance", "offset")
_ALL = (*_PERIODIC, "sporadic", "burst", "curve", "repeat", "trace", "max_distance", "unit")


def arrival(period: Node | None, details: Node | None, traces: Traces) -> Document | None:
    """The arrivals of a thread with this `period` (or timer) and `arrival`; None for neither."""
    if details is None:
        return None if period is None else _periodic({"period": period})
    raw = dict(fields(details, "an arrival", (), _ALL))
    kinds = [kind for kind in _KINDS if kind in raw]
    if period is not None:
        if "period" in raw or kinds:
            raise wrong(details, "the thread is released in two ways")
        raw["period"] = period
    if len(kinds) > 1 or not (kinds or "period" in raw):
        raise wrong(details, "an arrival is of one kind")
    kind = kinds[0] if kinds else "period"
    for key, value in raw.items():
        if key != kind and key not in (_KINDS[kind] if kinds else _PERIODIC):
            raise wrong(value, f"{key!r} does not go with {kind!r}")
    if kind == "period":
        return _periodic(raw)
    if kind == "sporadic":
        return _sporadic(raw)
    if kind == "burst":
        return _burst(raw)
    return _curve(raw) if kind == "curve" else _trace(raw, traces)


def _periodic(raw: dict[str, Node]) -> Document:
    offset = {"offset": values.time(raw["offset"])} if "offset" in raw else {}
    period, rounded = values.period(raw["period"])
    return {
        "kind": "periodic",
        "period": period,
        "jitter": values.time(raw["jitter"]) if "jitter" in raw else 0,
        "min_distance": values.time(raw["min_distance"]) if "min_distance" in raw else 0,
        **offset,
        **({"rounded": True} if rounded else {}),
    }


def _gap(raw: dict[str, Node]) -> int | None:
    return values.duration(raw["max_distance"]) if "max_distance" in raw else None


def _known_gap(raw: dict[str, Node]) -> Document:
    """Left out where it is not known."""
    return {"gap": _gap(raw)} if "max_distance" in raw else {}


def _sporadic(raw: dict[str, Node]) -> Document:
    return {
        "kind": "sporadic",
        "distance": values.period(raw["sporadic"])[0],
        "jitter": values.time(raw["jitter"]) if "jitter" in raw else 0,
        **_known_gap(raw),
    }


def _burst(raw: dict[str, Node]) -> Document:
    inner = fields(raw["burst"], "a burst", ("count", "distance", "period"))
    return {
        "kind": "burst",
        "count": values.count(inner["count"], 10_000),
        "distance": values.time(inner["distance"]),
        "period": values.duration(inner["period"]),
        **_known_gap(raw),
    }


def _curve(raw: dict[str, Node]) -> Document:
    """Without a period, the last distance is the period of all that are before it."""
    node = raw["curve"]
    distances = [values.time(item) for item in listed(node, "a curve", 1)]
    if "period" in raw:
        period, _ = values.period(raw["period"])
        repeat = values.count(raw["repeat"]) if "repeat" in raw else len(distances)
    else:
        if "repeat" in raw or len(distances) < 2 or not distances[-1]:
            raise wrong(node, "a curve goes on by its last distance, or by a period")
        period = distances.pop()
        repeat = len(distances)
    return {
        "kind": "curve",
        "distances": distances,
        "repeat": repeat,
        "period": period,
        "gap": _gap(raw),
    }


def _trace(raw: dict[str, Node], traces: Traces) -> Document:
    """The least distances that a record shows."""
    node = raw["trace"]
    unit = values.one_of(raw["unit"], ("ns", "us", "ms", "s")) if "unit" in raw else "ns"
    gap = _gap(raw)
    distances, longest = traces.distances(node, values.name(node), unit)
    if gap is not None and gap < longest:
        raise wrong(raw["max_distance"], "max_distance is below what the trace has")
    period = distances.pop()
    return {
        "kind": "curve",
        "distances": distances,
        "repeat": len(distances),
        "period": period,
        "gap": gap,
    }
