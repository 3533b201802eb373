"""The JSON form of a result: stable keys, times in integer nanoseconds, null for unbounded."""

from __future__ import annotations

import math
from typing import Any

from ddsrta.base.diagnostics import Position
from ddsrta.base.units import Duration
from ddsrta.bounds.result import (
    CallbackResult,
    ChainResult,
    Check,
    Finding,
    MessageResult,
    OrderResult,
    QueueResult,
    Result,
    SynchronizerResult,
    ThreadResult,
)
from ddsrta.models.assumptions import Assumption

FORMAT = 1


def result_json(result: Result) -> str:
    """The text of a result document: escaped to ASCII, so that no terminal or pipe can spoil it.
    The evidence, which is for the checker, is one line."""
    import json

    document = result_dict(result)
    evidence = json.dumps(document.pop("evidence"), allow_nan=False, separators=(",", ":"))
    text = json.dumps(document, indent=2, allow_nan=False)
    return f'{text.removesuffix("}").rstrip()},\n  "evidence": {evidence}\n}}\n'


def result_dict(result: Result) -> dict[str, Any]:
    """The contract's keys, in the contract's order.

    >>> result_dict(Result("s", "busy-window", "met", {}, (), {}, {}, {}, ()))["verdict"]
    'met'
    """
    return {
        "ddsrta": FORMAT,
        "system": result.system,
        "profile": result.profile,
        "verdict": result.verdict,
        "threads": {name: _thread(thread) for name, thread in result.threads.items()},
        "callbacks": {name: _callback(callback) for name, callback in result.callbacks.items()},
        "messages": [_message(message) for message in result.messages],
        "chains": {name: _chain(chain) for name, chain in result.chains.items()},
        "orders": {name: _order(order) for name, order in result.orders.items()},
        "synchronizers": {name: _sets(sets) for name, sets in result.synchronizers.items()},
        "cores": {
            name: {"utilization": _finite(core.utilization)} for name, core in result.cores.items()
        },
        **_links(result),
        "queues": {name: _queue(queue) for name, queue in result.queues.items()},
        "warnings": [finding_dict(finding) for finding in result.warnings],
        "assumptions": [assumption_dict(assumption) for assumption in result.assumptions],
        "check": check_dict(result.check),
        "evidence": result.certificate,
    }


def check_dict(check: Check | None) -> dict[str, Any] | None:
    """What the checker said; null where it was not asked."""
    if check is None:
        return None
    return {
        "status": check.status,
        "certificate": check.certificate,
        "without": list(check.without),
        "because": check.because,
    }


def _time(value: Duration | None) -> int | None:
    return None if value is None else int(value)


def _finite(value: float) -> float | None:
    """JSON has no infinity."""
    return value if math.isfinite(value) else None


def _thread(thread: ThreadResult) -> dict[str, Any]:
    return {
        "wcrt": _time(thread.wcrt),
        "core": thread.core,
        "unbounded_because": thread.unbounded_because,
    }


def _callback(callback: CallbackResult) -> dict[str, Any]:
    return {
        "wcrt": _time(callback.wcrt),
        "executor": callback.executor,
        "core": callback.core,
        "by": callback.by,
        "unbounded_because": callback.unbounded_because,
    }


def _message(message: MessageResult) -> dict[str, Any]:
    return {
        "publisher": message.publisher,
        "topic": message.topic,
        "subscriber": message.subscriber,
        "mode": message.mode,
        "ddl": _time(message.ddl),
        "sent": _time(message.sent),
        "publisher_wcrt": _time(message.publisher_wcrt),
        "flow_controller": _time(message.flow_controller),
        "network": _time(message.network),
        "listener": _time(message.listener),
        "unbounded_because": message.unbounded_because,
    }


def _chain(chain: ChainResult) -> dict[str, Any]:
    return {
        "latency": _time(chain.latency),
        "data_latency": _time(chain.data_latency),
        "trigger_latency": _time(chain.trigger_latency),
        "data_age": _time(chain.data_age),
        "reaction_time": _time(chain.reaction_time),
        "constraint": chain.constraint,
        "deadline": _time(chain.deadline),
        "met": chain.met,
        "slack": _time(chain.slack),
        "path": list(chain.path),
        "hops": [
            {
                "stage": hop.stage,
                "where": hop.where,
                "response": _time(hop.response),
                "latency": _time(hop.latency),
            }
            for hop in chain.hops
        ],
        "unbounded_because": chain.unbounded_because,
    }


def _order(order: OrderResult) -> dict[str, Any]:
    return {
        "subscriber": order.subscriber,
        "topics": list(order.topics),
        "events": order.events,
        "met": order.met,
        "possible": {
            origin: [list(topics) for topics in orders] for origin, orders in order.possible.items()
        },
        "violations": [
            {
                "origin": violation.origin,
                "first": violation.first,
                "second": violation.second,
                "later": violation.later,
                "because": violation.because,
            }
            for violation in order.violations
        ],
    }


def _sets(sets: SynchronizerResult) -> dict[str, Any]:
    return {
        "policy": sets.policy,
        "disparity": _time(sets.disparity),
        "waits": {topic: _time(wait) for topic, wait in sets.waits.items()},
        "period": _time(sets.period),
        "gap": _time(sets.gap),
        "needed": sets.needed,
        "queue": sets.queue,
        "unbounded_because": sets.unbounded_because,
    }


def _links(result: Result) -> dict[str, Any]:
    """Nothing where no link is shared."""
    if not result.links:
        return {}
    return {
        "links": {
            name: {
                "kind": link.kind,
                "utilization": _finite(link.utilization),
                "messages": {
                    sent: {
                        "wcrt": _time(message.wcrt),
                        "transmission": _time(message.transmission),
                        "unbounded_because": message.unbounded_because,
                    }
                    for sent, message in link.messages.items()
                },
            }
            for name, link in result.links.items()
        }
    }


def _queue(queue: QueueResult) -> dict[str, Any]:
    return {
        "backlog": queue.backlog,
        "capacity": queue.capacity,
        "streams": dict(queue.streams),
    }


def finding_dict(finding: Finding) -> dict[str, Any]:
    """A finding and where it is."""
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
        **_place(finding.position),
    }


def assumption_dict(assumption: Assumption) -> dict[str, Any]:
    """What bounds rest on, and where the file calls for it."""
    return {
        "rule": assumption.rule,
        "message": assumption.message,
        **_place(assumption.position),
    }


def _place(position: Position | None) -> dict[str, Any]:
    file, line, column = position or (None, None, None)
    return {"file": file, "line": line, "column": column}
