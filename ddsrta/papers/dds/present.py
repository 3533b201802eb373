"""The result of the published analysis, in the form of every other."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.base.priorities import FAIR
from ddsrta.base.units import Duration, duration
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.findings import findings, result_findings
from ddsrta.bounds.load import utilization
from ddsrta.bounds.order.judge import order_results
from ddsrta.bounds.paths.concrete import NamedPath, named_paths
from ddsrta.bounds.result import (
    CallbackResult,
    ChainResult,
    CoreResult,
    MessageResult,
    Result,
    ThreadResult,
    verdict,
)
from ddsrta.bounds.solve import solve
from ddsrta.bounds.synchronizers.set_responses import subscriptions
from ddsrta.bounds.unbounded import (
    PUBLISHED,
    PUBLISHED_LATENCY_ONLY,
    PUBLISHED_REGISTER,
    PUBLISHED_WAITS,
    Because,
)
from ddsrta.models.system import System, Thread
from ddsrta.papers.dds import PublishedBounds, published_bounds, queue_rows, unsound_rows
from ddsrta.policies import POLICIES
from ddsrta.ros2 import kind_of


def _refuse(system: System) -> None:
    """What the published analysis is not written for here."""
    advice = "leave it out, or use the default profile"
    found = [
        Diagnostic(system.where(*where), f"the published analysis knows no {what}", advice)
        for where, what in _beyond(system)
    ]
    if found:
        raise InputError(found)


def _beyond(system: System) -> Iterator[tuple[tuple[str, ...], str]]:
    if system.fastdds is not None:
        yield ("middleware",), "middleware beyond the ten rules"
    if system.media:
        yield ("links",), "links that several messages share"
    for name, controller in system.flow_controllers.items():
        if controller.limit is not None or not POLICIES[controller.policy].published:
            key = "policy" if controller.limit is None else "limit"
            yield ("flow_controllers", name, key), f"{key} such as that of '{name}'"
    for name, process in system.processes.items():
        if process.intra_process:
            yield ("processes", name, "intra_process"), "messages without middleware"
        if process.senders_read:
            what = "sender that does the work of readers"
            yield ("processes", name, "intraprocess_delivery"), what
    for name, executor in system.executors.items():
        if not kind_of(executor).published:
            yield ("executors", name, "kind"), f"{executor.kind} executors"
    for thread in system.threads.values():
        if thread.priority == FAIR:
            yield (*thread.server, "policy"), "SCHED_OTHER"
        if any(publication.part for publication in thread.publishes):
            yield ("threads", thread.name, "publishes"), "messages that jobs may leave out"


def present_published(system: System) -> Result:
    """The published bounds of a system, with the list of what in them does not hold."""
    _refuse(system)
    bounds = published_bounds(system)
    paths, cut = named_paths(system)
    threads = {
        name: ThreadResult(
            duration(bounds.threads[name]), thread.core, _because(bounds.threads[name])
        )
        for name, thread in system.threads.items()
        if thread.executor is None
    }
    callbacks = {
        name: CallbackResult(
            duration(_response(bounds, callback)), callback.executor, callback.core, "busy window",
            _because(_response(bounds, callback)),
        )
        for name, callback in system.threads.items()
        if callback.executor is not None
    }  # fmt: skip
    messages = tuple(_message(system, bounds, key) for key in bounds.messages)
    chains = {path.name: _chain(bounds, path) for path in paths}
    times = [t.wcrt for t in threads.values()] + [c.wcrt for c in callbacks.values()]
    times += [m.ddl for m in messages]
    orders = order_results(solve(system)) if system.orders else {}
    loads = utilization(compile_system(system))
    return Result(
        system.name,
        "published",
        verdict(times, chains.values(), orders.values()),
        threads,
        messages,
        chains,
        {core: CoreResult(load) for core, load in loads.items()},
        {},
        (
            *unsound_rows(system),
            *queue_rows(bounds),
            *findings(system),
            *result_findings(system, loads, {}),
            *cut,
        ),
        orders,
        callbacks=callbacks,
        model=system,
    )


def _response(bounds: PublishedBounds, callback: Thread) -> int | None:
    """The response of a callback, from the last message where it waits for several."""
    found = [bounds.threads[part] for part in subscriptions(callback)]
    turns = [time for time in found if time is not None]
    own = bounds.threads[callback.name]
    if own is None or len(turns) < len(found):
        return None
    return own + max(turns, default=0)


def _because(bound: int | None) -> Because | None:
    return PUBLISHED.of() if bound is None else None


def _message(system: System, bounds: PublishedBounds, key: tuple[str, str, str]) -> MessageResult:
    publisher, topic, subscriber = key
    sample = key[:2] in bounds.samples
    response = duration(bounds.samples[key[:2]] if sample else bounds.threads[publisher])
    machines = [system.machine_of(system.threads[name].core) for name in (publisher, subscriber)]
    return MessageResult(
        publisher,
        topic,
        subscriber,
        "async" if sample else "sync",
        duration(bounds.messages[key]),
        None if sample else response,
        response if sample else None,
        Duration(system.network(machines[0], machines[1]).worst),
        duration(bounds.listeners[key]),
        _because(bounds.messages[key]),
        response,
    )


def _waits(system: System, path: NamedPath) -> bool:
    """Whether a token may wait on the path: the published analysis leaves that out."""
    return any(system.threads[hop.target].activation == "and" for hop in path.hops)


def _chain(bounds: PublishedBounds, path: NamedPath) -> ChainResult:
    trigger = bounds.chain_latency(path.hops) if path.hops else bounds.threads[path.start]
    latency = None if _waits(bounds.system, path) else trigger
    because: Because | None = None
    if trigger is None:
        crosses = any(bounds.system.threads[hop.target].arrival for hop in path.hops)
        because = (PUBLISHED_REGISTER if crosses else PUBLISHED).of()
    deadline, constraint = path.chain.deadline, path.chain.constraint
    figure = {"latency": latency, "trigger_latency": trigger}.get(constraint)
    if because is None and latency is None:
        because = PUBLISHED_WAITS.of()
    if because is None and figure is None:
        because = PUBLISHED_LATENCY_ONLY.of()
    return ChainResult(
        path.path,
        duration(latency),
        duration(trigger),
        None,
        None,
        constraint,
        duration(deadline),
        None if deadline is None else figure is not None and figure <= deadline,
        None if deadline is None or figure is None else Duration(deadline - figure),
        (),
        because,
        path.label,
    )
