"""Checks the names inside of a federate."""

from __future__ import annotations

from ddsrta.base.diagnostics import did_you_mean, shown
from ddsrta.base.shapes import Context
from ddsrta.lf.program.federates import BUILT_IN, Federate
from ddsrta.lf.program.levels import LevelError, levels


def check_federate(found: Federate, context: Context) -> None:
    """Contradictions are reported."""
    known = len(context.diagnostics)
    _check_names(found, context)
    _check_reactions(found, context)
    _check_connections(found, context)
    _check_enclaves(found, context)
    if len(context.diagnostics) == known:
        _check_levels(found, context)


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
