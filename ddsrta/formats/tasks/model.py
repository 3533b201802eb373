"""What pyCPA, MAST and Amalthea have in common: tasks of fixed priority that start each other.

A task runs on one core, preempts all of a smaller priority there, and may be delayed by all of its
own priority. A release by time starts it, or the completion of any of the tasks that it comes
`after`, `delay` later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from ddsrta.base.frozen import frozen
from ddsrta.models.arrivals import Arrival
from ddsrta.models.costs import NO_COST, Cost


@frozen
class Task:
    """A piece of work of one thread; the bigger priority is the more urgent."""

    name: str
    core: str
    priority: int
    wcet: int
    bcet: int
    arrival: Arrival | None = None
    after: tuple[str, ...] = ()
    delay: Cost = NO_COST


@frozen
class TaskChain:
    """Tasks of which each starts the next, and how long that may take from the release of the
    first."""

    path: tuple[str, ...]
    deadline: int | None = None


@frozen
class TaskSystem:
    """Tasks by name, each after those that start it. `notes` say what of the original is not in
    here, or is something else in here."""

    name: str
    tasks: Mapping[str, Task]
    chains: Mapping[str, TaskChain] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def cores(self) -> list[str]:
        """The cores that tasks run on, in the order of the tasks.

        >>> TaskSystem("s", {"a": Task("a", "m/c", 1, 5, 1), "b": Task("b", "m/c", 2, 5, 1)}).cores
        ['m/c']
        """
        return list(dict.fromkeys(task.core for task in self.tasks.values()))
