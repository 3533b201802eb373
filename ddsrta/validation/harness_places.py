"""Who ran where, and what is connected to what: a model held against the head of a trace."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ddsrta.models.system import System
from ddsrta.validation.contradiction import Held
from ddsrta.validation.harness_file import Head

_NO_MODEL = "is in the trace and not in the model"


def hold_places(system: System, head: Head, held: Held) -> None:
    """Names, cores and priorities of all threads, and the ends of all messages."""
    _names(system, head, held)
    _cores(system, head, held)
    _priorities(system, head, held)
    _ends(system, head, held)


def _things(system: System, head: Head) -> Iterator[tuple[int, str, str, str, int]]:
    """Number, kind, name, core and priority of each that the trace and the model have."""
    kinds: dict[str, Mapping[str, object]] = {
        "thread": system.threads, "controller": system.flow_controllers,
        "listener": system.listeners,
    }  # fmt: skip
    for number, (kind, name) in head.who.items():
        found = kinds.get(kind, {}).get(name)
        if found is not None:
            yield number, kind, name, found.core, found.priority  # type: ignore[attr-defined]


def _names(system: System, head: Head, held: Held) -> None:
    kinds: list[tuple[str, Collection[str]]] = [("thread", system.threads)]
    if head.sends or head.listens:  # the first traces name threads only
        kinds += [("controller", system.flow_controllers), ("listener", system.listeners)]
    for kind, modelled in kinds:
        there = {name for k, name in head.who.values() if k == kind}
        held.count("threads", len(there))
        for name in sorted(there - set(modelled)):
            held.contradict("threads", name, f"this {kind} {_NO_MODEL}")
        for name in sorted(set(modelled) - there):
            held.contradict("threads", name, f"this {kind} is in the model and not in the trace")


def _cores(system: System, head: Head, held: Held) -> None:
    """By the names of cores where the trace has them; else by who shares one."""
    used = {core for _, _, _, core, _ in _things(system, head)}
    cpu_of = {name: cpu for name, cpu in head.cores.items() if name in used}
    for number, kind, name, core, _ in _things(system, head):
        if number not in head.places:
            continue
        held.count("cores")
        cpu = head.places[number][0]
        if cpu_of.setdefault(core, cpu) != cpu:
            text = f"this {kind} ran on CPU {cpu}, and core {core} is CPU {cpu_of[core]}"
            held.contradict("cores", name, text)
    by_cpu: dict[int, list[str]] = {}
    for core, cpu in cpu_of.items():
        by_cpu.setdefault(cpu, []).append(core)
    for cpu, cores in by_cpu.items():
        if len(cores) > 1:
            held.contradict("cores", ", ".join(cores), f"they shared CPU {cpu}")


def _priorities(system: System, head: Head, held: Held) -> None:
    for number, kind, name, _, priority in _things(system, head):
        if number not in head.places:
            continue
        held.count("priorities")
        seen = head.places[number][1]
        if seen != priority:
            text = f"this {kind} ran at priority {seen}, not {priority}"
            held.contradict("priorities", name, text)
    if head.said.get("SCHED_FIFO", "allowed") != "allowed":
        held.contradict("priorities", "all threads", "the kernel refused SCHED_FIFO")


def _ends(system: System, head: Head, held: Held) -> None:
    names = {n: name for n, (kind, name) in head.who.items() if kind == "thread"}
    for thread, topic, _ in head.writers.values():
        held.count("edges")
        publisher = system.threads.get(names.get(thread, ""))
        name = head.topics.get(topic, "")
        if publisher and all(one.topic != name for one in publisher.publishes):
            held.contradict("edges", publisher.name, f"that it publishes '{name}' {_NO_MODEL}")
    for number, (thread, topic) in head.readers.items():
        held.count("edges")
        reader, name = system.threads.get(names.get(thread, "")), head.topics.get(topic, "")
        if reader is None:
            continue
        subscription = reader.subscribes
        if subscription is None or name not in subscription.topics:
            held.contradict("edges", reader.name, f"that it reads '{name}' {_NO_MODEL}")
            continue
        listener = head.who.get(head.listens.get(number, -1), ("", subscription.listener))[1]
        if listener != subscription.listener:
            text = f"it reads '{name}' at {listener}, not at {subscription.listener}"
            held.contradict("edges", reader.name, text)


def hold_edges(
    system: System, seen: set[tuple[str, str, str]], done: Mapping[str, int], held: Held
) -> None:
    """What was delivered and who followed whom, at the end of a trace; `done`: jobs by thread."""
    modelled = set(_edges(system))
    for source, topic, target in sorted(seen - modelled):
        how = f"publishes '{topic}' for" if topic else "sets off"
        held.contradict("edges", source, f"that it {how} {target} {_NO_MODEL}")
    for source, topic, target in sorted(modelled - seen):
        if done.get(source):
            how = f"no message on '{topic}' came from it to" if topic else "it never set off"
            text = f"{how} {target}, in {done[source]:,} jobs"
            held.contradict("edges", source, text)
    reached = {target for *_, target in seen}
    for name, thread in system.threads.items():
        released = thread.arrival is None and thread.activation == "or" and name in reached
        if released and not done.get(name):
            held.contradict("threads", name, "it got messages and no job of it is seen")


def _edges(system: System) -> Iterator[tuple[str, str, str]]:
    for name, thread in system.threads.items():
        for one in thread.publishes:
            for reader in system.readers(one.topic):
                if system.is_heard(thread, reader):
                    yield name, one.topic, reader.name
        if thread.follows and thread.arrival is None:
            for before in thread.follows.threads:
                yield before, "", name
