"""Puts Fast DDS profiles into a system: modes, flow controllers, priorities, histories, threads.

A profile that is named after a topic (as ROS 2 does) or names it counts more than what the system
says; the default profile counts only where the system is silent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ddsrta.base.diagnostics import InputError
from ddsrta.formats.draft import Mapping, Remark, Value, guessed
from ddsrta.formats.fastdds_places import (
    controller_entry,
    controller_named,
    core_of,
    half_history,
    losses,
    policy_value,
    reader_losses,
    thread_losses,
    writer_losses,
)
from ddsrta.formats.fastdds_values import Endpoint, FlowController, Profiles, ros_name
from ddsrta.formats.yaml_edit import Path, YamlEdit
from ddsrta.models.reader import loads
from ddsrta.models.threads import JOINED


@dataclass
class Merged:
    """The new text of the system, what became of each setting, and whether comments survived."""

    text: str = ""
    keeps_comments: bool = True
    placed: list[str] = field(default_factory=list)
    left_out: dict[str, None] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)  # why it cannot be analysed as it is


def merge(profiles: Profiles, text: bytes, file: str) -> Merged:
    """The system of a text with the profiles put in; raises InputError if the system is wrong."""
    loads(text, file)
    edit, merged = YamlEdit(text.decode("utf-8").removeprefix("\ufeff"), file), Merged()
    _Merge(profiles, edit, merged).run()
    if merged.left_out:
        edit.head([f"left out of the profiles: {text}" for text in merged.left_out])
    merged.text, merged.keeps_comments = edit.text()
    try:
        loads(merged.text, "the merged system")
    except InputError as error:
        merged.problems += [str(diagnostic) for diagnostic in error.diagnostics]
    return merged


@dataclass(frozen=True)
class _Publication:
    path: Path
    owner: str
    topic: str
    core: str


class _Merge:
    def __init__(self, profiles: Profiles, edit: YamlEdit, merged: Merged) -> None:
        self.profiles = profiles
        self.edit = edit
        self.merged = merged
        self.cores = _cores(edit.data)
        self.used: dict[str, dict[str, str]] = {}  # controller → machine → a publisher's core
        self.writers: dict[str, Endpoint] = {}  # who needs a controller

    def run(self) -> None:
        """Everything, in the order of the file."""
        for text in self.profiles.left_out:
            self.leave_out(text)
        publications = list(self.publications())
        self.topics({publication.topic for publication in publications})
        wanted = [(p, self.writer_for(p)) for p in publications]
        for publication, writer in wanted:
            if writer is not None and writer.mode == "async":
                name = controller_named(self.profiles, writer).name
                machine = publication.core.partition("/")[0]
                self.used.setdefault(name, {}).setdefault(machine, publication.core)
                self.writers.setdefault(name, writer)
        for publication, writer in wanted:
            if writer is not None and writer.mode is not None:
                self.publication(publication, writer)
        self.controllers()
        self.listener()
        self.processes()
        self.unused()

    def leave_out(self, text: str) -> None:
        self.merged.left_out[text] = None

    def put(self, path: Path, key: str, value: Value, remark: str = "") -> None:
        """Change a value and tell of it, unless it is the same already."""
        old = self.edit.mapping(path).get(key)
        if old == str(value):
            return
        what = ".".join(str(step) for step in (*path, key))
        was = f" (was {old})" if isinstance(old, str) else ""
        self.merged.placed.append(f"{what}: {value}{was}")
        self.edit.set(path, key, value, remark)

    def section(self, name: str) -> Mapping:
        found = self.edit.data.get(name, {})
        return found if isinstance(found, dict) else {}

    def publications(self) -> Iterator[_Publication]:
        """Everything that threads, callbacks and those of nodes publish."""
        for path, name, entry in self.publishers():
            core = entry.get("core", "")
            if executor := entry.get("executor"):
                place = self.section("executors").get(str(executor), {})
                core = place.get("core", "") if isinstance(place, dict) else ""
            listed = entry.get("publishes", [])
            for number, item in enumerate(listed if isinstance(listed, list) else []):
                assert isinstance(item, dict)
                where: Path = (*path, "publishes", number)
                yield _Publication(where, name, str(item["topic"]), str(core))

    def publishers(self) -> Iterator[tuple[tuple[str, ...], str, Mapping]]:
        """Threads and callbacks: where each stands, its name, and what is said of it."""
        for kind in ("threads", "callbacks"):
            for name, entry in self.section(kind).items():
                assert isinstance(entry, dict)
                yield (kind, name), name, entry
        for node, said in self.section("nodes").items():
            assert isinstance(said, dict) and isinstance(said["callbacks"], dict)
            for own, entry in said["callbacks"].items():
                assert isinstance(entry, dict)
                shared = {"executor": said["executor"]} if "executor" in said else {}
                yield ("nodes", node, "callbacks", own), f"{node}{JOINED}{own}", {**shared, **entry}

    def writer_for(self, publication: _Publication) -> Endpoint | None:
        """The profile that decides on a publication."""
        writer = self.profiles.writer_of(publication.topic)
        if writer is not None:
            return writer
        said = self.edit.mapping(publication.path)
        silent = "mode" not in said and "flow_controller" not in said
        return self.profiles.default_writer if silent else None

    def publication(self, publication: _Publication, writer: Endpoint) -> None:
        """Mode and flow controller of a publication."""
        by_default = self.profiles.writer_of(publication.topic) is None
        remark = f"from the default profile {writer.profile}" if by_default else ""
        if writer.mode == "async":
            controller = controller_named(self.profiles, writer).name
            name = self.name_on(controller, publication.core.partition("/")[0])
            self.put(publication.path, "flow_controller", name, remark)
            if controller_named(self.profiles, writer).reserves(writer):
                self.put(publication.path, "reservation", f"{writer.reservation} %", remark)
        elif "flow_controller" in self.edit.mapping(publication.path):
            self.leave_out(
                f"flow_controller of {publication.owner!r} on {publication.topic!r} has no effect "
                f"any more: profile {writer.profile!r} is synchronous"
            )
        self.put(publication.path, "mode", str(writer.mode), remark)

    def name_on(self, controller: str, machine: str) -> str:
        """Each machine has a thread of its own: the same name where there is only one."""
        if len(self.used[controller]) == 1:
            return controller
        return f"{controller} on {machine}"

    def topics(self, published: set[str]) -> None:
        """Priorities and histories of topics."""
        default = self.profiles.default_writer
        for name, entry in self.section("topics").items():
            path: Path = ("topics", name)
            writer = self.profiles.writer_of(name)
            silent = name in published and isinstance(entry, dict) and "priority" not in entry
            if writer is not None and writer.priority is not None:
                self.put(path, "priority", writer.priority)
            elif writer is None and silent and default and default.priority is not None:
                remark = f"from the default profile {default.profile}"
                self.put(path, "priority", default.priority, remark)
            self.history(name, path)
            if any(history.keep_all for history in self.profiles.histories_of(name)):
                self.leave_out(f"KEEP_ALL of topic {name!r}: system.yaml has no word for it")

    def history(self, name: str, path: Path) -> None:
        """The history of a topic, where each end has one, or it is less than what the file says."""
        said = str(self.edit.mapping(path).get("history", ""))
        if text := half_history(self.profiles, name, int(said) if said.isdecimal() else None):
            self.leave_out(text)
        elif (depth := self.profiles.depth_of(name)) is not None:
            self.put(path, "history", min(depth, 1_000_000))

    def processes(self) -> None:
        """Who does the work of readers within each process."""
        names = self.section("processes")
        for name in names if self.profiles.delivery else ():
            self.put(("processes", name), "intraprocess_delivery", str(self.profiles.delivery))
        if not names and (text := self.profiles.unplaced_delivery):
            self.leave_out(text)

    def controllers(self) -> None:
        """The flow controllers that something uses, or that the system names already."""
        known = self.section("flow_controllers")
        for name, machines in self.used.items():
            controller = controller_named(self.profiles, self.writers[name])
            for machine, core in machines.items():
                self.controller(self.name_on(name, machine), controller, machine, core)
        for controller in self.profiles.controllers:
            entry = known.get(controller.name)
            if controller.name not in self.used and isinstance(entry, dict):
                core = str(entry["core"])
                self.controller(controller.name, controller, core.partition("/")[0], core)

    def controller(
        self, name: str, controller: FlowController, machine: str, publisher: str
    ) -> None:
        """One flow controller: a new one, or what the profile says of one that exists."""
        core = core_of(controller.thread, machine, self.cores.get(machine, []))
        for text in losses(controller, core):
            self.leave_out(text)
        policy = policy_value(
            self.profiles, self.writers.get(controller.name), controller.scheduler
        )
        known = self.section("flow_controllers")
        if name not in known:
            entry = controller_entry(controller, core, publisher)
            if core is None:
                entry["core"] = guessed(publisher, "the core of a thread that publishes")
            entry["policy"] = policy
            self.merged.placed.append(f"flow_controllers.{name}: new, on {core or publisher}")
            self.new("flow_controllers", name, entry)
            return
        path: Path = ("flow_controllers", name)
        if not isinstance(policy, Remark):
            self.put(path, "policy", controller.scheduler)
        if controller.limit is not None:
            size, period = controller.limit
            self.merged.placed.append(f"flow_controllers.{name}.limit: {size} each {period}")
            self.edit.set(path, "limit", {"bytes": size, "period": period})
        self.scheduling(path, controller.thread.priority if controller.thread else None, core)

    def new(self, section: str, name: str, entry: Mapping) -> None:
        if section in self.edit.data:
            self.edit.set((section,), name, entry)
        else:
            self.edit.set((), section, {name: entry})

    def scheduling(self, path: Path, priority: int | None, core: str | None) -> None:
        """Priority and core of a thread that exists."""
        if priority is not None and "reservation" not in self.edit.mapping(path):
            self.put(path, "priority", priority)
        if core is not None:
            self.put(path, "core", core)

    def listener(self) -> None:
        """The threads that receive: placed if the system has one listener and they one setting."""
        listeners = self.section("listeners")
        chosen = self.profiles.reception() if len(listeners) == 1 else None
        for reception in self.profiles.receptions:
            port = f", port {reception.port}" if reception.port is not None else ""
            what = f"the receiving thread of transport {reception.transport!r}{port}"
            thread = reception.thread
            if reception is chosen:
                name, entry = next(iter(listeners.items()))
                assert isinstance(entry, dict)
                machine = str(entry["core"]).partition("/")[0]
                core = core_of(thread, machine, self.cores.get(machine, []))
                self.scheduling(("listeners", name), thread.priority, core)
                for text in thread_losses(f"listener {name!r}", thread, core):
                    self.leave_out(text)
                continue
            told = [f"priority {thread.priority}"] if thread.priority else []
            told += [f"CPU {thread.cpu}"] if thread.cpu is not None else []
            told += [thread.unplaced()] if thread.unplaced() else []
            settings = ", ".join(told)
            why = "serves no listener here" if chosen else "which listener this is cannot be told"
            self.leave_out(f"{what} ({settings}): {why}")

    def unused(self) -> None:
        """Profiles that are for nothing in the system."""
        topics = {ros_name(topic) for topic in self.section("topics")}
        known = self.section("flow_controllers")
        for controller in self.profiles.controllers:
            if controller.name not in self.used and controller.name not in known:
                self.leave_out(f"flow controller {controller.name!r}: no topic here uses it")
        for endpoint in self.profiles.endpoints:
            what = "writer" if endpoint.is_writer else "reader"
            if endpoint.names & topics:
                found = writer_losses(self.profiles, endpoint) if endpoint.is_writer else []
                for text in found + reader_losses(endpoint):
                    self.leave_out(text)
                for topic in self.section("topics") if endpoint.is_writer else ():
                    if passed := self.profiles.passed_over(endpoint, topic):
                        self.leave_out(passed)
            elif not endpoint.is_default:
                self.leave_out(f"{what} profile {endpoint.profile!r}: no topic has its name")
        for own in self.profiles.topics:
            if ros_name(own.profile) not in topics:
                self.leave_out(f"topic profile {own.profile!r}: no topic has its name")


def _cores(data: Mapping) -> dict[str, list[str]]:
    """The names of each machine's cores."""
    machines = data.get("machines", {})
    assert isinstance(machines, dict)
    found = {}
    for machine, entry in machines.items():
        assert isinstance(entry, dict)
        cores = entry["cores"]
        assert isinstance(cores, list | dict)
        found[machine] = [str(core) for core in cores]
    return found
