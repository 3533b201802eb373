"""Cores of hosts that have fewer of them than workers: who of the running gets one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random


@dataclass(eq=False)
class Job:
    """What a worker does; `rank`: whom a core is given first, if it goes by ranks."""

    left: int
    rank: float | None
    begin: Callable[[], None]
    end: Callable[[], None]
    begun: bool = False

    def start(self) -> None:
        """It has a core for the first time."""
        if not self.begun:
            self.begun = True
            self.begin()


@dataclass
class Cores:
    """The running jobs of each host, and for how many of them there is a core (None: for all)."""

    chance: Random = field(default_factory=Random)
    most: Mapping[str, int | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.jobs: dict[str, list[Job]] = {host: [] for host in self.most}

    def __bool__(self) -> bool:
        return any(self.jobs.values())

    def go_on(self, until: int | None) -> int:
        """Let jobs go on until one ends, or so long at most; tells how long that is."""
        chosen = [job for host in self.most for job in self._chosen(host)]
        for job in chosen:
            job.start()
        ends = [job.left for job in chosen]
        step = min(ends if until is None else [*ends, until])
        for job in chosen:
            job.left -= step
        return step

    def _chosen(self, host: str) -> list[Job]:
        jobs, most = self.jobs[host], self.most[host]
        if most is None or len(jobs) <= most:
            return jobs
        if any(job.rank is None for job in jobs):
            return self.chance.sample(jobs, most)
        return sorted(jobs, key=lambda job: job.rank or 0)[:most]

    def end(self) -> None:
        """What has nothing left is over."""
        for jobs in self.jobs.values():
            ended = [job for job in jobs if job.left <= 0]
            jobs[:] = [job for job in jobs if job.left > 0]
            for job in ended:
                job.start()
                job.end()
