"""The words of a federation document, version 1: the reader and the JSON Schema come from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ddsrta.base.diagnostics import shown
from ddsrta.base.shapes import (
    DURATION,
    POSITIVE_DURATION,
    Choice,
    Constant,
    Context,
    Flag,
    Integer,
    Reference,
    Schema,
    Text,
)
from ddsrta.base.structures import Either, Key, ListOf, MapOf, Record
from ddsrta.base.yaml_tree import Node
from ddsrta.lf.program.federation import FOREVER
from ddsrta.models.reference import describe

VERSION = 1
COORDINATIONS = ("centralized", "decentralized")
SCHEDULERS = ("NP", "GEDF_NP", "ADAPTIVE")
TARGETS = ("C", "Cpp")
POLICIES = ("defer", "drop", "replace", "update")
EXTRA_DELAYS = ("none", "any")


@dataclass(frozen=True)
class Wait:
    """A time, 0, or forever."""

    def read(self, node: Node, context: Context) -> Any:
        if node.plain and node.value in (FOREVER, "0"):
            return FOREVER if node.value == FOREVER else 0
        if isinstance(node.value, str) and node.value.isalpha() and not node.is_null:
            message = f"expected a time with its unit, or forever, not {shown(node.value)}"
            return context.report(node, message)
        return DURATION.read(node, context)

    def write(self, value: Any) -> Any:
        return value if value == FOREVER else DURATION.write(value)

    def schema(self) -> Schema:
        return {"anyOf": [DURATION.schema(), {"enum": [FOREVER, 0]}]}


@describe.register
def _(_shape: Wait) -> str:
    return "time, 0, or `forever`"


def _span(what: str, title: str) -> Either:
    return Either(
        scalar=DURATION,
        mapping=Record(
            {
                "worst": Key(DURATION, f"the longest {what}", required=True),
                "best": Key(DURATION, f"the shortest {what}", default="0 ms"),
            },
            title=title,
        ),
    )


_LATENCY = _span("time", "span")
_NAME = Text(without=".")
_HOST = Record(
    {
        "cores": Key(Integer(1, 10_000), "processor cores"),
        "clock_error": Key(
            DURATION,
            "how far a clock on it is from the common time at most, early or late; without it its "
            "federates share one clock",
        ),
        "shared_clock": Key(
            Flag(),
            "its federates have one clock, for the runtime synchronizes none of them by itself",
            default="false",
        ),
    },
    optional=True,
    title="host",
)
_CLOCK_ERROR = Record(
    {
        "between": Key(ListOf(Reference(("hosts",))), "two hosts", required=True),
        "error": Key(DURATION, "how far their clocks are apart at most", required=True),
    },
    title="clock error",
)
_LINK = Record(
    {
        "from": Key(Reference(("hosts",)), "the sending host", required=True),
        "to": Key(Reference(("hosts",)), "the receiving host, or the same", required=True),
        "delay": Key(DURATION, "the longest time from handing over to receipt", required=True),
        "best": Key(DURATION, "the shortest", default="0 ms"),
    },
    title="link",
)
_RTI = Record(
    {
        "host": Key(
            Reference(("hosts",)),
            "where it runs: without `hop`, the network to and from there counts",
        ),
        "hop": Key(_LATENCY, "one way between a federate and the RTI"),
        "service": Key(DURATION, "what the RTI takes for a message, waiting for its lock included"),
        "dnet": Key(Flag(), "downstream next event tags are in use", default="true"),
        "advance_message_interval": Key(
            POSITIVE_DURATION,
            "how often a federate with physical actions tells its time",
            default="10 ms",
        ),
    },
    title="rti",
)
_TIMER = Record(
    {
        "offset": Key(DURATION, "the first tick, after the start", default="0 ms"),
        "period": Key(POSITIVE_DURATION, "between two ticks; a timer without one ticks once"),
    },
    optional=True,
    title="timer",
)
_ACTION = Record(
    {
        "kind": Key(Choice(("logical", "physical")), "who schedules it", default="logical"),
        "min_delay": Key(DURATION, "what is added to the time of scheduling", default="0 ms"),
        "min_spacing": Key(POSITIVE_DURATION, "the least time between two events"),
        "policy": Key(
            Choice(POLICIES), "what becomes of events that come too early", default="defer"
        ),
        "extra_delay": Key(
            Choice(EXTRA_DELAYS),
            "what reactions add to `min_delay` of a logical one",
            default="none",
        ),
    },
    optional=True,
    title="action",
)
_PORTS = Either(
    sequence=ListOf(Text()),
    mapping=MapOf(
        Record(
            {"absent_after": Key(Wait(), "after maxwait, the port is assumed to be absent")},
            optional=True,
            title="port",
        )
    ),
    advice="name them: [speed, brake]",
)
_REACTION = Record(
    {
        "reactor": Key(Text(), "the contained reactor it belongs to (the federate, if missing)"),
        "triggers": Key(
            ListOf(Text(), may_be_empty=False),
            "timers, actions, ports, `startup`, `shutdown`, `reset`",
            required=True,
        ),
        "sources": Key(ListOf(Text()), "ports that it reads without being triggered by them"),
        "effects": Key(ListOf(Text()), "ports that it may write, actions that it may schedule"),
        "wcet": Key(
            DURATION,
            "the longest time from its start to its end, preemption of its worker included",
        ),
        "bcet": Key(DURATION, "the shortest", default="0 ms"),
        "deadline": Key(DURATION, "the latest start after the time of the tag; 0 is never met"),
        "level": Key(Integer(0, 1_000_000), "its level, where it is not the least possible one"),
        "after": Key(ListOf(Text()), "reactions of the federate that run before it at a tag"),
        "always": Key(Flag(), "each invocation writes all its effects", default="false"),
        "tardy": Key(Flag(), "it has a handler for tardy messages", default="false"),
    },
    hints={
        "period": "a period belongs to a timer, under 'timers'",
        "reactions": "contained reactors are named in 'reactor' of each reaction",
    },
    title="reaction",
)
_INNER = Record(
    {
        "from": Key(Text(), "the port that is written", required=True),
        "to": Key(Text(), "the port that is read", required=True),
        "after": Key(DURATION, "what is added to tags: at least a microstep"),
    },
    title="inner connection",
)
_CORE = Key(Integer(0, 9_999), "the number of the host's core on which its workers are pinned")
_ENCLAVE = Record(
    {
        "reactors": Key(
            ListOf(Text(), may_be_empty=False), "the contained reactors in it", required=True
        ),
        "workers": Key(Integer(1, 10_000), "threads that run its reactions", default=1),
        "core": _CORE,
    },
    usual="reactors",
    title="enclave",
)
_FEDERATE = Record(
    {
        "host": Key(Reference(("hosts",)), "where it runs", required=True),
        "workers": Key(Integer(1, 10_000), "threads that run its reactions", default=1),
        "core": _CORE,
        "scheduler": Key(Choice(SCHEDULERS), "the order of reactions", default="NP"),
        "maxwait": Key(
            Wait(), "how long after its time a tag waits for inputs (found, if missing)"
        ),
        "overhead": Key(
            DURATION,
            "what runtime and operating system add to the work at each tag",
            default="0 ms",
        ),
        "rti_hop": Key(_LATENCY, "one way to the RTI, instead of the RTI's `hop`"),
        "timers": Key(MapOf(_TIMER), "its timers"),
        "actions": Key(MapOf(_ACTION), "its actions"),
        "inputs": Key(_PORTS, "ports that are read"),
        "outputs": Key(_PORTS, "ports that are written"),
        "reactions": Key(MapOf(_REACTION), "its reactions: in the order of the file, by reactor"),
        "connections": Key(ListOf(_INNER), "between its own ports"),
        "enclaves": Key(MapOf(_ENCLAVE), "parts with tags and workers of their own"),
    },
    hints={
        "STP_offset": "write 'maxwait'",
        "STA": "write 'maxwait'",
        "STAA": "write 'absent_after', of a connection or a port",
        "stp": "write 'maxwait'",
        "at": "write 'host'",
    },
    title="federate",
)
_CONNECTION = Record(
    {
        "from": Key(Reference(("outputs",)), "federate.output", required=True),
        "to": Key(Reference(("inputs",)), "federate.input", required=True),
        "after": Key(DURATION, "what is added to tags; `0 ms` is a microstep"),
        "physical": Key(Flag(), "messages get the time of their receipt (~>)", default="false"),
        "latency": Key(_LATENCY, "from handing over to receipt, instead of the network's"),
        "send": Key(
            DURATION, "what the sender takes for a message, where latency leaves it out",
            default="0 ms",
        ),
        "absent_after": Key(Wait(), "after maxwait, the input is assumed to be absent"),
        "min_spacing": Key(
            POSITIVE_DURATION, "of a physical one: the least time between two messages"
        ),
    },
    title="connection",
)  # fmt: skip
_CHAIN = Record(
    {
        "from": Key(Reference(("reactions",)), "federate.reaction", required=True),
        "to": Key(Reference(("reactions",)), "federate.reaction", required=True),
        "latency": Key(
            POSITIVE_DURATION, "wanted, from the tag's time of the first to the end of the last"
        ),
    },
    title="chain",
)
FEDERATION = Record(
    {
        "federation": Key(
            Constant(VERSION, "the only version of the format so far"),
            "the version of the format: begin with 'federation: 1'",
            required=True,
        ),
        "name": Key(Text(), "what to call the federation", default="federation"),
        "coordination": Key(Choice(COORDINATIONS), "who tells when a tag is safe", required=True),
        "target": Key(Choice(TARGETS), "whose runtime it is: what levels are", default="C"),
        "hosts": Key(MapOf(_HOST, name=_NAME), "machines and their clocks", required=True),
        "clock_errors": Key(ListOf(_CLOCK_ERROR), "of pairs of hosts, instead of the sum of both"),
        "network": Key(ListOf(_LINK), "latencies between hosts, per direction"),
        "rti": Key(_RTI, "the coordinator"),
        "federates": Key(MapOf(_FEDERATE, name=_NAME), "the federates", required=True),
        "connections": Key(ListOf(_CONNECTION), "between federates"),
        "chains": Key(MapOf(_CHAIN), "wanted latencies from reaction to reaction"),
    },
    hints={
        "ddsrta": "that begins a system.yaml: a federation begins with 'federation: 1'",
        "machines": "a federation has 'hosts'",
    },
    title="federation",
)
