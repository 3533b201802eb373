"""The whole result of a solved system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ddsrta.bounds.evidence.assumptions import assumptions
from ddsrta.bounds.findings import findings, result_findings
from ddsrta.bounds.load import link_loads
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.present import (
    callback_results,
    chain_result,
    message_results,
    thread_results,
)
from ddsrta.bounds.queues.backlog import queues
from ddsrta.bounds.queues.overflow import Place, losing, places_of
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.result import (
    CallbackResult,
    ChainResult,
    CoreResult,
    Finding,
    LinkResult,
    MessageResult,
    OrderResult,
    QueueResult,
    Result,
    SynchronizerResult,
    ThreadResult,
    verdict,
)
from ddsrta.bounds.skipped import Skips
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.synchronizers.present import short_queues, synchronizer_results
from ddsrta.models.system import System


def present(solution: Solution, refinements: Refinements | None = None) -> Result:
    """The result of a solved system."""
    system, compiled = solution.system, solution.compiled
    sent = link_loads(compiled) if system.media else {}
    paths, cut = named_paths(system)
    threads = thread_results(solution)
    callbacks = callback_results(solution)
    messages = message_results(solution)
    needed = queues(solution)
    places = places_of(solution, needed)
    lost = losing(solution, places)
    chains = {path.name: chain_result(solution, path, lost) for path in paths}
    cores = {core: CoreResult(load) for core, load in solution.utilization.items()}
    orders = _orders(solution)
    sets = synchronizer_results(solution)
    links = _links(solution)
    counts = Counter(stage.key[1] for stage in compiled.stages)
    basis = Basis(refinements, places, compiled.skips, counts)
    solution.walks.clear()  # each leads back to the solution: most goes without a collector
    found = threads, callbacks, messages, chains, cores, needed, orders, sets, links, sent
    return put_together(solution.given, system, Found(*found), cut, basis)


class Basis(NamedTuple):
    """What a result keeps for those of systems that differ a little: the refinements that were
    asked for, None where nobody knows; where messages wait; the timers that may leave releases out;
    and how many stages each thread has."""

    refinements: Refinements | None
    places: Sequence[Place]
    skips: Skips
    stages: Mapping[str, int]


class Found(NamedTuple):
    """What an analysis finds, each by its name."""

    threads: dict[str, ThreadResult]
    callbacks: dict[str, CallbackResult]
    messages: tuple[MessageResult, ...]
    chains: dict[str, ChainResult]
    cores: dict[str, CoreResult]
    queues: dict[str, QueueResult]
    orders: dict[str, OrderResult]
    synchronizers: dict[str, SynchronizerResult]
    links: dict[str, LinkResult]
    sent: Mapping[str, Mapping[str, float]]  # loads of links


def put_together(
    given: System, system: System, found: Found, cut: Sequence[Finding], basis: Basis
) -> Result:
    """The result of a system that is `given`, of which `system` leaves out limits that are idle:
    with what follows from what was found."""
    bounded = [thread.wcrt for thread in found.threads.values()]
    bounded += [callback.wcrt for callback in found.callbacks.values()]
    bounded += [message.ddl for message in found.messages]
    bounded += [sent.wcrt for link in found.links.values() for sent in link.messages.values()]
    cores = {core: one.utilization for core, one in found.cores.items()}
    return Result(
        system.name,
        "busy-window",
        verdict(bounded, found.chains.values(), found.orders.values()),
        found.threads,
        found.messages,
        found.chains,
        found.cores,
        found.queues,
        (
            *findings(given),
            *result_findings(system, cores, found.queues, basis.skips, found.sent),
            *short_queues(system, found.synchronizers),
            *cut,
        ),
        found.orders,
        found.synchronizers,
        found.callbacks,
        assumptions(system, basis.places),
        given,
        found.links,
        basis=basis,
    )


def _links(solution: Solution) -> dict[str, LinkResult]:
    """Of shared links, if there are any."""
    if not solution.system.media:
        return {}
    from ddsrta.bounds.present_links import link_results

    return link_results(solution)


def _orders(solution: Solution) -> dict[str, OrderResult]:
    """Of the wanted orders, if there are any."""
    if not solution.system.orders:
        return {}
    from ddsrta.bounds.order.judge import order_results

    return order_results(solution)
