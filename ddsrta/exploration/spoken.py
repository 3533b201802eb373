"""Places of a file in the words of its user: `sensor: publishes 1 count`."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.base.shapes import singular
from ddsrta.base.yaml_changes import Step

_PLAIN = ("threads", "callbacks")  # a name alone says which is meant


def thing(path: Sequence[Step]) -> str:
    """What the first two steps of a path lead to.

    >>> thing(("threads", "sensor")), thing(("listeners", "L", "core")), thing(("network", 0))
    ('sensor', 'listener L', 'network 1')
    """
    section, name = str(path[0]), path[1]
    if isinstance(name, int):
        return f"{section} {name + 1}"
    return name if section in _PLAIN else f"{singular(section)} {name}"


def keys(path: Sequence[Step]) -> str:
    """The way from there: people count from 1.

    >>> keys(("publishes", 0, "count"))
    'publishes 1 count'
    """
    return " ".join(str(step + 1) if isinstance(step, int) else step for step in path)


def spoken(path: Sequence[Step]) -> str:
    """All of it.

    >>> spoken(("threads", "sensor", "wcet")), spoken(("name",))
    ('sensor: wcet', 'name')
    """
    if len(path) < 2:
        return keys(path)
    inside = keys(path[2:])
    return f"{thing(path)}: {inside}" if inside else thing(path)
