"""Drafts a system from Fast DDS profiles alone: who publishes when is for the user to say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ddsrta.base.diagnostics import Position
from ddsrta.formats.draft import Draft, Mapping, Remark, guessed
from ddsrta.formats.fastdds_places import (
    controller_entry,
    controller_named,
    core_of,
    half_history,
    losses,
    policy_value,
    reader_losses,
    scheduling,
    thread_losses,
    writer_losses,
)
from ddsrta.formats.fastdds_values import (
    Endpoint,
    FlowController,
    Profiles,
    Reception,
    topic_told,
)

_MACHINE, _FIRST = "machine", "machine/c0"
_PLACEHOLDER = "not in the file: a placeholder"


def draft_of(profiles: Profiles, paths: Sequence[str]) -> Draft:
    """The draft of all profiles."""
    names = ", ".join(Path(path).name for path in paths)
    draft = Draft(", ".join(Path(path).stem for path in paths)[:100])
    draft.head.append(f"Drafted from Fast DDS profiles, {names}: look at every guess.")
    draft.section("threads")
    _Draft(profiles, draft).fill()
    return draft


class _Draft:
    def __init__(self, profiles: Profiles, draft: Draft) -> None:
        self.profiles = profiles
        self.draft = draft
        threads = [c.thread for c in profiles.controllers]
        threads += [profiles.async_thread, *(r.thread for r in profiles.receptions)]
        cpus = [t.cpu for t in threads if t is not None and t.cpu is not None]
        self.cores = [f"c{number}" for number in range(max(cpus, default=0) + 1)]

    def fill(self) -> None:
        """All sections."""
        draft, profiles = self.draft, self.profiles
        for text in filter(None, (*profiles.left_out, profiles.unplaced_delivery)):
            draft.leave_out(text)
        if profiles.defaults:
            draft.head.append(f"{profiles.defaults}.")
        why = "not in the file; c0 stands for CPU 0, and so on"
        draft.section("machines")[_MACHINE] = guessed({"cores": list(self.cores)}, why)
        for controller in profiles.controllers:
            self.controller(controller, None)
        for writer in profiles.writers:
            self.writer(writer)
        for topic in profiles.topics:
            if topic_told(topic.profile) is not None:
                self.topic(topic.profile)
            else:
                self.untold("topic", topic.profile, topic.position)
        for reader in profiles.readers:
            for text in reader_losses(reader):
                draft.leave_out(text)
        for reception in profiles.receptions:
            self.listener(reception)
        if profiles.writers:
            draft.guess_delays()
        if profiles.readers:
            draft.leave_out("who reads which topic: profiles do not tell")

    def controller(self, controller: FlowController, writer: Endpoint | None) -> None:
        """A flow controller, once."""
        section = self.draft.section("flow_controllers")
        if controller.name in section:
            return
        core = core_of(controller.thread, _MACHINE, self.cores)
        entry = controller_entry(controller, core, _FIRST)
        entry["policy"] = policy_value(self.profiles, writer, controller.scheduler)
        section[controller.name] = entry
        for text in losses(controller, core):
            self.draft.leave_out(text)

    def writer(self, writer: Endpoint) -> None:
        """A topic, and a thread that stands for whoever publishes on it."""
        for text in writer_losses(self.profiles, writer):
            self.draft.leave_out(text)
        name = writer.told_topic
        if name is None:
            self.untold("writer", writer.profile, writer.position)
            return
        topic = self.topic(name)
        if writer.priority is not None:
            before = topic.setdefault("priority", writer.priority)
            if before != writer.priority:
                why = f"topic {name!r} has {before} already; give each a topic of its own"
                self.draft.leave_out(f"priority {writer.priority} of {writer.profile!r}: {why}")
        publication: Mapping = {"topic": name, "mode": writer.mode or "sync"}
        if writer.mode == "async":
            controller = controller_named(self.profiles, writer)
            self.controller(controller, writer)
            publication["flow_controller"] = controller.name
            if controller.reserves(writer):
                publication["reservation"] = f"{writer.reservation} %"
        why = "a stand-in for whoever uses the profile"
        unsaid = writer.mode is None
        self.draft.section("threads")[f"writer of {writer.profile}"[:200]] = {
            "core": guessed(_FIRST, why),
            "priority": guessed(50, why),
            "wcet": guessed("1ms", why),
            "period": guessed("100ms", why),
            "publishes": [
                guessed(publication, "mode: the default of Fast DDS") if unsaid else publication
            ],
        }

    def untold(self, kind: str, profile: str, position: Position) -> None:
        """Say which topic has to be named, instead of making one up."""
        place = f"{Path(position.file).name}:{position.line}:{position.column}"
        self.draft.leave_out(
            f"{kind} profile {profile!r} ({place}): the file names no topic for it; name the "
            "profile after its topic, as '/speed', or put the profiles into a system (--into)"
        )

    def topic(self, name: str) -> Mapping:
        """A topic, once."""
        section = self.draft.section("topics")
        entry = section.setdefault(name, {"size": guessed("1kB", _PLACEHOLDER)})
        entry = entry.value if isinstance(entry, Remark) else entry
        assert isinstance(entry, dict)
        if text := half_history(self.profiles, name, None):
            self.draft.leave_out(text)
        elif (depth := self.profiles.depth_of(name)) is not None:
            entry["history"] = min(depth, 1_000_000)
        return entry

    def listener(self, reception: Reception) -> None:
        """A thread that receives, for each setting of such threads."""
        port = f" port {reception.port}" if reception.port is not None else ""
        name = f"{reception.transport}{port} listener"[-200:]
        core = core_of(reception.thread, _MACHINE, self.cores)
        self.draft.section("listeners")[name] = scheduling(reception.thread, core, _FIRST)
        for text in thread_losses(repr(name), reception.thread, core):
            self.draft.leave_out(text)
