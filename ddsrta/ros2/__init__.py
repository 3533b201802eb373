"""What rclcpp does: the kinds of executors, by their names in system.yaml.

Grammar, reference, validation, analysis, findings, simulation and campaigns read this list. A kind
is one object in a file of its own, of its name, which is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ddsrta.ros2.entities import Described
    from ddsrta.ros2.kind import Kind

_NAMES = (
    "single_threaded",
    "multi_threaded",
    "events",
    "events_cbg",
    "static",
    "fixed_priority",
    "rclc",
)


@cache
def _kind(name: str) -> Kind:
    if name not in _NAMES:
        raise KeyError(name)
    kind: Kind = import_module(f"{__name__}.{name}").KIND
    return kind


class _Kinds(Mapping[str, "Kind"]):
    """By name."""

    def __getitem__(self, name: str) -> Kind:
        return _kind(name)

    def __contains__(self, name: object) -> bool:
        return name in _NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)


KINDS: Mapping[str, Kind] = _Kinds()


def kind_of(executor: Described) -> Kind:
    """What an executor is."""
    return _kind(executor.kind)
