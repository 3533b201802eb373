"""Objects with the attributes of pyCPA's, for tests where it is not installed. Nothing is analysed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any


class Linked:
    def __init__(self, name: str) -> None:
        self.name = name
        self.next_tasks: set[Any] = set()

    def link_dependent_task(self, task: Any) -> Any:
        self.next_tasks.add(task)
        return task


class Task(Linked):
    def __init__(self, name: str, bcet: int, wcet: int, scheduling_parameter: int) -> None:
        super().__init__(name)
        self.bcet, self.wcet, self.scheduling_parameter = bcet, wcet, scheduling_parameter
        self.in_event_model: Any = None
        self.mutex = None


class Junction(Linked):
    wcet = bcet = 0

    def __init__(self, name: str, strategy: Any) -> None:
        super().__init__(name)
        self.strategy = strategy


class Resource:
    def __init__(self, name: str, scheduler: Any) -> None:
        self.name, self.scheduler = name, scheduler
        self.tasks: set[Any] = set()

    def bind_task(self, task: Any) -> Any:
        self.tasks.add(task)
        task.resource = self
        return task


class Path:
    overhead = 0

    def __init__(self, name: str, tasks: list[Any]) -> None:
        self.name, self.tasks = name, tasks


class System:
    def __init__(self, name: str) -> None:
        self.name = name
        self.resources: set[Any] = set()
        self.junctions: set[Any] = set()
        self.paths: set[Any] = set()
        self.constraints = SimpleNamespace(_path_constraints={})
        self.bind_resource, self.bind_junction, self.bind_path = (
            self._binder(found) for found in (self.resources, self.junctions, self.paths)
        )

    @staticmethod
    def _binder(found: set[Any]) -> Any:
        def bind(one: Any) -> Any:
            found.add(one)
            return one

        return bind


class PJdEventModel:
    def __init__(self, P: int, J: int = 0, dmin: int = 0, phi: int = 0) -> None:  # noqa: N803
        self.P, self.J, self.dmin, self.phi = P, J, dmin, phi


class CTEventModel:
    def __init__(self, c: int, T: int, dmin: int = 1) -> None:  # noqa: N803
        self.c, self.T, self.dmin = c, T, dmin


class SPPScheduler:
    def __init__(self) -> None:
        self.priority_cmp = lambda one, other: one <= other


class SPNPScheduler(SPPScheduler):
    pass


class ORJoin:
    pass


class ANDJoin:
    pass


model = SimpleNamespace(
    System=System, Resource=Resource, Task=Task, Junction=Junction, Path=Path,
    PJdEventModel=PJdEventModel, CTEventModel=CTEventModel,
)  # fmt: skip
schedulers = SimpleNamespace(SPPScheduler=SPPScheduler)
junctions = SimpleNamespace(ORJoin=ORJoin)
