"""Plays a run by the rules of the model, event by event, with times that are known."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from ddsrta.checker.exact.model import PATHS, TURNS, Figure, Key, Model, Sent, UnknownError
from ddsrta.checker.exact.rounds import Rounds
from ddsrta.checker.exact.states import Layout
from ddsrta.checker.reading import CertificateError, shown
from ddsrta.checker.sums import RefutedError
from ddsrta.checker.things import Cost

Tags = dict[int, int]  # of the one figure: by the place in its path, since when


class Event(NamedTuple):
    """At a time: a release, or a step, of a thread, or a way of messages."""

    time: int
    kind: str
    of: Key


class Work:
    """A unit of work; `own` and `sending` are what it has executed."""

    def __init__(self, stage: Key, tags: Tags, left: tuple[str, ...] = ()) -> None:
        self.stage, self.tags, self.left = stage, tags, left
        self.step = self.own = self.sent = 0
        self.sending: int | None = 0 if left else None


class Replay(Layout):
    """One run, and the longest that its figure takes there."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.figure: Figure = model.figures[0]
        self.now = -1
        self.worst = -1
        self.due: dict[str, int] = {}
        self.starts: dict[str, int] = {}  # of sources: when their clocks begin
        self.serving: dict[int, Work] = {}
        self.waiting: list[list[list[Work]]] = [[[] for _ in s.queues] for s in model.servers]
        self.turns = [(0, 0)] * len(model.servers)
        self.tokens: dict[Key, list[tuple[int, Tags]]] = {way: [] for way in self.joins}
        self.registers: dict[Key, Tags] = {}
        self.known: int | None = None  # of a reaction: since when is what is known
        self.flying: dict[Key, list[tuple[Work, int]]] = {way: [] for way in self.ways}
        self.running: dict[str, int] = {}
        self.rounds = {
            self.model.number[f"executor {name}"]: Rounds(model.system, name)
            for name in model.system.executors
        }
        self.ahead: dict[int, deque[str]] = {server: deque() for server in self.rounds}
        self.steps: dict[str, Callable[[Event], None]] = {
            "release": self._release,
            "hand": self._hand,
            "begin": self._begin,
            "send": self._send,
            "receive": self._receive,
            "read": self._read,
            "end": self._end,
        }

    def play(self, events: list[Event]) -> int:
        """The longest, -1 where none is over."""
        for event in events:
            self._look(event)
        for event in events:
            if event.time < self.now:
                raise CertificateError("the events of a run are not in their order")
            if event.time > self.now:
                if self.now >= 0:
                    self._settle()
                self._pass(event.time)
            if event.kind not in self.steps:
                raise CertificateError(f"there are no events {shown(event.kind)}")
            self.steps[event.kind](event)
        self._began_together()
        return self.worst

    def _began_together(self) -> None:
        """Sources that have a common start begin soon enough after it (assumption common-start)."""
        begins = self.needed.begins
        first = min((self.starts[name] for name in begins if name in self.starts), default=self.now)
        for name, limit in begins.items():
            if self.starts.get(name, self.now) >= first + limit:
                raise RefutedError(f"no run: {shown(name)} begins too long after the common start")

    def _look(self, event: Event) -> None:
        """Who ends on an executor, one behind the other, has been taken in that order."""
        if event.kind == "end" and event.of[0] in self.model.system.threads:
            server = self.model.server_of(("job", event.of[0]))
            if server in self.ahead:
                self.ahead[server].append(event.of[0])

    def _wrong(self, event: Event, why: str) -> RefutedError:
        what = f"{event.kind} {'/'.join(event.of)} at {event.time} ns"
        return RefutedError(f"no run: {shown(what)}: {why}")

    # Time

    def _pass(self, until: int) -> None:
        """Time goes on: nothing that has to happen is left out."""
        took = until - self.now
        for source, due in self.due.items():
            if due < until:
                raise RefutedError(f"no run: {shown(source)} is not released at {due} ns")
        for way, units in self.flying.items():
            if units and any(until - since > self.model.way(way).cost.worst for _, since in units):
                raise RefutedError(f"no run: what goes {shown('/'.join(way))} is late")
        for server in self.running.values():
            work = self.serving[server]
            if work.sending is not None:
                work.sending += took
            else:
                work.own += took
            if max(work.own - self._cost(work).worst, self._sending_over(work)) > 0:
                what = shown("/".join(work.stage))
                raise RefutedError(f"no run: {what} executes for too long until {until} ns")
        self.now = until

    def _cost(self, work: Work) -> Cost:
        """Of what it does, but for sending."""
        if work.stage[0] == "job":
            return self.model.work[work.stage[1]]
        if work.stage[0] == "message":
            return self.model.reading(work.stage[2], work.stage[3])
        return Cost(0, 0)

    def _sending_over(self, work: Work) -> int:
        return -1 if work.sending is None else work.sending - self._sent(work).cost.worst

    def _sent(self, work: Work) -> Sent:
        sends = self.model.sends[work.stage[1]]
        if work.stage[0] == "job":
            return sends[work.step]
        return next(one for one in sends if one.topic == work.stage[2])

    def _settle(self) -> None:
        """All of an instant has happened: timers that wait leave releases out, and each core goes
        to the most urgent of its threads with work."""
        for name, due in self.due.items():
            if due == self.now and self._waits(name):
                self.due[name] += self.model.sources[name].period
        for core, servers in self.model.cores.items():
            self.running.pop(core, None)
            for server in servers:
                if server in self.serving or any(self.waiting[server]):
                    self.running[core] = server
                    if server not in self.serving:
                        self._take(server)
                    break

    def _waits(self, name: str) -> bool:
        """Whether a timer waits to be called."""
        if self.model.system.threads[name].entity != "timer":
            return False
        queues = self.waiting[self.model.server_of(("job", name))]
        return any(work.stage == ("job", name) for queue in queues for work in queue)

    def _take(self, server: int) -> None:
        its, queues = self.model.servers[server], self.waiting[server]
        found = [i for i, queue in enumerate(queues) if queue]
        queue = found[0]
        if its.order == TURNS:
            at, had = self.turns[server]
            queue = next((one for one in found if one >= at), queue)
            had = had + 1 if queue == at else 1
            over = had >= its.weights[queue]
            self.turns[server] = ((queue + 1) % len(queues), 0) if over else (queue, had)
        elif server in self.rounds and queue != 0:
            names = [str(its.queues[one]) for one in its.most_urgent(found)]
            ahead = self.ahead[server]
            name = ahead[0] if ahead and ahead[0] in names else names[0]
            if not its.urgency:
                self.rounds[server].take(names, name)
            queue = its.queues.index(name)
        self.serving[server] = work = queues[queue].pop(0)
        if work.stage[0] == "job":
            for way in self.reads.get(work.stage[1], ()):
                work.tags |= self._goes_on(self.ways[way], self.registers.get(self.ways[way], {}))

    def _goes_on(self, way: Key, tags: Tags) -> Tags:
        """What a job knows behind a way of the figure's path."""
        return {
            at + 1: tags[at]
            for at, hop in enumerate(self.figure.hops)
            if (hop.source, hop.topic or "", hop.target) == way and at in tags
        }

    # Events

    def _runs(self, event: Event, stage: Key) -> Work:
        """What steps has had its core until now."""
        server = self.model.server_of(stage)
        work = self.serving.get(server)
        if work is None or server not in self.running.values() or work.stage != stage:
            raise self._wrong(event, f"{shown('/'.join(stage))} does not run")
        return work

    def _release(self, event: Event) -> None:
        (name,) = self._of(event, 1)
        if name not in self.model.sources:
            raise self._wrong(event, "time does not release it")
        if name not in self.due:
            start = event.time - self.model.lead(name)
            for mate in self.model.clock_mates(name):
                self.due[mate] = start + self.model.lead(mate)
                self.starts[mate] = start
            if min(self.due[mate] for mate in self.model.clock_mates(name)) < event.time:
                raise self._wrong(event, "another source of its clock is first")
        if self.due[name] != event.time:
            raise self._wrong(event, f"it is released at {self.due[name]} ns")
        self.due[name] += self.model.sources[name].period
        if self._waits(name):
            raise self._wrong(event, "the timer waits")
        self._push(Work(("job", name), self._begun(name)))

    def _begun(self, name: str) -> Tags:
        """Where the figure begins with a job."""
        is_first = self.figure.of[0] == name
        by_hand = ("sample", *self.figure.of[:2]) if self.figure.kind == "ddl" else None
        if not is_first or (by_hand is not None and self._is_handed()):
            return {}
        self.known = self.now if self.known is None else self.known
        return {0: self.now}

    def _is_handed(self) -> bool:
        """Whether a delivery counts since a flow controller has the message."""
        writer, topic, _ = self.figure.of
        return self.model.system.threads[writer].publishes[topic].controller is not None

    def _push(self, work: Work) -> None:
        server = self.model.server_of(work.stage)
        queue = self.model.servers[server].queues.index(self.model.queue_of(work.stage))
        self.waiting[server][queue].append(work)

    def _publishes(self, event: Event) -> tuple[Work, Sent]:
        """The job may hand its next message over, or begin to send it."""
        name, topic = self._of(event, 2)
        work = self._runs(event, ("job", name))
        sends = self.model.sends[name]
        if work.left or work.step >= len(sends) or sends[work.step].topic != topic:
            raise self._wrong(event, "it is not its turn")
        if work.own + work.sent < sends[work.step].earliest:
            raise self._wrong(event, "it is too early")
        return work, sends[work.step]

    def _hand(self, event: Event) -> None:
        work, sent = self._publishes(event)
        if sent.controller is None:
            raise self._wrong(event, "the job sends by itself")
        work.step += 1
        tags = dict(work.tags)
        if self.figure.kind == "ddl":
            tags = {0: self.now} if self.figure.of[:2] == event.of else {}
        self._push(Work(("sample", *event.of), tags, sent.readers))

    def _begin(self, event: Event) -> None:
        work, sent = self._publishes(event)
        if sent.controller is not None:
            raise self._wrong(event, "a flow controller sends it")
        work.left, work.sending = sent.readers, 0

    def _send(self, event: Event) -> None:
        """A copy leaves."""
        name, topic, reader = self._of(event, 3)
        sends = self.model.sends.get(name, ())
        controller = next((one.controller for one in sends if one.topic == topic), None)
        stage = ("job", name) if controller is None else ("sample", name, topic)
        work = self._runs(event, stage)
        first = work.left if work.left and self._sent(work).is_open else work.left[:1]
        if reader not in first or work.sending is None or self._sent(work).topic != topic:
            raise self._wrong(event, "it is not its turn")
        sent = self._sent(work)
        if work.sending < sent.cost.best:
            raise self._wrong(event, "it is too early")
        work.sent += work.sending
        work.left = tuple([one for one in work.left if one != reader])
        message = Work(("message", *event.of), dict(work.tags))
        work.sending = 0 if work.left else None
        if not work.left:
            work.step += 1
            if stage[0] == "sample":
                self._over(work)
        self._leave(event.of, message)

    def _leave(self, way: Key, work: Work) -> None:
        self.flying[way].append((work, self.now))
        if self.model.way(way).cost.worst == 0:
            self.flying[way].pop()
            self._arrive(way, work)

    def _receive(self, event: Event) -> None:
        """What is on its way arrives: in its order, unless its way has none."""
        flying = self.flying.get(event.of, [])
        if not flying:
            raise self._wrong(event, "nothing is on its way")
        way = self.model.way(event.of)
        found = [i for i, (_, at) in enumerate(flying) if self.now - at >= way.cost.best]
        if not found or (found[0] > 0 and not way.is_loose):
            raise self._wrong(event, "it is too early")
        if way.is_loose and len(flying) > 1:
            raise UnknownError("which of several messages overtakes in a run")
        self._arrive(event.of, flying.pop(found[0])[0])

    def _arrive(self, way: Key, work: Work) -> None:
        if work.stage[0] == "message":
            self._push(work)
        else:
            self._tell(way, work.tags)

    def _read(self, event: Event) -> None:
        stage = ("message", *self._of(event, 3))
        if event.of not in self.way_number:
            raise self._wrong(event, "there is no such message")
        work = self._runs(event, stage)
        if work.own < self._cost(work).best:
            raise self._wrong(event, "it is too early")
        if self.figure.kind == "ddl" and self.figure.of == event.of and 0 in work.tags:
            self.worst = max(self.worst, self.now - work.tags[0])
        self._over(work)
        self._tell(event.of, work.tags)

    def _end(self, event: Event) -> None:
        (name,) = self._of(event, 1)
        work = self._runs(event, ("job", name))
        if ahead := self.ahead.get(self.model.server_of(work.stage)):
            ahead.popleft()
        if work.step < len(self.model.sends[name]) or work.own < self._cost(work).best:
            raise self._wrong(event, "it is too early")
        last = len(self.figure.hops)
        ends = self.figure.hops[-1].target if self.figure.hops else self.figure.of[0]
        if self.figure.kind in PATHS and ends == name and last in work.tags:
            self._reaches(work.tags[last])
        self._over(work)
        for follower in self.model.followers.get(name, ()):
            way = (name, "", follower)
            self._leave(way, Work(("news", *way), dict(work.tags)))

    def _reaches(self, since: int) -> None:
        """What was released then comes to its end; a reaction counts since the one known before."""
        if self.figure.kind == "reaction_time":
            if self.known is None or since <= self.known:
                return
            since, self.known = self.known, since
        self.worst = max(self.worst, self.now - since)

    def _over(self, work: Work) -> None:
        server = self.model.server_of(work.stage)
        del self.serving[server]
        for core, running in list(self.running.items()):
            if running == server:
                del self.running[core]

    def _tell(self, way: Key, tags: Tags) -> None:
        """A thread has something new; an AND waits for one of each."""
        name = way[2]
        thread = self.model.system.threads[name]
        if thread.arrival:
            self.registers[way] = tags
            return
        behind = [(way, tags)]
        if thread.joins:
            self.tokens[way].append((self.now, tags))
            inputs = [self.joins[i] for i in self.inputs[name]]
            if not all(self.tokens[one] for one in inputs):
                return
            taken = [(one, *self.tokens[one].pop(0)) for one in inputs]
            is_any = self.figure.kind != "trigger_latency"
            behind = [(one, its) for one, at, its in taken if is_any or at == self.now]
        found = self._begun(name)
        for one, its in behind:
            found |= self._goes_on(one, its)
        self._push(Work(("job", name), found))

    def _of(self, event: Event, count: int) -> Key:
        if len(event.of) != count or event.of[0] not in self.model.system.threads:
            raise CertificateError(f"an event that is of nothing: {shown(event.kind)}")
        return event.of
