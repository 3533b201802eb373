"""What a certificate may claim beside the bounds of stages, messages and chains."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ddsrta.checker.chains import ChainClaim
from ddsrta.checker.hops import HopClaim, check_hops, read_hops
from ddsrta.checker.judged import DeadlineClaim, check_deadlines, read_deadlines
from ddsrta.checker.loads import check_link_loads, check_loads, read_loads
from ddsrta.checker.orders.claims import OrderClaim, read_orders
from ddsrta.checker.queues import QueueClaim, check_queues, read_queues
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim
from ddsrta.checker.things import System
from ddsrta.checker.totals import Totals

KEYS = ("deadlines", "hops", "queues", "cores", "links", "verdict", "orders")


class Rest(NamedTuple):
    """Those claims; None where a certificate has none of the kind."""

    deadlines: Mapping[str, DeadlineClaim] | None
    hops: Mapping[str, Sequence[HopClaim]] | None
    queues: Mapping[str, QueueClaim] | None
    cores: Mapping[str, float | None] | None
    links: Mapping[str, float | None] | None
    orders: Mapping[str, OrderClaim]  # all that the system wants


def read_rest(raw: Mapping[str, Any], system: System) -> Rest:
    """Reads them all."""
    return Rest(
        read_deadlines(raw["deadlines"], system) if "deadlines" in raw else None,
        read_hops(raw["hops"], raw["chains"]) if "hops" in raw else None,
        read_queues(raw["queues"]) if "queues" in raw else None,
        read_loads(raw["cores"]) if "cores" in raw else None,
        read_loads(raw["links"], "links") if "links" in raw else None,
        read_orders(raw.get("orders", {}), system),
    )


class Confirmed(NamedTuple):
    """What was confirmed before; `plain` are the stages with the costs of definition
    stage-graph."""

    system: System
    plain: Mapping[Key, Stage]
    streams: Streams
    neighbours: Neighbours
    claims: Mapping[Key, Claim]
    chains: Mapping[str, ChainClaim]
    totals: Totals


def check_rest(rest: Rest, given: Confirmed, known: Callable[[str], bool] | None = None) -> int:
    """Confirms them, but for the stages of chains that are known; how many there are."""
    count = 0
    if rest.deadlines is not None:
        count += check_deadlines(rest.deadlines, given.system, given.chains)
    for name, hops in (rest.hops or {}).items():
        if known is not None and known(name):
            count += sum(figure is not None for hop in hops for figure in hop)
            continue
        path = given.chains[name].path
        count += check_hops(given.system, given.totals, given.claims, name, path, hops)
    if rest.queues is not None:
        count += check_queues(rest.queues, given.system, given.plain, given.streams, given.claims)
    if rest.cores is not None:
        count += check_loads(rest.cores, given.system, given.neighbours, given.plain, given.streams)
    if rest.links is not None:
        count += check_link_loads(rest.links, given.system, given.plain, given.streams)
    if rest.orders:
        from ddsrta.checker.orders.check import check_orders

        count += check_orders(given.system, given.totals, rest.orders)
    return count
