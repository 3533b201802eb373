"""Runs a system as the harness would and writes its trace, for tests of validation.

It is a simulator of its own: fixed priorities, jobs that take nine tenths of their wcet, messages
that take their δ. It shares no code with the analysis or with `ddsrta simulate`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count

from ddsrta.models.system import Publication, System, Thread
from tests.validation.harness_trace import HarnessTrace

Step = tuple[int, Callable[[], None]]  # processor time, then what happens


@dataclass
class Server:
    """A thread: what it has to do, in the order in which it does it."""

    core: str
    priority: int
    work: list[tuple[int, int, Iterator[Step]]] = field(default_factory=list)
    cpu: int = 0
    current: Iterator[Step] | None = None
    left: int = 0
    then: Callable[[], None] = lambda: None

    @property
    def busy(self) -> bool:
        return bool(self.left or self.current or self.work)

    def go_on(self) -> None:
        """To the next step, if none is under way."""
        if self.left:
            return
        if self.current is None:
            self.current = heapq.heappop(self.work)[2]
        step = next(self.current, None)
        if step is None:
            self.current = None
            return
        self.left, self.then = step
        if not self.left:
            self.then()


class RunOf:
    """A run with releases at offset + k · period, or as `releases` say."""

    def __init__(self, system: System, releases: dict[str, list[int]], horizon: int) -> None:
        self.system, self.horizon, self.now = system, horizon, 0
        self.threads = {name: n for n, name in enumerate(system.threads)}
        names = [*system.threads, *system.flow_controllers, *system.listeners]
        self.who = {name: n for n, name in enumerate(names)}
        made = {**system.threads, **system.flow_controllers, **system.listeners}
        self.servers = {name: Server(made[name].core, made[name].priority) for name in names}
        self.topics = {name: n for n, name in enumerate(system.topics)}
        self.writers = [(t.name, p) for t in system.threads.values() for p in t.publishes]
        self.readers = [
            (t.name, topic)
            for t in system.threads.values() if t.subscribes for topic in t.subscribes.topics
        ]  # fmt: skip
        self.jobs, self.numbers, self.order = {}, {}, count()  # type: ignore[var-annotated]
        self.timers = sorted((t, name) for name, each in releases.items() for t in each)
        self.trace = self._trace()

    def _trace(self) -> HarnessTrace:
        system, who = self.system, self.who
        sends = [who[p.flow_controller or name] for name, p in self.writers]
        listens = [who[system.threads[n].subscribes.listener] for n, _ in self.readers]  # type: ignore[union-attr]
        trace = HarnessTrace(
            list(system.threads), list(system.topics),
            [(who[name], self.topics[p.topic], p.mode) for name, p in self.writers],
            [(who[name], self.topics[topic]) for name, topic in self.readers],
        )  # fmt: skip
        cpus = {core: n for n, core in enumerate(system.cores)}
        trace.place(
            {who[n]: n for n in system.flow_controllers}, {who[n]: n for n in system.listeners},
            {who[n]: cpus[s.core] for n, s in self.servers.items()}, sends, listens,
            {who[n]: s.priority for n, s in self.servers.items()},
        )  # fmt: skip
        trace.names += [f"# core {n} cpu {n} {core}" for core, n in cpus.items()]
        return trace

    def run(self) -> HarnessTrace:
        """Until all that was released is done."""
        timers = list(self.timers)
        while True:
            while timers and timers[0][0] <= self.now:
                time, name = timers.pop(0)
                number = self.jobs.get(name, -1) + 1
                self.trace.see(time, "release", self.who[name], number, cpu=0)
                self._release(name, [])
            running = self._running()
            ahead = [server.left for server in running]
            if timers:
                ahead.append(timers[0][0] - self.now)
            if not ahead:
                return self.trace
            step = min(ahead)
            self.now += step
            for server in running:
                server.left -= step
                server.cpu += step
                if server.left == 0:
                    server.then()

    def _running(self) -> list[Server]:
        """The most urgent of each core, after what takes no time."""
        while True:
            best: dict[str, Server] = {}
            for server in self.servers.values():
                old = best.get(server.core)
                if server.busy and (old is None or server.priority > old.priority):
                    best[server.core] = server
            if all(server.left for server in best.values()):
                return list(best.values())
            for server in best.values():
                server.go_on()

    def _see(self, kind: str, name: str, job: int, **more: int) -> None:
        self.trace.see(self.now, kind, self.who[name], job, cpu=self.servers[name].cpu, **more)

    def _put(self, name: str, urgency: int, steps: Iterator[Step]) -> None:
        heapq.heappush(self.servers[name].work, (urgency, next(self.order), steps))

    def _release(self, name: str, inputs: list[dict[str, int]]) -> None:
        job = self.jobs[name] = self.jobs.get(name, -1) + 1
        self._put(name, 0, self._job(self.system.threads[name], job, inputs))

    def _job(self, thread: Thread, job: int, inputs: list[dict[str, int]]) -> Iterator[Step]:
        def start() -> None:
            self._see("start", thread.name, job)
            for one in inputs:
                self._see("take" if "topic" in one else "follow", thread.name, job, **one)

        yield 0, start
        yield thread.wcet * 8 // 10, lambda: None
        for publication in thread.publishes:
            for _ in range(publication.count):
                yield from self._publish(thread, job, publication)
        yield thread.wcet // 10, lambda: self._complete(thread, job)

    def _complete(self, thread: Thread, job: int) -> None:
        self._see("complete", thread.name, job)
        for follower in self.system.followers(thread.name):
            self._release(follower.name, [{"writer": self.who[thread.name], "number": job}])

    def _publish(self, thread: Thread, job: int, publication: Publication) -> Iterator[Step]:
        writer = self.writers.index((thread.name, publication))
        number = self.numbers[writer] = self.numbers.get(writer, -1) + 1
        sample = {"topic": self.topics[publication.topic], "writer": writer, "number": number}
        yield 0, lambda: self._see("publish", thread.name, job, **sample)
        if publication.mode == "sync":
            yield from self._send(thread.name, job, publication, sample)
            return
        controller = publication.flow_controller or ""
        yield 0, lambda: self._see("enqueue", thread.name, job, **sample)
        policy = self.system.flow_controllers[controller].policy
        priority = self.system.topics[publication.topic].priority
        urgency = priority if policy == "HIGH_PRIORITY" else 0
        self._put(controller, urgency, self._send(controller, job, publication, sample))

    def _send(
        self, who: str, job: int, publication: Publication, sample: dict[str, int]
    ) -> Iterator[Step]:
        readers = [n for n, (_, topic) in enumerate(self.readers) if topic == publication.topic]
        yield 0, lambda: self._see("send", who, job, **sample)
        cost = self.system.sending_cost(publication).worst * max(1, len(readers))
        yield cost, lambda: self._see("sent", who, job, **sample)
        for reader in readers:
            self._put(self._listener(reader), 0, self._receive(job, reader, sample))

    def _listener(self, reader: int) -> str:
        subscription = self.system.threads[self.readers[reader][0]].subscribes
        assert subscription is not None
        return subscription.listener

    def _receive(self, job: int, reader: int, sample: dict[str, int]) -> Iterator[Step]:
        name, topic = self.readers[reader]
        thread, who = self.system.threads[name], self._listener(reader)
        assert thread.subscribes is not None
        yield 0, lambda: self._see("receive", who, job, reader=reader, **sample)
        cost = self.system.listening_cost(thread.subscribes, topic).worst
        yield cost, lambda: self._see("delivered", who, job, reader=reader, **sample)
        if thread.arrival is None:
            self._release(name, [sample])
