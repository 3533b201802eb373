"""Jobs, units of work and messages, and what a run shows of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ddsrta_simulator import Choices, Program
from ddsrta_simulator.program import EXACT
from tests.simulation.oracle.choices import Decisions
from tests.simulation.state_machines import Machine, machine_of


@dataclass(eq=False)
class Job:
    """Of a thread: when it arrived, since when it is asked for, and the jobs behind it by hop, each
    with whether it came last."""

    thread: int
    index: int
    arrival: int
    asked: int
    stamp: int
    reader: int = -1
    behind: dict[int, tuple[Job, bool]] = field(default_factory=dict)
    round: int = 0


@dataclass(eq=False)
class Unit:
    """A piece of work, or a message on its way."""

    stage: int
    number: int
    job: Job
    arrival: int
    since: int
    steps: Iterator[int] = field(default_factory=lambda: iter(()))
    left: int = 0
    between: bool = False  # two frames
    hop: int = -1  # what released it, of a job

    def step(self) -> bool:
        """What follows a step; whether that was the last one."""
        for left in self.steps:
            self.left = left
            return False
        return True


@dataclass
class Token:
    """A message that waits for others."""

    stamp: int
    job: Job
    came: int
    number: int


class Things(Decisions):
    """What there is, and what was seen of it."""

    now = 0

    def __init__(self, program: Program, choices: Choices) -> None:
        super().__init__(choices)
        p = self.p = program
        self.threads, self.streams = len(p.thread_worst), len(p.stream_hop)
        self.rows: list[tuple[int, int, int, int, int]] = []
        self.worst = [-1] * len(p.measures)
        self.pending = [0] * len(p.measures)
        self.more: set[int] = set()  # measures of what is pending that grew
        self.jobs: list[list[Job]] = [[] for _ in p.thread_worst]
        self.samples = [0] * len(p.publication_mode)
        self.sent = [0] * self.streams
        self.told = [0] * len(p.link_hop)
        self.handed = [0] * len(p.hop_target)
        self.left: dict[tuple[str, int], int] = {}  # when something did last, on a way
        self.heard = [0] * len(p.hop_target)
        self.newest: dict[int, Job] = {}
        self.tokens: list[list[Token]] = [[] for _ in p.hop_target]
        self.last_set: dict[int, int] = {}
        self.machines: dict[int, Machine[Token]] = {
            thread: machine_of(policy, len(self.inputs(thread)), p.thread_room[thread])
            for thread, policy in enumerate(p.thread_activation)
            if policy >= EXACT
        }
        self.ways: list[list[tuple[int, Unit]]] = [[] for _ in (*p.stream_hop, *p.link_hop)]
        self.way_last = [0] * len(self.ways)

    def inputs(self, thread: int) -> range:
        """The hops into a thread."""
        return range(*self.p.thread_hop[thread : thread + 2])

    def trace(self, kind: int, what: int, number: int, other: int) -> None:
        """Something happened."""
        self.rows.append((self.now, kind, what, number, other))

    def see(self, measure: int, value: int) -> None:
        """A value of a measure."""
        if measure >= 0:
            self.worst[measure] = max(self.worst[measure], value)

    def count(self, measure: int, change: int) -> None:
        """More or less is pending; it counts as it is when time goes on."""
        if measure >= 0:
            self.pending[measure] += change
            if change > 0:
                self.more.add(measure)

    def make_job(self, thread: int, stamp: int | None = None) -> Job:
        """The next one."""
        stamp = self.now if stamp is None else stamp
        job = Job(thread, len(self.jobs[thread]), self.now, self.now, stamp)
        self.jobs[thread].append(job)
        return job
