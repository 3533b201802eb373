"""What a program says and a draft has no place for: told with its place, or refused."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.lf.program.language.elaborate import Reactor
from ddsrta.lf.program.language.syntax import (
    Attribute,
    Connection,
    Instance,
    Port,
    Program,
    Reaction,
    Scalar,
)
from ddsrta.lf.program.language.tokens import Source

_TAKEN = {
    "coordination", "coordination-options", "DNET", "scheduler", "workers", "threads", "threading",
    "single-threaded",
}  # fmt: skip
_OF_THE_BUILD = {
    "auth", "build", "build-type", "cargo-dependencies", "cargo-features", "cmake", "cmake-args",
    "cmake-include", "cmake-init-include", "compile-definitions", "compiler", "docker", "edition",
    "export-dependency-graph", "export-to-yaml", "external-runtime-path", "files", "flags",
    "no-compile", "no-runtime-validation", "no-source-mapping", "protobufs", "python-version",
    "ros2", "ros2-dependencies", "runtime-version", "rust-include", "single-file-project", "verify",
}  # fmt: skip
_WHY = {
    "clock-sync": "how far apart it lets clocks be must be in clock_error",
    "clock-sync-options": "how far apart they let clocks be must be in clock_error",
    "timeout": "bounds are those of a run without end",
    "keepalive": "it plays no part in when reactions run",
    "fast": "tags may be processed before their time",
    "tracing": "what it costs must be in execution times",
    "logging": "what it costs must be in execution times",
    "print-statistics": "what it costs must be in execution times",
    "platform": "execution times and overhead must be those of this platform",
    "comm-type": "latencies must be those of this way of communication",
}
_SWITCHES = {"tracing", "keepalive", "fast", "print-statistics"}
_DRAWING = {"label", "icon", "side", "layout", "property", "sparse", "build_type"}
_ALWAYS = {"enclave", "transient"}  # whatever the coordination is
_RUNTIMES = {"C", "CCpp", "Cpp", "Python"}


def refuse_fast(program: Program, top: Reactor) -> None:
    """With `fast` federates do not wait for physical time: bounds of waits would mean nothing."""
    if top.found.definition.kind != "federated":
        return
    advice = "import it without"
    message = "with 'fast' federates do not wait for their time: not modelled"
    fast = program.properties.get("fast")
    if isinstance(fast, Scalar) and fast.text.lower() == "true":
        raise program.source.error(program.places["fast"], message, advice)
    for source, attribute, _ in _attributes(top):
        values = [value for _, value in attribute.values]
        if attribute.name.lower() == "fast" and (
            not values or getattr(values[0], "text", "true").lower() != "false"
        ):
            raise source.error(attribute.at, message, advice)


def left_out(program: Program, top: Reactor, decentralized: bool) -> Iterator[str]:
    """A line for each thing that has no place."""
    yield from _properties(program)
    if program.target and program.target not in _RUNTIMES:
        yield (
            f"{program.source.position(0)}: the runtime of target {program.target}: that of C is "
            "taken for it"
        )
    yield from _marks(top, decentralized)
    for reactor in _classes(top):
        for connection in reactor.found.definition.of(Connection):
            if connection.serializer:
                where = reactor.source(connection).position(connection.at)
                yield f"{where}: the serializer {connection.serializer}: latency must hold with it"


def _properties(program: Program) -> Iterator[str]:
    build = [key for key in program.properties if key in _OF_THE_BUILD]
    if build:
        where = program.source.position(program.places[build[0]])
        yield f"{where}: target properties of the build: {', '.join(build)}"
    for key, value in program.properties.items():
        if key in _TAKEN or key in _OF_THE_BUILD:
            continue
        if key in _SWITCHES and isinstance(value, Scalar) and value.text.lower() == "false":
            continue
        where = program.source.position(program.places[key])
        yield f"{where}: target property {key}: {_WHY.get(key, 'it is not known')}"
    options = program.properties.get("coordination-options")
    for key in options if isinstance(options, dict) else ():
        if key != "advance-message-interval":
            where = program.source.position(program.places[key])
            yield f"{where}: coordination option {key}: it is not known"


def _marks(top: Reactor, decentralized: bool) -> Iterator[str]:
    """Attributes, a line for each name."""
    found: dict[str, list[str]] = {}
    for source, attribute, takes in _attributes(top):
        name = attribute.name.lower()
        if name.startswith("_") or (name in takes and (decentralized or name in _ALWAYS)):
            continue
        found.setdefault(attribute.name, []).append(str(source.position(attribute.at)))
    for name, places in found.items():
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        why = "plays no part in timing" if name.lower() in _DRAWING else "has no place here"
        yield f"{places[0]}{more}: @{name}: {why}"


def _attributes(top: Reactor) -> Iterator[tuple[Source, Attribute, tuple[str, ...]]]:
    """All attributes, each with the names that are taken where it stands."""
    federated = top.found.definition.kind == "federated"
    for reactor in _classes(top):
        definition = reactor.found.definition
        outer = reactor is top and federated
        for attribute in definition.attributes:
            yield reactor.found.source, attribute, ()
        for parameter in definition.parameters:
            for attribute in parameter.attributes:
                yield reactor.source(parameter), attribute, ()
        for member in definition.members:
            if not isinstance(member, Port | Reaction | Instance | Connection):
                continue
            takes: tuple[str, ...] = ()
            if isinstance(member, Instance):
                takes = ("maxwait", "transient") if outer else ("enclave",)
            elif isinstance(member, Connection) and outer and not member.physical:
                takes = ("absent_after",)
            for attribute in member.attributes:
                yield reactor.source(member), attribute, takes


def _classes(top: Reactor) -> Iterator[Reactor]:
    """One reactor of each class, the main one first."""
    seen: set[int] = set()
    for reactor in top.all():
        if id(reactor.found.definition) not in seen:
            seen.add(id(reactor.found.definition))
            yield reactor
