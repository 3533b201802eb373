"""Drafts a ROS 2 system: what a list of nodes and callbacks leaves open is guessed in one place."""

from __future__ import annotations

from dataclasses import dataclass

from ddsrta.base.diagnostics import shown
from ddsrta.formats.draft import Draft, LeftOut, Mapping, Remark, Value, guessed

MACHINE, CORE, OUTSIDE = "machine", "c0", "outside"
_PLACEHOLDER = "not in the file: a placeholder"
_MODE = "mode: rmw_fastrtps publishes synchronously unless told otherwise"
_NOBODY = "nobody in the file {}: a stand-in for whoever does"
EXECUTORS = {  # as CARET names them
    "single_threaded_executor": "single_threaded",
    "multi_threaded_executor": "multi_threaded",
    "static_single_threaded_executor": "static",
    "events_executor": "events",
}


def own_name(name: str) -> str:
    """The name of a callback, executor or service: system.yaml keeps '/' for parts of a thing.

    >>> own_name("/eye/callback_0")
    'eye.callback_0'
    """
    return name.strip("/").replace("/", ".") or "root"


@dataclass
class Topic:
    """What is known of a topic, or of both topics of a service; None where the file is silent."""

    size: int | None = None
    why: str = "not in the file"
    history: int | None = None
    history_why: str = ""


class Ros2Draft:
    """Executors, callbacks and topics as they are found; `finish` adds what all of them need."""

    def __init__(self, name: str, source: str) -> None:
        self.draft = Draft(name, head=[f"Drafted from {source}: look at every guess."])
        self.cores: dict[str, None] = {CORE: None}
        self.topics: dict[str, Topic] = {}
        self.services: dict[str, Topic] = {}
        self.served: dict[str, None] = {}
        self.called: dict[str, None] = {}
        self.published: set[str] = set()
        self.begun: dict[str, None] = {}  # topics by which somebody unknown begins a circle
        self.read: dict[str, str] = {}  # each topic that releases a callback, and a listener of it

    def topic(self, name: str) -> Topic:
        """The topic of a name."""
        return self.topics.setdefault(name, Topic())

    def listener(self, name: str, why: str) -> str:
        """The thread that receives for a process; returns its name."""
        section = self.draft.section("listeners")
        section.setdefault(name, guessed({"core": f"{MACHINE}/{CORE}", "priority": 90}, why))
        return name

    def executor(self, name: str, kind: Value, threads: bool = False) -> None:
        """An executor; how many threads a multi-threaded one has is not told by any file."""
        entry: Mapping = {
            "core": guessed(f"{MACHINE}/{CORE}"),
            "priority": guessed(60),
            "kind": kind,
        }
        if threads:
            why = "not in the file; rclcpp takes one for each core of the machine, at least 2"
            entry["threads"] = guessed(2, why)
        self.draft.section("executors")[name] = entry

    def move(self, name: str, cores: list[str], why: str) -> None:
        """Let the threads of an executor move between cores."""
        self.cores |= dict.fromkeys(cores)
        entry = self.draft.section("executors")[name]
        assert isinstance(entry, dict)
        del entry["core"]
        entry["cores"] = guessed([f"{MACHINE}/{core}" for core in cores], why)
        entry["pinned"] = False

    def callback(
        self,
        name: str,
        executor: str,
        timer: int | None = None,
        topic: str | None = None,
        listener: str = "",
        publishes: dict[str, str] | None = None,
        left_out: str = "",
        more: Mapping | None = None,
    ) -> None:
        """A callback that a timer (with its period in ns) or a topic's messages release.

        `publishes` tells for each topic why it is a guess that this callback publishes on it, if
        it is one; `more` holds other keys of the entry.
        """
        entry: Mapping = {"executor": executor, "wcet": guessed("1ms", _PLACEHOLDER)}
        if timer is not None:
            entry["timer"] = timer
        if topic is not None:
            entry["subscribes"] = {"topics": [topic], "listener": listener}
            self.topic(topic)
            self.read.setdefault(topic, listener)
        if publishes:
            entry["publishes"] = [self.publication(t, why) for t, why in publishes.items()]
        entry |= more or {}
        if left_out:
            entry["left out"] = LeftOut(left_out)
        self.draft.section("callbacks")[name] = entry

    def publication(self, topic: str, why: str = "") -> Value:
        """An entry of `publishes`."""
        self.topic(topic)
        self.published.add(topic)
        reason = f"topic: {why}; {_MODE}" if why else _MODE
        return guessed({"topic": topic, "mode": "sync"}, reason)

    def call(self, service: str) -> Mapping:
        """The keys of a callback that calls a service."""
        self.called[service] = None
        return {"calls": [guessed({"service": service, "mode": "sync"}, _MODE)]}

    def receive(self, service: str, listener: str) -> Mapping:
        """The keys of a callback that gets the replies of a service."""
        return {"receives": {"service": service, "listener": listener}}

    def serve(self, service: str, listener: str) -> Mapping:
        """The keys of a callback that replies to calls of a service."""
        self.served[service] = None
        self.services.setdefault(service, Topic())
        reply = guessed({"mode": "sync"}, _MODE)
        return {"serves": {"service": service, "listener": listener, "reply": reply}}

    def follow(self, reader: str, writer: str, why: str = "") -> None:
        """Let a timer read what another callback has left in a variable."""
        entry = self.draft.section("callbacks")[reader]
        assert isinstance(entry, dict)
        follows = entry.setdefault("follows", {"threads": []})
        follows = follows.value if isinstance(follows, Remark) else follows
        assert isinstance(follows, dict)
        listed = follows["threads"]
        assert isinstance(listed, list)
        if writer not in listed:
            listed.append(writer)
            if why:
                entry["follows"] = guessed(follows, why)

    def chain(self, name: str, path: list[str], comment: str = "") -> None:
        """A chain without a deadline: no file tells one."""
        entry: Value = {"path": list(path)}
        self.draft.section("chains")[name] = Remark(entry, comment) if comment else entry

    def finish(self) -> Draft:
        """The draft with its machine, delays, topics, and stand-ins for who is not in the file."""
        draft = self.draft
        self._unserved()
        self._stand_ins()
        outside = "threads" in draft.sections or OUTSIDE in draft.section("executors")
        cores: list[Value] = [*self.cores, *([OUTSIDE] if outside else [])]
        why = "not in the file: "
        why += "one core for everything" if len(self.cores) == 1 else "those that were seen"
        draft.section("machines")[MACHINE] = guessed({"cores": cores}, why)
        self._topics()
        return draft

    def _topics(self) -> None:
        for name, topic in sorted(self.topics.items()):
            size = topic.size or 1000
            exact = topic.size is not None and not topic.why
            entry: Mapping = {"size": size if exact else guessed(size, topic.why)}
            if topic.history is not None:
                why = topic.history_why
                entry["history"] = guessed(topic.history, why) if why else topic.history
            self.draft.section("topics")[name] = entry
        for name, service in sorted(self.services.items()):
            size = service.size or 1000
            told = size if service.size is not None else guessed(size, service.why)
            self.draft.section("services")[name] = {"request": told, "reply": told}
        self.draft.guess_delays()

    def _unserved(self) -> None:
        """Replies that nobody sends release nobody."""
        callbacks = self.draft.section("callbacks")
        for name, entry in list(callbacks.items()):
            receives = entry.get("receives") if isinstance(entry, dict) else None
            if isinstance(receives, dict) and str(receives["service"]) not in self.served:
                del callbacks[name]
                service = shown(str(receives["service"]), 60)
                self.draft.leave_out(f"replies of service {service}: nobody in the file serves it")

    def _stand_ins(self) -> None:
        """Somebody must publish or call what releases callbacks, or they never run."""
        for topic in sorted((self.read.keys() - self.published) | self.begun.keys()):
            why = _NOBODY.format("publishes this topic")
            self.draft.section("threads")[f"source of {topic}"] = {
                "core": guessed(f"{MACHINE}/{OUTSIDE}", why),
                "priority": 50,
                "wcet": guessed("1us", why),
                "arrival": guessed({"sporadic": "100ms"}, why),
                "publishes": [self.publication(topic)],
            }
        for service in [service for service in self.served if service not in self.called]:
            why = _NOBODY.format("calls this service")
            self.draft.section("executors")[OUTSIDE] = {
                "core": guessed(f"{MACHINE}/{OUTSIDE}", why),
                "priority": guessed(50, why),
                "kind": "single_threaded",
            }
            self.draft.section("callbacks")[f"caller of {service}"] = {
                "executor": OUTSIDE,
                "wcet": guessed("1us", why),
                "arrival": guessed({"sporadic": "100ms"}, why),
                **self.call(service),
            }
