"""What a certificate says of wanted orders: whether they hold, and what can be seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ddsrta.checker.reading import (
    CertificateError,
    array,
    integer,
    mapping,
    names,
    record,
    shown,
    text,
    truth,
)
from ddsrta.checker.sums import RefutedError
from ddsrta.checker.things import Order, System

Sight = tuple[str, ...]  # the topics in the order in which their messages are seen


class Violation(NamedTuple):
    """A message on `first`, of a job `later` jobs after that of one on `second`, is seen before."""

    origin: str
    first: str
    second: str
    later: int


class OrderClaim(NamedTuple):
    """What is said of one wanted order."""

    met: bool
    possible: Mapping[str, frozenset[Sight]]
    violations: frozenset[Violation]


def read_orders(value: object, system: System) -> dict[str, OrderClaim]:
    """What is said of each wanted order of the system; nothing of any other."""
    raw = mapping(value, "orders")
    for name in system.orders:
        if name not in raw:
            raise RefutedError(f"order {shown(name)}: is not claimed")
    found = {}
    for name, item in raw.items():
        if name not in system.orders:
            raise RefutedError(f"order {shown(name)}: the system has no such order")
        found[name] = _claim(item, f"orders.{shown(name)}", system.orders[name])
    return found


def _claim(value: object, where: str, order: Order) -> OrderClaim:
    raw = record(value, where, OrderClaim._fields)
    possible = mapping(raw["possible"], f"{where}.possible").items()
    here = f"{where}.violations"
    return OrderClaim(
        truth(raw["met"], f"{where}.met"),
        {origin: _sights(one, f"{where}.possible.{shown(origin)}", order)
         for origin, one in possible},
        frozenset(_violation(one, here) for one in array(raw["violations"], here)),
    )  # fmt: skip


def _sights(value: object, where: str, order: Order) -> frozenset[Sight]:
    found = frozenset(names(each, where) for each in array(value, where))
    for sight in found:
        if sorted(sight) != sorted(order.topics):
            raise CertificateError(f"{where}: is no order of the topics")
    return found


def _violation(value: object, where: str) -> Violation:
    raw = record(value, where, Violation._fields)
    origin, first, second = (text(raw[key], f"{where}.{key}") for key in Violation._fields[:3])
    return Violation(origin, first, second, integer(raw["later"], f"{where}.later"))
