"""What really happens: a system as threads, queues and messages, run event by event.

Written from the behaviour of Linux and Fast DDS, not from the analysis, whose adversary it is.
"""

from __future__ import annotations

from collections import deque

from ddsrta.models.graph import inputs
from ddsrta.models.system import EPSILON
from tests.soundness import supplies
from tests.soundness.choices import Choices
from tests.soundness.observations import Recorder, see
from tests.soundness.processor import (
    Core,
    Engine,
    FifoQueue,
    Server,
    Supply,
    TurnQueue,
    Unit,
    UrgencyQueue,
)


class Job(Unit):
    """A job; `causes` say for each input (a hop) the job behind it and when its token came."""

    __slots__ = ("causes", "index", "last_came", "thread")


class Stream:
    """Messages of a publication on their way to one reader; they keep their order."""

    __slots__ = (
        "best",
        "hop",
        "last",
        "listener",
        "name",
        "reading",
        "stage",
        "travelling",
        "worst",
    )

    def __init__(self, system, publisher, topic, reader, listener):
        self.name = (publisher.name, topic, reader.name)
        self.stage = ("message", *self.name)
        self.hop = (publisher.name, topic, reader.name)
        net = system.network(system.machine_of(publisher.core), system.machine_of(reader.core))
        self.best, self.worst = min(net.best, net.worst), net.worst
        self.reading = system.listening_cost(reader.subscribes, topic)
        self.listener = listener
        self.last = 0
        self.travelling = deque()


def simulate(system, horizon, choose=None):
    """Run a system from 0 up to the horizon and say the largest of everything that was seen."""
    return Simulator(system, horizon, choose or Choices()).run()


class Simulator:
    """A system in motion."""

    def __init__(self, system, horizon, choose):
        self.system = system
        self.horizon = horizon
        self.choose = choose
        choose.begin(horizon)
        self.engine = Engine(choose)
        self.recorder = Recorder(system)
        self.seen = self.recorder.seen
        self.log = None  # a list, if every completion is to be written down
        self._threads()
        self._connections()

    def run(self):
        """All releases, then all that follows from them."""
        for thread in self.system.threads.values():
            if thread.arrival is not None:
                for time in self.choose.releases(thread.name, thread.arrival, self.horizon):
                    self.engine.at(time, self.release, thread.name, {})
        self.engine.run(self.horizon)
        self.seen.pending = self.engine.most_pending
        self.seen.events = self.engine.handled
        return self.seen

    # Threads and supplies

    def _threads(self):
        system = self.system
        self.cores = {name: Core(name) for name in system.cores}
        self.reserved = {name: [] for name in system.cores}
        self.shared = {}
        for name, core in system.cores.items():
            for partition, reservation in core.partitions.items():
                self.shared[name, partition] = self._reserve(name, reservation)
            if core.reservation:
                self.shared[name, None] = self._reserve(name, core.reservation)
        self.servers = {}
        placed = []
        for kind in (system.threads, system.flow_controllers, system.listeners):
            placed += kind.values()
        own = {id(t): self._reserve(t.core, t.reservation) for t in placed if t.reservation}
        for name in system.cores:  # last: SCHED_DEADLINE goes before SCHED_FIFO
            if (name, None) not in self.shared:
                self.shared[name, None] = Supply(self.cores[name], True)
        for thing in placed:
            supply = own.get(id(thing)) or self.shared[thing.core, thing.partition]
            self.servers[id(thing)] = Server(thing.name, thing.priority, supply, self._queue(thing))
        for name, reserved in self.reserved.items():
            self._open_and_close(name, reserved)

    def _reserve(self, core, reservation):
        supply = Supply(self.cores[core], False)
        self.reserved[core].append((supply, (reservation.budget, reservation.period)))
        return supply

    def _open_and_close(self, core, reserved):
        if not reserved:
            return
        budgets = [budget for _, budget in reserved]
        wishes = self.choose.reservations(core, budgets)
        placed = supplies.place(budgets, wishes, self.horizon, self.choose.uniform)
        for (supply, _), intervals in zip(reserved, placed, strict=True):
            for begin, end in intervals:
                self.engine.at(begin, self.engine.turn, supply, True)
                self.engine.at(end, self.engine.turn, supply, False)

    def _queue(self, thing):
        policy = getattr(thing, "policy", "FIFO")
        if policy == "HIGH_PRIORITY":
            return UrgencyQueue()
        if policy == "ROUND_ROBIN":
            return TurnQueue(
                [
                    ("sample", thread.name, publication.topic)
                    for thread in self.system.threads.values()
                    for publication in thread.publishes
                    if publication.flow_controller == thing.name
                ]
            )
        return FifoQueue()

    # Connections

    def _connections(self):
        system = self.system
        self.streams = {}
        self.followers = {name: [] for name in system.threads}
        self.tokens = {}
        self.registers = {}
        self.jobs = dict.fromkeys(system.threads, 0)
        self.server_of = {}
        for thread in system.threads.values():
            server = self.server_of[thread.name] = self.servers[id(thread)]
            if thread.arrival is not None:
                self.registers[thread.name] = {}
                server.begun = self.sample_inputs
            elif thread.activation == "and":
                self.tokens[thread.name] = {tuple(h): deque() for h in inputs(system, thread)}
            for hop in inputs(system, thread):
                if hop.topic is None:
                    self.followers[hop.source].append((tuple(hop), thread.follows))
            for publication in thread.publishes:
                self.streams[thread.name, publication.topic] = [
                    Stream(
                        system,
                        thread,
                        publication.topic,
                        reader,
                        self.servers[id(system.listeners[reader.subscribes.listener])],
                    )
                    for reader in system.readers(publication.topic)
                ]
        self.last_told = {}

    # What happens

    def release(self, name, causes):
        """A job of a thread arrives."""
        now = self.engine.now
        job = Job(("job", name), now, None, self.job_done)
        job.thread = name
        job.index = self.jobs[name]
        job.job = job
        job.since = now
        job.causes = causes
        job.last_came = max((came for _, came in causes.values()), default=0)
        job.steps = self.plan(self.system.threads[name])
        self.jobs[name] += 1
        self.recorder.released(job)
        self.engine.push(self.server_of[name], job)

    def plan(self, thread):
        """The steps of a job: executing, handing over and sending, in program order."""
        choose, now, name = self.choose, self.engine.now, thread.name
        live = [p for p in thread.publishes if self.streams[name, p.topic]]
        least = EPSILON if thread.bcet is None else thread.bcet
        least = max([least, *(p.earliest for p in live)])
        execution = choose.cost(("job", name), least, thread.wcet, now)
        steps = []
        done = sent = 0  # of the execution, and in sending
        for publication in live:
            streams = self.streams[name, publication.topic]
            cost = self.system.sending_cost(publication)
            for _ in range(publication.count):
                low = max(done, publication.earliest - sent)
                point = choose.point(name, low, execution, now)
                before, done = point - done, point
                if publication.mode == "async":
                    steps.append((before, self.hand_over, publication))
                    continue
                for stream in choose.readers(("sync", name, publication.topic), streams):
                    copy = choose.cost(
                        ("sync", name, publication.topic), cost.best, cost.worst, now
                    )
                    steps.append((before + copy, self.leave, stream))
                    before = 0
                    sent += copy
        steps.append((execution - done, None, None))
        steps.reverse()
        return steps

    def hand_over(self, job, publication):
        """An asynchronous publication: the sample goes into the queue of the flow controller."""
        now = self.engine.now
        system = self.system
        stage = ("sample", job.thread, publication.topic)
        cost = system.sending_cost(publication)
        streams = self.streams[job.thread, publication.topic]
        steps = [
            (self.choose.cost(stage, cost.best, cost.worst, now), self.leave, stream)
            for stream in self.choose.readers(stage, streams)
        ]
        steps.reverse()
        urgency = system.topics[publication.topic].priority
        unit = Unit(stage, now, steps, self.unit_done, job=job, since=now, urgency=urgency)
        controller = system.flow_controllers[publication.flow_controller]
        self.engine.push(self.servers[id(controller)], unit)

    def leave(self, unit, stream):
        """A copy leaves; it arrives after all that went before it to the same reader."""
        now = self.engine.now
        delay = self.choose.delay(("net", stream.name), stream.best, stream.worst, now)
        stream.last = max(stream.last, now + delay)
        stream.travelling.append((unit.job, unit.since))
        if stream.last == now:
            self.receive(stream)
        else:
            self.engine.at(stream.last, self.receive, stream)

    def receive(self, stream):
        """A message arrives at the listener."""
        now = self.engine.now
        job, since = stream.travelling.popleft()
        cost = self.choose.cost(stream.stage, stream.reading.best, stream.reading.worst, now)
        steps = [(cost, self.deliver, stream)]
        self.engine.push(
            stream.listener, Unit(stream.stage, now, steps, self.unit_done, job=job, since=since)
        )

    def deliver(self, unit, stream):
        """The listener has finished: the message is with its reader."""
        self.seen.messages += 1
        see(self.seen.ddl, stream.name, self.engine.now - unit.since)
        self.inform(stream.hop, unit.job)

    def unit_done(self, unit):
        """A sample or a message is complete."""
        self._complete(unit)

    def job_done(self, job):
        """A job is complete: tell its followers."""
        self._complete(job)
        self.taken(job)
        now = self.engine.now
        self.recorder.completed(job, now)
        for hop, following in self.followers[job.thread]:
            delay = self.choose.delay(("follow", hop), following.best, following.delay, now)
            time = max(self.last_told.get(hop, 0), now + delay)
            self.last_told[hop] = time
            if time == now:
                self.inform(hop, job)
            else:
                self.engine.at(time, self.inform, hop, job)

    def _complete(self, unit):
        now = self.engine.now
        see(self.seen.response, unit.stage, now - unit.arrival)
        if self.log is not None:
            self.log.append((unit.stage, unit.arrival, now))

    def taken(self, job):
        """The message that released the job leaves the history of the reader."""
        for _, topic, name in job.causes:
            if topic is not None and name not in self.registers and name not in self.tokens:
                self.engine.count(("reader", name, topic), -1)

    def inform(self, hop, job):
        """An input of a thread has something new."""
        name, now = hop[2], self.engine.now
        if name in self.registers:
            self.registers[name][hop] = (job, now)
        elif name in self.tokens:
            queues = self.tokens[name]
            queues[hop].append((job, now))
            if all(queues.values()):
                self.release(name, {each: queue.popleft() for each, queue in queues.items()})
        else:
            if hop[1] is not None:
                self.engine.count(("reader", name, hop[1]), 1)
            self.release(name, {hop: (job, now)})

    def sample_inputs(self, job):
        """A job of a thread released by time begins: it reads the newest of everything."""
        job.causes = dict(self.registers[job.thread])
        job.last_came = None
