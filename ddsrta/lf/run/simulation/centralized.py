"""Federates that start the tags that the RTI grants: NET, LTC, TAG, PTAG, DNET and messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from ddsrta.lf.program.tags import HEAD, MICROSTEP, Tag
from ddsrta.lf.run.simulation.plan import Plan
from ddsrta.lf.run.simulation.process import Process
from ddsrta.lf.run.simulation.rti import Rti, hops
from ddsrta.lf.run.simulation.seen import Most
from ddsrta.lf.run.simulation.world import Coordination, Origins, World


class Centralized(Coordination):
    """Everything goes through the RTI; each way between it and a federate keeps the order."""

    def __init__(
        self,
        world: World,
        plans: Mapping[str, Plan],
        cycles: Mapping[str, int],
        circles: Mapping[int, bool],
    ) -> None:
        self.world, self.circles = world, circles
        self.connections = world.federation.connections
        self.rti = Rti(world.federation, dict(cycles))
        self.hops = {name: hops(world.federation, name) for name in plans}
        self.order: dict[tuple[str, bool], int] = {}
        self.granted = dict.fromkeys(plans, HEAD)
        self.provisional = dict.fromkeys(plans, HEAD)
        self.told = dict.fromkeys(plans, HEAD)
        self.told_done = dict.fromkeys(plans, world.agenda.now)
        self.ready: dict[str, int] = dict.fromkeys(plans, world.agenda.now)
        self.sent: dict[str, list[Tag]] = {name: [] for name in plans}
        self.known: dict[int, Tag] = {}
        self.told_absent: dict[int, Tag] = {}
        self.asking: dict[str, Tag] = {}
        # Up to which tag the next one need not be told, by who said so.
        eager = not world.choices.keeps_back
        self.kept: dict[str, dict[str, Tag]] = {
            name: {"": HEAD} if eager or name in cycles else {} for name in plans
        }
        self.advance = world.federation.least_delays
        self.processes = {name: Process(world, plan, self) for name, plan in plans.items()}

    def begin(self) -> None:
        """Each federate tells its first tag; those with physical actions go on telling."""
        for name in self.processes:
            self.tell(name)
            if name in self.advance:
                interval = self.world.federation.rti.advance_message_interval
                phase = self.world.choices.chance.randint(0, interval)
                self.world.agenda.at(self.world.agenda.now + phase, partial(self._again, name))

    def _again(self, name: str) -> None:
        """What is capped at the clock is told again and again."""
        process, now = self.processes[name], self.world.agenda.now
        if process.local() > self.world.horizon and process.current is None:
            self.advance = {k: delay for k, delay in self.advance.items() if k != name}
            self.tell(name)
            return
        late = self.world.choices.between(0, self.world.federation.federates[name].overhead)
        self.world.agenda.at(now + late, partial(self._advance, name))
        interval = self.world.federation.rti.advance_message_interval
        self.world.agenda.at(now + interval, partial(self._again, name))

    def _advance(self, name: str) -> None:
        process = self.processes[name]
        if process.current is None and self.told[name] < process.head():
            self.tell(name)

    # What federates do

    def when(self, federate: str, tag: Tag) -> int | None:
        """At its time, if it is granted or nobody is upstream."""
        process = self.processes[federate]
        start = process.common(tag[0])
        if not self.rti.direct[federate] or tag <= self.granted[federate]:
            return start
        if tag == self.provisional[federate]:
            return start
        if federate in self.advance and self.told[federate] < tag and process.current is None:
            # Its clock did not let it ask yet.
            if self.world.agenda.now >= start:
                self.tell(federate)
            elif self.asking.get(federate) != tag:
                self.asking[federate] = tag
                self.world.agenda.at(start, partial(self._ask, federate, tag))
        return None

    def _ask(self, name: str, tag: Tag) -> None:
        process = self.processes[name]
        if process.current is None and process.head() == tag and self.told[name] < tag:
            self.tell(name)

    def opened(self, federate: str, tag: Tag) -> Iterable[int]:
        """At a provisional tag, inputs out of its cycle over which nothing has come yet. Others are
        known: the RTI grants it only once nothing can come over them any more."""
        process = self.processes[federate]
        self._see_grant(process, tag)
        if federate in self.advance and self.told[federate] < tag:
            self._tell(federate, tag)
        if tag <= self.granted[federate] or not self.rti.direct[federate]:
            return ()
        unknown = self.circles
        return [i for i in process.plan.inputs if i in unknown and self.known.get(i, HEAD) < tag]

    def _see_grant(self, process: Process, tag: Tag) -> None:
        """Counted from the tag's time; where the last tag was told to be done, from then."""
        if not self.rti.direct[process.name]:
            return
        ready = self.ready[process.name]
        lag = ready + process.ahead - tag[0]
        self.world.seen.grant(process.name, lag, ready - self.told_done[process.name])

    def tell(self, name: str) -> None:
        """Its next tag, but no further than its clock vouches for."""
        process = self.processes[name]
        tag = process.head()
        if name in self.advance:
            cap = (process.local() + self.advance[name], 0)
            tag = min(tag, max(cap, process.started + MICROSTEP))
        self._tell(name, tag)

    def _tell(self, name: str, tag: Tag) -> None:
        self.told[name] = tag
        for other in [k for k, kept in self.kept[name].items() if k and tag > kept]:
            del self.kept[name][other]
        self._up(name, "NET", partial(self._net, name, tag))

    def send(self, connection: int, tag: Tag, origins: Origins) -> None:
        """Over the RTI; a physical connection goes past it."""
        given = self.connections[connection]
        if given.physical:
            takes = self.world.choices.of(self.world.federation.latency(given))
            act = partial(self._physical, connection, origins)
            self.world.agenda.at(self.world.agenda.now + takes, act)
            return
        moved = tag + given.shift
        if moved[0] <= self.world.horizon:
            self.sent[given.source].append(moved)
            kept = self.kept[given.source]
            if "" in kept:  # the receiver will need its next tag beyond this one
                kept[""] = min(kept[""], moved)
            self._up(given.source, "MSG", partial(self._message, connection, moved, origins))

    def reached(self, federate: str, level: int) -> None:
        """In a zero-delay cycle others are told of each output that stays absent."""
        process = self.processes[federate]
        tag = process.current
        if tag is None or not self.circles or tag != self.provisional[federate]:
            return
        for place, indices in process.plan.sent.items():
            for index in indices:
                if (
                    index in self.circles
                    and self.told_absent.get(index, HEAD) < tag
                    and level > process.plan.send_level[index]
                ):
                    self.told_absent[index] = tag
                    if not process.is_present(place):
                        self._up(federate, "ABS", partial(self._message, index, tag, None))

    def completed(self, federate: str, tag: Tag) -> None:
        """LTC if it has inputs, and its next tag if anyone has to know."""
        process = self.processes[federate]
        upstream = self.rti.direct[federate]
        sent, self.sent[federate] = self.sent[federate], []
        if upstream:
            self._up(federate, "LTC", partial(self._complete, federate, tag))
        self.told_done[federate] = self.world.agenda.now
        head = process.head()
        asks = bool(upstream) and head > self.granted[federate]
        dnet = self.world.federation.rti.dnet
        news = asks or federate in self.advance
        if self.world.choices.keeps_back and sent and head > min(sent):
            # Unless a DNET that was on its way has let it keep the tag back after all.
            news = news or self.world.choices.chance.random() < 0.5
        if news or not dnet or self._is_wanted(federate, head):
            self.tell(federate)
        self.ready[federate] = self.world.agenda.now

    def _is_wanted(self, name: str, tag: Tag) -> bool:
        return any(tag > kept for kept in self.kept[name].values())

    def outer(self, name: str) -> None:
        """An event of the outer world can come before what was told."""
        process = self.processes[name]
        if process.current is None and process.head() < self.told[name]:
            self.tell(name)

    # On the way

    def _up(self, name: str, kind: str, act: Callable[[], None]) -> None:
        self._count(kind, "up")
        service = self.world.choices.between(0, self.world.federation.rti.service)
        takes = self.world.choices.of(self.hops[name][0]) + service
        self.world.agenda.at(self._in_order(name, True, takes), partial(self._hear, act))

    def _down(self, name: str, kind: str, act: Callable[[], None]) -> None:
        self._count(kind, "down")
        takes = self.world.choices.of(self.hops[name][1])
        self.world.agenda.at(self._in_order(name, False, takes), act)

    def _in_order(self, name: str, up: bool, takes: int) -> int:
        now = self.world.agenda.now
        arrival = max(self.order.get((name, up), now), now + takes)
        self.order[name, up] = arrival
        return arrival

    def _count(self, kind: str, direction: str) -> None:
        if self.world.agenda.now >= 0:
            self.world.seen.messages[kind, direction] += 1

    # What the RTI does

    def _hear(self, act: Callable[[], None]) -> None:
        act()
        for name, tag, final in self.rti.grants():
            kind = "TAG" if final else "PTAG"
            self._down(name, kind, partial(self._grant, name, tag, final))
        if self.world.federation.rti.dnet:
            keeps = self.world.choices.keeps_back
            for name, asking, tag in self.rti.questions() if keeps else self.rti.keeps():
                self._down(name, "DNET", partial(self._keep, name, asking, tag))

    def _net(self, name: str, tag: Tag) -> None:
        self.rti.tell(name, tag)

    def _complete(self, name: str, tag: Tag) -> None:
        self.rti.complete(name, tag)

    def _message(self, connection: int, tag: Tag, origins: Origins | None) -> None:
        target = self.connections[connection].target
        if origins is not None:
            self.rti.message(target, tag)
        kind = "ABS" if origins is None else "MSG"
        self._down(target, kind, partial(self._receive, connection, tag, origins))

    # What federates are told

    def _receive(self, connection: int, tag: Tag, origins: Origins | None) -> None:
        given = self.connections[connection]
        process = self.processes[given.target]
        self.known[connection] = max(self.known.get(connection, HEAD), tag)
        if origins is not None:
            self.told[given.target] = min(self.told[given.target], tag)
        if process.current == tag and connection in process.unknown:
            place = given.input if origins is not None else None
            process.known(connection, place, origins or {})
        elif origins is not None:
            seen = self.world.seen
            late = process.local() - tag[0]
            if tag <= process.started:
                seen.late(connection, late)
                tag = process.started + MICROSTEP
            seen.add(seen.arrival.setdefault(connection, Most()), late)
            self._now_ready(given.target, tag)
            process.schedule(tag, given.input, origins)
            process.known(connection, None, {})

    def _grant(self, name: str, tag: Tag, final: bool) -> None:
        process = self.processes[name]
        if final:
            if process.current is None and self.granted[name] < process.head() <= tag:
                self.ready[name] = self.world.agenda.now
            self.granted[name] = max(self.granted[name], tag)
            if process.current is not None and process.current <= tag:
                for connection in list(process.unknown):
                    process.known(connection, None, {})
        elif tag > process.started:
            self.provisional[name] = max(self.provisional[name], tag)
            process.schedule(tag, None, {})
        process.wake()

    def _now_ready(self, name: str, tag: Tag) -> None:
        if tag <= self.granted[name] and tag < self.processes[name].head():
            self.ready[name] = self.world.agenda.now

    def _keep(self, name: str, asking: str, tag: Tag) -> None:
        """Up to which tag its next need not be told. What has been kept back for nothing is told at
        once, even while it works on that tag."""
        self.kept[name][asking] = tag
        process = self.processes[name]
        if process.current is None:
            head = process.head()
            if head != self.told[name] and head > tag:
                self.tell(name)
        elif self.told[name] != process.current > tag:
            self._tell(name, process.current)

    def _physical(self, connection: int, origins: Origins) -> None:
        given = self.connections[connection]
        process = self.processes[given.target]
        tag = (process.local() + given.shift.time, 0)
        process.physical(tag, given.input, given.min_spacing, origins)
