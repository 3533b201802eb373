"""Threads that are released by sets of messages, which a synchronizer makes."""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

from ddsrta_simulator.matching import Machine, machine_of
from ddsrta_simulator.program import EXACT, LATEST, TAKEN, Choices, Program
from ddsrta_simulator.twin_paths import Paths
from ddsrta_simulator.twin_threads import Job


class Token(NamedTuple):
    """A message that a synchronizer keeps: the job behind it, when it came, and its number."""

    stamp: int
    job: Job
    came: int
    number: int


class Sets(Paths):
    """Messages come to synchronizers, and sets are measured."""

    def __init__(
        self, program: Program, choices: Choices, records: int, trace: int, histograms: bool
    ) -> None:
        super().__init__(program, choices, records, trace, histograms)
        self.heard = [0] * len(program.hop_target)
        self.last_set = [-1] * len(program.thread_worst)
        self.machines: dict[int, Machine[Token]] = {}
        for thread, activation in enumerate(program.thread_activation):
            if activation >= EXACT:
                first, last = program.thread_hop[thread : thread + 2]
                room = program.thread_room[thread]
                self.machines[thread] = machine_of(activation, last - first, room)

    @abstractmethod
    def released(self, thread: int) -> int:
        """How many jobs of a thread there have been."""

    @abstractmethod
    def release(self, thread: int, reader: int, causes: list[tuple[int, Job, int]]) -> None:
        """A job of a thread arrives."""

    def match(self, thread: int, hop: int, job: Job) -> None:
        """A message comes to a synchronizer."""
        p = self.program
        first, last = p.thread_hop[thread : thread + 2]
        number = self.heard[hop]
        self.heard[hop] += 1
        token = Token(job.stamp, job, self.now, number)
        for found in self.machines[thread].add(hop - first, token):
            turn = number * (last - first) + hop - first
            if p.thread_activation[thread] != LATEST or self.decide.amount(
                p.thread_fires[thread], turn, self.now, 0, 1
            ):
                self.make_set(thread, first, found)

    def make_set(self, thread: int, first: int, found: tuple[Token, ...]) -> None:
        """A set releases a job."""
        p, see = self.program, self.measured.see
        stamps = [token.stamp for token in found]
        see(p.thread_disparity[thread], max(stamps) - min(stamps))
        if self.last_set[thread] >= 0:
            see(p.thread_gap[thread], self.now - self.last_set[thread])
        self.last_set[thread] = self.now
        for hop, token in enumerate(found, first):
            see(p.hop_wait[hop], self.now - token.came)
            self.trace(TAKEN, hop, token.number, self.released(thread))
        causes = [(hop, token.job, token.came) for hop, token in enumerate(found, first)]
        self.release(thread, -1, causes)
