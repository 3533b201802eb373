"""What happened behind a job, and how long ago."""

from __future__ import annotations

from ddsrta_simulator.locks import Locks
from ddsrta_simulator.structs import Bool, Int


class Paths(Locks):
    """Origins go with jobs; a job at the end of a path is measured."""

    def new_unit(self) -> Int:
        """A free one, or one more."""
        i = self.s.free_unit
        if i >= 0:
            self.s.free_unit = self.unit[i].next
            return i
        if not self.more_units():
            return 0
        self.s.units += 1
        return self.s.units - 1

    def free_unit(self, i: Int) -> None:
        """It may be used again."""
        self.drop(self.unit[i].job)
        self.unit[i].next = self.s.free_unit
        self.s.free_unit = i

    def new_job(self) -> Int:
        """A free one, or one more."""
        i = self.s.free_job
        if i >= 0:
            self.s.free_job = self.job(i).uses
            return i
        if not self.more_jobs():
            return 0
        self.s.jobs += 1
        return self.s.jobs - 1

    def drop(self, i: Int) -> None:
        """One use less of a job."""
        job = self.job(i)
        job.uses -= 1
        if job.uses == 0:
            job.uses = self.s.free_job
            self.s.free_job = i

    def make_job(self, thread: Int, reader: Int) -> Int:
        """A job of a thread, without origins."""
        j = self.new_job()
        job = self.job(j)
        origins = self.origins(j)
        job.uses = 1
        job.index = self.released[thread]
        job.arrival = job.asked = job.stamp = self.s.now
        job.reader = reader
        job.round = 0
        for k in range(self.p.thread_origins[thread]):
            origins[2 * k] = -1
        if self.released[thread] == 0:
            self.first_release[thread] = self.s.now
        self.released[thread] += 1
        return j

    def carry(self, hop: Int, source: Int, j: Int, came_last: Bool) -> None:
        """Origins go from a job to the one that it releases, or that reads it."""
        theirs = self.origins(source)
        own = self.origins(j)
        for k in range(self.p.hop_copy[hop], self.p.hop_copy[hop + 1]):
            f = self.p.copy_from[k]
            t = self.p.copy_to[k]
            if f < 0:
                own[2 * t] = self.job(source).arrival
                own[2 * t + 1] = 2 * self.job(source).index + came_last
            else:
                own[2 * t] = theirs[2 * f]
                own[2 * t + 1] = theirs[2 * f + 1] if came_last else theirs[2 * f + 1] & ~1

    def measure_path(self, end: Int, job: Int) -> None:
        """A job at the end of a path is complete: how long ago its origin was."""
        origin = self.p.end_origin[end]
        arrival = self.job(job).arrival
        told = 2 * self.job(job).index + 1
        if origin >= 0:
            arrival = self.origins(job)[2 * origin]
            told = self.origins(job)[2 * origin + 1]
            if arrival < 0:
                return
        index = told >> 1
        age = self.s.now - arrival
        self.see(self.p.end_latency[end], age)
        if told & 1:
            self.see(self.p.end_trigger[end], age)
        self.see(self.p.end_data_age[end], age)
        if index > self.known[end]:  # a stimulus that just missed the one before is seen
            missed = self.known_arrival[end]
            if self.known[end] == 0:
                missed = self.first_release[self.p.end_first[end]]
            self.see(self.p.end_reaction[end], self.s.now - missed)
            self.known[end] = index
            self.known_arrival[end] = arrival
