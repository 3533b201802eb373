"""A first system.yaml out of a sketch: what the sketch leaves open is guessed, and says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ddsrta.base.components import reached
from ddsrta.base.diagnostics import Diagnostic, InputError, shown
from ddsrta.base.frozen import frozen
from ddsrta.base.units import format_duration, parse_size
from ddsrta.formats.draft import Draft, Mapping, Remark, Value, guessed
from ddsrta.formats.first_places import (
    BYTES,
    RATE,
    WCET,
    Loads,
    Place,
    placeholder_of,
    places,
)
from ddsrta.formats.ros2_draft import own_name
from ddsrta.formats.sketch import Deadline, GroupSketch, NodeSketch, spelled_alike
from ddsrta.models.threads import JOINED

_MOST_CHAINS = 20
_MUCH = 1_000_000  # of time for one message, as much as a callback's guess
_OUTSIDE = "outside"
_HEAD = (
    "A first model. Each '# guessed' wants a look, the execution times (wcet) most of all:",
    "measure them on the machine ('ddsrta import trace' reads them out of a ros2_tracing session).",
)
_NOT_SAID = "not said"
_FIFO = "SCHED_FIFO; Linux' default would be 'policy: other' instead"
_MOVING = "SCHED_FIFO; Linux' default is not modelled where threads move between cores"
_SEVERAL = "SCHED_FIFO; Linux' default is not modelled for several threads of one core"
_BESIDE = "the core of its executor"
_CORE = "which core, and that it is pinned there"
_FILTER = "message_filters' ApproximateTime; or latest"
_EQUAL = f"{_FILTER}, or exact_time, as one timer is behind all of them"
_TIMER, _TOGETHER = "timer", "on_all"
_Callback = tuple[str, str]  # a node, and what it calls it


@frozen
class Sketch:
    """All that was said."""

    name: str
    nodes: tuple[NodeSketch, ...]
    executors: tuple[GroupSketch, ...] = ()
    machines: tuple[GroupSketch, ...] = ()
    deadlines: tuple[Deadline, ...] = ()


def first_draft(sketch: Sketch) -> Draft:
    """The draft of a sketch in which all names fit together (`sketch.check`).

    >>> from ddsrta.formats.sketch import node
    >>> draft = first_draft(Sketch("robot", (node("eye: 30 Hz -> image"), node("log: image"))))
    >>> list(draft.section("nodes"))
    ['eye', 'log']
    """
    return _Drawing(sketch).draft()


class _Drawing:
    def __init__(self, sketch: Sketch) -> None:
        self.sketch = sketch
        nodes = spelled_alike(sketch.nodes)
        self.nodes = [*nodes, *self._outside(nodes)]
        self.made = Draft(sketch.name, head=list(_HEAD))
        self.executor_of: dict[str, str] = {}
        self.executors: Counter[str] = Counter()  # of each core
        self.listeners: Counter[str] = Counter()
        self.moving: set[str] = set()  # cores between which threads move
        guess = not sketch.machines
        self.machines = sketch.machines or (GroupSketch("robot", ("c0", "c1", "c2", "c3")),)
        cores: Mapping = {each.name: {"cores": list(each.members)} for each in self.machines}
        why = "a machine with four cores for the real-time threads"
        section = self.made.section("machines")
        section |= {n: guessed(said, why) for n, said in cores.items()} if guess else cores

    def _outside(self, nodes: Sequence[NodeSketch]) -> Iterator[NodeSketch]:
        """Who publishes what nobody in the sketch does."""
        known = {topic for each in nodes for topic in each.publishes}
        missing = dict.fromkeys(t for each in nodes for t in each.reads if t not in known)
        if missing:
            yield NodeSketch(_OUTSIDE, publishes=tuple(missing))

    def draft(self) -> Draft:
        """All sections, in the order of the file."""
        draft = self.made
        self._network()
        why = f"δ of sending and receiving{self._largest()}: 'ddsrta measure delays'"
        draft.sections["delays"] = {"placeholder": guessed("true", why)}
        self._topics()
        groups = dict(self._groups())
        found = places([*groups], self.machines, Loads(self.nodes))
        self.moving = {c for each in found.values() if len(each.cores) > 1 for c in each.cores}
        for group, is_said in groups.items():
            self._place(group, found[group.name], is_said)
        for each in self.nodes:
            draft.section("nodes")[own_name(each.name)] = self._node(each)
        self._chains()
        return draft

    def _network(self) -> None:
        names = [each.name for each in self.machines]
        ways: list[Value] = [
            guessed({"from": one, "to": other, "delay": "1ms"}, _NOT_SAID)
            for one in names
            for other in names
            if one != other
        ]
        if ways:
            self.made.sections["network"] = ways

    def _largest(self) -> str:
        """What the placeholder makes of the largest message, if that is much: then it is what
        bounds are made of, and wants measuring first."""
        sizes = dict(size for each in self.nodes for size in each.sizes)
        size = max(sizes.values(), key=parse_size, default=BYTES)
        delay = placeholder_of(size)
        return f", {format_duration(delay)} each for {size}" if delay >= _MUCH else ""

    def _topics(self) -> None:
        sizes = dict(size for each in self.nodes for size in each.sizes)
        for topic in dict.fromkeys(t for n in self.nodes for t in (*n.publishes, *n.reads)):
            size: Value = sizes.get(topic) or guessed(BYTES, _NOT_SAID)
            self.made.section("topics")[topic] = {"size": size}

    def _groups(self) -> Iterator[tuple[GroupSketch, bool]]:
        """Executors, and whether the sketch names them."""
        placed = {member for each in self.sketch.executors for member in each.members}
        yield from ((each, True) for each in self.sketch.executors)
        for each in self.nodes:
            if each.name not in placed:
                yield GroupSketch(each.name, (each.name,)), False

    def _place(self, group: GroupSketch, place: Place, is_said: bool) -> None:
        """An executor, with the process and the listener that it is in."""
        draft, name, cores = self.made, own_name(group.name), place.cores
        below = max(self.executors[core] for core in cores)
        self.executors |= dict.fromkeys(cores, below + 1)
        if group.threads > 1:
            entry: Mapping = {"kind": "multi_threaded", "threads": group.threads}
            if len(cores) > 1:
                entry["threads"] = len(cores)
                entry["cores"] = guessed([*cores], "that its threads move between these")
                entry["pinned"] = "false"
            else:
                entry["core"] = guessed(cores[0], _CORE)
        else:
            entry = {"core": guessed(cores[0], _CORE)}
        entry["priority"] = guessed(50 - below, self._policy(group, cores))
        if any(self._find(member).reads for member in group.members):
            core = place.listener
            draft.section("listeners")[f"{name} dds"] = {
                "core": guessed(core, _BESIDE if core in cores else "where most room is left"),
                "priority": guessed(80 - self.listeners[core], "above all executors"),
            }
            self.listeners[core] += 1
            draft.section("processes")[name] = {"listener": f"{name} dds"}
            entry["process"] = name
        why = "a process of its own, as `ros2 run` starts it"
        draft.section("executors")[name] = entry if is_said else guessed(entry, why)
        self.executor_of |= dict.fromkeys(group.members, name)

    def _policy(self, group: GroupSketch, cores: Sequence[str]) -> str:
        """What a priority stands for, and what could stand there instead, if that is modelled."""
        if not self.moving.isdisjoint(cores):
            return _MOVING
        return _SEVERAL if group.threads > 1 else _FIFO

    def _node(self, each: NodeSketch) -> Value:
        callbacks: Mapping = {}
        rate: Value | None = each.rate
        if rate is None and not each.reads:
            rate = guessed(RATE, "how often it publishes")
        if each.waits:
            equal = len(set[str]().union(*map(self._timers_behind, each.reads))) == 1
            how = guessed("approximate_time", _EQUAL if equal else _FILTER)
            reads: Mapping = {"topics": list(each.reads), "activation": "and", "synchronize": how}
            callbacks[_TOGETHER] = self._callback({"subscribes": reads}, each.publishes)
        else:
            sent = () if rate is not None else each.publishes
            for topic in each.reads:
                said: Mapping = {"subscribes": {"topics": [topic]}}
                several = len(each.reads) > 1
                callbacks[_on(topic)] = self._callback(said, sent, several)
        if rate is not None:
            timer: Mapping = {"timer": rate}
            if each.reads:
                before: list[Value] = [f"{own_name(each.name)}.{_on(t)}" for t in each.reads]
                why = "it reads what the others left in variables"
                timer["follows"] = guessed({"threads": before}, why)
            callbacks[_TIMER] = self._callback(timer, each.publishes)
        return {"executor": self.executor_of[each.name], "callbacks": callbacks}

    def _timers_behind(self, topic: str) -> set[str]:
        """The nodes whose timers its messages stem from."""
        of = {each.name: each for each in self.nodes}
        writers: dict[str, list[str]] = {}
        for each in self.nodes:
            for sent in each.publishes:
                writers.setdefault(sent, []).append(each.name)
        before = reached(
            writers.get(topic, []),
            lambda name: [w for t in of[name].reads if not of[name].rate for w in writers[t]],
        )
        return {name for name in before if of[name].rate or not of[name].reads}

    def _callback(self, said: Mapping, topics: Sequence[str], several: bool = False) -> Value:
        entry: Mapping = {"wcet": guessed(WCET, "measure it"), **said}
        if topics:
            sent: list[Value] = [{"topic": topic} for topic in topics]
            why = "each of its callbacks publishes this"
            entry["publishes"] = guessed(sent, why) if several else sent
        return entry

    def _chains(self) -> None:
        asked = {(each.source, each.target): each.deadline for each in self.sketch.deadlines}
        for source, target in asked or [*self._all_pairs()][:_MOST_CHAINS]:
            known = reached([self._begin(source)], self._following)
            ends = [end for end in self._ends(target) if end in known]
            for number, end in enumerate(ends, 1):
                name = f"{source} to {target}".replace("/", ".")
                name += f" {number}" if number > 1 else ""
                chain = self._chain(self._begin(source), end, asked.get((source, target)))
                self.made.section("chains")[name] = chain
            if not ends and asked:
                message = f"no message leads from {shown(source)} to {shown(target)}"
                raise InputError([Diagnostic(None, message, "look at the topics of the nodes")])

    def _chain(self, begin: _Callback, end: _Callback, deadline: str | None) -> Value:
        entry: Mapping = {"from": JOINED.join(begin), "to": JOINED.join(end)}
        timers = [c for c in reached([begin], self._following) if c[1] == _TIMER and c != begin]
        if any(end in reached([timer], self._following) for timer in timers):
            why = "a timer on the way reads the newest: data_age, or reaction_time"
            entry["constraint"] = guessed("data_age", why)
        if deadline is not None:
            return {**entry, "deadline": deadline.replace(" ", "")}
        return Remark(entry, "no deadline yet: add for example 'deadline: 100ms'")

    def _all_pairs(self) -> Iterator[tuple[str, str]]:
        """From each node that runs of itself to each that nobody reads."""
        read = {topic for each in self.nodes for topic in each.reads}
        for first in self.nodes:
            for last in self.nodes if first.rate or not first.reads else ():
                if last is not first and last.reads and not read & set(last.publishes):
                    yield first.name, last.name

    def _find(self, name: str) -> NodeSketch:
        return next(each for each in self.nodes if each.name == name)

    def _begin(self, name: str) -> _Callback:
        return own_name(name), _callbacks_of(self._find(name))[-1]

    def _ends(self, name: str) -> list[_Callback]:
        """What a node does last."""
        found = _callbacks_of(self._find(name))
        return [(own_name(name), each) for each in (found[-1:] if _TIMER in found else found)]

    def _following(self, callback: _Callback) -> list[_Callback]:
        """What a callback releases, or leaves something for."""
        node, own = callback
        found = next(each for each in self.nodes if own_name(each.name) == node)
        if found.rate and own != _TIMER:
            return [(node, _TIMER)]
        return [
            (own_name(each.name), _TOGETHER if each.waits else _on(topic))
            for topic in found.publishes
            for each in self.nodes
            if topic in each.reads
        ]


def _callbacks_of(each: NodeSketch) -> list[str]:
    """In the order of the file: a timer is the last."""
    found = [_TOGETHER] if each.waits else [_on(topic) for topic in each.reads]
    return [*found, _TIMER] if each.rate or not each.reads else found


def _on(topic: str) -> str:
    """
    >>> _on("/camera/image")
    'on_camera.image'
    """
    return f"on_{own_name(topic)}"
