"""Threads, flow controllers and listeners from what the shapes have read."""

from __future__ import annotations

from typing import Any

from ddsrta.base.shapes import Context
from ddsrta.models.build_arrivals import arrival
from ddsrta.models.grammar_links import PRIORITY_KEYS
from ddsrta.models.system import (
    EPSILON,
    Activation,
    Following,
    Middleware,
    Publication,
    Reservation,
    Subscription,
    Synchronizer,
    Thread,
)
from ddsrta.policies import PUBLICATION_KEYS

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
            own_reservation(value, context, kind, name),
            value.get("limit"),
        )
        for name, value in raw.get(kind, {}).items()
    }


def threads(raw: Raw, context: Context, folder: str) -> dict[str, Thread]:
    """All application threads."""
    return {name: _thread(name, value, context, folder) for name, value in raw.items()}


def _thread(name: str, value: Raw, context: Context, folder: str) -> Thread:
    return Thread(
        name,
        value["core"],
        value.get("priority", 0),
        value["wcet"],
        value.get("bcet"),
        arrival(value, name, context, folder),
        tuple(
            publication(raw, context, "threads", name, "publishes", index)
            for index, raw in enumerate(value.get("publishes", ()))
        ),
        subscription(value["subscribes"], context, "threads", name, "subscribes")
        if "subscribes" in value
        else None,
        following(value["follows"]) if "follows" in value else None,
        activation(value, name, context),
        value.get("partition"),
        own_reservation(value, context, "threads", name),
        value.get("process"),
        synchronizer=synchronizer(value, context, "threads", name),
    )


def synchronizer(value: Raw, context: Context, *path: str | int) -> Synchronizer | None:
    """What a thread's or callback's subscription says about sets of messages."""
    raw = value.get("subscribes", {})
    if "synchronize" in raw:
        return Synchronizer(raw["synchronize"], raw.get("queue"))
    if "queue" in raw:
        advice = "it is that of a synchronizer; the depth of a topic is its 'history'"
        context.report_at(
            "'queue' does not go without 'synchronize'", *path, "subscribes", "queue", advice=advice
        )
    return None


def publication(raw: Raw, context: Context, *path: str | int) -> Publication:
    """What a job sends on one topic."""
    controller = raw.get("flow_controller")
    mode = raw.get("mode", "async" if controller else "sync")
    return Publication(
        raw["topic"],
        mode,
        controller,
        raw.get("count", 1),
        raw.get("delay"),
        raw.get("earliest", EPSILON),
        raw.get("reservation", 0),
        {key: raw[key] for key in (*PUBLICATION_KEYS, *PRIORITY_KEYS) if key in raw},
    )


def subscription(raw: Raw, context: Context, *path: str | int) -> Subscription:
    """What a thread reads; an empty listener stands for that of its process."""
    own = raw.get("delay")
    take = raw.get("take")
    return Subscription(tuple(raw["topics"]), raw.get("listener", ""), own, take)


def following(raw: Raw) -> Following:
    """What a thread follows."""
    return Following(
        tuple(raw["threads"]), raw.get("delay", 0), raw.get("best", 0), raw.get("ordered", True)
    )


def activation(value: Raw, name: str, context: Context, section: str = "threads") -> Activation:
    """One for all inputs of a thread; none where it is released by time."""
    given: dict[str, Activation] = {
        kind: value[kind]["activation"]
        for kind in ("subscribes", "follows")
        if kind in value and "activation" in value[kind]
    }
    if not given:
        return "or"
    if len(set(given.values())) > 1:
        path = (section, name, "follows", "activation")
        context.report_at("'subscribes' and 'follows' say different activations", *path)
    if value.keys() & {"period", "timer", "arrival"}:
        context.report_at(
            "a thread that is released by time samples its inputs: it has no activation",
            section, name, next(iter(given)), "activation",
            advice="remove 'activation', or the period",
        )  # fmt: skip
    return next(iter(given.values()))


def own_reservation(
    value: dict[str, Any], context: Context, kind: str, name: str
) -> Reservation | None:
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
    found: Reservation = value["reservation"]
    return found
