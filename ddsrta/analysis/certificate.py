"""What an independent checker needs to confirm a result: the system, and every claimed number."""

from __future__ import annotations

from typing import Any

from ddsrta.analysis.paths import named_paths
from ddsrta.analysis.present import chain_result, message_results
from ddsrta.analysis.solve import Solution, solve
from ddsrta.models.diagnostics import Diagnostic, InputError
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
    for thread in solution.system.threads.values():
        if thread.synchronizer is not None:
            where = solution.system.where("threads", thread.name, "subscribes", "synchronize")
            message = "the independent checker knows no synchronizers yet"
            raise InputError([Diagnostic(where, message, "leave out --certificate")])
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
    }


def _chain(solution: Solution, path: Any) -> dict[str, Any]:
    result = chain_result(solution, path)
    return {
        "path": list(result.path),
        "latency": result.latency,
        "data_latency": result.data_latency,
        "data_age": result.data_age,
        "reaction_time": result.reaction_time,
    }
