"""Costs and reservations, which occur in many places of a file."""

from __future__ import annotations

from typing import Any

from ddsrta.base.shapes import Context
from ddsrta.models.system import Cost, Reservation


def cost(raw: int | dict[str, int], context: Context, *path: str | int) -> Cost:
    """A cost from one time, or from a worst and a best one."""
    if isinstance(raw, int):
        return Cost(raw)
    if raw.get("best", 0) > raw["worst"]:
        context.report_at("the best case is above the worst", *path, "best")
    return Cost(**raw)


def reservation(raw: dict[str, int], context: Context, *path: str | int) -> Reservation:
    """A reservation, whose budget must fit into its period."""
    if raw["budget"] > raw["period"]:
        context.report_at("the budget is larger than its period", *path, "budget")
    return Reservation(raw["budget"], raw["period"])


def optional_reservation(
    raw: dict[str, Any], context: Context, *path: str | int
) -> Reservation | None:
    """The reservation of a core or a thread, if it has one."""
    found = raw.get("reservation")
    return reservation(found, context, *path, "reservation") if found else None


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
    return optional_reservation(value, context, kind, name)
