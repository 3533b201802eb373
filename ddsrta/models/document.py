"""A system as plain JSON data, complete and canonical, and the digest that identifies it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from ddsrta.base.records import stored
from ddsrta.models.arrivals import Arrival, Burst, Periodic, Sporadic
from ddsrta.models.executors import Executor
from ddsrta.models.system import (
    Following,
    Middleware,
    Publication,
    Synchronizer,
    System,
    Thread,
    Topic,
)

Document = dict[str, Any]


def to_document(system: System) -> Document:
    """The system as integers, strings, lists and mappings; all times are in nanoseconds.

    >>> from ddsrta.examples import two_threads
    >>> to_document(two_threads())["topics"]["speed"]
    {'size': 1000, 'priority': 0, 'history': None}
    """
    return {
        "name": system.name,
        "cores": stored(system.cores),
        "links": [stored(link) for _, link in sorted(system.links.items())],
        "delays": stored(system.delays),
        "topics": {name: _topic(system, topic) for name, topic in system.topics.items()},
        "flow_controllers": {k: _middleware(v) for k, v in system.flow_controllers.items()},
        "listeners": {k: _middleware(v) for k, v in system.listeners.items()},
        "executors": {k: _executor(v, system) for k, v in system.executors.items()},
        "processes": {
            name: {"listener": process.listener, "intra_process": process.intra_process}
            for name, process in system.processes.items()
        },
        "threads": {name: _thread(thread) for name, thread in system.threads.items()},
        **({"middleware": stored(system.fastdds)} if system.fastdds else {}),
        "chains": stored(system.chains),
        **({"orders": stored(system.orders)} if system.orders else {}),
        **({"media": _media(system)} if system.media else {}),
    }


def digest(document: Document) -> str:
    """SHA-256 over the canonical JSON of a document: keys sorted, no spaces, ASCII.

    >>> digest({"b": 1, "a": []}) == digest({"a": [], "b": 1})
    True
    """
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _topic(system: System, topic: Topic) -> Document:
    """The order of the file, where it counts, is written out: mappings have none."""
    document: Document = stored(topic)
    if topic.copies != "unknown":
        document["readers"] = [reader.name for reader in system.readers(topic.name)]
    return document


def _middleware(thing: Middleware) -> Document:
    return {
        "core": thing.core,
        "priority": thing.priority,
        "policy": thing.policy,
        "queue": thing.queue,
        "partition": thing.partition,
        "reservation": stored(thing.reservation),
        **({"limit": stored(thing.limit)} if thing.limit else {}),
    }


def _executor(executor: Executor, system: System) -> Document:
    return {
        "core": executor.core,
        "priority": executor.priority,
        "partition": executor.partition,
        "reservation": stored(executor.reservation),
        "kind": executor.kind,
        "order": executor.order,
        "release": executor.release,
        # their order counts, and that of the keys of a mapping is not covered by the digest
        "callbacks": [t.name for t in system.threads.values() if t.executor == executor.name],
        **_pool(executor, system),
    }


def _pool(executor: Executor, system: System) -> Document:
    """Nothing for executors on one core; else its cores, and the group of each callback, null where
    it is reentrant."""
    if not executor.is_pool:
        return {}
    from ddsrta.ros2.callbacks import group_of

    callbacks = (t for t in system.threads.values() if t.executor == executor.name)
    return {"cores": list(executor.cores), "groups": {t.name: group_of(t) for t in callbacks}}


def _thread(thread: Thread) -> Document:
    subscribes, follows = thread.subscribes, thread.follows
    return {
        "core": thread.core,
        "priority": thread.priority,
        "partition": thread.partition,
        "reservation": stored(thread.reservation),
        "wcet": thread.wcet,
        "bcet": thread.bcet,
        "arrival": None if thread.arrival is None else _arrival(thread.arrival),
        "publishes": [_publication(publication) for publication in thread.publishes],
        "subscribes": subscribes
        and {
            "topics": list(subscribes.topics),
            "listener": subscribes.listener,
            "cost": stored(subscribes.cost),
            "take": stored(subscribes.take),
        },
        "follows": follows
        and {
            "threads": list(follows.threads),
            "delay": follows.delay,
            "best": follows.best,
            **_order(follows),
        },
        "activation": thread.activation,
        "process": thread.process,
        "executor": thread.executor,
        "entity": thread.entity,
        "urgency": thread.urgency,
        **_synchronizer(thread.synchronizer),
    }


def _synchronizer(synchronizer: Synchronizer | None) -> Document:
    """Nothing where there is none: documents of other systems stay what they are."""
    if synchronizer is None:
        return {}
    return {"synchronize": {"policy": synchronizer.policy, "queue": synchronizer.queue}}


def _publication(publication: Publication) -> Document:
    return {
        "topic": publication.topic,
        "mode": publication.mode,
        "flow_controller": publication.flow_controller,
        "count": publication.count,
        "cost": stored(publication.cost),
        "earliest": publication.earliest,
        **({"reserved": publication.reserved} if publication.reserved else {}),
        **publication.settings,
    }


def _arrival(arrival: Arrival) -> Document:
    if isinstance(arrival, Periodic):
        offset = {} if arrival.offset is None else {"offset": arrival.offset}
        return {
            "kind": "periodic",
            "period": arrival.period,
            "jitter": arrival.jitter,
            "min_distance": arrival.min_distance,
            **offset,
        }
    if isinstance(arrival, Sporadic):
        return {
            "kind": "sporadic",
            "distance": arrival.distance,
            "jitter": arrival.jitter,
            **_gap(arrival),
        }
    if isinstance(arrival, Burst):
        return {
            "kind": "burst",
            "count": arrival.count,
            "distance": arrival.distance,
            "period": arrival.period,
            **_gap(arrival),
        }
    return {
        "kind": "curve",
        "distances": list(arrival.distances),
        "repeat": arrival.repeat,
        "period": arrival.period,
        "gap": arrival.gap,
    }


def _media(system: System) -> Document:
    return {
        name: {
            "kind": medium.kind,
            **medium.settings,
            "frames": {
                frame.name: {
                    "size": frame.size,
                    medium.rules.priority: frame.priority,
                    "arrival": _arrival(frame.arrival),
                }
                for frame in medium.frames.values()
            },
        }
        for name, medium in system.media.items()
    }


def _order(way: Following) -> Document:
    """Nothing where order is kept: documents of other systems stay what they are."""
    return {} if way.ordered else {"ordered": False}


def _gap(arrival: Sporadic | Burst) -> Document:
    """Nothing where it is not known: documents of other systems stay what they are."""
    return {} if arrival.gap is None else {"gap": arrival.gap}
