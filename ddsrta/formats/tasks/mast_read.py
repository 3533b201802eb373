"""A model of MAST as a system to start from.

Read are processors and networks of preemptive fixed priorities, simple and composite operations,
and transactions of activities, delays, forks (Multicast) and merges (Concentrator). What would make
a bound too small is refused with its place; what is left out is told with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ddsrta.base.diagnostics import Diagnostic, InputError, Position, shown
from ddsrta.base.units import NANOSECONDS
from ddsrta.base.yaml_reader import read_bytes
from ddsrta.formats.draft import Draft
from ddsrta.formats.tasks.draft import draft_of
from ddsrta.formats.tasks.mast import IN_NANOSECONDS
from ddsrta.formats.tasks.mast_flow import Places, Work, read_transaction
from ddsrta.formats.tasks.mast_said import Reading, Said
from ddsrta.formats.tasks.mast_text import parse
from ddsrta.formats.tasks.model import Task, TaskChain, TaskSystem

LARGEST_FILE = 16 << 20
_LOCKS = ("shared_resources_list", "shared_resources_to_lock", "shared_resources_to_unlock")


class _Parts(NamedTuple):
    """All parts of a kind, by name."""

    resources: dict[str, Said]
    schedulers: dict[str, Said]
    servers: dict[str, Said]
    operations: dict[str, Said]
    transactions: dict[str, Said]


def read(paths: Sequence[str], unit: str | None = None) -> Draft:
    """The draft of a system; `unit` is that of its times, which MAST does not know."""
    if len(paths) != 1:
        raise InputError([Diagnostic(None, "a model of MAST is one file")])
    path = str(paths[0])
    data = read_bytes(path)
    if len(data) > LARGEST_FILE:
        raise InputError([Diagnostic(Position(path, 1, 1), "the file is too large")])
    text = data.decode("utf-8", "replace")
    if unit is None and not text.startswith(IN_NANOSECONDS):
        advice = "say which: --unit us, for example"
        message = "a model of MAST does not tell the unit of its times"
        raise InputError([Diagnostic(Position(path, 1, 1), message, advice)])
    reading = Reading(int(NANOSECONDS[unit or "ns"]))
    tasks = _tasks(text, path, reading)
    if reading.problems:
        raise InputError(reading.problems)
    return draft_of(tasks, f"MAST's {Path(path).name}, with times in {unit or 'ns'}")


def _tasks(text: str, path: str, reading: Reading) -> TaskSystem:
    parts = _Parts({}, {}, {}, {}, {})
    by_kind = {
        "processing_resource": parts.resources,
        "scheduler": parts.schedulers,
        "scheduling_server": parts.servers,
        "operation": parts.operations,
        "transaction": parts.transactions,
    }
    name = Path(path).stem
    for kind, node in parse(text, path):
        said = Said(node, kind, reading)
        if kind == "model":
            name = said.word("model_name", required=False) or name
        elif kind in by_kind:
            own = said.word("name")
            said.what = f"{kind.replace('_', ' ')} {shown(own, 40)}"
            if own in by_kind[kind]:
                reading.wrong(said.at, f"there is another {said.what}")
            by_kind[kind][own] = said
        elif kind == "shared_resource":  # whoever takes it is refused
            reading.note(said.at, f"shared resource '{said.word('name')}'")
        else:
            reading.wrong(said.at, f"{shown(kind, 40)} is not read")
    places = Places(_servers(parts, reading), _works(parts, reading))
    tasks: dict[str, Task] = {}
    chains: dict[str, TaskChain] = {}
    for said in parts.transactions.values():
        read_transaction(said, places, reading, tasks, chains)
    if not tasks and not reading.problems:
        reading.wrong(Position(path, 1, 1), "there is no transaction in this file")
    return TaskSystem(name, tasks, chains, tuple(reading.notes))


def _servers(parts: _Parts, reading: Reading) -> dict[str, tuple[str, int]]:
    """The core and the priority of each server."""
    resources = {name: _is_resource(said) for name, said in parts.resources.items()}
    hosts: dict[str, str] = {}
    for name, said in parts.schedulers.items():
        if said.wants("primary_scheduler"):
            hosts[name] = said.word("host")
            policy = Said(said.get("policy") or said.keys["type"], said.what, reading)
            if policy.wants("fixed_priority", "fp_packet_based"):
                policy.is_at_rest("worst_context_switch", "packet_worst_overhead")
                policy.is_at_rest("packet_overhead_max_size")
                policy.asked |= {"max_priority", "min_priority", "packet_overhead_avg_size"}
                policy.asked |= {"packet_overhead_min_size", "packet_avg_overhead"}
                policy.done()
        said.done()
    found = {}
    for name, said in parts.servers.items():
        said.wants("regular", "fixed_priority")
        host = said.word("server_processing_resource", required=False)
        core = host or hosts.get(said.word("scheduler"), "")
        if core not in resources:
            reading.wrong(said.at, f"{said.what}: it is known on no processing resource")
        level = said.get("server_sched_parameters")
        if level is None:
            reading.wrong(said.at, f"{said.what}: 'server_sched_parameters' is missing")
            continue
        parameters = Said(level, said.what, reading)
        if parameters.wants("fixed_priority_policy"):
            found[name] = (core, int(parameters.number("the_priority")))
            parameters.done()
        said.done()
    return found


def _is_resource(said: Said) -> bool:
    """A processor, or a network that does not block; both without overheads."""
    networks = ("fixed_priority_network", "packet_based_network")
    if said.kind in networks:
        said.reading.note(
            said.at, f"packets of {said.what}: preempted at any time, since nothing blocks"
        )
    if said.wants("regular_processor", "fixed_priority_processor", *networks):
        said.is_at_rest("worst_context_switch", "worst_isr_switch", "packet_worst_overhead")
        said.is_at_rest("system_timer", "list_of_drivers", "max_blocking")
        said.is_at_rest("speed_factor", value=1)
        limits = ("priority", "interrupt_priority", "packet_transmission_time", "packet_size")
        said.asked |= {f"{which}_{what}" for which in ("max", "min") for what in limits}
        said.asked |= {"transmission", "throughput", "packet_best_overhead", "packet_avg_overhead"}
        said.done()
    return True


def _works(parts: _Parts, reading: Reading) -> dict[str, Work]:
    """What each operation takes; one of others takes their sum."""
    found: dict[str, Work] = {}
    waiting = dict(parts.operations)
    while waiting:
        ready = [
            name
            for name, said in waiting.items()
            if said.kind != "composite"
            or all(one.word in found for one in said.items("composite_operation_list"))
        ]
        for name in ready:
            found[name] = _work(waiting.pop(name), found)
        if not ready:
            for said in waiting.values():
                reading.wrong(said.at, f"{said.what}: a part of it is missing, or it itself")
            return found
    return found


def _work(said: Said, known: dict[str, Work]) -> Work:
    said.is_at_rest("new_sched_parameters", *_LOCKS)
    work = Work(0, 0)
    if said.kind == "composite":
        names = [one.word for one in said.items("composite_operation_list")]
        work = Work(*(sum(known[name][end] for name in names) for end in (0, 1)))
    elif said.wants("simple", "enclosing"):
        best = said.time("best_case_execution_time", 0, up=False)
        work = Work(said.time("worst_case_execution_time"), best)
        if said.kind == "enclosing":
            said.asked.add("composite_operation_list")
            for one in said.items("composite_operation_list"):
                if one.word in known and known[one.word].worst > work.worst:
                    said.refuse("a part that takes longer than the whole", one)
        if work.best > work.worst:
            said.reading.wrong(said.at, f"{said.what}: the best case is above the worst")
    said.done()
    return work
