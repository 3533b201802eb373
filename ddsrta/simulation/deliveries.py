"""Which messages reach whom, in their order, and of which jobs they are: read from a trace."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ddsrta.models.graph import Hop
from ddsrta.simulation.kept import Kept
from ddsrta.simulation.run import Run
from ddsrta_simulator import Choices, Program
from ddsrta_simulator.program import (
    ALL,
    ARRIVED,
    COMPLETED,
    DELIVERED,
    EACH,
    EXACT,
    HANDED,
    TAKEN,
    TIMED,
    TRACE,
)

JobName = tuple[str, int]  # its thread, and its number there
_ROWS = 1 << 14


class Delivery(NamedTuple):
    """A message has reached its subscriber; `of` is the job that published it and all that
    released that one."""

    subscriber: str
    topic: str
    of: frozenset[JobName]


class Together(NamedTuple):
    """A job of an AND thread has what it waited for: of each input the jobs behind its token."""

    thread: str
    inputs: dict[Hop, frozenset[JobName]]


class Flow:
    """The deliveries of a run, and what AND jobs read together, in their order.

    A queue for each input of a thread keeps what came there and has released no job yet. A thread
    released by time begins anew: what it reads from registers did not release it.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.deliveries: list[Delivery] = []
        self.together: list[Together] = []
        self._jobs = len(program.thread_activation)  # the first stages are jobs
        self._of: dict[str, list[frozenset[JobName]]] = defaultdict(list)
        self._queues: list[deque[frozenset[JobName]]] = [deque() for _ in program.hops]
        self._kept: Kept[frozenset[JobName]] = Kept(len(program.hops))
        self._members: list[frozenset[JobName]] = []  # of the set whose job arrives next

    def read(self, rows: Sequence[int]) -> None:
        """The next rows of the trace."""
        columns = (rows[column::TRACE] for column in range(1, TRACE))
        for kind, what, number, other in zip(*columns, strict=True):
            if kind == DELIVERED:
                self._delivered(self.program.stream_hop[what], other)
            elif kind == HANDED:
                self._delivered(what, other)
            elif kind == ARRIVED and what < self._jobs:
                self._released(what, number, other)
            elif kind == TAKEN:
                self._members.append(self._kept.take(what, number) or frozenset())
            elif kind == COMPLETED and what < self._jobs:
                self._completed(what, number)

    def _released(self, thread: int, number: int, hop: int) -> None:
        p = self.program
        name = p.stages[thread][1]
        behind: frozenset[JobName] = frozenset()
        if p.thread_activation[thread] == EACH:
            behind = self._queues[hop].popleft()
        elif p.thread_activation[thread] == ALL:
            hops = range(p.thread_hop[thread], p.thread_hop[thread + 1])
            tokens = {p.hops[each]: self._queues[each].popleft() for each in hops}
            self.together.append(Together(name, tokens))
            behind = frozenset().union(*tokens.values())
        elif p.thread_activation[thread] >= EXACT:
            behind = frozenset().union(*self._members)
            self._members = []
        self._of[name].append(behind | {(name, number)})

    def _delivered(self, hop: int, job: int) -> None:
        publisher, topic, subscriber = self.program.hops[hop]
        of = self._of[publisher][job]
        self.deliveries.append(Delivery(subscriber, topic, of))
        self._inform(hop, of)

    def _completed(self, thread: int, job: int) -> None:
        p = self.program
        for link in range(p.thread_link[thread], p.thread_link[thread + 1]):
            self._inform(p.link_hop[link], self._of[p.stages[thread][1]][job])

    def _inform(self, hop: int, of: frozenset[JobName]) -> None:
        """A token for an input, unless it is a register."""
        activation = self.program.thread_activation[self.program.hop_target[hop]]
        if activation >= EXACT:
            self._kept.add(hop, of)
        elif activation != TIMED:
            self._queues[hop].append(of)


def flow(program: Program, choices: Choices, until: int) -> Flow:
    """What is delivered before this time.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation import program_of, worst_choices
    >>> program = program_of(two_threads())
    >>> first = flow(program, worst_choices(program), 1_000_000_000).deliveries[0]
    >>> first.subscriber, first.topic, sorted(first.of)
    ('control', 'speed', [('sensor', 0)])
    """
    run = Run(program, choices, trace=_ROWS, histograms=False)
    found = Flow(program)
    reached = -1
    while reached < until:
        reached = run.advance(until)
        found.read(run.take_trace())
    return found


def positions(
    log: Sequence[Delivery], subscriber: str, origin: str, topics: Iterable[str]
) -> dict[int, dict[str, list[int]]]:
    """Of each job of the origin, by number: where in the log its messages on each of the topics
    reach the subscriber."""
    places: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    wanted = set(topics)
    for place, delivery in enumerate(log):
        if delivery.subscriber == subscriber and delivery.topic in wanted:
            for thread, number in delivery.of:
                if thread == origin:
                    places[number][delivery.topic].append(place)
    return places
