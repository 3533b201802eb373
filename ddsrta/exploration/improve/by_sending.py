"""Moves of publications: who sends, through which controller, by which policy, in which order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ddsrta.base.yaml_changes import Step
from ddsrta.base.yaml_tree import Node
from ddsrta.exploration.edits import Edit
from ddsrta.exploration.improve.move import Move, Thing, View
from ddsrta.models.messages import Publication
from ddsrta.models.system import Thread
from ddsrta.policies import POLICIES


def sending(view: View) -> Iterator[Move]:
    """A publication is sent by the job itself, or by a flow controller of its machine."""
    for place, thread, number, publication in _publications(view):
        path: tuple[Step, ...] = (*place, "publishes", number)
        if publication.flow_controller:
            edits = [Edit((*path, "flow_controller"), None)]
            if view.text(*path, "mode") is not None:
                edits = [Edit((*path, "mode"), "sync"), *edits]
            yield Move(
                "sending", (*edits, *_own_delay(view, path)), about=_about(place, publication)
            )
            continue
        for name in _controllers(view, thread):
            edits = [Edit((*path, "flow_controller"), name)]
            if view.text(*path, "mode") is not None:
                edits = [Edit((*path, "mode"), "async"), *edits]
            about = (*_about(place, publication), ("flow_controllers", name))
            yield Move("sending", (*edits, *_own_delay(view, path)), about=about)


def controllers(view: View) -> Iterator[Move]:
    """Another flow controller of the machine."""
    for place, thread, number, publication in _publications(view):
        for name in _controllers(view, thread) if publication.flow_controller else ():
            if name != publication.flow_controller:
                edit = Edit((*place, "publishes", number, "flow_controller"), name)
                about = (*_about(place, publication), ("flow_controllers", name))
                yield Move("controllers", (edit,), about=about)


def policies(view: View) -> Iterator[Move]:
    """Another policy of a flow controller, of those of Fast DDS that need nothing else."""
    for name, controller in view.system.flow_controllers.items():
        for policy in POLICIES.values():
            if policy.name != controller.policy and policy.published:
                edit = Edit(("flow_controllers", name, "policy"), policy.name)
                yield Move("policies", (edit,), about=(("flow_controllers", name),))


def order(view: View) -> Iterator[Move]:
    """One publication of a job earlier."""
    for place, thread in view.senders():
        path = (*place, "publishes")
        found = view.node(path)
        items = [plain(item) for item in found.value] if found and _is_list(found) else []
        if any(isinstance(item, dict) and "one_of" in item for item in items):
            continue  # alternatives stand together
        for old in range(1, len(items)):
            for new in range(old):
                rest = [*items[:old], *items[old + 1 :]]
                value = [*rest[:new], items[old], *rest[new:]]
                if value != items:
                    about = _about(place, thread.publishes[old])
                    yield Move("order", (Edit(path, value),), about=about)


def plain(node: Any) -> Any:
    """What a node says, as the value of an edit."""
    if isinstance(node.value, dict):
        return {key: plain(entry.node) for key, entry in node.value.items()}
    if isinstance(node.value, list):
        return [plain(item) for item in node.value]
    return node.value


def _is_list(node: Node) -> bool:
    return isinstance(node.value, list)


def _publications(view: View) -> Iterator[tuple[Thing, Thread, int, Publication]]:
    """Those that the file lists one by one, and that no policy has settings for."""
    for place, thread in view.senders():
        for number, publication in enumerate(thread.publishes):
            found = view.node((*place, "publishes", number))
            is_plain = not publication.settings and not publication.reserved
            if found is not None and isinstance(found.value, dict) and is_plain:
                yield place, thread, number, publication


def _controllers(view: View, thread: Thread) -> list[str]:
    system = view.system
    machine = system.machine_of(thread.core)
    return [
        name
        for name, each in system.flow_controllers.items()
        if system.machine_of(each.core) == machine
    ]


def _own_delay(view: View, path: tuple[Any, ...]) -> tuple[Edit, ...]:
    """Its own δ is that of the thread that sends: for another one the table counts."""
    return (Edit((*path, "delay"), None),) if view.node((*path, "delay")) is not None else ()


def _about(place: Thing, publication: Publication) -> tuple[Thing, ...]:
    sent = (
        (("flow_controllers", publication.flow_controller),) if publication.flow_controller else ()
    )
    return (place, ("topics", publication.topic), *sent)
