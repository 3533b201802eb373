"""Threads, flow controllers and listeners from what the shapes have read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ddsrta.models.build_arrivals import arrival
from ddsrta.models.build_values import cost, optional_reservation
from ddsrta.models.shapes import Context
from ddsrta.models.system import (
    EPSILON,
    Activation,
    Following,
    Middleware,
    Publication,
    Reservation,
    Subscription,
    Thread,
)

Raw = dict[str, Any]


def middleware(raw: Raw, kind: str, context: Context) -> dict[str, Middleware]:
    """All flow controllers, or all listeners."""
    return {
        name: Middleware(
            name,
            value["core"],
            value.get("priority", 0),
            value.get("policy", "FIFO"),
            value.get("queue"),
            value.get("partition"),
            _own_reservation(value, context, kind, name),
        )
        for name, value in raw.get(kind, {}).items()
    }


def threads(raw: Raw, context: Context, folder: Path) -> dict[str, Thread]:
    """All application threads."""
    return {name: _thread(name, value, context, folder) for name, value in raw.items()}


def _own_reservation(value: Raw, context: Context, kind: str, name: str) -> Reservation | None:
    """The thread's own reservation; a priority is needed where there is none."""
    if "reservation" not in value:
        if "priority" not in value:
            context.report_at(
                "'priority' is missing", kind, name,
                advice="a SCHED_FIFO priority, 1 … 99, or a reservation",
            )  # fmt: skip
        return None
    if "priority" in value:
        context.report_at("a thread has either a priority or a reservation", kind, name, "priority")
    return optional_reservation(value, context, kind, name)


def _thread(name: str, value: Raw, context: Context, folder: Path) -> Thread:
    return Thread(
        name,
        value["core"],
        value.get("priority", 0),
        value["wcet"],
        value.get("bcet"),
        arrival(value, name, context, folder),
        tuple(
            _publication(raw, context, "threads", name, "publishes", index)
            for index, raw in enumerate(value.get("publishes", ()))
        ),
        _subscription(value["subscribes"], name, context) if "subscribes" in value else None,
        _following(value["follows"]) if "follows" in value else None,
        _activation(value, name, context),
        value.get("partition"),
        _own_reservation(value, context, "threads", name),
    )


def _publication(raw: Raw, context: Context, *path: str | int) -> Publication:
    controller = raw.get("flow_controller")
    mode = raw.get("mode", "async" if controller else "sync")
    return Publication(
        raw["topic"],
        mode,
        controller,
        raw.get("count", 1),
        cost(raw["delay"], context, *path, "delay") if "delay" in raw else None,
        raw.get("earliest", EPSILON),
    )


def _subscription(raw: Raw, thread: str, context: Context) -> Subscription:
    path = ("threads", thread, "subscribes", "delay")
    own = cost(raw["delay"], context, *path) if "delay" in raw else None
    return Subscription(tuple(raw["topics"]), raw["listener"], own)


def _following(raw: Raw) -> Following:
    return Following(tuple(raw["threads"]), raw.get("delay", 0), raw.get("best", 0))


def _activation(value: Raw, name: str, context: Context) -> Activation:
    """One for all inputs of a thread; none where it is released by time."""
    given: dict[str, Activation] = {
        kind: value[kind]["activation"]
        for kind in ("subscribes", "follows")
        if kind in value and "activation" in value[kind]
    }
    if not given:
        return "or"
    if len(set(given.values())) > 1:
        path = ("threads", name, "follows", "activation")
        context.report_at("'subscribes' and 'follows' say different activations", *path)
    if "period" in value or "arrival" in value:
        context.report_at(
            "a thread that is released by time samples its inputs: it has no activation",
            "threads", name, next(iter(given)), "activation",
            advice="remove 'activation', or the period",
        )  # fmt: skip
    return next(iter(given.values()))
