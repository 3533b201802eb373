"""The words of a federation document, version 1: the reader and the JSON Schema come from it."""

from __future__ import annotations

from typing import get_args

from ddsrta.base.records import shape_of
from ddsrta.base.shapes import DURATION, Choice, Constant, Reference, Text
from ddsrta.base.structures import Key, ListOf, MapOf, Record
from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.federation import (
    Chain,
    ConnectionDeclaration,
    Coordination,
    Host,
    Rti,
    Target,
)

VERSION = 1
_NAME = Text(without=".")
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
FEDERATION = Record(
    {
        "federation": Key(
            Constant(VERSION, "the only version of the format so far"),
            "the version of the format: begin with 'federation: 1'",
            required=True,
        ),
        "name": Key(Text(), "what to call the federation", default="federation"),
        "coordination": Key(
            Choice(get_args(Coordination)), "who tells when a tag is safe", required=True
        ),
        "target": Key(
            Choice(get_args(Target)), "whose runtime it is: what levels are", default="C"
        ),
        "hosts": Key(MapOf(shape_of(Host), name=_NAME), "machines and their clocks", required=True),
        "clock_errors": Key(ListOf(_CLOCK_ERROR), "of pairs of hosts, instead of the sum of both"),
        "network": Key(ListOf(_LINK), "latencies between hosts, per direction"),
        "rti": Key(shape_of(Rti), "the coordinator"),
        "federates": Key(MapOf(shape_of(Federate), name=_NAME), "the federates", required=True),
        "connections": Key(ListOf(shape_of(ConnectionDeclaration)), "between federates"),
        "chains": Key(MapOf(shape_of(Chain)), "wanted latencies from reaction to reaction"),
    },
    hints={
        "ddsrta": "that begins a system.yaml: a federation begins with 'federation: 1'",
        "machines": "a federation has 'hosts'",
    },
    title="federation",
)
