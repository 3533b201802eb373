"""Kinds of links between machines, by their names in system.yaml: each is one object in a file.

Grammar, reference, analysis, simulation and campaigns read this list.
"""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.policies.links.can import Can
from ddsrta.policies.links.can_fd import CanFd
from ddsrta.policies.links.ethernet import Ethernet
from ddsrta.policies.links.kind import LinkKind

_ALL: tuple[LinkKind, ...] = (Can(), CanFd(), Ethernet())
LINKS: Mapping[str, LinkKind] = {kind.name: kind for kind in _ALL}
PRIORITIES = {kind.priority: kind.priority_key for kind in _ALL}
KEYS = {name: key for kind in _ALL for name, key in kind.keys.items()}
