"""An environment as a thread of Linux: what it has to do, and when."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from ddsrta.lf.bounds.logical_time.calendar import instants
from ddsrta.lf.bounds.logical_time.moments import Moment
from ddsrta.lf.bounds.schedulers.core_run import Job
from ddsrta.lf.bounds.schedulers.within import NEVER, Within

Key = tuple[str, str]  # environment, reaction


@dataclass(frozen=True)
class Member:
    """An environment of a core, with one worker.

    `steady`: each of its jobs certainly comes; `real`: some run has all of them. `early`: what
    wakes it before its tags.
    """

    name: str
    within: Within
    moments: Mapping[Moment, list[str]]
    steady: bool = True
    real: bool = True
    early: Collection[str] = ()

    @cached_property
    def wanted(self) -> list[str]:
        """Its reactions with deadlines."""
        reactions = self.within.federate.reactions.values()
        return [r.name for r in reactions if r.deadline is not None]

    @cached_property
    def deadline(self) -> int:
        """The least of all its reactions: what its priority comes from."""
        reactions = self.within.federate.reactions.values()
        return min((r.deadline for r in reactions if r.deadline is not None), default=NEVER)

    @cached_property
    def last_start(self) -> int:
        """What a reaction that takes no time needs of the core in order to start: the least."""
        reactions = (self.within.federate.reactions[name] for name in self.wanted)
        return 1 if any(not reaction.wcet for reaction in reactions) else 0

    def jobs(self, end: int) -> list[Job]:
        """All that it has to do before a time."""
        found = []
        for instant in instants(self.moments, end):
            work = 0
            before: dict[str, int] = {}
            for step in instant.steps:
                for name in self.wanted:
                    if name in step:
                        before[name] = work + self.within.start_at(step, name)
                work += self.within.tag_work(step)
            found.append(Job(instant.time, work, tuple(before.items())))
        return found
