"""Makes a Federate from what the shapes have read, and checks the names inside it."""

from __future__ import annotations

from typing import Any

from ddsrta.base.diagnostics import did_you_mean, shown
from ddsrta.base.shapes import Context
from ddsrta.lf.program.federation import (
    BUILT_IN,
    Action,
    Enclave,
    Federate,
    InnerConnection,
    Port,
    Reaction,
    Span,
    Timer,
)
from ddsrta.lf.program.levels import LevelError, levels
from ddsrta.lf.program.tags import Shift


def federate(name: str, raw: dict[str, Any], context: Context) -> Federate:
    """The federate; contradictions are reported."""
    hop = raw.get("rti_hop")
    if isinstance(hop, dict):
        if hop.get("best", 0) > hop["worst"]:
            message = "the best case is above the worst"
            context.report_at(message, "federates", name, "rti_hop", "best")
        hop = Span(hop["worst"], hop.get("best", 0))
    elif hop is not None:
        hop = Span(hop)
    found = Federate(
        name=name,
        host=raw["host"],
        workers=raw.get("workers", 1),
        scheduler=raw.get("scheduler", "NP"),
        maxwait=raw.get("maxwait"),
        overhead=raw.get("overhead", 0),
        rti_hop=hop,
        timers={key: Timer(key, **value) for key, value in raw.get("timers", {}).items()},
        actions={key: Action(key, **value) for key, value in raw.get("actions", {}).items()},
        inputs=_ports(raw.get("inputs", []), context, name, "inputs"),
        outputs=_ports(raw.get("outputs", []), context, name, "outputs"),
        reactions={
            key: Reaction(key, **{k: _frozen(v) for k, v in value.items()})
            for key, value in raw.get("reactions", {}).items()
        },
        connections=tuple(
            InnerConnection(value["from"], value["to"], Shift.of(value.get("after")))
            for value in raw.get("connections", [])
        ),
        enclaves={
            key: Enclave(key, tuple(value["reactors"]), value.get("workers", 1), value.get("core"))
            for key, value in raw.get("enclaves", {}).items()
        },
        core=raw.get("core"),
    )
    known = len(context.diagnostics)
    _check_names(found, context)
    _check_reactions(found, context)
    _check_connections(found, context)
    _check_enclaves(found, context)
    if len(context.diagnostics) == known:
        _check_levels(found, context)
    return found


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _ports(
    raw: list[str] | dict[str, dict[str, Any]], context: Context, federate: str, kind: str
) -> dict[str, Port]:
    if isinstance(raw, dict):
        return {name: Port(name, value.get("absent_after")) for name, value in raw.items()}
    ports: dict[str, Port] = {}
    for index, name in enumerate(raw):
        if name in ports:
            context.report_at(f"'{name}' is listed twice", "federates", federate, kind, index)
        ports[name] = Port(name)
    return ports


def _check_names(found: Federate, context: Context) -> None:
    """A trigger is looked up by its name alone, so no two things may share one."""
    seen = dict.fromkeys(BUILT_IN, "built in")
    for kind in ("timers", "actions", "inputs", "outputs"):
        for name in getattr(found, kind):
            if name in seen:
                message = f"{shown(name)} is already the name of something else ({seen[name]})"
                context.report_at(message, "federates", found.name, kind, name)
            seen[name] = kind
    for name, port in found.outputs.items():
        if port.absent_after is not None:
            path = ("federates", found.name, "outputs", name, "absent_after")
            context.report_at("only inputs are waited for", *path)


def _check_reactions(found: Federate, context: Context) -> None:
    ports = {**found.inputs, **found.outputs}
    allowed = {
        "triggers": dict.fromkeys((*found.timers, *found.actions, *ports, *BUILT_IN)),
        "sources": dict.fromkeys((*found.actions, *ports)),
        "effects": dict.fromkeys((*found.actions, *ports)),
        "after": dict.fromkeys(found.reactions),
    }
    for name, reaction in found.reactions.items():
        path = ("federates", found.name, "reactions", name)
        for key, names in allowed.items():
            for index, used in enumerate(getattr(reaction, key)):
                if used not in names:
                    what = "reaction" if key == "after" else "timer, action or port"
                    message = f"federate '{found.name}' has no {what} {shown(used)}"
                    advice = did_you_mean(used, names)
                    context.report_at(message, *path, key, index, advice=advice)
        if reaction.wcet is not None and reaction.bcet > reaction.wcet:
            context.report_at("the best case is above the worst", *path, "bcet")


def _check_connections(found: Federate, context: Context) -> None:
    ports = {**found.inputs, **found.outputs}
    for index, inner in enumerate(found.connections):
        for key, name in (("from", inner.source), ("to", inner.target)):
            if name not in ports:
                message = f"federate '{found.name}' has no port {shown(name)}"
                path = ("federates", found.name, "connections", index, key)
                context.report_at(message, *path, advice=did_you_mean(name, ports))


def _check_enclaves(found: Federate, context: Context) -> None:
    reactors = dict.fromkeys(reaction.reactor for reaction in found.reactions.values())
    reactors.pop("", None)
    owner: dict[str, str] = {}
    for name, enclave in found.enclaves.items():
        for index, reactor in enumerate(enclave.reactors):
            path = ("federates", found.name, "enclaves", name, "reactors", index)
            if reactor not in reactors:
                message = f"no reaction of '{found.name}' is in a reactor {shown(reactor)}"
                context.report_at(message, *path, advice=did_you_mean(reactor, reactors))
            if reactor in owner:
                message = f"reactor '{reactor}' is already in enclave '{owner[reactor]}'"
                context.report_at(message, *path)
            owner[reactor] = name


def _check_levels(found: Federate, context: Context) -> None:
    try:
        levels(found)
    except LevelError as error:
        context.report_at(str(error), "federates", found.name, "reactions", error.reaction)
