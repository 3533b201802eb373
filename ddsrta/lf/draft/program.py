"""Drafts a federation from a program: federates, hosts, connections, and how long they wait."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from ddsrta.base.diagnostics import Diagnostic, InputError, shown
from ddsrta.formats.draft import Draft, Mapping, Remark, Value, guessed
from ddsrta.formats.yaml_writer import write
from ddsrta.lf.draft.annotations import Annotations, read_annotations
from ddsrta.lf.draft.clocks import own_clocks, refuse_clocks, why_clock_error
from ddsrta.lf.draft.costs import Costs
from ddsrta.lf.draft.covering import MOST_ROUNDS, beyond
from ddsrta.lf.draft.federates import Budget, FederateDraft
from ddsrta.lf.draft.left_out import left_out, refuse_fast
from ddsrta.lf.draft.runtimes import is_single, why_by_deadlines
from ddsrta.lf.draft.versions import refuse_old
from ddsrta.lf.draft.waits import absent_after, attribute, maxwait, set_by_code
from ddsrta.lf.program.grammar import FEDERATION
from ddsrta.lf.program.language.elaborate import Elaboration, Reactor
from ddsrta.lf.program.language.library import Library
from ddsrta.lf.program.language.parse import read_program
from ddsrta.lf.program.language.syntax import Mode, Program, Property, Reaction, Scalar, Time
from ddsrta.lf.program.language.wiring import Wire, wires
from ddsrta.lf.program.levels import CIRCLE
from ddsrta.lf.program.reader import loads
from ddsrta.lf.run.traces.observe import observe
from ddsrta.lf.run.traces.observed import RunSeen

_SCHEDULERS = ("NP", "GEDF_NP", "ADAPTIVE")
_VERSION = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4}){1,3}")
# lfc (127d4c4, FedASTUtils) moves it from the connection to the first receiver that it makes.
_DELAY_OF_ONE = "lfc gives 'after' of a physical connection to one of its wires: here all have it"
_HERE = ("localhost", "127.0.0.1", "0.0.0.0", "::1", "[::1]")


def read(
    paths: Sequence[str],
    annotations: str | None = None,
    trace: str | None = None,
    version: str | None = None,
) -> Draft:
    """The draft of the federation that a program is; raises InputError.

    `annotations` is a file with what the program does not say, `trace` a folder with the traces of
    a run, `version` that of Lingua Franca.
    """
    if len(paths) != 1:
        raise InputError([Diagnostic(None, "one program at a time", "name the main file")])
    if version is not None and not _VERSION.fullmatch(version):
        message = f"{shown(version)} is no version of Lingua Franca"
        raise InputError([Diagnostic(None, message, "write for example 0.12.1")])
    program = read_program(paths[0])
    given = read_annotations(annotations)
    run = None if trace is None else observe(trace, version)
    elaboration = Elaboration(Library(program), given.parameters)
    top = elaboration.top()
    given.used.update(("parameters", name) for name in elaboration.used)
    stem = os.path.splitext(os.path.basename(paths[0]))[0]
    costs = Costs(given, run, stem)
    drafted = _Program(program, top, stem, costs, version)
    draft = drafted.draft()
    apart = any(reactor.found.definition.of(Mode) for reactor in top.all()) and _is_circle(draft)
    if apart:
        drafted = _Program(program, top, stem, costs, version, apart)
        draft = drafted.draft()
    for _ in range(MOST_ROUNDS if run is not None else 0):
        late = _beyond(draft, run, costs)
        if not late:
            break
        costs.more = {
            name: costs.more.get(name, 0) + late.get(name, 0) for name in {**costs.more, **late}
        }
        drafted = _Program(program, top, stem, costs, version, apart)
        draft = drafted.draft()
    _check(given, drafted, elaboration)
    return draft


def _beyond(draft: Draft, run: RunSeen | None, costs: Costs) -> dict[str, int]:
    """What the draft does not cover of the run; of one that is not valid, nothing is known."""
    if run is None:
        return {}
    try:
        return dict(beyond(loads(write(draft)), run, costs))
    except InputError:
        return {}


def _is_circle(draft: Draft) -> bool:
    """Whether reactions wait for each other, as they may where each mode stands behind another."""
    try:
        loads(write(draft))
    except InputError as error:
        return any(CIRCLE in diagnostic.message for diagnostic in error.diagnostics)
    return False


def _check(given: Annotations, drafted: _Program, elaboration: Elaboration) -> None:
    parameters = [
        name
        for reactor in drafted.top.all()
        for parameter in reactor.found.definition.parameters
        for name in elaboration.names(reactor, parameter.name)
    ]
    given.check(
        {
            "parameters": parameters,
            "reactions": list(drafted.costs.known),
            "actions": list(drafted.costs.actions),
        }
    )


class _Program:
    def __init__(
        self,
        program: Program,
        top: Reactor,
        stem: str,
        costs: Costs,
        version: str | None,
        apart: bool = False,
    ) -> None:
        self.program = program
        self.top = top
        self.stem = stem
        self.costs = costs
        self.version = version
        self.apart = apart
        self.notes: list[str] = []
        self.budget = Budget()
        self.readers: set[str] = set()
        self.hosts: dict[str, None] = {}
        self.federated = top.found.definition.kind == "federated"
        coordination = self._word("coordination").lower()  # as lfc reads it
        self.decentralized = self.federated and coordination == "decentralized"

    def draft(self) -> Draft:
        source = os.path.basename(self.program.source.file)
        head = [f"Drafted from the program {source}: look at every guess."]
        draft = Draft(self.stem, head, form=FEDERATION)
        word: Value = "decentralized" if self.decentralized else "centralized"
        draft.sections["coordination"] = (
            word if self.federated else Remark(word, "one process: plays no part")
        )
        if self.program.target == "Cpp":
            draft.sections["target"] = "Cpp"
        if self.federated:
            refuse_clocks(self.program, self.top)
        if self.decentralized:
            refuse_old(self.version, self.top)
        refuse_fast(self.program, self.top)
        federates = self._federates()
        draft.section("federates").update(federates)
        names = list(self.hosts)
        clock = self.costs.clock_error(len(names) == 1, why_clock_error(self.program))
        draft.section("hosts").update({host: dict(clock) for host in names})
        if self.federated:
            connections = self._connections(federates)
            if connections:
                draft.sections["connections"] = connections
            draft.sections["network"] = self.costs.network(names)
            if not self.decentralized:
                draft.section("rti").update(self._rti(names))
        for note in (*self.notes, *left_out(self.program, self.top, self.decentralized)):
            draft.leave_out(note)
        if self.costs.silent:
            names = list(self.costs.silent)
            more = f" and {len(names) - 5} more" if len(names) > 5 else ""
            draft.leave_out(f"times that the trace does not show: {', '.join(names[:5])}{more}")
        return draft

    def _federates(self) -> Mapping:
        if not self.federated:
            return {"main": self._federate(self.top, "main")}
        if own := self.top.found.definition.of(Reaction):
            message = "reactions of the federated reactor itself are not modelled"
            raise self.top.source(own[0]).error(own[0].at, message, "put it into a federate")
        self.readers = {wire.target.label for wire in wires(self.top, [])}
        found: Mapping = {}
        for bank in self.top.children.values():
            for reactor in bank:
                found[reactor.label] = self._federate(reactor, reactor.label)
        return found

    def _federate(self, reactor: Reactor, name: str) -> Mapping:
        entry: Mapping = {"host": self._host(reactor)}
        entry |= self._runtime(reactor) | self.costs.overhead(name)
        if self.decentralized:
            wait = maxwait(reactor, self.version, reactor.label in self.readers)
            entry |= {} if wait is None else {"maxwait": wait}
        self.notes += set_by_code(reactor)
        instance = reactor.instance
        if instance is not None and attribute(instance.attributes, "transient"):
            where = self.top.source(instance).position(instance.at)
            self.notes.append(f"{where}: {name} may join and leave (transient): it counts as there")
        own = self._own_wires(reactor)
        if own:
            self.notes.append(f"that {name} sends to itself over the network")
        return (
            entry
            | FederateDraft(
                reactor, name, self.costs, self.notes, self.budget, own, self.apart
            ).parts()
        )

    def _own_wires(self, reactor: Reactor) -> list[Wire]:
        """The wires from a federate to itself."""
        if not self.federated:
            return []
        return [w for w in wires(self.top, []) if w.source is w.target is reactor]

    def _host(self, reactor: Reactor) -> Value:
        at = reactor.instance.host if reactor.instance else reactor.found.definition.host
        if not at:
            self.hosts.setdefault("localhost")
            return guessed("localhost", "not in the program")
        host = at.rpartition("@")[2]
        if host.startswith("["):
            host = host.rpartition("]")[0][1:]
        elif host.count(":") == 1:
            host = host.partition(":")[0]
        name = "localhost" if host in _HERE else host.replace(".", "_")
        if name != "localhost" and own_clocks(self.program, self.top, at):
            name = f"{name}_{reactor.label}"
            self.hosts.setdefault(name)
            return Remark(
                name, f"{host}, with a clock of its own: clock-sync corrects each by itself"
            )
        self.hosts.setdefault(name)
        return name if name in (host, "localhost") else Remark(name, host)

    def _runtime(self, federate: Reactor) -> Mapping:
        """Workers and scheduler."""
        if is_single(self.program):
            return {"workers": 1} | self._scheduler(federate, single=True)
        properties = self.program.properties
        workers = properties.get("workers", properties.get("threads"))  # its old name
        number = workers.whole if isinstance(workers, Scalar) else None
        why = "not in the program: the runtime takes one for each core"
        count = max(1, min(number, 10_000)) if number else guessed(1, why)
        return {"workers": count} | self._scheduler(federate, single=False)

    def _scheduler(self, federate: Reactor, *, single: bool) -> Mapping:
        """What the program says, else what the compiler takes."""
        word = self._word("scheduler")
        why = why_by_deadlines(self.program, self.version, federate, single=single)
        if why is not None and (single or not word):
            return {"scheduler": Remark("GEDF_NP", why)}
        if word.upper() in _SCHEDULERS:
            return {"scheduler": word.upper()}
        if word:
            self.notes.append(f"the scheduler {word}: NP is assumed")
        return {}

    def _word(self, key: str) -> str:
        """A property that is one word."""
        found = self.program.properties.get(key)
        if isinstance(found, dict):
            found = found.get("type")
        return found.text if isinstance(found, Scalar) else ""

    def _rti(self, hosts: list[str]) -> Mapping:
        entry: Mapping = self.costs.rti()
        dnet = self.program.properties.get("DNET")
        if isinstance(dnet, Scalar) and dnet.text.lower() == "false":
            entry["dnet"] = False
        if (interval := self._interval()) is not None:
            entry["advance_message_interval"] = interval
        at = self.top.found.definition.host
        if at:
            self.notes.append(f"the host of the RTI, {at}")
        return entry

    def _interval(self) -> int | None:
        options: Property | None = self.program.properties.get("coordination-options")
        interval = options.get("advance-message-interval") if isinstance(options, dict) else None
        return interval.nanoseconds if isinstance(interval, Time) else None

    def _connections(self, federates: Mapping) -> list[Value]:
        found: list[Value] = []
        delayed: dict[int, int] = {}  # wires of each physical connection with a delay
        for wire in wires(self.top, self.notes):
            if wire.source is wire.target:
                continue
            if wire.physical and wire.delay is not None:
                key = id(wire.connection)
                delayed[key] = delayed.get(key, 0) + 1
                if delayed[key] == 2:
                    where = self.top.source(wire.connection).position(wire.connection.at)
                    self.notes.append(f"{where}: {_DELAY_OF_ONE}")
            sender, receiver = wire.source.label, wire.target.label
            entry: Mapping = {
                "from": f"{sender}.{wire.output}",
                "to": f"{receiver}.{wire.input}",
            }
            if wire.delay is not None:
                entry["after"] = wire.delay
            if wire.physical:
                entry["physical"] = True
            entry |= self.costs.sending(sender, receiver)
            if self.decentralized:
                entry |= self.costs.latency(sender, receiver)
                if not wire.physical and (late := absent_after(wire, self.top, self.version)):
                    entry["absent_after"] = late
            found.append(entry)
        return found
