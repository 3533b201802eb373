"""How settings of Fast DDS threads become cores and priorities, and what is left of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ddsrta.formats.draft import Mapping, Value, guessed
from ddsrta.formats.fastdds_values import (
    BACKGROUND,
    DEFAULT_CONTROLLER,
    Endpoint,
    FlowController,
    Profiles,
    ThreadSettings,
)

_NUMBERED = re.compile(r"(?:\D*)(\d+)")
_NO_PRIORITY = "no SCHED_FIFO priority in the file; 1 is the nearest to SCHED_OTHER"


def core_of(thread: ThreadSettings | None, machine: str, cores: Sequence[str]) -> str | None:
    """The path of the core that a thread is pinned to, if one of the machine's has its number.

    >>> from ddsrta.base.diagnostics import Position
    >>> settings = ThreadSettings(Position("a.xml", 1, 1), affinity=2)
    >>> core_of(settings, "ecu", ["c0", "c1"]), core_of(settings, "ecu", ["left", "right"])
    ('ecu/c1', None)
    """
    if thread is None or thread.cpu is None:
        return None
    found = [c for c in cores if (n := _NUMBERED.fullmatch(c)) and int(n[1]) == thread.cpu]
    return f"{machine}/{found[0]}" if len(found) == 1 else None


def scheduling(thread: ThreadSettings | None, core: str | None, otherwise: str) -> Mapping:
    """Core and priority of a thread, guessed where the file does not tell them."""
    priority = None if thread is None else thread.priority
    return {
        "core": core or guessed(otherwise, _why(thread)),
        "priority": priority or guessed(BACKGROUND, _NO_PRIORITY),
    }


def _why(thread: ThreadSettings | None) -> str:
    """Why a core is guessed."""
    if thread is None or not thread.affinity:
        return "not in the file"
    if thread.cpu is None:
        return f"the file allows for several CPUs ({thread.affinity:#x})"
    return f"no core can be told by CPU {thread.cpu} of the file"


def controller_entry(controller: FlowController, core: str | None, otherwise: str) -> Mapping:
    """A flow controller as system.yaml has it."""
    entry = scheduling(controller.thread, core, otherwise)
    entry["policy"] = controller.scheduler
    if controller.limit is not None:
        entry["limit"] = dict(zip(("bytes", "period"), controller.limit, strict=True))
    return entry


def losses(controller: FlowController, core: str | None) -> list[str]:
    """What of a flow controller has no place."""
    what = f"flow controller {controller.name!r}"
    found = []
    if controller.thread is not None:
        found += thread_losses(what, controller.thread, core)
    return found


def thread_losses(what: str, thread: ThreadSettings, core: str | None) -> list[str]:
    """What of a thread's settings has no place."""
    found = [f"{text} of {what}" for text in [thread.unplaced()] if text]
    if thread.cpu is not None and core is None:
        found.append(f"affinity of {what} to CPU {thread.cpu}: no core can be told by this number")
    return found


def controller_named(profiles: Profiles, writer: Endpoint) -> FlowController:
    """The flow controller of an asynchronous writer: its own or the built-in one."""
    name = writer.controller or DEFAULT_CONTROLLER
    for controller in profiles.controllers:
        if controller.name == name:
            return controller
    return FlowController(name, writer.position, thread=profiles.async_thread)


def unknown_controller(profiles: Profiles, writer: Endpoint) -> str:
    """What to say of a writer whose flow controller no participant has; empty if one has."""
    name = writer.controller
    if not name or name == DEFAULT_CONTROLLER or any(c.name == name for c in profiles.controllers):
        return ""
    return f"the policy of flow controller {name!r} of profile {writer.profile!r}: not in the file"


def writer_losses(profiles: Profiles, writer: Endpoint) -> list[str]:
    """What of a writer's profile has no place."""
    found = []
    if text := unknown_controller(profiles, writer):
        found.append(text)
    if writer.mode == "sync" and writer.controller:
        found.append(
            f"flow controller {writer.controller!r} of the synchronous profile "
            f"{writer.profile!r}: Fast DDS refuses this"
        )
    if writer.reservation and not controller_named(profiles, writer).reserves(writer):
        found.append(
            f"fastdds.sfc.bandwidth_reservation of profile {writer.profile!r}: it has no effect"
        )
    return found


def reader_losses(reader: Endpoint) -> list[str]:
    """What of a reader's profile has no place."""
    if reader.thread is None:
        return []
    return [f"the thread of profile {reader.profile!r} that listens to data sharing"]


def policy_value(profiles: Profiles, writer: Endpoint | None, policy: str) -> Value:
    """The policy of a flow controller, guessed where no participant describes it."""
    if writer is not None and unknown_controller(profiles, writer):
        return guessed(policy, "no participant of the file describes it")
    return policy


def half_history(profiles: Profiles, topic: str, known: int | None) -> str:
    """Why the depth that profiles tell is not that of a topic; empty if it is, or is less than what
    is `known` already."""
    depth, silent = profiles.depth_of(topic), profiles.silent_end(topic)
    if depth is None or silent is None or (known is not None and depth < known):
        return ""
    return (
        f"a history of {depth} of topic {topic!r}: no profile tells that of its {silent}, which "
        "may be less (Fast DDS: 1; ROS 2: what the program asks)"
    )
