"""Who is in which enclave, on which level, and whom what is written reaches."""

from __future__ import annotations

from dataclasses import dataclass, field

from ddsrta.lf.program.federation import Federate, Federation
from ddsrta.lf.program.tags import SAME, Shift, Tag

Key = tuple[str, str]  # federate, enclave
Name = tuple[str, str]  # federate, reaction
Shifts = tuple[Shift, ...]


@dataclass
class Enclave:
    """What there is of an enclave, and where it is in a run."""

    host: str
    workers: int
    overhead: int
    levels: dict[str, int] = field(default_factory=dict)
    triggered: dict[str, list[str]] = field(default_factory=dict)
    reached: dict[str, list[tuple[Key, str, Shifts]]] = field(default_factory=dict)
    upstream: list[tuple[Key, Shift]] = field(default_factory=list)
    downstream: list[Key] = field(default_factory=list)
    queue: dict[Tag, set[str]] = field(default_factory=dict)
    alarms: set[tuple[Key, Tag]] = field(default_factory=set)
    completed: Tag = (-1, 0)
    busy: Tag | None = None
    real: bool = False
    level: int = -1
    running: int = 0
    waiting: dict[int, set[str]] = field(default_factory=dict)
    begun: list[object] = field(default_factory=list)


def wire(federation: Federation) -> dict[Key, Enclave]:
    """All enclaves that have reactions."""
    found: dict[Key, Enclave] = {}
    for federate in federation.federates.values():
        found.update(_Wiring(federate).enclaves())
    return found


class _Wiring:
    def __init__(self, federate: Federate) -> None:
        self.federate = federate
        owner = {r: e.name for e in federate.enclaves.values() for r in e.reactors}
        self.group = {n: owner.get(r.reactor, "") for n, r in federate.reactions.items()}
        self.ports = {*federate.inputs, *federate.outputs}

    def enclaves(self) -> dict[Key, Enclave]:
        federate = self.federate
        found: dict[Key, Enclave] = {}
        for group in ("", *federate.enclaves):
            if group in self.group.values():
                workers = federate.enclaves[group].workers if group else federate.workers
                found[federate.name, group] = Enclave(federate.host, workers, federate.overhead)
        before: dict[str, set[str]] = {name: set(r.after) for name, r in federate.reactions.items()}
        last: dict[str, str] = {}
        for name, reaction in federate.reactions.items():
            if reaction.reactor in last:
                before[name].add(last[reaction.reactor])
            last[reaction.reactor] = name
            self._write(found, name, before)
        for name, reaction in federate.reactions.items():
            enclave = found[federate.name, self.group[name]]
            enclave.levels[name] = self._level(name, before)
            for trigger in dict.fromkeys(reaction.triggers):
                if trigger not in self.ports:
                    enclave.triggered.setdefault(trigger, []).append(name)
        return found

    def _write(self, found: dict[Key, Enclave], name: str, before: dict[str, set[str]]) -> None:
        federate, group = self.federate, self.group[name]
        mine = (federate.name, group)
        for effect in dict.fromkeys(federate.reactions[name].effects):
            action = federate.actions.get(effect)
            if action is not None:
                if action.kind == "logical":
                    found[mine].reached[effect] = [
                        (mine, other, (action.shift,))
                        for other, r in federate.reactions.items()
                        if effect in r.triggers
                    ]
                continue
            reached = []
            for port, shifts in self._ports(effect):
                for other, reaction in federate.reactions.items():
                    if port not in (*reaction.triggers, *reaction.sources):
                        continue
                    theirs = (federate.name, self.group[other])
                    if port in reaction.triggers:
                        reached.append((theirs, other, shifts))
                    if theirs == mine and not shifts:
                        before[other].add(name)
                    elif theirs != mine:
                        self._couple(found, mine, theirs, shifts)
            found[mine].reached[effect] = reached

    def _couple(self, found: dict[Key, Enclave], one: Key, other: Key, shifts: Shifts) -> None:
        assert len(shifts) <= 1, "one delay at most on the way between two enclaves"
        shift = shifts[0] if shifts else SAME
        if (one, shift) not in found[other].upstream:
            found[other].upstream.append((one, shift))
        if other not in found[one].downstream:
            found[one].downstream.append(other)

    def _ports(self, port: str) -> list[tuple[str, Shifts]]:
        """Where what is written to a port comes, and with which shifts."""
        result: list[tuple[str, Shifts]] = []
        queue: list[tuple[str, Shifts]] = [(port, ())]
        while queue:
            at, shifts = queue.pop()
            result.append((at, shifts))
            for inner in self.federate.connections:
                if inner.source == at:
                    more = () if inner.shift == SAME else (inner.shift,)
                    queue.append((inner.target, shifts + more))
        return result

    def _level(self, name: str, before: dict[str, set[str]]) -> int:
        given = self.federate.reactions[name].level
        if given is not None:
            return given
        group = self.group[name]
        mine = [other for other in before[name] if self.group[other] == group]
        return max((self._level(other, before) + 1 for other in mine), default=0)
