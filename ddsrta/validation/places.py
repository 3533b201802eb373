"""Where the threads of a system stand in its chains."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.models.system import System

Place = tuple[str, int]  # a chain, and the number of a thread on its path


class Places(NamedTuple):
    """The places of each thread; before each place of a chain the thread and the topic that lead
    to it (None: it follows that thread); the last place of each chain."""

    of: dict[str, list[Place]]
    links: dict[str, list[tuple[str, str | None]]]
    last: dict[str, int]


def places_of(system: System, chains: dict[str, tuple[str, ...]]) -> Places:
    """The places on the paths of some chains.

    >>> from ddsrta.examples import two_threads
    >>> places = places_of(two_threads(), {"loop": ("sensor", "speed", "control")})
    >>> places.of, places.links["loop"][1]
    ({'sensor': [('loop', 0)], 'control': [('loop', 1)]}, ('sensor', 'speed'))
    """
    places = Places({}, {}, {})
    for chain, path in chains.items():
        thread, topic = path[0], ""
        links: list[tuple[str, str | None]] = [("", None)]
        places.of.setdefault(thread, []).append((chain, 0))
        for name in path[1:]:
            if not topic and _publishes(system, thread, name):
                topic = name
                continue
            places.of.setdefault(name, []).append((chain, len(links)))
            links.append((thread, topic or None))
            thread, topic = name, ""
        places.links[chain] = links
        places.last[chain] = len(links) - 1
    return places


def _publishes(system: System, thread: str, name: str) -> bool:
    found = system.threads.get(thread)
    return found is not None and any(p.topic == name for p in found.publishes)
