"""Cores, supplies and the threads on them, as the engine's flat arrays."""

from __future__ import annotations

from ddsrta.models.executors import Executor
from ddsrta.models.fair import SLICE, weight_of
from ddsrta.models.groups import has_timers_thread
from ddsrta.models.reservations import servers
from ddsrta.models.system import Core, Middleware, Reservation, System, Thread
from ddsrta.simulation.build_links import servers_of
from ddsrta_simulator import Program

_WHOLE = Reservation(0, 0)
_ALONE = Core("", "")  # of a link
_Worker = Thread | Executor | Middleware


def add_places(system: System, program: Program) -> dict[tuple[str, str], int]:
    """The number of each server, by what it is of and the name."""
    placed: list[tuple[str, _Worker]] = [
        ("thread", thread) for thread in system.threads.values() if thread.executor is None
    ]
    placed += [("executor", executor) for executor in system.executors.values()]
    middleware = (*system.flow_controllers.values(), *system.listeners.values())
    placed += [("middleware", thing) for thing in middleware]
    serving = servers(system)
    supply_of: dict[tuple[str, ...], int] = {}
    for path in (*system.cores, *(medium.core for medium in system.media.values())):
        program.cores.append(path)
        program.core_supply.append(len(program.supplies))
        for key, reservation in _claims(system, path, placed):
            supply_of[key] = len(program.supplies)
            program.supplies.append(key)
            program.supply_core.append(len(program.cores) - 1)
            program.supply_budget.append(reservation.budget)
            program.supply_period.append(reservation.period)
            program.supply_serves.append(int(path in serving and key[1] != "partition"))
    program.core_supply.append(len(program.supplies))
    numbers = {}
    for kind, thing in placed:
        own = (thing.core, kind, thing.name)
        shared = (thing.core, "partition", thing.partition or "")
        numbers[kind, thing.name] = first = len(program.servers)
        program.servers.append(thing.name)
        program.server_supply.append(supply_of[own if thing.reservation else shared])
        program.server_priority.append(int(thing.priority))
        program.server_pool.append(first)
        for core in thing.places[1:] if isinstance(thing, Executor) else ():
            program.servers.append(f"{thing.name} on {core}")
            program.server_supply.append(supply_of[core, "partition", ""])
            program.server_priority.append(int(thing.priority))
            program.server_pool.append(first)
        if isinstance(thing, Executor) and has_timers_thread(system, thing):
            numbers["timers", thing.name] = len(program.servers)
            program.servers.append(f"timers of {thing.name}")
            program.server_supply.append(program.server_supply[first])
            program.server_priority.append(int(thing.priority))
            program.server_pool.append(len(program.server_pool))
    for kind, medium, name, priority in servers_of(system):
        numbers[kind, medium.name] = len(program.servers)
        program.servers.append(name)
        program.server_supply.append(supply_of[medium.core, "partition", ""])
        program.server_priority.append(priority)
        program.server_pool.append(len(program.server_pool))
    program.server_weight.extend(0 for _ in program.servers)
    program.server_slice.extend(0 for _ in program.servers)
    program.server_tick.extend(0 for _ in program.servers)
    for kind, thing in placed:
        if not isinstance(thing, Middleware) and thing.nice is not None:
            first = numbers[kind, thing.name]
            for number, core in enumerate(thing.cores or (thing.core,), first):
                program.server_weight[number] = weight_of(thing.nice)
                program.server_slice[number] = thing.slice or SLICE
                program.server_tick[number] = system.cores[core].tick or 0
    _add_sets(system, program, numbers, supply_of)
    return numbers


def _add_sets(
    system: System,
    program: Program,
    numbers: dict[tuple[str, str], int],
    supply_of: dict[tuple[str, ...], int],
) -> None:
    """Between which supplies servers move."""
    moving = {numbers["thread", t.name]: t.cores for t in system.threads.values() if t.cores}
    moving |= {numbers["executor", e.name]: e.cores for e in system.executors.values() if e.moves}
    for first in program.server_pool:
        program.server_set.append(len(program.set_supply))
        cores = moving.get(first, ())
        program.set_supply.extend(supply_of[core, "partition", ""] for core in cores)
    program.server_set.append(len(program.set_supply))


def _claims(
    system: System, path: str, placed: list[tuple[str, _Worker]]
) -> list[tuple[tuple[str, ...], Reservation]]:
    """The supplies of a core, in order; what SCHED_DEADLINE leaves is last."""
    core = system.cores.get(path, _ALONE)
    claims: list[tuple[tuple[str, ...], Reservation]] = [
        ((path, "partition", name), reservation) for name, reservation in core.partitions.items()
    ]
    if core.reservation:
        claims.append(((path, "partition", ""), core.reservation))
    claims += [
        ((path, kind, thing.name), thing.reservation)
        for kind, thing in placed
        if thing.reservation and thing.core == path
    ]
    if not core.reservation:
        claims.append(((path, "partition", ""), _WHOLE))
    return claims
