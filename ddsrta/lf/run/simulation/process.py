"""A federate at work: its events, and its tags one after the other, level by level."""

from __future__ import annotations

from functools import partial
from heapq import heappop, heappush

from ddsrta.lf.program.federation import in_time
from ddsrta.lf.program.tags import HEAD, MICROSTEP, NEVER, SAME, Shift, Tag
from ddsrta.lf.run.simulation.plan import NO_LEVEL, Plan
from ddsrta.lf.run.simulation.seen import Most
from ddsrta.lf.run.simulation.world import Coordination, Job, Origins, World

Thing = tuple[str, str]  # an action, or the ends of a connection


class Process:
    """One federate of a run. `started` is the last tag that was begun, `current` if it is not done.

    `unknown`: inputs whose status is not known at the current tag.
    """

    def __init__(self, world: World, plan: Plan, coordination: Coordination) -> None:
        self.world, self.plan, self.coordination = world, plan, coordination
        self.name = plan.name or plan.federate.name
        self.ahead = world.clocks[world.federation.clocks[plan.federate.name]]
        self.events: dict[Tag, dict[str, Origins]] = {}
        self.heads: list[Tag] = []
        self._due: dict[Tag, set[Thing]] = {}
        self._passed: dict[Thing, Tag] = {}
        self.started = HEAD
        self.current: Tag | None = None
        self.unknown: set[int] = set()
        self._present: dict[str, Origins] = {}
        self._origins: dict[str, Origins] = {}
        self._waiting: dict[int, list[Job]] = {}
        self._ran: set[str] = set()
        self._level = 0
        self._running = 0
        self._begun = False
        self._arrived: dict[str, Origins] = {}
        self._enabled: list[Job] = []
        self._last: dict[str, int] = {}
        self._asked: tuple[Tag, int] | None = None
        self._is_first = True

    def local(self) -> int:
        """What its clock shows."""
        return self.world.agenda.now + self.ahead

    def common(self, time: int) -> int:
        """When its clock shows a time."""
        return time - self.ahead

    # Events

    def head(self) -> Tag:
        """Its next tag."""
        return self.heads[0] if self.heads else NEVER

    def schedule(self, tag: Tag, place: str | None, origins: Origins) -> None:
        """An event at a tag; beyond the horizon there are none."""
        if tag[0] <= self.world.horizon:
            self.put(tag, place, origins)
            self.wake()

    def delay(self, tag: Tag, thing: Thing, place: str, origins: Origins) -> Tag:
        """An event of an action, or of a connection with `after`: in the runtime for C it gets the
        first microstep that has none of the same thing."""
        if self.world.federation.target == "C":
            while thing in self._due.get(tag, ()):
                tag = tag + MICROSTEP
            self._due.setdefault(tag, set()).add(thing)
        self.schedule(tag, place, origins)
        return tag

    def pass_on(self, to: Process, shift: Shift, ends: Thing, origins: Origins) -> None:
        """Over a connection with `after`, once at a tag, whoever writes the port again."""
        assert self.current is not None
        if ends in self._passed:
            to.schedule(self._passed[ends], ends[1], origins)
        else:
            self._passed[ends] = to.delay(self.current + shift, ends, ends[1], origins)

    def put(self, tag: Tag, place: str | None, origins: Origins) -> None:
        """The same, without looking whether that tag can start."""
        if tag not in self.events:
            self.events[tag] = {}
            heappush(self.heads, tag)
        if place is not None:
            self.events[tag][place] = _merged(self.events[tag].get(place), origins)

    def wake(self) -> None:
        """Start the next tag, once that may be."""
        if self.current is not None or not self.heads:
            return
        tag = self.heads[0]
        when = self.coordination.when(self.name, tag)
        if when is None:
            return
        when = max(when, self.world.agenda.now)
        if self._asked == (tag, when):
            return
        self._asked = (tag, when)
        again = partial(self._try, (tag, when))
        self.world.agenda.start(when, tag, self.world.ranks[self.name], again)

    def _try(self, asked: tuple[Tag, int]) -> None:
        if asked != self._asked:
            return  # an earlier or later start has taken its place
        self._asked = None
        if self.current is not None or not self.heads:
            return
        when = self.coordination.when(self.name, self.heads[0])
        if when is not None and when <= self.world.agenda.now:
            self._start()
        else:
            self.wake()

    # One tag

    def _start(self) -> None:
        world, tag = self.world, self._open()
        overhead = world.choices.between(0, self.plan.federate.overhead)
        if self._is_first and tag > (0, 0):  # that of the start comes just before
            overhead += world.choices.between(0, self.plan.federate.overhead)
        self._is_first = False
        world.agenda.at(world.agenda.now + overhead, self._begin)

    def _open(self) -> Tag:
        world, tag = self.world, heappop(self.heads)
        self._arrived = self.events.pop(tag)
        self._due.pop(tag, None)
        self._passed = {}
        self.current = self.started = tag
        self._begun = False
        world.seen.tag(self.name, tag)
        world.seen.add(world.seen.start.setdefault(self.name, Most()), self.local() - tag[0])
        self.unknown = set(self.coordination.opened(self.name, tag))
        self._present, self._origins, self._waiting = {}, {}, {}
        self._ran = set()
        for place in self._arrived:
            timer = self.plan.federate.timers.get(place)
            if timer is not None and timer.period is not None:
                self.schedule(tag + Shift(timer.period), place, {})
        return tag

    def _begin(self) -> None:
        self._begun = True
        for place, origins in self._arrived.items():
            self.arrive(place, origins)
        self.step()

    def known(self, connection: int, place: str | None, origins: Origins) -> None:
        """The status of an input becomes known at the current tag: a message, or none."""
        if connection not in self.unknown:
            return
        self.unknown.remove(connection)
        if place is not None and self._begun:
            self.arrive(place, origins)
        elif place is not None:
            self._arrived[place] = _merged(self._arrived.get(place), origins)
        self.step()

    def is_present(self, place: str) -> bool:
        """Whether a port has been written at the current tag."""
        return place in self._present

    def arrive(self, place: str, origins: Origins) -> None:
        """Something is present at the current tag: what it triggers, and what passes it on."""
        new = place not in self._present
        self._present[place] = _merged(self._present.get(place), origins)
        for name in self.plan.triggered.get(place, ()):
            self._origins[name] = _merged(self._origins.get(name), origins)
            if name not in self._ran:
                self._ran.add(name)
                self._add(self.plan.level[name], name)
        for target, shift in self.plan.inner.get(place, ()):
            if shift == SAME:
                self.arrive(target, origins)
            else:
                self.pass_on(self, shift, (place, target), origins)
        if new:
            for index in self.plan.sent.get(place, ()):
                self._add(self.plan.send_level[index], index)

    def _add(self, level: int, job: Job) -> None:
        self._waiting.setdefault(level, []).append(job)
        self._enabled.append(job)

    def step(self) -> None:
        """Let free workers go on."""
        if self.current is None or not self._begun:
            return
        while self._running < self.plan.workers:
            level = self._level if self._running else min(self._waiting, default=None)
            blocked = self._blocked()
            self.coordination.reached(self.name, blocked if level is None else min(level, blocked))
            if level is None:
                if not self.unknown:
                    self._finish()
                return
            jobs = self._waiting.get(level)
            if not jobs or level >= blocked:
                return
            self._level = level
            picked = self._pick(jobs)
            if not jobs:
                del self._waiting[level]
            for job in picked:
                self._run(job)

    def _blocked(self) -> int:
        return min((self.plan.blocks[index] for index in self.unknown), default=NO_LEVEL + 1)

    def _pick(self, jobs: list[Job]) -> list[Job]:
        """Any one; where all is at its worst, messages leave last."""
        reactions = [job for job in jobs if isinstance(job, str)]
        worst = self.world.choices.worst
        job = self.world.choices.chance.choice(reactions if worst and reactions else jobs)
        jobs.remove(job)
        return [job]

    def _run(self, job: Job) -> None:
        self._running += 1
        self._begins(job)
        agenda = self.world.agenda
        agenda.at(agenda.now + self._takes(job), partial(self._end, job))

    def _begins(self, job: Job) -> None:
        """What is seen of a job when it begins."""
        world, tag, name = self.world, self.current, self.plan.federate.name
        assert tag is not None
        late = self.local() - tag[0]
        if isinstance(job, int):
            world.seen.add(world.seen.launch.setdefault(job, Most()), late)
            return
        world.seen.add(world.seen.reactions.setdefault((name, job), Most()), late)
        if not in_time(late, self.plan.federate.reactions[job].deadline):
            world.seen.missed[name, job] += 1

    def _takes(self, job: Job) -> int:
        choices = self.world.choices
        if isinstance(job, int):
            return choices.between(0, self.world.federation.connections[job].send)
        reaction = self.plan.federate.reactions[job]
        return choices.between(reaction.bcet, reaction.wcet)

    def _end(self, job: Job) -> None:
        self._running -= 1
        tag = self.current
        assert tag is not None
        if isinstance(job, int):
            place = self.world.federation.connections[job].output
            self.coordination.send(job, tag, self._present[place])
        else:
            self._enabled = []
            self._effects(job, tag)
            if len(self._enabled) == 1 and self.world.choices.at_once:
                self._at_once(job, self._enabled[0])
        self.step()

    def _effects(self, name: str, tag: Tag) -> None:
        world, federate = self.world, self.plan.federate
        reaction, origins = federate.reactions[name], self._origins[name]
        end = (federate.name, name)
        for chain in world.federation.chains.values():
            if chain.source == end:
                origins = _merged(origins, {chain.name: tag[0]})
            if chain.target == end and chain.name in origins:
                most = world.seen.chains.setdefault(chain.name, Most())
                world.seen.add(most, self.local() - origins[chain.name])
        for effect in dict.fromkeys(reaction.effects):
            if not world.choices.writes(self.name, reaction.always):
                continue
            if (action := federate.actions.get(effect)) is None:
                self.arrive(effect, origins)
            elif not action.is_free:
                self.delay(tag + action.shift, (effect, effect), effect, origins)
            else:
                self.act(effect, origins)

    def _at_once(self, name: str, enabled: Job) -> None:
        """Whatever its level, a worker goes on with the only reaction that it has enabled, if that
        can be enabled by no other any more."""
        if enabled not in self.plan.alone.get(name, ()):
            return
        level = self.plan.level[str(enabled)]
        self._waiting[level].remove(enabled)
        if not self._waiting[level]:
            del self._waiting[level]
        self._run(enabled)

    def act(self, name: str, origins: Origins) -> None:
        """An action gets an event now: its tag comes from the clock, or (logical) from the tag."""
        action = self.plan.federate.actions[name]
        time = self.local() if action.kind == "physical" or not self.current else self.current[0]
        if action.kind == "logical":
            usual = max(1, self.world.horizon // 20)
            time += self.world.choices.between(0, action.min_spacing or usual)
        self.physical((time + action.min_delay, 0), name, action.min_spacing, origins)

    def physical(self, tag: Tag, place: str, spacing: int | None, origins: Origins) -> None:
        """An event of the outer world, after whatever was begun and `spacing` after the last."""
        last = self._last.get(place)
        if spacing is not None and last is not None:
            tag = max(tag, (last + spacing, 0))
        if tag <= self.started:
            tag = self.started + MICROSTEP
        self._last[place] = tag[0]
        self.schedule(tag, place, origins)
        self.coordination.outer(self.name)

    def _finish(self) -> None:
        tag = self.current
        assert tag is not None
        self.current = None
        seen = self.world.seen
        seen.add(seen.done.setdefault(self.name, Most()), self.local() - tag[0])
        self.coordination.completed(self.name, tag)
        self.wake()


def _merged(known: Origins | None, more: Origins) -> Origins:
    """The earliest of both."""
    if not known or not more:
        return known or more
    return {name: min(known.get(name, time), time) for name, time in {**known, **more}.items()}
