"""Threads on cores: partitioned preemptive SCHED_FIFO, with supplies that open and close.

Everything that happens at one instant happens before any thread begins another unit of work: a
unit is taken from its queue when time goes on, so of simultaneous arrivals all are seen.
"""

from __future__ import annotations

import heapq
from bisect import insort
from collections import deque
from itertools import count


class Unit:
    """A piece of work of one thread: steps of (processor time, what happens at its end, with what)."""

    __slots__ = ("arrival", "done", "job", "since", "stage", "steps", "urgency")

    def __init__(self, stage, arrival, steps, done, *, job=None, since=0, urgency=0):
        self.stage = stage
        self.arrival = arrival
        self.steps = steps  # reversed: the next one is the last
        self.done = done  # called with the unit when its last step is done
        self.job = job  # the job that it carries on
        self.since = since  # where the delivery that it belongs to began
        self.urgency = urgency


class FifoQueue:
    """First in, first out."""

    def __init__(self):
        self.units = deque()

    def push(self, unit):
        self.units.append(unit)

    def peek(self):
        return self.units[0] if self.units else None

    def take(self):
        return self.units.popleft()


class UrgencyQueue:
    """The smallest urgency first, among equals first in, first out."""

    def __init__(self):
        self.heap = []
        self.order = count()

    def push(self, unit):
        heapq.heappush(self.heap, (unit.urgency, next(self.order), unit))

    def peek(self):
        return self.heap[0][2] if self.heap else None

    def take(self):
        return heapq.heappop(self.heap)[2]


class TurnQueue:
    """A queue for each stage, one unit a turn; the cursor moves to served + 1 and stays there."""

    def __init__(self, stages):
        self.place = {stage: index for index, stage in enumerate(stages)}
        self.queues = [deque() for _ in stages]
        self.cursor = 0

    def push(self, unit):
        self.queues[self.place[unit.stage]].append(unit)

    def _next(self):
        for turn in range(len(self.queues)):
            index = (self.cursor + turn) % len(self.queues)
            if self.queues[index]:
                return index
        return None

    def peek(self):
        index = self._next()
        return None if index is None else self.queues[index][0]

    def take(self):
        index = self._next()
        self.cursor = (index + 1) % len(self.queues)
        return self.queues[index].popleft()


class Server:
    """A thread: its queue, the unit that it works on, and the processor time left of its step."""

    __slots__ = ("begun", "current", "left", "name", "priority", "queue", "ready", "supply")

    def __init__(self, name, priority, supply, queue, begun=None):
        self.name = name
        self.priority = priority
        self.supply = supply
        self.queue = queue
        self.begun = begun  # called with a unit that begins
        self.current = None
        self.left = 0
        self.ready = None  # the entry in the ready list of the supply, or None: asleep


class Supply:
    """Threads that share processor time, which is theirs only while the supply is open."""

    __slots__ = ("core", "open", "ready")

    def __init__(self, core, is_open):
        self.core = core
        self.open = is_open
        self.ready = []  # (-priority, order of waking, server), sorted: the first one runs
        core.supplies.append(self)


class Core:
    """A processor; `supplies` in the order of their claim on it."""

    __slots__ = ("end", "name", "running", "since", "supplies", "version")

    def __init__(self, name):
        self.name = name
        self.supplies = []
        self.running = None
        self.since = 0
        self.end = -1
        self.version = 0

    def top(self):
        """The thread that should have the core now."""
        for supply in self.supplies:
            if supply.open and supply.ready:
                return supply.ready[0][2]
        return None


class Engine:
    """Time, the events to come, and the cores that something happened to."""

    def __init__(self, choose):
        self.choose = choose
        self.now = 0
        self.events = []
        self.order = count()
        self.dirty = {}  # a set in the order of insertion, so that a seed repeats its run
        self.pending = {}
        self.touched = set()
        self.most_pending = {}
        self.handled = 0

    def at(self, time, action, *arguments):
        """Something will happen; simultaneous events come in an order that the choices make."""
        tie = self.choose.tie()
        heapq.heappush(self.events, (time, tie, next(self.order), action, arguments))

    def run(self, horizon):
        """Everything that happens before the horizon."""
        events = self.events
        while events and events[0][0] < horizon:
            self.now = now = events[0][0]
            settled = {}
            while self.dirty or (events and events[0][0] == now):
                while events and events[0][0] == now:
                    _, _, _, action, arguments = heapq.heappop(events)
                    self.handled += 1
                    action(*arguments)
                while self.dirty:
                    core, _ = self.dirty.popitem()
                    self._settle(core)
                    settled[core] = True
            for core in settled:
                self._commit(core)
            for key in self.touched:
                if self.pending[key] > self.most_pending.get(key, 0):
                    self.most_pending[key] = self.pending[key]
            self.touched.clear()

    def count(self, key, change):
        """More or less is pending; what counts is what is when time goes on."""
        self.pending[key] = self.pending.get(key, 0) + change
        self.touched.add(key)

    def push(self, server, unit):
        """A unit arrives at a thread, which wakes at the tail of its priority if it slept."""
        self.count(unit.stage, 1)
        self.count(server.name, 1)
        server.queue.push(unit)
        if server.ready is None:
            server.ready = (-server.priority, next(self.order), server)
            insort(server.supply.ready, server.ready)
        self.dirty[server.supply.core] = True

    def turn(self, supply, is_open):
        """A supply opens or closes."""
        supply.open = is_open
        self.dirty[supply.core] = True

    def _sleep(self, server):
        server.supply.ready.remove(server.ready)
        server.ready = None

    def _account(self, core):
        """Charge the running thread for the time since."""
        if core.running is not None:
            core.running.left -= self.now - core.since
        core.since = self.now

    def _step_end(self, core, version):
        if version == core.version:
            server = core.running
            self._account(core)
            self._finish(server)
            core.running, core.end = None, -1
            self.dirty[core] = True

    def _begin(self, server):
        server.current = unit = server.queue.take()
        server.left = unit.steps[-1][0]
        if server.begun:
            server.begun(unit)

    def _finish(self, server):
        """The step is done, and what follows it without taking time."""
        unit = server.current
        while server.left == 0:
            _, action, argument = unit.steps.pop()
            if action:
                action(unit, argument)
            if not unit.steps:
                server.current = None
                self.count(unit.stage, -1)
                self.count(server.name, -1)
                unit.done(unit)
                if server.queue.peek() is None and self.choose.yields():
                    self._sleep(server)
                return
            server.left = unit.steps[-1][0]

    def _settle(self, core):
        """Let the core do all that takes no time."""
        self._account(core)
        running = core.running
        if running is not None and running.left == 0:
            core.running, core.end = None, -1
            core.version += 1
            self._finish(running)
        while (server := core.top()) is not None:
            if server.current is None:
                unit = server.queue.peek()
                if unit is None:
                    self._sleep(server)
                    continue
                if unit.steps[-1][0] > 0:
                    return
                self._begin(server)
            if server.left > 0:
                return
            self._finish(server)

    def _commit(self, core):
        """Time goes on: the thread that has the core works."""
        server = core.top()
        if server is not None and server.current is None:
            self._begin(server)
        end = self.now + server.left if server is not None else -1
        if server is not core.running or end != core.end:
            core.running, core.end = server, end
            core.since = self.now
            core.version += 1
            if server is not None:
                self.at(end, self._step_end, core, core.version)
