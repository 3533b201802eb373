"""Federates that wait by their own clocks: `maxwait`, `absent_after`, and tardy messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from ddsrta.lf.program.shapes import FOREVER, Forever
from ddsrta.lf.program.tags import HEAD, MICROSTEP, SAME, Tag
from ddsrta.lf.run.simulation.plan import Plan
from ddsrta.lf.run.simulation.process import Process
from ddsrta.lf.run.simulation.seen import Most
from ddsrta.lf.run.simulation.world import Coordination, Origins, World


class Decentralized(Coordination):
    """A tag starts once the clock shows `maxwait` more than its time, or once all inputs are known
    up to it."""

    def __init__(
        self, world: World, plans: Mapping[str, Plan], waits: Mapping[str, int | Forever]
    ) -> None:
        self.world, self.waits = world, waits
        self.connections = world.federation.connections
        self.known: dict[int, Tag] = {}
        self.receipt: dict[int, int] = {}
        self.processes = {name: Process(world, plan, self) for name, plan in plans.items()}

    def when(self, federate: str, tag: Tag) -> int | None:
        """At its time if all inputs are known up to just before it, else when the wait is over.

        Physical inputs never are.
        """
        process, wait = self.processes[federate], self.waits[federate]
        before, plan = tag - MICROSTEP, process.plan
        known = all(self.known.get(index, HEAD) >= before for index in plan.inputs)
        if known and not plan.physical:
            return process.common(tag[0])
        return None if wait == FOREVER else process.common(tag[0]) + wait

    def opened(self, federate: str, tag: Tag) -> Iterable[int]:
        """Inputs that are not known at the tag, and whose time of absence is not over."""
        process, wait = self.processes[federate], self.waits[federate]
        agenda = self.world.agenda
        for index in process.plan.inputs:
            if self.known.get(index, HEAD) >= tag:
                continue
            absent = self.world.federation.absent_after(self.connections[index])
            if isinstance(wait, str) or isinstance(absent, str):
                yield index
                continue
            more = self.world.federation.short_wait
            absent += more if wait + absent < more else 0
            until = process.common(tag[0]) + wait + absent
            if until > agenda.now:
                over = partial(self._absent, process, index, tag)
                agenda.start(until, tag, self.world.ranks[federate], over)
                yield index

    def _absent(self, process: Process, index: int, tag: Tag) -> None:
        if process.current == tag:
            process.known(index, None, {})

    def send(self, connection: int, tag: Tag, origins: Origins) -> None:
        """Received after the connection's latency, in order."""
        receipt = self._receipt(connection)
        deliver = self._physical if self.connections[connection].physical else self._deliver
        self.world.agenda.at(receipt, partial(deliver, connection, tag, origins))

    def _receipt(self, index: int) -> int:
        federation = self.world.federation
        takes = self.world.choices.of(federation.latency(self.connections[index]))
        last = self.receipt.get(index, self.world.agenda.now)
        self.receipt[index] = max(last, self.world.agenda.now + takes)
        return self.receipt[index]

    def _deliver(self, index: int, sent: Tag, origins: Origins) -> None:
        connection, seen = self.connections[index], self.world.seen
        tag = sent + connection.shift
        process = self.processes[connection.target]
        late = process.local() - tag[0]
        in_time = tag > process.started or (tag == process.current and index in process.unknown)
        if not in_time:
            seen.late(index, late)
        seen.add(seen.arrival.setdefault(index, Most()), late)
        self.known[index] = max(self.known.get(index, HEAD), tag)
        if tag == process.current and in_time:
            process.known(index, connection.input, origins)
            return
        if not in_time:
            # It gets the next microstep that is free, whoever notices.
            tag = process.started + MICROSTEP
            while connection.input in process.events.get(tag, ()):
                tag = tag + MICROSTEP
        process.schedule(tag, connection.input, origins)
        process.known(index, None, {})
        process.wake()

    def _physical(self, index: int, _sent: Tag, origins: Origins) -> None:
        connection = self.connections[index]
        process = self.processes[connection.target]
        tag = (process.local() + connection.shift.time, 0)
        process.physical(tag, connection.input, connection.min_spacing, origins)

    def completed(self, federate: str, tag: Tag) -> None:
        """In some programs receivers without `after` are told that nothing comes at a tag."""
        if not self.world.choices.tells_absence:
            return
        process = self.processes[federate]
        for indices in process.plan.sent.values():
            for index in indices:
                if not self.connections[index].physical and self.connections[index].shift == SAME:
                    receipt = self._receipt(index)
                    self.world.agenda.at(receipt, partial(self._none, index, tag))

    def _none(self, index: int, sent: Tag) -> None:
        connection = self.connections[index]
        tag = sent + connection.shift
        process = self.processes[connection.target]
        self.known[index] = max(self.known.get(index, HEAD), tag)
        if process.current is not None and tag >= process.current:
            process.known(index, None, {})
        process.wake()
