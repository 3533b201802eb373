"""A system as plain JSON data, complete and canonical, and the digest that identifies it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from ddsrta.base.records import stored
from ddsrta.models.executors import Executor
from ddsrta.models.system import (
    System,
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
        "flow_controllers": stored(system.flow_controllers),
        "listeners": stored(system.listeners),
        "executors": {k: _executor(v, system) for k, v in system.executors.items()},
        "processes": stored(system.processes),
        "threads": stored(system.threads),
        **({"middleware": stored(system.fastdds)} if system.fastdds else {}),
        "chains": stored(system.chains),
        **({"orders": stored(system.orders)} if system.orders else {}),
        **({"media": stored(system.media)} if system.media else {}),
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


def _executor(executor: Executor, system: System) -> Document:
    """The order of its callbacks counts, and that of the keys of a mapping is not covered by the
    digest."""
    callbacks = [t.name for t in system.threads.values() if t.executor == executor.name]
    return {**stored(executor), "callbacks": callbacks, **_pool(executor, system)}


def _pool(executor: Executor, system: System) -> Document:
    """Nothing for executors on one core; else its cores, how many threads move between them if any
    do, and the group of each callback, null where it is reentrant."""
    if not executor.is_pool:
        return {}
    from ddsrta.models.groups import group_of

    callbacks = (t for t in system.threads.values() if t.executor == executor.name)
    threads = {"threads": executor.threads} if executor.moves else {}
    groups = {t.name: group_of(t) for t in callbacks}
    return {"cores": list(executor.cores), **threads, "groups": groups}
