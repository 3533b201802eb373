"""What nodes have and no trace shows: callbacks of clients, of actions, and of some readers."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import shown
from ddsrta.formats.ros2_trace.entities import Endpoint
from ddsrta.formats.ros2_trace.inventory import Inventory

_ACTION = "/_action/"
_SPOKEN = {"client": "client of {}", "service": "service {}", "subscription": "reader of {}"}
_MOST = 10  # that are named


def unseen(inventory: Inventory) -> Iterator[str]:
    """A note on readers, services and clients of which the trace names no callback."""
    seen = {callback.endpoint for callback in inventory.all_callbacks}
    found = [one for one in inventory.all_endpoints if one.kind in _SPOKEN and one not in seen]
    names = list(dict.fromkeys(_spoken(one) for one in found))
    if names:
        rest = len(names) - _MOST
        told = ", ".join(names[:_MOST]) + (f", and {rest} more" if rest > 0 else "")
        yield (
            f"the trace names no callback of {told}: rclcpp traces none of clients, actions and "
            "generic subscriptions, rclpy none at all. What they run, publish and call is missing "
            "in the bounds: write it as callbacks or 'background'"
        )


def _spoken(one: Endpoint) -> str:
    """What it is; of an action, whose parts are many, the action."""
    topic = one.topic or "?"
    action, part, _ = topic.partition(_ACTION)
    if part:
        told = f"action {'server' if one.kind == 'service' else 'client'} {action}"
    else:
        told = _SPOKEN[one.kind].format(topic)
    owner = f" (node {one.node.name})" if one.node and one.node.name else ""
    return shown(told + owner, 120)
