"""The reference of the kinds of executors, as `python -m ddsrta.ros2.reference` prints it: what the
file of each says, and why its bound holds."""

from __future__ import annotations

import sys
from typing import NamedTuple, get_args

from ddsrta.ros2 import KINDS
from ddsrta.ros2.entities import Release, TurnOrder
from ddsrta.ros2.kind import Kind

_HEAD = """# Kinds of executors

<!-- Written by `python -m ddsrta.ros2.reference`; change the file of the kind. -->

A kind says which callback an executor serves next. z is a callback in question. What rclcpp does,
and where that was read: [ROS 2 executors](../ros2.md); the relations:
[definition `executor-relations`](../theory/12-executors.md#definition-executor-relations).
"""


class _Any(NamedTuple):
    """An executor of which nothing but its release is known."""

    kind: str
    release: Release | None
    order: TurnOrder = "unknown"
    is_pool: bool = False


def reference() -> str:
    """The whole page.

    >>> reference().splitlines()[0]
    '# Kinds of executors'
    """
    return _HEAD + "".join(map(_section, KINDS.values()))


def _section(kind: Kind) -> str:
    missing = len(kind.releases) < len(get_args(Release))
    notes = {
        f"rclcpp{' of ' * missing}{', '.join(kind.releases * missing)} has it": kind.of_rclcpp,
        "rclcpp does not have it": not kind.of_rclcpp,
        "may have several threads": kind.several_threads,
        "callbacks have a `priority`": kind.by_priority,
        "a thread of its own watches the timers": kind.timers_thread,
        "may publish where Fast DDS has locks": kind.takes_locks,
        "messages within its process may need no middleware": kind.intra_process,
        "known to the published analysis": kind.published,
    }
    services = kind.service(_Any(kind.name, "humble")), kind.service(_Any(kind.name, None))
    takes = dict.fromkeys(f"takes callbacks {service.takes}" for service in services)
    known = "".join(f"- {text}\n" for text in takes)
    known += "- " + ", ".join(text for text, holds in notes.items() if holds) + "\n"
    said = (sys.modules[type(kind).__module__].__doc__ or "").strip()
    said = said.removeprefix(f"{kind.name}: ")
    return f"\n## {kind.name}\n\n{said[0].upper()}{said[1:]}\n\n{known}"


if __name__ == "__main__":
    sys.stdout.write(reference())
