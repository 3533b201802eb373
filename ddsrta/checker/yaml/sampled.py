"""What a deadline is for, where a file leaves it open."""

from __future__ import annotations

from typing import Any

Document = dict[str, Any]


def constraint_of(chain: Document, threads: Document, topics: Document) -> str:
    """The data age where something released by time is on the way, else the latency."""
    if chain["ends"] is None:
        on_the_way = _targets(chain["path"], threads, topics)
    else:
        source, target = chain["ends"]
        before: dict[str, set[str]] = {name: set() for name in threads}
        for name, successors in (after := _after(threads)).items():
            for successor in successors:
                before[successor].add(name)
        on_the_way = (_closed(source, after) & _closed(target, before)) - {source}
    sampled = any(threads[one]["arrival"] is not None for one in on_the_way if one in threads)
    return "data_age" if sampled else "latency"


def _targets(path: list[str], threads: Document, topics: Document) -> set[str]:
    """The threads of a path behind its first; a name of both kinds is a topic if it is sent."""
    found, here = set(), 0
    while here + 1 < len(path):
        name = path[here + 1]
        sent = {each["topic"] for each in threads.get(path[here], {"publishes": []})["publishes"]}
        is_topic = name in topics and here + 2 < len(path)
        here += 2 if is_topic and (name not in threads or name in sent) else 1
        found.add(path[here])
    return found


def _after(threads: Document) -> dict[str, set[str]]:
    """Whom each thread's messages and jobs reach."""
    readers: dict[str, set[str]] = {}
    found: dict[str, set[str]] = {name: set() for name in threads}
    for name, one in threads.items():
        for topic in one["subscribes"]["topics"] if one["subscribes"] else ():
            readers.setdefault(topic, set()).add(name)
        for other in one["follows"]["threads"] if one["follows"] else ():
            if other in found:
                found[other].add(name)
    for name, one in threads.items():
        for sent in one["publishes"]:
            found[name] |= readers.get(sent["topic"], set())
    return found


def _closed(start: str, following: dict[str, set[str]]) -> set[str]:
    """All that is reached from somewhere."""
    found, ahead = {start}, [start]
    while ahead:
        for name in following.get(ahead.pop(), set()) - found:
            found.add(name)
            ahead.append(name)
    return found
