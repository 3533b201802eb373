"""What happened behind a job, and how long ago."""

from __future__ import annotations

from ddsrta_simulator.program import Choices, Program
from ddsrta_simulator.twin_events import Clock
from ddsrta_simulator.twin_threads import Job


class Paths(Clock):
    """Origins go with jobs; a job at the end of a path is measured."""

    def __init__(
        self, program: Program, choices: Choices, records: int, trace: int, histograms: bool
    ) -> None:
        super().__init__(program, choices, records, trace, histograms)
        self.first_release = [-1] * len(program.thread_worst)
        self.known = [(0, -1)] * len(program.end_first)

    def carry(self, hop: int, source: Job, job: Job, came_last: bool) -> None:
        """Origins go from a job to the one that it releases, or that reads it."""
        p = self.program
        for copy in range(p.hop_copy[hop], p.hop_copy[hop + 1]):
            origin = source.origin(p.copy_from[copy])
            if origin is not None:
                arrival, index, always_last = origin
                origin = (arrival, index, always_last and came_last)
            job.origins[p.copy_to[copy]] = origin

    def measure_path(self, end: int, job: Job) -> None:
        """A job at the end of a path is complete: how long ago its origin was."""
        p, see = self.program, self.measured.see
        origin = job.origin(p.end_origin[end])
        if origin is None:
            return
        arrival, index, always_last = origin
        age = self.now - arrival
        see(p.end_latency[end], age)
        if always_last:
            see(p.end_trigger[end], age)
        see(p.end_data_age[end], age)
        known, known_arrival = self.known[end]
        if index > known:  # a stimulus that just missed the job known so far is seen only now
            missed = self.first_release[p.end_first[end]] if known == 0 else known_arrival
            see(p.end_reaction[end], self.now - missed)
            self.known[end] = (index, arrival)
