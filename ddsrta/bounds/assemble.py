"""The whole result of a solved system."""

from __future__ import annotations

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
from ddsrta.bounds.queues.overflow import losing, places_of
from ddsrta.bounds.result import CoreResult, LinkResult, OrderResult, Result, verdict
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.synchronizers.present import short_queues, synchronizer_results


def present(solution: Solution) -> Result:
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
    bounded = [thread.wcrt for thread in threads.values()]
    bounded += [callback.wcrt for callback in callbacks.values()]
    bounded += [message.ddl for message in messages]
    links = _links(solution)
    bounded += [sent.wcrt for link in links.values() for sent in link.messages.values()]
    solution.walks.clear()  # each leads back to the solution: most goes without a collector
    return Result(
        system.name,
        "busy-window",
        verdict(bounded, chains.values(), orders.values()),
        threads,
        messages,
        chains,
        cores,
        needed,
        (
            *findings(solution.given),
            *result_findings(system, solution.utilization, needed, compiled.skips, sent),
            *short_queues(system, sets),
            *cut,
        ),
        orders,
        sets,
        callbacks,
        assumptions(system, places),
        solution.given,
        links,
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
