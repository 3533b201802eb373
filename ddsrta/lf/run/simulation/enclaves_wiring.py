"""Who is in which enclave, on which level, and whom what is written reaches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ddsrta.lf.bounds.enclaves.split import enclave_name
from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.levels import levels
from ddsrta.lf.program.tags import SAME, Shift
from ddsrta.lf.run.simulation.plan import Plan


@dataclass
class EnclavePlan(Plan):
    """One enclave: those (by name) that it waits for, that wait for it, and that read its ports."""

    upstream: list[tuple[str, Shift]] = field(default_factory=list)
    downstream: list[str] = field(default_factory=list)
    reached: dict[str, list[tuple[str, str, Shift]]] = field(default_factory=dict)


def wire(federation: Federation) -> list[EnclavePlan]:
    """The plans of all enclaves that have reactions."""
    return [plan for federate in federation.federates.values() for plan in _wired(federate)]


def _wired(federate: Federate) -> list[EnclavePlan]:
    owner = {r: e.name for e in federate.enclaves.values() for r in e.reactors}
    group = {n: owner.get(r.reactor, "") for n, r in federate.reactions.items()}
    level = levels(federate, group)
    plans: dict[str, EnclavePlan] = {}
    for name in ("", *federate.enclaves):
        if name in group.values():
            workers = federate.enclaves[name].workers if name else federate.workers
            called = enclave_name(federate.name, name)
            plans[name] = EnclavePlan(federate, workers=workers, name=called)
    for name, reaction in federate.reactions.items():
        plan = plans[group[name]]
        plan.level[name] = level[name]
        for trigger in dict.fromkeys(reaction.triggers):
            plan.triggered.setdefault(trigger, []).append(name)
    for name, reaction in federate.reactions.items():
        plan = plans[group[name]]
        for effect in dict.fromkeys(reaction.effects):
            if effect in federate.actions:
                continue
            reached: dict[tuple[str, str, Shift], None] = {}
            for port, shift in _ports(federate, effect):
                for other, reader in federate.reactions.items():
                    if port not in (*reader.triggers, *reader.sources):
                        continue
                    theirs = plans[group[other]]
                    if port in reader.triggers and (theirs is not plan or port != effect):
                        reached[theirs.name, port, shift] = None
                    if theirs is not plan:
                        _couple(plan, theirs, shift)
            plan.reached[effect] = list(reached)
    return list(plans.values())


def _couple(one: EnclavePlan, other: EnclavePlan, shift: Shift) -> None:
    if (one.name, shift) not in other.upstream:
        other.upstream.append((one.name, shift))
    if other.name not in one.downstream:
        one.downstream.append(other.name)


def _ports(federate: Federate, port: str) -> Iterator[tuple[str, Shift]]:
    """Where what is written to a port comes, and with which shifts."""
    queue = [(port, SAME)]
    while queue:
        at, shift = queue.pop()
        yield at, shift
        queue += [(c.target, shift + c.shift) for c in federate.connections if c.source == at]
