"""What an independent checker needs to confirm a result: the system, and every claimed number."""

from __future__ import annotations

from typing import Any

from ddsrta.analysis.assumptions import assumptions
from ddsrta.analysis.paths import named_paths
from ddsrta.analysis.present import chain_result, message_results
from ddsrta.analysis.solve import Solution, bounded, solve
from ddsrta.analysis.streams import UNCOUNTED
from ddsrta.analysis.synchronizers.found import topics_of
from ddsrta.analysis.synchronizers.present import synchronizer_results
from ddsrta.analysis.turns import callback_response, subscriptions
from ddsrta.models.document import digest, to_document
from ddsrta.models.system import System

VERSION = 1


def certificate(system: System) -> dict[str, Any]:
    """The certificate of the busy-window bounds of a system.

    >>> from ddsrta.examples import two_threads
    >>> certificate(two_threads())["stages"][0]["response"]
    1000000
    """
    return claims(solve(system))


def claims(solution: Solution) -> dict[str, Any]:
    """The certificate of a solved system."""
    document = to_document(solution.system)
    paths, _ = named_paths(solution.system)
    return {
        "ddsrta_certificate": VERSION,
        "profile": "busy-window",
        "system": document,
        "digest": digest(document),
        "stages": [
            {
                "stage": list(stage.key),
                "response": solution.response(number),
                "latency": solution.latency(number),
                "window": solution.window(number),
                **_waits(solution, number),
            }
            for number, stage in enumerate(solution.compiled.stages)
        ],
        "messages": [
            {
                "publisher": message.publisher,
                "topic": message.topic,
                "subscriber": message.subscriber,
                "ddl": message.ddl,
                "sent": message.sent,
            }
            for message in message_results(solution)
        ],
        "chains": {path.name: _chain(solution, path) for path in paths},
        **_callbacks(solution),
        **_synchronizers(solution),
        **_assumptions(solution),
        **_skips(solution),
    }


def _callbacks(solution: Solution) -> dict[str, Any]:
    """The responses of those that wait for several topics: the others are stages."""
    found = {
        name: callback_response(solution, callback)
        for name, callback in solution.system.threads.items()
        if subscriptions(callback)
    }
    return {"callbacks": found} if found else {}


def _synchronizers(solution: Solution) -> dict[str, Any]:
    """Nothing where there are none: certificates of other systems stay what they are."""
    found = synchronizer_results(solution)
    if not found:
        return {}
    return {
        "synchronizers": {
            name: {
                **_counting(solution, name),
                "disparity": sets.disparity,
                "gap": sets.gap,
                "waits": dict(sets.waits),
            }
            for name, sets in found.items()
        }
    }


def _assumptions(solution: Solution) -> dict[str, Any]:
    rules = {assumption.rule for assumption in assumptions(solution.system)}
    return {"assumptions": sorted(rules)} if rules else {}


def _skips(solution: Solution) -> dict[str, Any]:
    """The timers that may leave releases out."""
    return {"skips": sorted(solution.compiled.skips)} if solution.compiled.skips else {}


def _counting(solution: Solution, name: str) -> dict[str, Any]:
    """The topic by whose messages sets are counted, if by one, and how much longer than such a
    message takes to come it may be kept; None: there is no bound."""
    number = solution.number(("job", name))
    entries = solution.compiled.streams.of[number].entries
    if UNCOUNTED not in entries:
        return {"counted_by": None, "allowed": None}
    topics = topics_of(solution, solution.compiled.stages[number])
    return {
        "counted_by": topics[entries.index(0)],
        "allowed": bounded(solution.added.get(name, 0)),
    }


def _waits(solution: Solution, number: int) -> dict[str, Any]:
    """What its units wait for, where they wait at all (theory 21)."""
    wait = solution.compiled.waits.get(number)
    return {} if wait is None else {"waits": [bounded(time) for time in wait]}


def _chain(solution: Solution, path: Any) -> dict[str, Any]:
    result = chain_result(solution, path)
    return {
        "path": list(result.path),
        "latency": result.latency,
        "trigger_latency": result.trigger_latency,
        "data_age": result.data_age,
        "reaction_time": result.reaction_time,
    }
