"""The JSON form of a simulation: the keys of a result, with observations in place of bounds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ddsrta.report.json import check_dict
from ddsrta.simulation.simulation import (
    FIGURES,
    ChainSeen,
    MessageSeen,
    Observation,
    Simulation,
    ThreadSeen,
)

FORMAT = 1


def simulation_json(simulation: Simulation) -> str:
    """The text of the document, escaped to ASCII."""
    return json.dumps(simulation_dict(simulation), indent=2, allow_nan=False) + "\n"


def simulation_dict(simulation: Simulation) -> dict[str, Any]:
    """Times in integer nanoseconds."""
    return {
        "ddsrta": FORMAT,
        "system": simulation.system,
        "profile": simulation.profile,
        "choices": simulation.choices,
        "seed": simulation.seed,
        "seeds": simulation.seeds,
        "finished": simulation.finished,
        "interrupted": simulation.interrupted,
        "limited": simulation.limited,
        "most_events": simulation.most_events,
        "horizon": int(simulation.horizon),
        "simulated": int(simulation.simulated),
        "events": simulation.events,
        "delivered": simulation.delivered,
        "violations": [violation._asdict() for violation in simulation.violations],
        "threads": _jobs(simulation.threads),
        "callbacks": _jobs(simulation.callbacks),
        "messages": [_message(message) for message in simulation.messages],
        "chains": {name: _chain(chain) for name, chain in simulation.chains.items()},
        "queues": {
            name: {
                "backlog": _seen(queue.backlog),
                "capacity": queue.capacity,
                "streams": {stream: _seen(part) for stream, part in queue.streams.items()},
            }
            for name, queue in simulation.queues.items()
        },
        "synchronizers": {
            name: {
                "disparity": _seen(sets.disparity),
                "waits": {topic: _seen(wait) for topic, wait in sets.waits.items()},
                "gap": _seen(sets.gap),
            }
            for name, sets in simulation.synchronizers.items()
        },
        "check": check_dict(simulation.analysis.check),
    }


def _jobs(jobs: Mapping[str, ThreadSeen]) -> dict[str, Any]:
    return {name: {"response": _seen(job.response)} for name, job in jobs.items()}


def _seen(seen: Observation | None) -> dict[str, Any] | None:
    if seen is None:
        return None
    return {
        "max": _number(seen.max),
        "seed": seen.seed,
        "count": seen.count,
        "p50": _number(seen.p50),
        "p99": _number(seen.p99),
        "p999": _number(seen.p999),
        "bound": _number(seen.bound),
        "histogram": [list(entry) for entry in seen.histogram],
    }


def _number(value: int | None) -> int | None:
    """A duration is an integer that prints differently."""
    return None if value is None else int(value)


def _message(message: MessageSeen) -> dict[str, Any]:
    return {
        "publisher": message.publisher,
        "topic": message.topic,
        "subscriber": message.subscriber,
        "mode": message.mode,
        "ddl": _seen(message.ddl),
        "flow_controller": _seen(message.flow_controller),
        "listener": _seen(message.listener),
    }


def _chain(chain: ChainSeen) -> dict[str, Any]:
    return {
        "path": list(chain.path),
        **{figure: _seen(getattr(chain, figure)) for figure in FIGURES},
        "constraint": chain.constraint,
        "deadline": _number(chain.deadline),
    }
