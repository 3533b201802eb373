"""Threads on cores: partitioned preemptive SCHED_FIFO, with supplies that open and close."""

from __future__ import annotations

from bisect import insort
from collections import deque

from ddsrta_simulator.orders import DEADLINE, TURNS
from ddsrta_simulator.program import NEVER


class Job:
    """What happened behind a job: for each beginning of a path that leads to it, its origin.

    An origin is the release and the index of the job at the start of the path, and whether the
    path's token came last wherever it had to. The stamp is the release of the job that time
    released, of several the newest.
    """

    __slots__ = ("arrival", "asked", "index", "origins", "reader", "stamp", "thread")

    def __init__(self, thread: int, index: int, arrival: int, origins: int, reader: int) -> None:
        self.thread = thread
        self.index = index
        self.arrival = self.stamp = arrival
        self.asked = (
            arrival  # from when its response counts: behind subscriptions, the last message
        )
        self.origins: list[tuple[int, int, bool] | None] = [None] * origins
        self.reader = reader  # the measure of what is pending with the reader

    def origin(self, number: int) -> tuple[int, int, bool] | None:
        """-1 is the job itself."""
        return (self.arrival, self.index, True) if number < 0 else self.origins[number]


class Unit:
    """A piece of work of one thread, in steps; `left` is what is left of the present one.

    `target` is what a job, a sample or a message is an instance of: thread, publication or stream.
    """

    __slots__ = (
        "arrival",
        "copy",
        "done",
        "execution",
        "job",
        "left",
        "lock",
        "number",
        "point",
        "sent",
        "since",
        "stage",
        "step",
        "target",
    )

    def __init__(
        self, stage: int, target: int, number: int, job: Job, arrival: int, since: int
    ) -> None:
        self.stage = stage
        self.target = target
        self.number = number
        self.job = job  # the job that it carries on
        self.arrival = arrival
        self.since = since  # where the delivery that it belongs to began
        self.left = 0
        self.lock = -1  # that has to be held while time goes on
        self.execution = 0
        self.step = self.copy = 0  # message of the job, copy of the message (also: AT_POINT, …)
        self.done = self.sent = 0  # of the execution, and in sending
        self.point = 0  # of a message in write(): when it is handed over; of a sample: twin_batches


class Server:
    """A thread with its queues, and the unit that it works on."""

    __slots__ = (
        "asleep",
        "batch",
        "current",
        "cursor",
        "due",
        "finished",
        "in_turn",
        "number",
        "order",
        "priority",
        "queues",
        "ready",
        "supply",
        "waits",
        "weight",
    )

    def __init__(self, number: int, order: int, priority: int, queues: int, supply: Supply) -> None:
        self.number = number
        self.order = order
        self.priority = priority
        self.queues: list[deque[Unit]] = [deque() for _ in range(queues)]
        self.supply = supply
        self.cursor = 0  # of TURNS: moves on after the turn of the queue served, and stays there
        self.in_turn = 0  # units that it has been served in this turn
        self.due = [0] * queues  # so long after its arrival
        self.weight = [1] * queues  # units in a turn
        self.current: Unit | None = None
        self.ready: tuple[int, int, Server] | None = None  # the entry in the supply; asleep: None
        self.finished = 0
        self.waits = -1  # for which lock it sleeps, and since when, in order
        self.asleep = 0
        self.batch: list[Unit] = []  # that are sent together with the current one

    def _next(self) -> int | None:
        if self.order == DEADLINE:
            waiting = [place for place, queue in enumerate(self.queues) if queue]
            return min(waiting, key=self._due, default=None)
        first = self.cursor if self.order == TURNS else 0
        count = len(self.queues)
        order = (*range(first, count), *range(first))
        return next((place for place in order if self.queues[place]), None)

    def _due(self, place: int) -> int:
        return self.queues[place][0].arrival + self.due[place]

    def peek(self) -> Unit | None:
        """The unit that comes next."""
        place = self._next()
        return None if place is None else self.queues[place][0]

    def take(self) -> Unit:
        """Begin the unit that comes next."""
        place = self._next()
        assert place is not None
        self.in_turn = self.in_turn + 1 if self.cursor == place else 1
        self.cursor = place
        if self.in_turn >= self.weight[place]:
            self.cursor, self.in_turn = (place + 1) % len(self.queues), 0
        self.current = self.queues[place].popleft()
        return self.current

    def may_send(self, unit: Unit, now: int) -> bool:
        """Whether it may begin a unit now."""
        return self.fits(unit)

    def fits(self, unit: Unit) -> bool:
        """Whether a limit leaves room for a unit."""
        return True

    def rests(self, now: int) -> None:
        """It has no more work."""

    def look(self, has_core: bool) -> None:
        """It may look for work now, not when it takes some: executors say what that changes."""


class Supply:
    """Threads that share processor time, which is theirs only while the supply is open."""

    __slots__ = ("core", "end", "is_open", "number", "ready")

    def __init__(self, number: int, core: Core, is_open: bool) -> None:
        self.number = number
        self.core = core
        self.is_open = is_open
        self.end = 0
        self.ready: list[tuple[int, int, Server]] = []  # by urgency, then by waking; the first runs
        core.supplies.append(self)

    def wake(self, server: Server, order: int) -> None:
        """At the tail of its priority."""
        server.ready = (-server.priority, order, server)
        insort(self.ready, server.ready)

    def sleep(self, server: Server) -> None:
        """Leave the processor for want of work."""
        assert server.ready is not None
        self.ready.remove(server.ready)
        server.ready = None


class Core:
    """A processor; `supplies` in the order of their claim on it."""

    __slots__ = ("end", "is_dirty", "now", "number", "running", "shown", "since", "supplies")

    def __init__(self, number: int) -> None:
        self.number = number
        self.now = 0
        self.supplies: list[Supply] = []
        self.running: Server | None = None
        self.since = 0
        self.end = NEVER
        self.is_dirty = False
        self.shown: Unit | None = None  # the unit that the trace says is running

    def top(self) -> Server | None:
        """The thread that should have the core now."""
        for supply in self.supplies:
            if supply.is_open and supply.ready:
                return supply.ready[0][2]
        return None


class Way:
    """What travels: a stream of messages, or the news of completed jobs. In order, if not loose."""

    def __init__(self, event: int, loose: bool = False) -> None:
        self.event = event
        self.loose = loose
        self.last = 0
        self.travelling: deque[tuple[int, Unit]] = deque()
