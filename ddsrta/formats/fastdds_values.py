"""What Fast DDS profiles hold that matters for timing, as plain values with their places."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ddsrta.base.diagnostics import Position
from ddsrta.policies import POLICIES

SCHED_OTHER, SCHED_FIFO, SCHED_RR = 0, 1, 2
DEFAULT_CONTROLLER = "FastDDSFlowControllerDefault"
# A thread of SCHED_OTHER runs below all of SCHED_FIFO: the least priority is the nearest to it.
BACKGROUND = 1
_PERIOD_MS = 100  # where the file gives bytes alone


@dataclass(frozen=True)
class ThreadSettings:
    """How a thread of the middleware is scheduled; None where the default is asked for."""

    position: Position
    policy: int | None = None
    given_priority: int | None = None
    affinity: int | None = None

    @property
    def priority(self) -> int | None:
        """The priority, if it is one of SCHED_FIFO."""
        given = self.given_priority
        if self.policy == SCHED_FIFO and given is not None and 1 <= given <= 99:
            return given
        return None

    @property
    def cpu(self) -> int | None:
        """The number of the CPU, if the thread is pinned to one."""
        mask = self.affinity or 0
        return mask.bit_length() - 1 if mask and mask & (mask - 1) == 0 else None

    def unplaced(self) -> str:
        """What of it no word of system.yaml can say; empty if nothing."""
        parts = []
        if self.policy not in (None, SCHED_FIFO):
            name = {SCHED_OTHER: "SCHED_OTHER", SCHED_RR: "SCHED_RR"}.get(self.policy)
            parts.append(f"scheduling policy {name or self.policy}")
        elif self.given_priority is not None and self.priority is None:
            why = "" if self.policy else " without a scheduling policy"
            parts.append(f"priority {self.given_priority}{why}")
        if self.affinity and self.cpu is None:
            parts.append(f"affinity to several CPUs ({self.affinity:#x})")
        return ", ".join(parts)


@dataclass(frozen=True)
class FlowController:
    """A flow controller descriptor."""

    name: str
    position: Position
    scheduler: str = "FIFO"
    bytes_per_period: int | None = None
    period_ms: int | None = None
    thread: ThreadSettings | None = None

    @property
    def limit(self) -> tuple[str, str] | None:
        """The bytes that may be sent, and the period; None without a limit."""
        period = _PERIOD_MS if self.period_ms is None else self.period_ms
        if not self.bytes_per_period or not period:
            return None
        return f"{self.bytes_per_period} B", f"{period} ms"

    def reserves(self, writer: Endpoint) -> bool:
        """Whether the reservation of a writer has an effect."""
        kept = POLICIES[self.scheduler].reserves and self.limit is not None
        return bool(kept and writer.reservation)


@dataclass(frozen=True)
class History:
    """How many samples are kept; depth is None where the profile does not tell."""

    keep_all: bool = False
    depth: int | None = None


@dataclass(frozen=True)
class Endpoint:
    """A profile of writers or readers; `topic` is the name that old profiles give."""

    profile: str
    position: Position
    is_writer: bool
    topic: str | None = None
    is_default: bool = False
    history: History = History()
    mode: str | None = None  # sync or async
    controller: str | None = None
    priority: int | None = None
    reservation: int | None = None
    thread: ThreadSettings | None = None  # that listens to data sharing

    @property
    def told_topic(self) -> str | None:
        """The topic that the file tells: by name, or as ROS 2 names profiles after topics."""
        return self.topic or topic_told(self.profile)

    @property
    def names(self) -> frozenset[str]:
        """The topics that the profile is for, as `ros_name` has them.

        ROS 2 looks profiles up by the name of the topic; old profiles give it themselves.
        """
        return frozenset({ros_name(self.topic or ""), ros_name(self.profile)} - {""})


@dataclass(frozen=True)
class TopicProfile:
    """A profile of a topic."""

    profile: str
    position: Position
    history: History
    is_default: bool = False


@dataclass(frozen=True)
class Reception:
    """The threads of a transport that receive: all of them, or that of one port."""

    transport: str
    thread: ThreadSettings
    port: int | None = None

    @property
    def is_user_port(self) -> bool:
        """Whether the port is where a participant gets user data, by the usual mapping of ports."""
        offset = (self.port or 0) - 7400
        return offset >= 0 and offset % 250 >= 11 and offset % 2 == 1


@dataclass(frozen=True)
class Profiles:
    """All profiles of a file, and what was found that has no place."""

    controllers: tuple[FlowController, ...] = ()
    endpoints: tuple[Endpoint, ...] = ()
    topics: tuple[TopicProfile, ...] = ()
    receptions: tuple[Reception, ...] = ()
    async_thread: ThreadSettings | None = None  # of the built-in flow controllers
    left_out: tuple[str, ...] = ()
    defaults: str = ""  # what none of them writes
    delivery: str | None = None  # intraprocess_delivery, where a file writes it

    @cached_property
    def writers(self) -> tuple[Endpoint, ...]:
        """The profiles of writers."""
        return tuple(endpoint for endpoint in self.endpoints if endpoint.is_writer)

    @cached_property
    def readers(self) -> tuple[Endpoint, ...]:
        """The profiles of readers."""
        return tuple(endpoint for endpoint in self.endpoints if not endpoint.is_writer)

    @property
    def unplaced_delivery(self) -> str:
        """What to say of delivery within processes where there are none; empty if nothing."""
        if self.delivery in (None, "OFF"):
            return ""
        return (
            f"intraprocess_delivery {self.delivery}: who writes does the work of readers of its "
            "process; say 'processes' of the system"
        )

    def reception(self) -> Reception | None:
        """The settings of the thread that receives user data, if only one can be meant."""
        ports = [r for r in self.receptions if r.is_user_port]
        general = [r for r in self.receptions if r.port is None]
        found = ports or general
        return found[0] if len(found) == 1 else None

    @cached_property
    def by_topic(self) -> dict[str, list[Endpoint]]:
        """The profiles of each topic."""
        found: dict[str, list[Endpoint]] = {}
        for endpoint in self.endpoints:
            for name in endpoint.names:
                found.setdefault(name, []).append(endpoint)
        return found

    @cached_property
    def _topic_histories(self) -> dict[str, History]:
        return {ros_name(topic.profile): topic.history for topic in self.topics}

    def histories_of(self, topic: str) -> list[History]:
        """What the topic's own profile, its writers and its readers keep."""
        name = ros_name(topic)
        histories = [endpoint.history for endpoint in self.by_topic.get(name, ())]
        own = self._topic_histories.get(name)
        return [own, *histories] if own is not None else histories

    def depth_of(self, topic: str) -> int | None:
        """The least depth of those."""
        kept = [h.depth for h in self.histories_of(topic) if h.depth and not h.keep_all]
        return min(kept, default=None)

    def silent_end(self, topic: str) -> str | None:
        """Who of a topic no profile gives a history, so that it may be of less than all others."""
        for word, is_writer in (("writers", True), ("readers", False)):
            if not any(
                one.is_writer == is_writer and (one.history.depth or one.history.keep_all)
                for one in self.by_topic.get(ros_name(topic), ())
            ):
                return word
        return None

    def writer_of(self, topic: str) -> Endpoint | None:
        """The profile of the topic's writers."""
        found = self.by_topic.get(ros_name(topic), ())
        return next((endpoint for endpoint in found if endpoint.is_writer), None)

    def passed_over(self, writer: Endpoint, topic: str) -> str | None:
        """What of a writer's profile does not count for a topic, for another profile is the first
        of that topic and says something else."""
        first = self.writer_of(topic)
        if first is None or first is writer or writer not in self.by_topic.get(ros_name(topic), ()):
            return None
        kinds = ("mode", "controller", "priority", "reservation")
        other = [kind for kind in kinds if getattr(first, kind) != getattr(writer, kind)]
        if not other:
            return None
        return (
            f"{', '.join(other)} of writer profile {writer.profile!r}: topic {topic!r} has those "
            f"of {first.profile!r} already (line {first.position.line}); keep one of them, or give "
            "the other a topic of its own"
        )

    @cached_property
    def default_writer(self) -> Endpoint | None:
        """The profile of writers that have none of their own."""
        return next((writer for writer in self.writers if writer.is_default), None)


def topic_told(profile: str) -> str | None:
    """The topic that a profile is named after, if its name is one of a topic of ROS 2.

    >>> topic_told("/speed"), topic_told("fast_writer")
    ('/speed', None)
    """
    return profile if profile.startswith(("/", "rt/", "rq/", "rr/")) else None


def ros_name(name: str) -> str:
    """A topic's name without what ROS 2 puts in front of it.

    >>> ros_name("/speed"), ros_name("rt/speed"), ros_name("speed")
    ('speed', 'speed', 'speed')
    """
    return name.lstrip("/").removeprefix("rt/").lstrip("/")
