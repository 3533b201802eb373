"""Places of a file in the words of its user: `sensor: publishes 1 count`."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.base.shapes import singular
from ddsrta.base.yaml_changes import Step
from ddsrta.models.threads import JOINED

_OWN = 3  # steps to the name of a node's callback
_PLAIN = ("threads", "callbacks")  # a name alone says which is meant


def thing(path: Sequence[Step]) -> str:
    """What the first two steps of a path lead to.

    >>> thing(("threads", "sensor")), thing(("listeners", "L", "core")), thing(("network", 0))
    ('sensor', 'listener L', 'network 1')
    """
    section, name = str(path[0]), path[1]
    if section == "nodes" and len(path) > _OWN:
        return f"{name}{JOINED}{path[3]}"
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
    >>> spoken(("nodes", "eye", "callbacks", "see", "wcet"))
    'eye.see: wcet'
    """
    if len(path) < 2:
        return keys(path)
    inside = keys(path[4 if path[0] == "nodes" and len(path) > _OWN else 2 :])
    return f"{thing(path)}: {inside}" if inside else thing(path)
