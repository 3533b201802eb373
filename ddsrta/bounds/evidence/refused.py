"""A result that the checker refuses: nothing in it stands."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from ddsrta.bounds.findings import findings
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.result import (
    CallbackResult,
    ChainResult,
    Check,
    Finding,
    LinkResult,
    MessageResult,
    OrderResult,
    QueueResult,
    Result,
    SynchronizerResult,
)
from ddsrta.bounds.unbounded import REFUSED, Because
from ddsrta.models.system import System


def refused(result: Result, failure: str) -> Result:
    """The same system without any bound: what is left is what its file says."""
    because = REFUSED.of(failure=failure)
    check, system = result.check, result.model
    assert check is not None
    return replace(
        result,
        verdict="unbounded",
        threads={
            name: replace(thread, wcrt=None, unbounded_because=because)
            for name, thread in result.threads.items()
        },
        callbacks={name: _callback(one, because) for name, one in result.callbacks.items()},
        messages=tuple(_message(message, because, result) for message in result.messages),
        chains={name: _chain(chain, because) for name, chain in result.chains.items()},
        cores={},
        links={name: _link(link, because) for name, link in result.links.items()},
        queues={name: _queue(queue, because) for name, queue in result.queues.items()},
        orders={name: _order(order) for name, order in result.orders.items()},
        synchronizers={name: _sets(one, because) for name, one in result.synchronizers.items()},
        warnings=(Finding("refuted", "error", f"no bound stands: {because}"), *_known(system)),
        check=Check("refuted", check.certificate, check.without, failure),
    )


def _known(system: System | None) -> list[Finding]:
    """What can be said without bounds."""
    return [] if system is None else [*findings(system), *named_paths(system)[1]]


def _callback(callback: CallbackResult, because: Because) -> CallbackResult:
    return replace(callback, wcrt=None, by=None, unbounded_because=because)


def _message(message: MessageResult, because: Because, result: Result) -> MessageResult:
    return replace(
        message,
        ddl=None,
        sent=None,
        publisher_wcrt=None,
        flow_controller=None,
        network=None if result.links else message.network,
        listener=None,
        unbounded_because=because,
    )


def _chain(chain: ChainResult, because: Because) -> ChainResult:
    return replace(
        chain,
        latency=None,
        trigger_latency=None,
        data_age=None,
        reaction_time=None,
        met=None if chain.deadline is None else False,
        slack=None,
        hops=tuple(replace(hop, response=None, latency=None) for hop in chain.hops),
        unbounded_because=because,
    )


def _link(link: LinkResult, because: Because) -> LinkResult:
    messages = {
        name: replace(message, wcrt=None, unbounded_because=because)
        for name, message in link.messages.items()
    }
    return replace(link, utilization=inf, messages=messages)


def _queue(queue: QueueResult, because: Because) -> QueueResult:
    streams = dict.fromkeys(queue.streams)
    return replace(queue, backlog=None, streams=streams, unbounded_because=because)


def _order(order: OrderResult) -> OrderResult:
    """It may be violated in any way: none is known."""
    return replace(order, met=False, possible={}, violations=())


def _sets(sets: SynchronizerResult, because: Because) -> SynchronizerResult:
    return replace(
        sets,
        disparity=None,
        waits=dict.fromkeys(sets.waits),
        period=None,
        gap=None,
        needed=None,
        unbounded_because=because,
    )
