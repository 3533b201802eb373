"""Nodes of ROS 2: callbacks that have something in common.

A callback 'scan' of node 'lidar' is 'lidar.scan' wherever it is named. As in rclcpp, callbacks of a
node that name no group are in one mutually exclusive group, which is the node's alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from ddsrta.base.records import again, key, record, shape_of
from ddsrta.base.shapes import Reference
from ddsrta.base.structures import Contradiction, MapOf
from ddsrta.models.callbacks import CallbackDeclaration
from ddsrta.models.supplies import PART
from ddsrta.models.threads import JOINED


@record("callback of a node", kw_only=True, hints=shape_of(CallbackDeclaration).hints)
class OwnCallback(CallbackDeclaration):
    """A callback in the words of its node: what it does not say, the node says."""

    executor: str = again(
        CallbackDeclaration,
        "executor",
        default="",
        required=False,
        meaning="the executor that runs it (that of the node, if missing)",
    )
    group: str | None = again(
        CallbackDeclaration,
        "group",
        meaning="its mutually exclusive callback group, one of this node; if missing, that of all "
        "callbacks of the node that name none",
    )


@record("node", hints={"timer": "it belongs to one of its 'callbacks'"})
class Node:
    """What callbacks of a node have in common."""

    name: str
    executor: str = key(
        Reference(("executors",)), "the executor of those that name none", default=""
    )
    listener: str = key(
        Reference(("listeners",)),
        "the thread that receives for those that name none (that of the process, if missing)",
        default="",
    )
    callbacks: Mapping[str, OwnCallback] = key(
        MapOf(shape_of(OwnCallback), name=PART),
        "its callbacks, in the order in which they are registered: `scan` of node `lidar` is "
        "`lidar.scan` elsewhere",
        default_factory=dict,
        required=True,
    )

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """Each callback runs somewhere."""
        for own in self.callbacks.values():
            if not (own.executor or self.executor):
                advice = "give the node an executor, or this callback"
                yield Contradiction(("callbacks", own.name), "'executor' is missing", advice)

    def declared(self) -> dict[str, CallbackDeclaration]:
        """Its callbacks, as if each stood alone."""
        found = {}
        for own in self.callbacks.values():
            said: dict[str, Any] = {each.name: getattr(own, each.name) for each in fields(own)}
            for way in ("subscribes", "serves", "receives"):
                if (reads := said[way]) is not None and not reads.listener:
                    said[way] = replace(reads, listener=self.listener)
            said["name"] = f"{self.name}{JOINED}{own.name}"
            said["executor"] = own.executor or self.executor
            said["group"] = f"{self.name}/{own.group}" if own.group else self.name
            found[said["name"]] = CallbackDeclaration(**said)
        return found
