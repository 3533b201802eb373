"""A system as tasks: every job, sample and message that a thread serves becomes a task of its own.

Threads of middleware and executors serve one thing at a time, in an order of their own. Tasks of
one priority may each be delayed by all the others of that priority, so a bound on the tasks is one
on whatever order the thread serves in, as long as it never rests while something waits. What would
make such a bound too small is refused; what only makes it larger is noted.
"""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic, InputError, Position
from ddsrta.bounds.edges import Edge
from ddsrta.bounds.paths.concrete import NamedPath, named_paths
from ddsrta.bounds.stages import Stage, unfold
from ddsrta.formats.tasks.model import Task, TaskChain, TaskSystem
from ddsrta.models.costs import EPSILON, NO_COST, Cost
from ddsrta.models.system import System

_KINDS = ("single_threaded", "static")  # of executors: one thread, and nothing beside callbacks
_MOST_COPIES = 64
_COPIES = "a task starts another once"


def tasks_of(system: System) -> TaskSystem:
    """The tasks of a system; raises InputError where tasks cannot say what it does.

    >>> from ddsrta.examples import two_threads
    >>> list(tasks_of(two_threads()).tasks)
    ['sensor', 'F: speed of sensor', 'L: speed of sensor to control', 'control']
    """
    problems = [*_of_places(system), *_of_threads(system)]
    if problems:
        raise InputError(problems)
    stages = unfold(system)
    made = _Tasks(system, stages)
    for number in range(len(stages)):
        made.add(number)
    chains = _Chains(system, made)
    notes = (*_notes(system), *chains.left_out)
    return TaskSystem(system.name, made.tasks, chains.found, notes)


def _refused(where: Position | None, message: str) -> Diagnostic:
    return Diagnostic(where, f"{message}: tasks of fixed priority cannot say that")


def _of_places(system: System) -> Iterator[Diagnostic]:
    """Where things run, and what else there is, that is no fixed priority on a core of its own."""
    if system.fastdds is not None:
        yield _refused(system.where("middleware"), "locks of Fast DDS ('middleware')")
    for name in system.media:
        yield _refused(system.where("links", name), f"the shared link '{name}'")
    for core in system.cores.values():
        if core.reservation or core.partitions:
            where = system.where("machines", core.machine)
            yield _refused(where, f"core '{core.path}' supplies a reservation")
    for kind in ("flow_controllers", "listeners"):
        for name, server in getattr(system, kind).items():
            if server.reservation or server.partition:
                yield _refused(system.where(kind, name), f"'{name}' has a reservation")
            if server.limit is not None:
                yield _refused(system.where(kind, name, "limit"), f"'{name}' sleeps")
    for name, executor in system.executors.items():
        where = system.where("executors", name)
        if executor.kind not in _KINDS:
            yield _refused(where, f"'{name}' is {executor.kind}")
        elif executor.reservation or executor.nice is not None:
            yield _refused(where, f"'{name}' is not of SCHED_FIFO")


def _of_threads(system: System) -> Iterator[Diagnostic]:
    for name, thread in system.threads.items():
        where = system.where("threads", name)
        if thread.reservation or thread.partition or thread.nice is not None:
            yield _refused(where, f"'{name}' is not of SCHED_FIFO")
        if thread.cores:
            yield _refused(where, f"'{name}' moves between cores")
        if thread.arrival is None and thread.activation == "and":
            yield _refused(where, f"'{name}' waits for several inputs")
        for publication in thread.publishes:
            if publication.rounds is not None:
                yield _refused(where, f"'{publication.topic}' of '{name}' closes a circle")
            if publication.count > _MOST_COPIES:
                message = f"'{name}' sends {publication.count} messages a job"
                yield Diagnostic(where, message, f"at most {_MOST_COPIES} become tasks")
            neighbours = system.neighbours(thread, publication.topic)
            if publication.count > 1 and neighbours:
                message = f"'{neighbours[0].name}' gets several messages of one job of '{name}'"
                yield Diagnostic(where, f"{message}: {_COPIES}")


def _notes(system: System) -> Iterator[str]:
    """What is less exact in tasks than it was."""
    for name, controller in system.flow_controllers.items():
        if controller.policy != "FIFO":
            policy = f"{controller.policy} of flow controller '{name}'"
            yield f"{policy}: its samples are tasks of one priority"
    for name in system.executors:
        yield f"turns of executor '{name}': its callbacks are tasks of one priority"
    for name, thread in system.threads.items():
        if thread.arrival is not None and (thread.subscribes or thread.follows):
            yield f"what '{name}' samples: it is released by time, and starts no earlier for it"
        if getattr(thread.arrival, "offset", None) is not None:
            yield f"the offset of '{name}': it may be released at any time of its period"
        for publication in thread.publishes:
            if publication.part is not None:
                yield f"jobs of '{name}' that leave '{publication.topic}' out: each sends it"
    for name in system.orders:
        yield f"order '{name}': tasks have no order of messages"


class _Tasks:
    """The tasks of each stage: several where each unit before it brings several."""

    def __init__(self, system: System, stages: list[Stage]) -> None:
        self.system = system
        self.stages = stages
        self.outgoing: dict[int, list[tuple[Edge, Cost]]] = {}
        for stage in stages:
            for edge in stage.inputs:
                pair = edge, self.delay(stage)
                self.outgoing.setdefault(edge.source, []).append(pair)
        self.tasks: dict[str, Task] = {}
        self.names: list[list[str]] = []
        self.of: dict[
            tuple[str | None, ...], str
        ] = {}  # one of the tasks of each stage, by its key

    def add(self, number: int) -> None:
        """The tasks of the next stage."""
        stage = self.stages[number]
        kind, server = stage.server
        place = getattr(self.system, kind)[server]
        name = _name(stage)
        befores: list[tuple[str, ...]] = [()]
        if stage.key[0] == "job":
            befores = [tuple(n for edge in stage.inputs for n in self.names[edge.source])]
        else:
            (edge,) = stage.inputs
            befores = [(n,) for n in self.names[edge.source] for _ in range(edge.multiplicity)]
        least = self.least(number, stage)
        names = [f"{name} #{n}" for n in range(1, len(befores) + 1)] if befores[1:] else [name]
        for own, before in zip(names, befores, strict=True):
            self.tasks[own] = Task(
                own,
                place.core,
                place.priority,
                stage.cost,
                min(stage.cost, least),
                stage.arrival,
                before,
                self.delay(stage) if before else NO_COST,
            )
        self.names.append(names)
        self.of[stage.key] = names[0]

    def least(self, number: int, stage: Stage) -> int:
        """The least time from a task's start to what it starts: that may leave before its end."""
        if number in self.outgoing:
            return max(0, min(edge.least - way.best for edge, way in self.outgoing[number]))
        return self.system.threads[stage.key[1]].bcet or EPSILON

    def delay(self, stage: Stage) -> Cost:
        """What the way to a stage takes."""
        if stage.key[0] == "message":
            _, writer, _, reader = stage.key
            ends = (self.system.threads[name].core for name in (writer, reader))
            net = self.system.network(*(self.system.machine_of(core) for core in ends))
            return Cost(net.worst, min(net.best, net.worst))
        follows = self.system.threads[stage.key[1]].follows
        if stage.key[0] == "job" and follows is not None:
            return Cost(follows.delay, follows.best)
        return NO_COST


def _name(stage: Stage) -> str:
    if stage.key[0] == "job":
        return stage.key[1]
    _, writer, topic, *reader = stage.key
    to = f" to {reader[0]}" if reader else ""
    return f"{stage.server[1]}: {topic} of {writer}{to}"


class _Chains:
    """Chains as paths of tasks, and those that are none."""

    def __init__(self, system: System, made: _Tasks) -> None:
        self.system = system
        self.made = made
        self.found: dict[str, TaskChain] = {}
        paths, findings = named_paths(system)
        self.left_out = [finding.message for finding in findings]
        for path in paths:
            why = self.why_not(path)
            if why:
                self.left_out.append(f"chain '{path.name}': {why}")
            else:
                self.found[path.name] = TaskChain(self.tasks(path), path.chain.deadline)

    def why_not(self, path: NamedPath) -> str:
        """What keeps a path from being one of tasks."""
        if path.chain.constraint in ("data_age", "reaction_time"):
            return f"tasks have no {path.chain.constraint}"
        for hop in path.hops:
            if self.system.threads[hop.target].arrival is not None:
                return f"'{hop.target}' samples what comes to it"
        return ""

    def tasks(self, path: NamedPath) -> tuple[str, ...]:
        """The tasks on a path."""
        found = [self.made.of["job", path.start]]
        for source, topic, target in path.hops:
            keys: list[tuple[str | None, ...]] = [("sample", source, topic)]
            keys += [("message", source, topic, target), ("job", target)]
            found += [self.made.of[key] for key in keys if key in self.made.of]
        return tuple(found)
