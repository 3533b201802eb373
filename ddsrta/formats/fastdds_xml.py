"""Reads Fast DDS XML profiles, of any version and with deprecated names, for what matters to time.

`read` drafts a system from profiles alone; `merge` puts them into a system that exists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ddsrta.base.diagnostics import Diagnostic, InputError, Position, did_you_mean, shown
from ddsrta.formats.draft import Draft
from ddsrta.formats.fastdds_defaults import defaults
from ddsrta.formats.fastdds_sweep import unread
from ddsrta.formats.fastdds_values import (
    Endpoint,
    FlowController,
    History,
    Profiles,
    Reception,
    ThreadSettings,
    TopicProfile,
)
from ddsrta.formats.xml_tree import Element, read_xml
from ddsrta.models.executors import DELIVERIES
from ddsrta.policies import POLICIES

SCHEDULERS = tuple(name for name, policy in POLICIES.items() if policy.of_fast_dds)
_MODES = {"SYNCHRONOUS": "sync", "ASYNCHRONOUS": "async"}
_HISTORIES = ("KEEP_LAST", "KEEP_ALL")
_WRITERS, _READERS = ("data_writer", "publisher"), ("data_reader", "subscriber")
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}|0[xX][0-9a-fA-F]{1,16}")
_BEGINS = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_DEFAULT_PRIORITY = -(1 << 31)
_OTHER_THREADS = (
    "timed_events_thread", "discovery_server_thread", "typelookup_service_thread",
    "builtin_transports_reception_threads", "security_log_thread", "shm_watchdog_thread",
    "file_watch_threads", "dump_thread", "keep_alive_thread", "accept_thread", "thread_settings",
)  # fmt: skip
_LONGEST_NAME = 200


def read(paths: Sequence[str]) -> Draft:
    """The draft of a system: flow controllers, topics, and a stand-in for each publisher."""
    from ddsrta.formats.fastdds_draft import draft_of

    return draft_of(profiles_of(paths), paths)


def profiles_of(paths: Sequence[str]) -> Profiles:
    """The profiles of all files together; raises InputError."""
    reader = _Reader()
    for path in paths:
        reader.file(read_xml(path))
    if reader.problems:
        raise InputError(reader.problems)
    found = Profiles(
        tuple(reader.controllers.values()),
        tuple(reader.endpoints),
        tuple(reader.topics),
        tuple(reader.receptions),
        reader.async_thread,
        tuple(dict.fromkeys(reader.left_out)),
        defaults(reader.roots),
        reader.delivery,
    )
    if not (found.controllers or found.endpoints or found.topics or found.receptions):
        begin = "nothing here changes timing" if not found.left_out else "nothing here has a place"
        message = (
            f"{begin}: no flow controllers, no profiles of writers, readers or "
            "topics, no settings of receiving threads"
        )
        lost = [Diagnostic(None, f"left out: {text}") for text in found.left_out]
        raise InputError([Diagnostic(Position(str(paths[0]), 1, 1), message), *lost])
    return found


class _Reader:
    """What was found so far, and what is wrong."""

    def __init__(self) -> None:
        self.controllers: dict[str, FlowController] = {}
        self.endpoints: list[Endpoint] = []
        self.topics: list[TopicProfile] = []
        self.receptions: list[Reception] = []
        self.async_thread: ThreadSettings | None = None
        self.left_out: list[str] = []
        self.delivery: str | None = None
        self.roots: list[Element] = []
        self.problems: list[Diagnostic] = []
        self.seen: dict[tuple[str, str], Element] = {}

    def wrong(self, element: Element, message: str, advice: str = "") -> None:
        self.problems.append(Diagnostic(element.position, message, advice))
        if len(self.problems) >= 100:
            raise InputError(self.problems)

    def file(self, root: Element) -> None:
        if root.name not in ("dds", "profiles"):
            advice = "profiles stand in <dds><profiles> or <profiles>"
            name = shown(root.name)[1:-1]
            self.wrong(root, f"<{name}> is no file of Fast DDS profiles", advice)
            return
        for profiles in root.all("profiles") if root.name == "dds" else [root]:
            for child in profiles.children:
                self.profile(child)
        self.other_threads(root)
        self.left_out += unread(root)
        self.roots.append(root)
        if root.name == "dds" and (found := root.find("library_settings", "intraprocess_delivery")):
            self.within_processes(found)

    def within_processes(self, element: Element) -> None:
        """Who does the work of readers of the own process: the same in all files."""
        value = element.text
        if value not in DELIVERIES:
            message = f"{shown(value)} is no kind of delivery within a process"
            self.wrong(element, message, f"Fast DDS knows {', '.join(DELIVERIES)}")
        elif self.delivery not in (None, value):
            self.wrong(element, f"another file says {self.delivery}", "a process has one of them")
        self.delivery = value

    def profile(self, element: Element) -> None:
        if element.name in _WRITERS + _READERS:
            self.endpoint(element)
        elif element.name == "topic" and (name := self.profile_name(element)):
            default = self.is_default(element)
            self.topics.append(TopicProfile(name, element.position, self.history(element), default))
        elif element.name == "participant":
            self.participant(element)
        elif element.name == "transport_descriptors":
            for transport in element.all("transport_descriptor"):
                self.transport(transport)

    def profile_name(self, element: Element) -> str | None:
        """The name of a profile, which no other of its kind has."""
        name = element.attributes.get("profile_name")
        if name is None:
            self.wrong(element, f"<{element.name}> has no profile_name")
            return None
        kind = "data_writer" if element.name in _WRITERS else element.name
        kind = "data_reader" if element.name in _READERS else kind
        first = self.seen.setdefault((kind, name), element)
        if first is not element:
            advice = f"first at {first.position}"
            self.wrong(element, f"a second profile {shown(name)} of this kind", advice)
            return None
        return self.usable(element, name)

    def usable(self, element: Element, name: str) -> str | None:
        """A name that system.yaml can hold as well."""
        name = name.strip()
        if name and len(name) <= _LONGEST_NAME and name.isprintable() and name != "~":
            return name
        self.wrong(element, f"{shown(name)} is no usable name", "1 to 200 printing characters")
        return None

    def name_in(self, element: Element | None) -> str | None:
        """The name that an element holds, if it is there and not empty."""
        return self.usable(element, element.text) if element is not None and element.text else None

    def is_default(self, element: Element) -> bool:
        return element.attributes.get("is_default_profile", "").strip() in ("true", "1")

    def endpoint(self, element: Element) -> None:
        name = self.profile_name(element)
        topic = element.find("topic") or Element("topic", element.position)
        mode = self.choice(element, tuple(_MODES), "qos", "publishMode", "kind")
        sharing = element.find("qos", "data_sharing")
        listening = sharing.find("data_sharing_listener_thread") if sharing else None
        if element.find("throughputController") is not None:
            self.left_out.append(f"the throughput controller of profile {name!r}: not modelled")
        properties = dict(self.properties(element))
        history = self.history(topic)
        if name is None:
            return
        self.endpoints.append(
            Endpoint(
                name,
                element.position,
                element.name in _WRITERS,
                self.name_in(topic.find("name")),
                self.is_default(element),
                history,
                _MODES[mode] if mode else None,
                self.name_in(element.find("qos", "publishMode", "flow_controller_name")),
                self.priority(properties.get("fastdds.sfc.priority")),
                self.whole(properties.get("fastdds.sfc.bandwidth_reservation"), 0, 100),
                self.thread(listening),
            )
        )

    def properties(self, element: Element) -> Iterator[tuple[str, Element]]:
        """The properties of a profile: names and the elements of their values."""
        found = element.find("propertiesPolicy", "properties")
        for item in found.all("property") if found else ():
            name, value = item.text_at("name"), item.find("value")
            if name and value is not None:
                yield name, value

    def priority(self, value: Element | None) -> int | None:
        """fastdds.sfc.priority, as strtol reads it: the number that the text begins with, in base
        ten. Whatever is invalid counts as 10, and is told."""
        if value is None:
            return None
        text = value.text
        found = _BEGINS.match(text)
        if found and -10 <= int(found[0]) <= 10:
            return int(found[0])
        reason = f"it must be -10 … 10, and Fast DDS takes 10 ({_place(value.position)})"
        self.left_out.append(f"fastdds.sfc.priority {shown(text)}: {reason}")
        return 10

    def history(self, element: Element) -> History:
        found = element.find("historyQos")
        if found is None:
            return History()
        kind = self.choice(found, _HISTORIES, "kind")
        depth = self.whole(found.find("depth"), 0, (1 << 31) - 1)
        if depth == 0 and kind != "KEEP_ALL":
            place = _place(found.position)
            self.left_out.append(f"a history of depth 0 ({place}): Fast DDS makes no such endpoint")
        return History(kind == "KEEP_ALL", depth)

    def participant(self, element: Element) -> None:
        if self.profile_name(element) is None:
            return
        rtps = element.find("rtps")
        if rtps is None:
            return
        if builtin := rtps.find("builtin_controllers_sender_thread"):
            self.async_thread = self.thread(builtin) or self.async_thread
        if rtps.find("throughputController") is not None:
            self.left_out.append("the throughput controller of a participant: not modelled")
        controllers = rtps.find("flow_controller_descriptor_list")
        for item in controllers.all("flow_controller_descriptor") if controllers else ():
            self.controller(item)

    def controller(self, element: Element) -> None:
        name = self.usable(element, element.text_at("name") or "")
        scheduler = self.choice(element, SCHEDULERS, "scheduler")
        size = self.whole(element.find("max_bytes_per_period"), 0, (1 << 31) - 1)
        period = self.whole(element.find("period_ms"), 0, (1 << 63) - 1)
        thread = self.thread(element.find("sender_thread"))
        if name is None:
            return
        position = element.position
        found = FlowController(name, position, scheduler or "FIFO", size, period, thread)
        first = self.controllers.setdefault(name, found)
        if first is not found:
            self.left_out.append(
                f"a second flow controller {name!r} ({_place(position)}) of another participant: "
                "give it a name of its own"
            )

    def transport(self, element: Element) -> None:
        name = self.usable(element, element.text_at("transport_id") or "")
        if name is None:
            return
        if (general := element.find("default_reception_threads")) and (t := self.thread(general)):
            self.receptions.append(Reception(name, t))
        ports = element.find("reception_threads")
        for item in ports.all("reception_thread") if ports else ():
            text = item.attributes.get("port", "")
            if not (text.isascii() and text.isdigit() and len(text) < 6):
                self.wrong(item, f"port {shown(text)} is no number")
            elif thread := self.thread(item):
                self.receptions.append(Reception(name, thread, int(text)))

    def thread(self, element: Element | None) -> ThreadSettings | None:
        """The settings of a thread; None where all of them are defaults."""
        if element is None:
            return None
        policy = self.whole(element.find("scheduling_policy"), -(1 << 31), (1 << 31) - 1)
        priority = self.whole(element.find("priority"), _DEFAULT_PRIORITY, (1 << 31) - 1)
        affinity = self.whole(element.find("affinity"), 0, (1 << 64) - 1)
        policy = None if policy == -1 else policy
        priority = None if priority == _DEFAULT_PRIORITY else priority
        priority = None if priority == 0 and policy in (None, 0) else priority
        if policy is None and priority is None and not affinity:
            return None
        return ThreadSettings(element.position, policy, priority, affinity or None)

    def other_threads(self, element: Element) -> None:
        """Threads of which system.yaml knows nothing, if they are given a scheduling."""
        for child in element.children:
            if child.name in _OTHER_THREADS and self.thread(child) is not None:
                self.left_out.append(
                    f"<{child.name}> ({_place(child.position)}): such threads are not modelled"
                )
            self.other_threads(child)

    def whole(self, element: Element | None, least: int, most: int) -> int | None:
        if element is None or not element.text:
            return None
        text = element.text
        if _WHOLE.fullmatch(text):
            value = int(text, 16 if "x" in text.lower() else 10)
            if least <= value <= most:
                return value
        limits = f"from {least} to {most}"
        self.wrong(element, f"<{element.name}> must be a whole number {limits}, not {shown(text)}")
        return None

    def choice(self, element: Element, options: tuple[str, ...], *path: str) -> str | None:
        found = element.find(*path)
        if found is None:
            return None
        if found.text in options:
            return found.text
        message = f"<{found.name}> cannot be {shown(found.text)}"
        self.wrong(found, message, did_you_mean(found.text, options))
        return None


def _place(position: Position) -> str:
    """Short: the texts go into the draft as well."""
    return f"{Path(position.file).name}:{position.line}"
