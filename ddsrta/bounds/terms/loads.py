"""Loads of servers and cores, counted once for all stages that have no bound."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import fsum
from typing import TYPE_CHECKING

from ddsrta.bounds.placement import WORKERS
from ddsrta.bounds.supply import reserved_shares

if TYPE_CHECKING:
    from ddsrta.base.priorities import Priority
    from ddsrta.bounds.placement import Worker
    from ddsrta.bounds.solution import Solution

Server = tuple[str, str]


def loads_of(solution: Solution) -> Loads:
    """Those of a solution, counted when somebody asks for them first."""
    if solution.loads is None:
        solution.loads = Loads(solution)
    found: Loads = solution.loads
    return found


class Loads:
    """What is asked of a solution again for each stage, and is the same each time."""

    def __init__(self, solution: Solution) -> None:
        system, stages = solution.system, solution.compiled.stages
        work: dict[Server, list[float]] = {}
        for stage, rate in zip(stages, solution.rates, strict=True):
            work.setdefault(stage.server, []).append(stage.cost * rate)
        self._of = {server: fsum(each) for server, each in work.items()}
        self._served = {stage.server for stage in stages if stage.first_only}
        self._on: dict[str, list[tuple[Server, Worker]]] = {}
        for kind in WORKERS:
            for name, worker in getattr(system, kind).items():
                for core in getattr(worker, "cores", ()) or (worker.core,):
                    self._on.setdefault(core, []).append(((kind, name), worker))
        self.reserved = reserved_shares(system)
        self.no_less_urgent = cache(self._no_less_urgent)

    def of(self, servers: Iterable[Server]) -> float:
        """What these do in the long run, in whatever order they come."""
        return fsum(self._of.get(server, 0.0) for server in servers)

    def on(self, core: str) -> list[tuple[Server, Worker]]:
        """Who may run there."""
        return self._on.get(core, [])

    def _no_less_urgent(self, core: str, partition: str | None, priority: Priority) -> float:
        """The load by what is at least as urgent on the same supply, and by SCHED_DEADLINE."""
        servers, reserved = [], 0.0
        for server, other in self.on(core):
            if getattr(other, "executor", None):
                continue
            if other.reservation and server in self._served:
                servers.append(server)
            elif other.reservation:
                reserved += other.reservation.budget / other.reservation.period
            elif other.partition == partition and other.priority >= priority:
                servers.append(server)
        return self.of(servers) + reserved
