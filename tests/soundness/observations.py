"""The largest of everything that a run has shown, and the walk back along a chain."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ddsrta.models.graph import Hop, hops_of_path
from ddsrta.models.paths import paths_between

Path = tuple[str, ...]


@dataclass
class Observations:
    """Maxima in ns; stages are ("job", t), ("sample", p, topic) and ("message", p, topic, s).

    `pending` counts the units of each stage, of each middleware thread by name, and for each
    ("reader", s, topic) the messages whose jobs are not complete.
    """

    response: dict[tuple, int] = field(default_factory=dict)
    ddl: dict[tuple[str, str, str], int] = field(default_factory=dict)
    latency: dict[Path, int] = field(default_factory=dict)
    data_latency: dict[Path, int] = field(default_factory=dict)
    data_age: dict[Path, int] = field(default_factory=dict)
    reaction_time: dict[Path, int] = field(default_factory=dict)
    pending: dict[object, int] = field(default_factory=dict)
    messages: int = 0
    events: int = 0


def see(table, key, value):
    """Remember the largest."""
    if value > table.get(key, -1):
        table[key] = value


def paths_of(system):
    """The paths of all chains: (path as in the file, hops)."""
    paths = {}
    for chain in system.chains.values():
        if chain.path:
            paths[chain.path] = tuple(hops_of_path(system, chain.path))
        else:
            for hops in paths_between(system, *chain.ends, limit=chain.limit).paths:
                paths[_names(chain.ends[0], hops)] = hops
    return paths


def _names(first, hops) -> Path:
    names = [first]
    for hop in hops:
        names += [hop.target] if hop.topic is None else [hop.topic, hop.target]
    return tuple(names)


class Origin(NamedTuple):
    """The job at the start of a path, and whether the path's token came last wherever it had to."""

    job: object
    always_last: bool


class Recorder:
    """Measures the paths as jobs complete."""

    def __init__(self, system):
        self.seen = Observations()
        self.ending: dict[str, list] = {}
        self.first_releases: dict[str, list[int]] = {}
        for path, hops in paths_of(system).items():
            timed = any(system.threads[hop.target].arrival is not None for hop in hops)
            last = hops[-1].target if hops else path[0]
            self.first_releases.setdefault(path[0], [])
            self.ending.setdefault(last, []).append([path, hops[::-1], timed, 0])

    def released(self, job):
        """A job was released: the first threads of paths are remembered."""
        if job.thread in self.first_releases:
            self.first_releases[job.thread].append(job.arrival)

    def completed(self, job, now):
        """A job is complete: walk back from it along each path that ends with it."""
        for entry in self.ending.get(job.thread, ()):
            path, hops, timed, known = entry
            origin = _origin(job, hops)
            if origin is None:
                continue
            age = now - origin.job.arrival
            if not timed:
                see(self.seen.data_latency, path, age)
                if origin.always_last:
                    see(self.seen.latency, path, age)
            see(self.seen.data_age, path, age)
            if origin.job.index > known:
                missed = self.first_releases[path[0]][known]  # a stimulus that just missed this job
                see(self.seen.reaction_time, path, now - missed)
                entry[3] = origin.job.index


def _origin(job, hops: list[Hop]):
    always_last = True
    for hop in hops:
        if hop not in job.causes:
            return None
        source, came = job.causes[hop]
        always_last = always_last and came == job.last_came
        job = source
    return Origin(job, always_last)
