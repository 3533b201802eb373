"""Executors whose threads are on several cores, one on each (lemma pool-window)."""

from __future__ import annotations

from collections.abc import Iterable

from ddsrta.checker.curves import Stream
from ddsrta.checker.kinds import FORGETS_DIRECT, SEVERAL_THREADS
from ddsrta.checker.reading import CertificateError, shown
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.things import FAIR, Executor, Place, System

SHADOW = "shadow"


def shadow_key(key: Key) -> Key:
    """What stands on each core for a callback that may run there."""
    return (SHADOW, *key)


def shadow(stage: Stage) -> Stage:
    """What it is where it may run beside those that it is no part of."""
    return stage._replace(key=shadow_key(stage.key), inputs=(), joins=False, arrival=None)


def add_shadows(streams: Streams, found: Iterable[tuple[Stage, int]]) -> None:
    """A shadow arrives so long before its stage is done, at the latest: the cost, of a callback of
    a pool, which has begun then."""
    for shadow, last in found:
        key = shadow.key[1:]
        stream, latency = streams[key], streams.latencies[key]
        before = paced = None
        if latency is not None and stream.bounded:
            before = max(latency - last, stream.best)
            paced = max((streams.paced.get(key) or latency) - last, stream.best)
        streams.streams[shadow.key] = Stream(
            stream.base, stream.times, before, stream.best, paced=paced
        )


def check_pool(system: System, executor: Executor, where: str) -> None:
    """Raises where a pool is none of definition pinned-pool."""
    cores = executor.cores
    machines = {core.partition("/")[0] for core in cores}
    if executor.kind not in SEVERAL_THREADS or len(cores) < 2 or len(set(cores)) < len(cores):
        raise CertificateError(f"{where}: its threads are on several cores, one on each")
    if executor.place.core != cores[0] or len(machines) > 1:
        raise CertificateError(f"{where}: its cores are not those of one machine")
    if executor.threads > len(cores):
        raise CertificateError(f"{where}: more threads than cores move between these")
    if executor.place.partition is not None or executor.place.reservation is not None:
        raise CertificateError(f"{where}: its threads have a reservation")
    if set(executor.groups or {}) != set(executor.callbacks):
        raise CertificateError(f"{where}: the groups are not those of its callbacks")
    for path in cores:
        if path not in system.cores:
            raise CertificateError(f"{where}: there is no core {shown(path)}")
        core = system.cores[path]
        if core.reservation or core.partitions:
            raise CertificateError(f"{where}: core {shown(path)} is no whole core")
        _alone(system, executor, path, where)
    for callback in executor.callbacks:
        if system.threads[callback].entity == "inline":
            _in_turn(system, executor, callback, where)
        if executor.release in FORGETS_DIRECT:
            _remembered(system, executor, callback, where)


def _remembered(system: System, executor: Executor, callback: str, where: str) -> None:
    """No message comes to it without middleware while another callback of its group may run."""
    groups = executor.groups or {}
    beside = [name for name in groups if groups[name] == groups[callback] and name != callback]
    if groups[callback] is None or not beside:
        return
    for topic in system.threads[callback].topics:
        if any(system.is_direct(writer, callback) for writer in system.writers.get(topic, ())):
            raise CertificateError(f"{where}: messages to {shown(callback)} may be forgotten")


def _in_turn(system: System, executor: Executor, callback: str, where: str) -> None:
    """What waits for several topics is of the group of its subscriptions, which have one."""
    groups = executor.groups or {}
    names = {groups.get(name) for name in (callback, *system.threads[callback].follows)}
    if None in names or len(names) > 1:
        raise CertificateError(f"{where}: {shown(callback)} is in no group with its topics")


def _alone(system: System, executor: Executor, path: str, where: str) -> None:
    """Nothing else on a core may have its priority."""
    threads = [t.place for t in system.threads.values() if t.executor is None]
    middleware = [m.place for m in (*system.controllers.values(), *system.listeners.values())]
    placed: list[tuple[Place, tuple[str, ...]]] = []
    placed += [(place, (place.core,)) for place in (*threads, *middleware)]
    others = (other for other in system.executors.values() if other is not executor)
    placed += [(other.place, other.cores or (other.place.core,)) for other in others]
    for place, cores in placed:
        equal = place.priority == executor.place.priority and not place.reservation
        if equal and path in cores and place.priority != FAIR:
            raise CertificateError(f"{where}: something else has its priority on {path}")
