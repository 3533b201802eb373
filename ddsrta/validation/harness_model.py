"""A model held against a trace of the harness: all that the trace shows of it, event by event."""

from __future__ import annotations

from collections import Counter

from ddsrta.base.units import format_duration
from ddsrta.models.system import System, Thread
from ddsrta.validation.allowed import Allowed
from ddsrta.validation.contradiction import Held
from ddsrta.validation.harness_file import HarnessEvent, Head
from ddsrta.validation.harness_places import hold_edges, hold_places
from ddsrta.validation.measured import Measured
from ddsrta.validation.offsets import hold_offsets
from ddsrta.validation.queues import QueueCheck
from ddsrta.validation.releases import ReleaseCheck

_Sent = tuple[str, str, str]  # topic, mode, who sends: empty where the trace does not say


def conclude(measured: Measured, head: Head, model: HarnessModel | None) -> None:
    """What a trace that was read to its end says of the run and of the model."""
    if model is not None:
        model.end()
        measured.held, measured.queues = model.held, model.queues.most
    measured.system = head.said.get("system")
    measured.plan = head.said.get("plan", "").removeprefix("crc32 ") or None
    measured.notes += [f"the harness warned: {text}" for text in head.warnings]
    evidence = head.said.get("evidence", "none: the trace does not speak of any")
    measured.notes.append(f"evidence of what else ran on the CPUs: {evidence}")


class _Job:
    def __init__(self, start: HarnessEvent) -> None:
        self.start = start
        self.sent: Counter[_Sent] = Counter()
        self.inputs: Counter[str] = Counter()


class HarnessModel:
    """Collects what contradicts a system; `end` says all of it."""

    def __init__(self, system: System, head: Head) -> None:
        self.system = system
        self.head = head
        self.held = Held()
        self.allowed = Allowed(system)
        self.names = {n: name for n, (kind, name) in head.who.items() if kind == "thread"}
        self.jobs: dict[int, _Job] = {}
        self.done: Counter[str] = Counter()
        self.edges: set[tuple[str, str, str]] = set()  # with the topic empty: it follows
        self.releases = {
            name: ReleaseCheck(thread.arrival)
            for name, thread in system.threads.items()
            if thread.arrival is not None
        }
        self.queues = QueueCheck(system, head, self.held)
        self.sending: dict[int, list[tuple[int, int]]] = {}  # by who: processor time, and δ
        self.left: dict[int, list[tuple[int, int]]] = {}  # those that have left
        self.receiving: dict[tuple[int, int, int], int] = {}
        self.last = 0
        hold_places(system, head, self.held)

    def see(self, event: HarnessEvent) -> None:
        """One more event, in the order of time."""
        kind = event.kind
        if kind != "release":
            self.last = max(self.last, event.time)
        if kind == "release":
            self._release(event)
        elif kind == "start":
            self.jobs[event.who] = _Job(event)
        elif kind in ("take", "follow"):
            self._input(event)
        elif kind == "publish":
            self._publish(event)
        elif kind == "complete":
            self._complete(event)
        elif kind in ("send", "sent"):
            self._send(event)
        elif kind == "receive":
            self.receiving[event.writer, event.number, event.reader] = event.cpu
        elif kind == "delivered":
            self._delivered(event)
        self.queues.see(event)

    def end(self) -> None:
        """What only the end of the trace tells."""
        for name, check in self.releases.items():
            if name in self.names.values():
                check.end(self.last)
                self.held.count("releases", check.count)
                for text in check.broken():
                    self.held.contradict("releases", name, text)
        hold_offsets(self.system, self.releases, self.held)
        hold_edges(self.system, self.edges, self.done, self.held)
        self.queues.end()

    def _thread(self, event: HarnessEvent) -> Thread | None:
        return self.system.threads.get(self.names.get(event.who, ""))

    def _release(self, event: HarnessEvent) -> None:
        name = self.names.get(event.who, "")
        if check := self.releases.get(name):
            check.see(event.time)
        elif name in self.system.threads:
            self.held.contradict(
                "releases", name, "a timer releases it, and its inputs in the model"
            )

    def _input(self, event: HarnessEvent) -> None:
        job = self.jobs.get(event.who)
        if event.kind == "follow":
            source = self.names.get(event.writer, "")
            self.edges.add((source, "", self.names.get(event.who, "")))
        else:
            source = f"topic {self.head.topics.get(event.topic, '')}"
        if job is not None:
            job.inputs[source] += 1

    def _publish(self, event: HarnessEvent) -> None:
        job, writer = self.jobs.get(event.who), self.head.writers.get(event.writer)
        thread = self._thread(event)
        if job is None or writer is None or thread is None:
            return
        sender = self.head.who.get(self.head.sends.get(event.writer, -1), ("", ""))
        name = sender[1] if sender[0] == "controller" else ""
        topic = self.head.topics.get(event.topic, "")
        job.sent[topic, writer[2], name] += 1
        least = max((p.earliest for p in thread.publishes if p.topic == topic), default=0)
        if sum(job.sent.values()) == 1 and event.cpu - job.start.cpu < least - 1:
            used = format_duration(event.cpu - job.start.cpu)
            told = f"'{topic}' is published after {used}, before its 'earliest'"
            self.held.contradict("execution times", thread.name, told, f"earliest {topic}")

    def _complete(self, event: HarnessEvent) -> None:
        job, thread = self.jobs.pop(event.who, None), self._thread(event)
        if job is None or thread is None:
            return
        self.done[thread.name] += 1
        self._execution(thread, event.cpu - job.start.cpu, event.job)
        self._messages(thread, job, event.job)
        self._inputs(thread, job, event.job)

    def _execution(self, thread: Thread, used: int, number: int) -> None:
        self.held.count("execution times")
        most, least = self.allowed.working[thread.name], thread.bcet or 0
        took = f"job {number} took {format_duration(used)} of processor time"
        if used > most:
            what = "wcet" if most == thread.wcet else "wcet and its own sending"
            text = f"{took}, more than {format_duration(most)} ({what})"
            self.held.contradict("execution times", thread.name, text, "wcet")
        if used < least:
            text = f"{took}, less than its bcet of {format_duration(least)}"
            self.held.contradict("execution times", thread.name, text, "bcet")

    def _messages(self, thread: Thread, job: _Job, number: int) -> None:
        self.held.count("messages per job")
        known = any(sender for _, _, sender in job.sent)
        wanted: Counter[_Sent] = Counter()
        for one in thread.publishes:
            sender = one.flow_controller if known and one.mode == "async" else ""
            sent: _Sent = (one.topic, one.mode, sender or "")
            wanted[sent] += one.count if one.part is None or job.sent[sent] else 0
        if wanted == job.sent:
            return
        for key in {*wanted, *job.sent}:
            if wanted[key] != job.sent[key]:
                topic, mode, sender = key
                how = f"{mode} by {sender}" if sender else mode
                text = f"job {number} published {job.sent[key]} on '{topic}' ({how}), "
                text += f"and {wanted[key]} are modelled"
                self.held.contradict("messages per job", thread.name, text, f"{key}")

    def _inputs(self, thread: Thread, job: _Job, number: int) -> None:
        """What an input releases takes one message, or one of each where it waits for all."""
        if thread.arrival is not None or thread.synchronizer is not None:
            return
        wanted = {f"topic {t}" for t in (thread.subscribes.topics if thread.subscribes else ())}
        wanted |= set(thread.follows.threads if thread.follows else ())
        taken = job.inputs.total()
        if thread.activation == "and" and (taken < len(wanted) or set(job.inputs) != wanted):
            text = f"job {number} has {taken} inputs, and waits for all {len(wanted)} in the model"
            self.held.contradict("releases", thread.name, text, "activation")
        if thread.activation == "or" and taken != 1:
            text = f"job {number} has {taken} inputs, and each releases a job in the model"
            self.held.contradict("releases", thread.name, text, "activation")

    def _send(self, event: HarnessEvent) -> None:
        """Samples that leave together share the time of all; each may take its δ."""
        opened = self.sending.setdefault(event.who, [])
        if event.kind == "send":
            allowed = self._sending_cost(event)
            opened.append((event.cpu, allowed if allowed is not None else 1 << 62))
            return
        if not opened:
            return
        closed = self.left.setdefault(event.who, [])
        closed.append(opened.pop(0))
        if opened:
            return
        used = event.cpu - min(cpu for cpu, _ in closed)
        most = sum(allowed for _, allowed in closed)
        closed.clear()
        self._delay(self.head.who.get(event.who, ("", "?"))[1], "sending", used, most, event)

    def _sending_cost(self, event: HarnessEvent) -> int | None:
        writer = self.head.writers.get(event.writer)
        if writer is None:
            return None
        name = self.names.get(writer[0], "")
        return self.allowed.sending.get((name, self.head.topics.get(event.topic, "")))

    def _delivered(self, event: HarnessEvent) -> None:
        begun = self.receiving.pop((event.writer, event.number, event.reader), None)
        writer, reader = self.head.writers.get(event.writer), self.head.readers.get(event.reader)
        if writer is None or reader is None:
            return
        topic, subscriber = self.head.topics.get(event.topic, ""), self.names.get(reader[0], "")
        self.edges.add((self.names.get(writer[0], ""), topic, subscriber))
        most = self.allowed.listening.get((subscriber, topic))
        if begun is not None and most is not None:
            who = self.head.who.get(event.who, ("", "?"))[1]
            self._delay(who, "receiving", event.cpu - begun, most, event)

    def _delay(self, who: str, what: str, used: int, most: int, event: HarnessEvent) -> None:
        self.held.count("execution times")
        if used > most:
            topic = self.head.topics.get(event.topic, "")
            text = f"{what} message {event.number} of '{topic}' took {format_duration(used)} of "
            text += f"processor time, more than its δ of {format_duration(most)}"
            self.held.contradict("execution times", who, text, f"{what} {topic}")
