"""The whole result of a solved system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
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
    unless_errors,
    verdict,
)
from ddsrta.bounds.skipped import Skips
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.terms.reasons import reason
from ddsrta.models.system import System


def present(solution: Solution, refinements: Refinements | None = None) -> Result:
    """The result of a solved system, each part made when it is first asked for."""
    rest = _parts(solution, refinements)
    return Result.later(rest, **known(solution.given, solution.system))


def known(given: System, system: System) -> dict[str, object]:
    """What there is to say of a result before anything is found."""
    return {"system": system.name, "profile": "busy-window", "model": given}


def _parts(solution: Solution, refinements: Refinements | None) -> Iterator[tuple[str, object]]:
    """What a result has, in order: what is said of one part may build on those before."""
    system, compiled = solution.system, solution.compiled
    yield "threads", (threads := thread_results(solution))
    yield "callbacks", (callbacks := callback_results(solution))
    yield "messages", (messages := message_results(solution))
    yield "queues", (needed := queues(solution, partial(reason, solution)))
    places = places_of(solution, needed)
    counts = Counter(stage.key[1] for stage in compiled.stages)
    yield "basis", (basis := Basis(refinements, places, compiled.skips, counts))
    paths, cut = named_paths(system)
    lost = losing(solution, places)
    yield "chains", (chains := {path.name: chain_result(solution, path, lost) for path in paths})
    cores = {core: CoreResult(load) for core, load in solution.utilization.items()}
    yield "cores", cores
    yield "orders", (orders := _orders(solution))
    yield "synchronizers", (sets := _synchronizers(solution))
    yield "links", (links := _links(solution))
    solution.forget_walks()  # each leads back to the solution: it all goes without a collector
    sent = link_loads(compiled) if system.media else {}
    found = threads, callbacks, messages, chains, cores, needed, orders, sets, links, sent
    yield from _conclusions(solution.given, system, Found(*found), cut, basis)


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
    rest = _conclusions(given, system, found, cut, basis)
    parts = {name: part for name, part in found._asdict().items() if name != "sent"}
    return Result.later(rest, **known(given, system), **parts, basis=basis)


def warnings_of(solution: Solution, cut: Sequence[Finding]) -> tuple[Finding, ...]:
    """What a result warns of, without the rest of it."""
    system, compiled = solution.system, solution.compiled
    sent = link_loads(compiled) if system.media else {}
    told = result_findings(system, solution.utilization, queues(solution), compiled.skips, sent)
    short = _short_queues(system, _synchronizers(solution))
    return *findings(solution.given), *told, *short, *cut


def _conclusions(
    given: System, system: System, found: Found, cut: Sequence[Finding], basis: Basis
) -> Iterator[tuple[str, object]]:
    """What follows from what was found."""
    cores = {core: one.utilization for core, one in found.cores.items()}
    responses = {name: one.wcrt for name, one in found.threads.items()}
    responses |= {name: one.wcrt for name, one in found.callbacks.items()}
    warnings = (
        *findings(given),
        *result_findings(system, cores, found.queues, basis.skips, found.sent, responses),
        *_short_queues(system, found.synchronizers),
        *cut,
    )
    yield "warnings", warnings
    bounded = [thread.wcrt for thread in found.threads.values()]
    bounded += [callback.wcrt for callback in found.callbacks.values()]
    bounded += [message.ddl for message in found.messages]
    bounded += [sent.wcrt for link in found.links.values() for sent in link.messages.values()]
    reached = verdict(bounded, found.chains.values(), found.orders.values())
    yield "verdict", unless_errors(reached, warnings)
    yield "assumptions", assumptions(system, basis.places)


def _synchronizers(solution: Solution) -> dict[str, SynchronizerResult]:
    """Of those that there are."""
    if not solution.synchronizers:
        return {}
    from ddsrta.bounds.synchronizers.present import synchronizer_results

    return synchronizer_results(solution)


def _short_queues(system: System, found: Mapping[str, SynchronizerResult]) -> Iterable[Finding]:
    """What there is to say of the room that they have."""
    if not found:
        return ()
    from ddsrta.bounds.synchronizers.present import short_queues

    return short_queues(system, found)


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
