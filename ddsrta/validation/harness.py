"""Follows messages and jobs through a trace of the harness, from release to completion.

A message counts from the call of `write` if it is asynchronous (the sample is queued within that
call: what is measured is never too short), from the release of its publisher's job else, until
`delivered`. What releases a job is its timer, or the delivery of its last input, or the completion
of the job that it follows; where a job starts before that is written down, its start counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.models.system import System
from ddsrta.validation.allowed import Allowed
from ddsrta.validation.gaps import look_into
from ddsrta.validation.harness_file import HarnessEvent, HarnessFile, Head
from ddsrta.validation.harness_model import HarnessModel, conclude
from ddsrta.validation.harness_state import (
    Item,
    Job,
    Line,
    Origin,
    Origins,
    UnderWay,
    idle_between,
)
from ddsrta.validation.late import Late
from ddsrta.validation.measured import Key, Measured, Worst
from ddsrta.validation.path_cpus import PathCpus
from ddsrta.validation.places import places_of

_MOST_OPEN = 500_000  # messages and jobs on their way at once


def follow(measured: Measured, system: System, chains: dict[str, tuple[str, ...]]) -> Measured:
    """The latencies of messages, chains and jobs in a trace of the harness; what is above its bound
    is looked into."""
    follower = _Follower(measured, system, chains)
    follower.run()
    lates = [late for one in measured.series.values() if one.above for late in one.above.kept]
    if lates:
        found = look_into(measured.source, lates, follower.woken, Allowed(system))
        for one in measured.series.values():
            if one.above is not None:
                one.above.look(found[late] for late in one.above.kept)
    return measured


class _Follower:
    def __init__(
        self, measured: Measured, system: System, chains: dict[str, tuple[str, ...]]
    ) -> None:
        self.file = HarnessFile(measured.source)
        self.measured = measured
        self.system = system
        self.places = places_of(system, chains)
        self.released: dict[tuple[int, int], int] = {}
        self.jobs: dict[int, Job] = {}
        self.messages: dict[int, Line] = {}
        self.completed: dict[int, Line] = {}
        self.open = 0
        self.by_time = {name for name, t in system.threads.items() if t.arrival is not None}
        self.woken = {
            name
            for name, thread in system.threads.items()
            if thread.subscribes and not thread.arrival and thread.activation == "or"
        }
        self.under_way = UnderWay()
        self.cpus = PathCpus(self.head, self.places)
        self.followers: dict[str, list[str]] = {}
        for thread in system.threads.values():
            for name in thread.follows.threads if thread.follows else ():
                self.followers.setdefault(name, []).append(thread.name)

    @property
    def head(self) -> Head:
        """Complete since the first event."""
        return self.file.head

    def run(self) -> None:
        """Read all of it."""
        handlers = {
            "release": self._release, "start": self._start, "take": self._take,
            "follow": self._follow, "publish": self._publish, "send": self._send,
            "sent": self._sent, "receive": self._receive, "delivered": self._delivered,
            "complete": self._complete, "demoted": self._bad, "drop": self._bad,
        }  # fmt: skip
        model: HarnessModel | None = None
        for event in self.file.events():
            if model is None:
                self._begin()
                model = HarnessModel(self.system, self.head)
            model.see(event)
            if handler := handlers.get(event.kind):
                handler(event)
            elif event.kind not in ("enqueue", "callback", "part"):
                self.file.fail(f"the event '{event.kind[:40]}' is not known")
        self._check_rest()
        conclude(self.measured, self.head, model)

    def _begin(self) -> None:
        self.cpus = PathCpus(self.head, self.places)
        readers: dict[int, list[int]] = {}
        for number, (_, topic) in self.head.readers.items():
            readers.setdefault(topic, []).append(number)
        for number, (thread, topic, mode) in self.head.writers.items():
            self._name(thread)
            self.messages[number] = Line(tuple(readers.get(topic, ())), mode)
        numbers = {name: n for n, (kind, name) in self.head.who.items() if kind == "thread"}
        for name, number in numbers.items():
            followers = tuple(numbers[f] for f in self.followers.get(name, ()) if f in numbers)
            self.completed[number] = Line(followers)

    def _name(self, thread: int) -> str:
        kind, name = self.head.who.get(thread, ("", ""))
        if kind != "thread":
            self.file.fail(f"there is no thread {thread} in the head")
        return name

    def _job(self, event: HarnessEvent) -> Job:
        job = self.jobs.get(event.who)
        if job is None or job.number != event.job:
            self.file.inconclusive(f"damaged: an event of job {event.job} outside of it")
        return job

    def _release(self, event: HarnessEvent) -> None:
        self.released[event.who, event.job] = event.time  # which may be before the last one ends
        self.under_way.begin((event.who, event.job), event.time)
        if len(self.released) > _MOST_OPEN:
            self.file.inconclusive(f"more than {_MOST_OPEN} jobs released at once")

    def _start(self, event: HarnessEvent) -> None:
        if event.who in self.jobs:
            self.file.inconclusive(f"damaged: job {event.job} starts within another")
        release = self.released.pop((event.who, event.job), None)
        self.under_way.begin((event.who, event.job), event.time)
        self.jobs[event.who] = Job(event.who, event.job, event.time, event.cpu, release)

    def _take(self, event: HarnessEvent) -> None:
        line = self.messages.get(event.writer)
        item = line.items.get(event.number) if line else None
        if line is None or item is None:
            self.file.inconclusive(f"a job took message {event.number}, which nobody published")
        self._job(event).inputs.append(item)
        self.under_way.end((event.writer, event.number, self._name(event.who)))
        topic = self.head.writers[event.writer][1]
        for number in line.readers:
            if self.head.readers[number] == (event.who, topic):
                self.open -= line.taken(number, event.number)

    def _follow(self, event: HarnessEvent) -> None:
        line = self.completed.get(event.writer)
        if line is not None and event.who not in line.readers:
            return  # which the model does not have, and is told of it
        item = line.items.get(event.number) if line else None
        if line is None or item is None:
            self.file.inconclusive(f"a job follows job {event.number}, which did not complete")
        self._job(event).inputs.append(item)
        self.open -= line.taken(event.who, event.number)

    def _publish(self, event: HarnessEvent) -> None:
        line = self.messages.get(event.writer)
        topic = self.head.topics.get(event.topic)
        if line is None or topic is None:
            self.file.fail("this writer or topic is not in the head")
        if line.readers:
            self._keep(line, event.number, Item(self._job(event), event.time, topic))
        for reader in line.readers:
            self.under_way.begin((event.writer, event.number, reader), event.time)

    def _keep(self, line: Line, number: int, item: Item) -> None:
        line.items[number] = item
        self.open += 1
        if self.open > _MOST_OPEN:
            self.file.inconclusive(f"more than {_MOST_OPEN} messages on their way at once")

    def _item(self, event: HarnessEvent) -> Item | None:
        line = self.messages.get(event.writer)
        return line.items.get(event.number) if line else None

    def _send(self, event: HarnessEvent) -> None:
        if item := self._item(event):
            item.send = event.time, event.cpu

    def _sent(self, event: HarnessEvent) -> None:
        item = self._item(event)
        if item and item.send:
            item.idle += idle_between(item.send, event)

    def _receive(self, event: HarnessEvent) -> None:
        if item := self._item(event):
            item.received = event.time, event.cpu

    def _delivered(self, event: HarnessEvent) -> None:
        item = self._item(event)
        if item is None or event.reader not in self.head.readers:
            self.file.inconclusive(f"message {event.number} was delivered, but not published")
        if event.reader in item.arrived:
            self.file.inconclusive(f"message {event.number} was delivered twice")
        item.arrived[event.reader] = event.time
        writer = self.head.writers[event.writer]
        subscriber = self.head.readers[event.reader][0]
        name = self._name(writer[0]), item.topic or "", self._name(subscriber)
        start = item.time if writer[2] == "async" else self._release_of(item.job)
        idle = item.idle + (idle_between(item.received, event) if item.received else 0)
        what = f"message {event.number}"
        self._add(Key("message", name, writer[2]), event.time - start, event.time, what, idle)
        if name[2] in self.woken:
            self.under_way.begin((event.writer, event.number, name[2]), event.time)
        self.under_way.end((event.writer, event.number, event.reader))

    def _complete(self, event: HarnessEvent) -> None:
        job = self._job(event)
        released, name = self._release_of(job), self._name(event.who)
        idle = idle_between((job.start, job.start_cpu), event)
        what = f"job {event.job}"
        self._add(Key("response", (name,)), event.time - released, event.time, what, idle)
        job.origins = self._origins(job)
        for (chain, place), origin in job.origins.items():
            if place == self.places.last[chain]:
                taken = event.time - origin.release
                for figure in origin.figures():
                    self._add(Key("chain", (chain,), figure), taken, event.time, what, None)
        self.under_way.end((event.who, event.job))
        job.release, job.inputs = released, []
        del self.jobs[event.who]
        line = self.completed[event.who]
        if line.readers:
            arrived = dict.fromkeys(line.readers, event.time)
            self._keep(line, event.job, Item(job, event.time, None, arrived))

    def _release_of(self, job: Job) -> int:
        if job.release is not None:
            return job.release
        arrivals = [_arrival(item, self, job) for item in job.inputs]
        return min(job.start, max(arrivals, default=job.start))

    def _origins(self, job: Job) -> Origins:
        """Where the chains begin that this job is a place of."""
        if job.origins is not None:
            return job.origins
        name, found = self._name(job.thread), Origins()
        for place in self.places.of.get(name, ()):
            chain, index = place
            if index == 0:
                found[place] = Origin(self._release_of(job), True, False)
                continue
            for item in self._through(job, chain, index):
                before = self._origins(item.job).get((chain, index - 1))
                if before is None:
                    continue
                sampled = before.sampled or name in self.by_time
                mine = _arrival(item, self, job)
                last = all(_arrival(other, self, job) <= mine for other in job.inputs)
                new = Origin(before.release, before.last and last, sampled)
                old = found.get(place)
                if old is None or new.release < old.release:
                    found[place] = new
        return found

    def _through(self, job: Job, chain: str, index: int) -> Iterator[Item]:
        before, topic = self.places.links[chain][index]
        for item in job.inputs:
            if item.topic == topic and self._name(item.job.thread) == before:
                yield item

    def _add(self, key: Key, value: int, time: int, what: str, idle: int | None) -> None:
        series = self.measured.of(key)
        try:
            longest = series.add(value)
        except ValueError as error:
            self.file.inconclusive(f"damaged: {error}")
        if longest:
            series.worst = Worst(time, what, idle)
        if series.above is not None and value > series.above.bound:
            cpus = self.cpus.of(key)
            series.above.keep(Late(value, time - value, time, self.under_way.since, what, cpus))

    def _bad(self, event: HarnessEvent) -> None:
        self.file.inconclusive(f"lossy: the event '{event.kind}' at {event.time} ns")

    def _check_rest(self) -> None:
        if self.jobs or self.released:
            self.file.inconclusive("it ends within a job")
        for line in self.messages.values():
            if any(len(item.arrived) < len(line.readers) for item in line.items.values()):
                self.file.inconclusive("it ends with messages on their way")


def _arrival(item: Item, follower: _Follower, job: Job) -> int:
    """When an input came; what is not written down yet came no later than the job's start."""
    if item.topic is None:
        return item.time
    times = [
        time
        for reader, time in item.arrived.items()
        if follower.head.readers[reader][0] == job.thread
    ]
    return min(times, default=job.start)
