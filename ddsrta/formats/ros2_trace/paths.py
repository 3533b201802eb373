"""Paths of messages through callbacks, as far as publications were observed."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.formats.ros2_trace.observed import ObservedCallback

_MOST_STEPS = 20_000


def longest_paths(
    callbacks: dict[str, ObservedCallback], most: int, first: Sequence[str] = ()
) -> tuple[list[list[str]], bool]:
    """The longest paths (callbacks and topics by turns) and whether some were cut off.

    A path begins with a callback that none of the others releases, or within a cycle, if need be
    with its `first` callback, and ends where nothing more is published or it would meet itself.

    >>> from ddsrta.formats.ros2_trace.observed import ObservedPublication
    >>> sent = (ObservedPublication("t", 1, 1),)
    >>> tick = ObservedCallback("tick", "n", 1, "timer", publishes=sent)
    >>> read = ObservedCallback("read", "n", 1, "subscription", topic="t")
    >>> longest_paths({"tick": tick, "read": read}, 10)
    ([['tick', 't', 'read']], False)
    """
    readers: dict[str, list[str]] = {}
    for one in callbacks.values():
        if one.kind == "subscription" and one.topic:
            readers.setdefault(one.topic, []).append(one.name)
    after = {
        one.name: [
            (publication.topic, reader)
            for publication in one.publishes
            for reader in readers.get(publication.topic, [])
        ]
        for one in callbacks.values()
    }
    released = {reader for steps in after.values() for _, reader in steps}
    starts = [name for name in callbacks if name not in released]
    met: set[str] = set()
    found: list[list[str]] = []
    steps = 0
    for start in [*starts, *(name for name in first if name in callbacks), *callbacks]:
        if start in met:
            continue
        ahead = [[start]]
        while ahead and steps < _MOST_STEPS:
            steps += 1
            path = ahead.pop()
            met.add(path[-1])
            going = [step for step in after[path[-1]] if step[1] not in path]
            ahead += [[*path, *step] for step in reversed(going)]
            if not going:
                found.append(path)
    found.sort(key=len, reverse=True)
    return found[:most], len(found) > most or steps >= _MOST_STEPS
