"""Drafts one federate: its ports, timers, actions and reactions, with those of all reactors in it.

Things of a contained reactor have its path in front: `filter.in`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ddsrta.formats.draft import Mapping, Remark, Value, guessed
from ddsrta.lf.draft.costs import Costs
from ddsrta.lf.draft.events import Events, in_mode
from ddsrta.lf.draft.modes import Order, change_of
from ddsrta.lf.draft.waits import attribute
from ddsrta.lf.program.language.elaborate import Reactor, channel_names
from ddsrta.lf.program.language.syntax import (
    Action,
    Mode,
    Port,
    PortRef,
    Reaction,
    Timer,
    Watchdog,
)
from ddsrta.lf.program.language.tokens import Source
from ddsrta.lf.program.language.values import finite
from ddsrta.lf.program.language.wiring import Wire, wires

_BUILT_IN = ("startup", "shutdown", "reset")


class Budget:
    """How many more names a draft may hold: banks and multiports multiply them."""

    def __init__(self, most: int = 1_000_000) -> None:
        self.most = self.left = most

    def spend(self, count: int, source: Source, at: int) -> None:
        """Take some; raises InputError where there are none left."""
        self.left -= count
        if self.left < 0:
            message = f"the draft would have more than {self.most} names of ports"
            raise source.error(at, message, "import a part of it")


class FederateDraft:
    """A federate in the making; `notes` is told what has no place in the draft.

    `own` are wires from the federate to itself; with `apart` no mode waits for another.
    """

    def __init__(
        self,
        root: Reactor,
        name: str,
        costs: Costs,
        notes: list[str],
        budget: Budget,
        own: Sequence[Wire] = (),
        apart: bool = False,
    ) -> None:
        self.root = root
        self.own = own
        self.apart = apart
        self.budget = budget
        self.name = name
        self.costs = costs
        self.notes = notes
        self.events = Events(root, name, costs, notes)
        self.inputs: list[Value] = []
        self.outputs: list[Value] = []
        self.reactions: Mapping = {}
        self.pieces: dict[str, dict[str, None]] = {}  # of each reactor, by its modes
        self.connections: list[Value] = []

    def parts(self) -> Mapping:
        """Everything below the federate's own keys."""
        for reactor in self.root.all():
            self._things(reactor)
        for reactor in self.root.all():
            self._reactions(reactor)
            self._wires(reactor, wires(reactor, self.notes))
        self._wires(self.root, self.own)
        found: Mapping = {
            "timers": self.events.timers,
            "actions": self.events.actions,
            "inputs": self.inputs,
            "outputs": self.outputs,
            "reactions": self.reactions,
            "connections": self.connections,
            "enclaves": self._enclaves(),
        }
        return {key: value for key, value in found.items() if value}

    def path(self, reactor: Reactor, name: str) -> str:
        """The name of a thing of a reactor within the federate."""
        path = reactor.path(self.root)
        return f"{path}.{name}" if path else name

    def _things(self, reactor: Reactor) -> None:
        for port in reactor.found.definition.of(Port):
            names = channel_names(port.name, reactor.ports[port.name])
            side = self.inputs if port.kind == "input" else self.outputs
            side += [self.path(reactor, name) for name in names]
        self.events.add(reactor)

    def _reactions(self, reactor: Reactor) -> None:
        order = Order(reactor.path(self.root))
        for index, reaction in enumerate(reactor.found.definition.of(Reaction)):
            label = reaction.name or f"reaction_{index + 1}"
            entry = self._reaction(reactor, reaction)
            costs = self.costs.reaction(reactor, self.name, label, index)
            if "triggers" not in entry:
                where = reactor.source(reaction).position(reaction.at)
                what = f"{self.name}.{self.path(reactor, label)}: nothing triggers it"
                self.notes.append(f"{where}: {what}")
                continue
            path = self.path(reactor, label)
            if path in self.reactions:
                message = f"there is another reaction '{label}' in this reactor"
                raise reactor.source(reaction).error(reaction.at, message, "give it another name")
            mode = reaction.mode if self.apart else ""
            if lock := self.events.lock(reactor):
                triggers = {"triggers": entry["triggers"]}
                self.reactions[f"{path} lock"] = order.of(f"{path} lock", mode) | triggers | lock
            entry = order.of(path, mode) | entry
            self.pieces[reactor.path(self.root)] = order.parts
            self.reactions[path] = entry | costs | self._rest(reactor, reaction)

    def _reaction(self, reactor: Reactor, reaction: Reaction) -> Mapping:
        entry: Mapping = {}
        triggers, reads = self._triggers(reactor, reaction), reaction.reads
        if not triggers:  # then any of what it reads triggers it
            triggers, reads = reads, ()
        for key, refs in (
            ("triggers", triggers),
            ("sources", reads),
            ("effects", reaction.effects),
        ):
            names = dict.fromkeys(n for ref in refs for n in self._names(reactor, reaction, ref))
            if key == "effects" and any(self._is_mode(reactor, ref) for ref in refs):
                names[self._change(reactor)] = None
            self.budget.spend(len(names), reactor.source(reaction), reaction.at)
            if key != "triggers":  # to ask for the state of a timer depends on nothing
                names = {
                    n: None for n in names if n not in self.events.timers and n not in _BUILT_IN
                }
            if names:
                entry[key] = list(names)
        return entry

    def _is_mode(self, reactor: Reactor, ref: PortRef) -> bool:
        modes = reactor.found.definition.of(Mode)
        return not ref.container and any(mode.name == ref.name for mode in modes)

    def _change(self, reactor: Reactor) -> str:
        """The action that stands for the tag behind a change of modes."""
        name = change_of(reactor.path(self.root))
        why = "a change of modes is followed by a tag, one microstep later"
        self.events.actions[name] = {"kind": Remark("logical", why)}
        return name

    def _triggers(self, reactor: Reactor, reaction: Reaction) -> tuple[PortRef, ...]:
        """A mode has its startup when it is active for the first time, whenever that is."""
        if not in_mode(reactor, reaction.mode):
            return reaction.triggers
        return tuple(
            replace(ref, name="reset") if not ref.container and ref.name == "startup" else ref
            for ref in reaction.triggers
        )

    def _rest(self, reactor: Reactor, reaction: Reaction) -> Mapping:
        entry: Mapping = {}
        if reaction.deadline is not None:
            source = reactor.source(reaction)
            time = finite(reaction.deadline, reactor.scope, source, "a deadline")
            entry["deadline"] = Remark(
                time, "missed, its handler runs instead: the wcet is to cover that"
            )
        if reaction.late is not None:
            entry["tardy"] = True
        return entry

    def _names(self, reactor: Reactor, reaction: Reaction, ref: PortRef) -> Iterator[str]:
        """The names of what a reaction refers to; of modes, none."""
        definition = reactor.found.definition
        if not ref.container:
            if ref.name in _BUILT_IN:
                yield ref.name
                return
            if self._is_mode(reactor, ref):
                return
            things = {thing.name for thing in definition.of(Timer)}
            things |= {thing.name for thing in definition.of(Action)}
            if ref.name in things | {thing.name for thing in definition.of(Watchdog)}:
                yield self.path(reactor, ref.name)
                return
        for owner, channel in reactor.channels(ref, reactor.source(reaction)):
            yield self.path(owner, channel)

    def _wires(self, owner: Reactor, found: Iterable[Wire]) -> None:
        for wire in found:
            self.budget.spend(2, owner.source(wire.connection), wire.connection.at)
            source, target = self.path(wire.source, wire.output), self.path(wire.target, wire.input)
            modal = in_mode(owner, wire.connection.mode)
            self._wire(source, target, wire.delay, wire.physical, modal)

    def _wire(
        self, source: str, target: str, delay: int | None, physical: bool, modal: bool
    ) -> None:
        """Connect two ports; events of a `modal` one wait while its mode is not active."""
        if not physical and not (modal and delay is not None):
            entry: Mapping = {"from": source, "to": target}
            if delay is not None:
                entry["after"] = delay
            self.connections.append(entry)
            return
        # As the compiler does it: a reactor with a physical action in between.
        name = f"{source} {'~>' if physical else '->'} {target}"
        wcet = guessed("1ms", "not in the program: a placeholder")
        kind: Mapping = {"kind": "physical"} if physical else {"extra_delay": "any"}
        self.events.actions[name] = kind | {"min_delay": delay or 0}
        common: Mapping = {"reactor": name, "wcet": wcet}
        self.reactions[f"{name} out"] = {**common, "triggers": [name], "effects": [target]}
        self.reactions[f"{name} in"] = {**common, "triggers": [source], "effects": [name]}

    def _enclaves(self) -> Mapping:
        """Contained reactors with `@enclave`: whatever is in them belongs to the nearest one."""
        found: dict[str, tuple[list[Value], int]] = {}
        for reactor in self.root.all():
            if (nearest := self._enclave_of(reactor)) is None:
                continue
            name, workers = nearest
            for part in self.pieces.get(reactor.path(self.root), ()):
                found.setdefault(name, ([], workers))[0].append(part)
        return {
            name: {"reactors": reactors, "workers": workers}
            for name, (reactors, workers) in found.items()
        }

    def _enclave_of(self, reactor: Reactor) -> tuple[str, int] | None:
        here: Reactor | None = reactor
        while here is not None and here is not self.root and here.instance is not None:
            mark = attribute(here.instance.attributes, "enclave")
            if mark is not None and here.parent is not None:
                values = {key: getattr(value, "text", "") for key, value in mark.values}
                alone = here.label == here.instance.name
                each = alone or values.get("each", "").lower() == "true"
                name = here.label if each else here.instance.name
                workers = values.get("workers", "1")
                number = int(workers) if workers.isdigit() and len(workers) < 5 else 1
                return self.path(here.parent, name), max(1, number)
            here = here.parent
        return None
