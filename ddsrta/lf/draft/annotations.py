"""Reads what a program does not say: execution times, values of parameters, the network.

annotations: 1
parameters: {Source.period: 5ms, sink.count: 3}     # of a class, or of one instance
reactions:                                          # by their number from 1, or by their name
  Source.reaction_1: {wcet: 2ms, bcet: 1ms}
  sink.reaction_1: 500us                            # one instance wins over its class
actions: {sensor.a: {min_spacing: 20ms}}
clock_error: 50us                                   # of every host
network: {delay: 1ms, best: 100us}                  # between all hosts
rti: {hop: {worst: 200us, best: 20us}, service: 50us}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ddsrta.base.diagnostics import Diagnostic, InputError, did_you_mean, shown
from ddsrta.base.shapes import (
    DURATION,
    POSITIVE_DURATION,
    Constant,
    Context,
    Integer,
    Schema,
    Text,
    TooManyDiagnosticsError,
)
from ddsrta.base.structures import Either, Key, MapOf, Record
from ddsrta.base.yaml_reader import read_file
from ddsrta.base.yaml_tree import Node, Tree
from ddsrta.lf.program.language.values import Span, Value

_SPAN = Either(
    scalar=DURATION,
    mapping=Record(
        {
            "worst": Key(DURATION, "the longest", required=True),
            "best": Key(DURATION, "the shortest", default="0 ms"),
        },
        title="span",
    ),
)


class _ParameterValue:
    """A time or a whole number."""

    def read(self, node: Node, context: Context) -> Any:
        text = node.value
        if isinstance(text, str) and node.plain and text.isascii() and text.isdigit():
            return Integer(0, 1_000_000_000).read(node, context)
        time = DURATION.read(node, context)
        return Span(time) if isinstance(time, int) else time

    def schema(self) -> Schema:
        return {"anyOf": [DURATION.schema(), {"type": "integer"}]}


_REACTION = Either(
    scalar=DURATION,
    mapping=Record(
        {
            "wcet": Key(DURATION, "the longest execution", required=True),
            "bcet": Key(DURATION, "the shortest execution", default="0 ms"),
        },
        title="reaction",
    ),
)
_ANNOTATIONS = Record(
    {
        "annotations": Key(Constant(1, "begin with 'annotations: 1'"), "version", required=True),
        "parameters": Key(MapOf(_ParameterValue(), name=Text()), "values of parameters"),
        "reactions": Key(MapOf(_REACTION), "execution times"),
        "actions": Key(
            MapOf(Record({"min_spacing": Key(POSITIVE_DURATION, "the least gap")}, title="action")),
            "what the world does",
        ),
        "clock_error": Key(DURATION, "how far clocks are from the common time at most"),
        "network": Key(
            Record(
                {
                    "delay": Key(DURATION, "the longest", required=True),
                    "best": Key(DURATION, "the shortest", default="0 ms"),
                },
                title="network",
            ),
            "latency between hosts, and on one host",
        ),
        "rti": Key(
            Record(
                {
                    "hop": Key(_SPAN, "one way between a federate and the RTI"),
                    "service": Key(DURATION, "what the RTI takes for a message"),
                },
                title="rti",
            ),
            "the coordinator",
        ),
    },
    title="annotations",
)


@dataclass
class Annotations:
    """What the file says; `used` collects the names that fitted something."""

    parameters: Mapping[str, Value] = field(default_factory=dict)
    reactions: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    actions: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    clock_error: int | None = None
    network: Mapping[str, int] | None = None
    rti: Mapping[str, Any] = field(default_factory=dict)
    tree: Tree | None = None
    used: set[tuple[str, str]] = field(default_factory=set)

    def find(self, section: str, *names: str) -> Mapping[str, int] | None:
        """The entry of the first of some names that has one."""
        entries: Mapping[str, Mapping[str, int]] = getattr(self, section)
        found = next((name for name in names if name in entries), None)
        self.used.update((section, name) for name in names if name in entries)
        return None if found is None else entries[found]

    def check(self, known: Mapping[str, list[str]]) -> None:
        """Names that fit nothing are wrong; `known` has those that would, by section."""
        wrong = []
        for section, names in known.items():
            for name in getattr(self, section):
                if (section, name) not in self.used and self.tree is not None:
                    message = f"there is no {section.removesuffix('s')} {shown(name, 100)}"
                    place = self.tree.find((section, name))
                    wrong.append(Diagnostic(place, message, did_you_mean(name, names)))
        if wrong:
            raise InputError(wrong)


def read_annotations(path: str | None) -> Annotations:
    """What a file says; nothing without a file."""
    if path is None:
        return Annotations()
    tree = read_file(path)
    context = Context(tree)
    try:
        raw = _ANNOTATIONS.parts(tree.root, context)
    except TooManyDiagnosticsError:
        raw = {}
    if context.diagnostics:
        raise InputError(context.diagnostics)
    del raw["annotations"]
    raw["reactions"] = {
        name: times if isinstance(times, dict) else {"wcet": times}
        for name, times in raw.get("reactions", {}).items()
    }
    return Annotations(**raw, tree=tree)
