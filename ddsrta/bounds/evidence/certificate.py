"""What an independent checker needs to confirm a result: the system, and every claimed number."""

from __future__ import annotations

from math import isfinite
from typing import Any

from ddsrta.base.collecting import collecting_rarely
from ddsrta.bounds.assemble import present
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.result import ChainResult, Result
from ddsrta.bounds.solution import Solution, bounded
from ddsrta.bounds.solve import solve
from ddsrta.bounds.synchronizers.of_solution import topics_of
from ddsrta.bounds.synchronizers.set_responses import subscriptions
from ddsrta.models.bandwidth import limited
from ddsrta.models.document import digest, to_document
from ddsrta.models.system import System

VERSION = 1


@collecting_rarely()
def certificate(system: System, refinements: Refinements | None = None) -> dict[str, Any]:
    """The certificate of the busy-window bounds of a system.

    >>> from ddsrta.examples import two_threads
    >>> certificate(two_threads())["stages"][0]["response"]
    1000000
    """
    solution = solve(system, refinements)
    return claims(solution, present(solution))


def claims(solution: Solution, result: Result) -> dict[str, Any]:
    """The certificate of a solved system and what its result says."""
    stages = [
        {
            "stage": list(stage.key),
            "response": _plain(_response(solution, result, number)),
            "latency": solution.latency(number),
            **_waits(solution, number),
            **_paced(solution, number),
            **({"taken": solution.taken(number)} if stage.by_turn else {}),
            **({"closed": True} if number in solution.ceilings else {}),
            **({"pending": True} if _is_pending(solution, number) else {}),
            **({"joint": True} if number in solution.joint else {}),
            **({"fair": True} if number in solution.fair else {}),
            **({"path": True} if number in solution.latest else {}),
            **({"sharing": True} if number in solution.sharing else {}),
        }
        for number, stage in enumerate(solution.compiled.stages)
    ]
    more = {**_skips(solution), **_mispaired(solution), **_idle_limits(solution)}
    return claims_of(solution.given, result, stages, _synchronizers(solution, result), more)


def _is_pending(solution: Solution, number: int) -> bool:
    """Whether the window of a stage from an arrival may be needed."""
    return number in solution.pendings or number in solution.of_messages


def claims_of(
    system: System,
    result: Result,
    stages: list[dict[str, Any]],
    synchronizers: dict[str, Any],
    more: dict[str, Any],
) -> dict[str, Any]:
    """The certificate of a result, with what is claimed of stages, of synchronizers, and what the
    result does not say."""
    document = to_document(system)
    return {
        "ddsrta_certificate": VERSION,
        "profile": "busy-window",
        "system": document,
        "digest": digest(document),
        "stages": stages,
        "messages": [
            {
                "publisher": message.publisher,
                "topic": message.topic,
                "subscriber": message.subscriber,
                "ddl": _plain(message.ddl),
                "sent": _plain(message.sent),
            }
            for message in result.messages
        ],
        "chains": {name: _chain(chain) for name, chain in result.chains.items()},
        **_judged(result),
        "hops": {name: _hops(chain) for name, chain in result.chains.items()},
        "queues": {
            name: {"backlog": queue.backlog, "streams": dict(queue.streams)}
            for name, queue in result.queues.items()
        },
        "cores": {
            name: {"utilization": core.utilization if isfinite(core.utilization) else None}
            for name, core in result.cores.items()
        },
        **_links(result),
        "verdict": result.verdict,
        **_orders(result),
        **_callbacks(system, result),
        **synchronizers,
        **_assumptions(result),
        **more,
    }


def _links(result: Result) -> dict[str, Any]:
    """The loads of shared links; nothing where there are none."""
    found = {
        name: {"utilization": link.utilization if isfinite(link.utilization) else None}
        for name, link in result.links.items()
    }
    return {"links": found} if found else {}


def _response(solution: Solution, result: Result, number: int) -> int | None:
    """As the result says it, where it does: of jobs, but for those that wait for several topics."""
    stage = solution.compiled.stages[number]
    kind, name = stage.key[:2]
    if stage.by_turn or kind != "job" or subscriptions(solution.system.threads[name]):
        return solution.response(number)
    found = result.threads.get(name) or result.callbacks.get(name)
    return solution.response(number) if found is None else found.wcrt


def _plain(time: int | None) -> int | None:
    """A number of nanoseconds that prints as one."""
    return None if time is None else int(time)


def _callbacks(system: System, result: Result) -> dict[str, Any]:
    """The responses of those that wait for several topics: the others are stages."""
    found = {
        name: _plain(callback.wcrt)
        for name, callback in result.callbacks.items()
        if subscriptions(system.threads[name])
    }
    return {"callbacks": found} if found else {}


def _synchronizers(solution: Solution, result: Result) -> dict[str, Any]:
    """Nothing where there are none: certificates of other systems stay what they are."""
    if not result.synchronizers:
        return {}
    return {
        "synchronizers": {
            name: {
                **_counting(solution, name),
                "disparity": _plain(sets.disparity),
                "gap": _plain(sets.gap),
                "waits": {topic: _plain(wait) for topic, wait in sets.waits.items()},
                "needed": sets.needed,
                "period": _plain(sets.period),
            }
            for name, sets in result.synchronizers.items()
        }
    }


def _assumptions(result: Result) -> dict[str, Any]:
    rules = {assumption.rule for assumption in result.assumptions}
    return {"assumptions": sorted(rules)} if rules else {}


def _skips(solution: Solution) -> dict[str, Any]:
    """The timers that may leave releases out."""
    return {"skips": sorted(solution.compiled.skips)} if solution.compiled.skips else {}


def _mispaired(solution: Solution) -> dict[str, Any]:
    """The threads whose inputs full queues may shift against each other."""
    found = sorted(solution.compiled.mispaired)
    return {"mispaired": found} if found else {}


def _idle_limits(solution: Solution) -> dict[str, Any]:
    """The flow controllers that never reach their limits."""
    found = sorted(solution.idle_limits)
    return {"idle_limits": found} if found else {}


def _counting(solution: Solution, name: str) -> dict[str, Any]:
    """The topic by whose messages sets are counted, if by one, and how much longer than such a
    message takes to come it may be kept; None: there is no bound. Or that they are of the n-th
    messages (lemma equal-stamps)."""
    number = solution.number(("job", name))
    counted_by = solution.compiled.streams.counted_by(number)
    if counted_by is None:
        equal = solution.compiled.stages[number].has_equal_stamps
        return {"counted_by": None, "allowed": None, **({"equal_stamps": True} if equal else {})}
    topics = topics_of(solution, solution.compiled.stages[number])
    return {
        "counted_by": topics[counted_by],
        "allowed": bounded(solution.added.get(name, 0)),
    }


def _waits(solution: Solution, number: int) -> dict[str, Any]:
    """Where threads wait for locks or limits, the window, and what its units wait for in it, where
    they wait at all (lemma sleeping-window)."""
    system, wait = solution.system, solution.compiled.waits.get(number)
    if system.fastdds is None and not limited(system):
        return {}
    waits = {} if wait is None else {"waits": [bounded(time) for time in wait]}
    return {"window": solution.window(number), **waits}


def _paced(solution: Solution, number: int) -> dict[str, int]:
    """The latency at the pace of the base, where that is less (lemma bursts-once)."""
    latency, paced = solution.latency(number), solution.paced(number)
    return {"paced": paced} if paced is not None and latency is not None and paced < latency else {}


def _chain(chain: ChainResult) -> dict[str, Any]:
    return {
        "path": list(chain.path),
        "latency": _plain(chain.latency),
        "trigger_latency": _plain(chain.trigger_latency),
        "data_age": _plain(chain.data_age),
        "reaction_time": _plain(chain.reaction_time),
    }


def _judged(result: Result) -> dict[str, Any]:
    """What becomes of deadlines; nothing where there are none."""
    found = {
        name: {
            "constraint": chain.constraint,
            "deadline": _plain(chain.deadline),
            "met": bool(chain.met),
            "slack": _plain(chain.slack),
        }
        for name, chain in result.chains.items()
        if chain.deadline is not None
    }
    return {"deadlines": found} if found else {}


def _orders(result: Result) -> dict[str, Any]:
    """What becomes of wanted orders; nothing where there are none."""
    found = {
        name: {
            "met": bool(order.met),
            "possible": {
                origin: [list(one) for one in seen] for origin, seen in order.possible.items()
            },
            "violations": [
                {"origin": v.origin, "first": v.first, "second": v.second, "later": v.later}
                for v in order.violations
            ],
        }
        for name, order in result.orders.items()
    }
    return {"orders": found} if found else {}


def _hops(chain: ChainResult) -> list[dict[str, int | None]]:
    return [
        {"response": _plain(hop.response), "latency": _plain(hop.latency)} for hop in chain.hops
    ]
