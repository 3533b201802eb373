"""Tasks of another tool as a system to start from: each becomes a thread, and `follows` what starts
it."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.formats.draft import Draft, Mapping, Value, guessed
from ddsrta.formats.ros2_draft import MACHINE
from ddsrta.formats.tasks.model import Task, TaskSystem
from ddsrta.models.arrivals import Arrival, Burst, Curve, Periodic, Sporadic
from ddsrta.models.costs import Cost

_EQUAL = (
    "{} of one priority on core '{}': served in the order in which they come, as SCHED_FIFO does"
)


def draft_of(tasks: TaskSystem, source: str) -> Draft:
    """The draft of a system with these tasks; `source` says where they are from.

    >>> from ddsrta.formats.yaml_writer import write
    >>> one = {"a": Task("a", "cpu", 3, 2_000_000, 1_000_000, Periodic(10_000_000))}
    >>> print(write(draft_of(TaskSystem("one", one), "an example")), end="")
    # Drafted from an example: look at every guess.
    ddsrta: 1
    name: one
    machines:
      machine: {cores: [cpu]}  # guessed: the file has no machines: one for all cores
    threads:
      a: {core: machine/cpu, priority: 3, wcet: 2ms, bcet: 1ms, period: 10ms}
    """
    draft = Draft(tasks.name[:100], head=[f"Drafted from {source}: look at every guess."])
    places = dict(_places(tasks.cores))
    machines: dict[str, list[Value]] = {}
    for place in places.values():
        machine, core = place.split("/")
        machines.setdefault(machine, []).append(core)
    for machine, cores in machines.items():
        said: Value = {"cores": cores}
        if machine == MACHINE:
            said = guessed(said, "the file has no machines: one for all cores")
        draft.section("machines")[machine] = said
    names = _names(tasks)
    for task in tasks.tasks.values():
        draft.section("threads")[names[task.name]] = _thread(task, places[task.core], names)
    for name, chain in tasks.chains.items():
        entry: Mapping = {"path": [names[one] for one in chain.path]}
        if chain.deadline is not None:
            entry["deadline"] = chain.deadline
        draft.section("chains")[name] = entry
    for text in (*tasks.notes, *_equals(tasks)):
        draft.leave_out(text)
    return draft


def _places(cores: list[str]) -> Iterator[tuple[str, str]]:
    """A core of a machine has its name already; another belongs to a machine for all of them."""
    for core in cores:
        named = core.count("/") == 1 and all(core.split("/"))
        yield core, core if named else f"{MACHINE}/{core.replace('/', '.')}"


def _names(tasks: TaskSystem) -> dict[str, str]:
    """The names of the threads: '/' is kept for parts of a thing."""
    return {name: name.replace("/", ".") for name in tasks.tasks}


def _thread(task: Task, place: str, names: dict[str, str]) -> Mapping:
    entry: Mapping = {"core": place, "priority": task.priority, "wcet": task.wcet}
    entry["bcet"] = task.bcet
    if task.arrival is not None:
        entry |= _released(task.arrival)
    if task.after:
        follows: Mapping = {"threads": [names[one] for one in task.after]}
        if task.delay != Cost(0, 0):
            follows |= {"delay": task.delay.worst, "best": task.delay.best}
        entry["follows"] = follows
    return entry


def _released(arrival: Arrival) -> Mapping:
    said: Mapping
    match arrival:
        case Periodic(period, jitter, distance):
            said = {"jitter": jitter} if jitter else {}
            said |= {"min_distance": distance} if distance else {}
            return {"period": period, **({"arrival": said} if said else {})}
        case Sporadic(distance, jitter):
            said = {"sporadic": distance, **({"jitter": jitter} if jitter else {})}
        case Burst(count, distance, period):
            said = {"burst": {"count": count, "distance": distance, "period": period}}
        case Curve(distances, repeat, period):
            said = {"curve": list(distances), "repeat": repeat, "period": period}
    return {"arrival": said}


def _equals(tasks: TaskSystem) -> Iterator[str]:
    """Where the order of tasks rests on what other tools see differently."""
    shared: dict[tuple[str, int], list[str]] = {}
    for task in tasks.tasks.values():
        shared.setdefault((task.core, task.priority), []).append(task.name)
    for (core, _), found in shared.items():
        if len(found) > 1:
            yield _EQUAL.format(f"{len(found)} tasks, '{found[0]}' and others,", core)
