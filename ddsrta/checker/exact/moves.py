"""All that may happen next in a situation (lemma explored-runs)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress

from ddsrta.checker.exact.model import ANY, FIRST, TURNS, Key, Model, Sent, Way
from ddsrta.checker.exact.states import Layout, Since, State, Tags, Unit
from ddsrta.checker.exact.zones import Zone
from ddsrta.checker.things import Cost


class Moves(Layout):
    """Of a model; `worst` is the most of each figure so far, -1 where it was never over."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.worst = [-1] * len(model.figures)
        self.periods = [source.period for source in model.sources.values()]
        self.mates = [
            [self.sources.index(mate) for mate in model.clock_mates(name)] for name in self.sources
        ]
        self.leads = [model.lead(name) for name in self.sources]
        threads = model.system.threads
        self.is_timer = [threads[name].entity == "timer" for name in self.sources]
        self.on_core = [model.cores[core] for core in self.cores]
        self.way: list[Way] = [model.way(name) for name in self.ways]
        self.places: dict[Key, tuple[int, int]] = {}
        needed = self.needed
        self.follows = [needed.has(("job", name)) for name in self.sources]
        self.limits = [needed.begins.get(name, 0) for name in self.sources]
        self.firsts = [self._is_first(i) for i in range(len(self.sources))]

    def _is_first(self, source: int) -> bool:
        """Whether it stands for those that begin with it."""
        mates = [mate for mate in sorted(self.mates[source]) if self.follows[mate]]
        return mates[:1] == [source]

    def first(self) -> State:
        """Before any source has begun."""
        s = State(self)
        for i, limit in enumerate(self.limits):
            if limit and self.firsts[i]:
                s.beginning[i] = s.zone.new()
        return s

    def place(self, stage: Key) -> tuple[int, int]:
        """The server of a stage and its queue there."""
        if stage not in self.places:
            server = self.model.server_of(stage)
            queues = self.model.servers[server].queues
            self.places[stage] = server, queues.index(self.model.queue_of(stage))
        return self.places[stage]

    def sent(self, unit: Unit) -> Sent:
        """The message that a job comes to, or a sample is of."""
        sends = self.model.sends[unit.stage[1]]
        if unit.stage[0] == "job":
            return sends[unit.step]
        return next(one for one in sends if one.topic == unit.stage[2])

    def takes(self, unit: Unit) -> tuple[int, Cost]:
        """The clock that says when its next step is over at the latest, and how long it takes."""
        if unit.left:
            return unit.sending, self.sent(unit).cost
        if unit.stage[0] == "job":
            return unit.done, self.model.work[unit.stage[1]]
        return unit.done, self.model.reading(unit.stage[2], unit.stage[3])

    # Between two instants

    def wait(self, s: State) -> bool:
        """Time goes on until something has to happen; whether it can."""
        zone = s.zone
        zone.wait()
        for clocks, limits in ((s.begun, self.periods), (s.beginning, self.limits)):
            for clock, limit in zip(clocks, limits, strict=True):
                if clock and not zone.keep(clock, 0, limit):
                    return False
        s.tokens = [tuple(map(self._waited, tokens)) for tokens in s.tokens]
        for server in s.running:
            unit = s.serving[server] if server >= 0 else None
            if unit is not None:
                clock, cost = self.takes(unit)
                if not zone.keep(clock, 0, cost.worst):
                    return False
        return all(
            zone.keep(unit.done, 0, way.cost.worst)
            for way, units in zip(self.way, s.flying, strict=True)
            for unit in units
        )

    def _waited(self, tags: Tags) -> Tags:
        """What waits for others at a join does not come last."""
        kinds = self.model.figures
        return tuple([tag for tag in tags if kinds[tag[0][0]].kind != "trigger_latency"])

    # At an instant

    def happens(self, s: State) -> Iterator[State]:
        """One thing more."""
        for i, clock in enumerate(s.begun):
            if not clock:
                if self.firsts[i]:
                    yield self._begin(s.copy(), i)
            else:
                new = s.copy()
                if new.zone.keep(0, clock, -self.periods[i]):
                    yield from self._release(new, i)
        for way, units in enumerate(s.flying):
            for at, unit in enumerate(units if self.way[way].is_loose else units[:1]):
                new = s.copy()
                if new.zone.keep(0, unit.done, -self.way[way].cost.best):
                    new.flying[way] = (*units[:at], *units[at + 1 :])
                    self._arrive(new, way, unit)
                    yield new
        for core, server in enumerate(s.running):
            current = s.serving[server] if server >= 0 else None
            if current is not None:
                yield from self._step(s, core, server, current)

    def _begin(self, s: State, source: int) -> State:
        s.beginning[source] = 0
        for mate in filter(self.follows.__getitem__, self.mates[source]):
            s.begun[mate] = s.zone.new(self.periods[mate] - self.leads[mate])
        return s

    def _release(self, s: State, source: int) -> Iterator[State]:
        clock, name = s.begun[source], self.sources[source]
        s.zone.turn_back(clock, self.periods[source])
        s.rename(lambda one: one, lambda when: (clock, when[1] + 1) if when[0] == clock else when)
        stage = ("job", name)
        server, queue = self.place(stage)
        if self.is_timer[source] and any(u.stage == stage for u in s.waiting[server][queue]):
            yield s.copy()
        begins = self.model.begins.get(name, ())
        for f in begins:
            if self.model.figures[f].kind == "reaction_time" and s.known[f] is None:
                s.known[f] = clock, 0
        s.push(server, queue, Unit(stage, tuple(((f, 0), (clock, 0)) for f in begins)))
        yield s

    def _arrive(self, s: State, way: int, unit: Unit) -> None:
        if unit.stage[0] == "message":
            s.push(*self.place(unit.stage), unit._replace(done=0))
        else:
            self._tell(s, way, unit.tags)

    def _leave(self, s: State, way: int, unit: Unit) -> None:
        """It is on its way, unless nothing is told of who gets it."""
        stage = unit.stage if unit.stage[0] == "message" else ("job", self.ways[way][2])
        if not self.needed.has(stage):
            return
        if self.way[way].cost.worst == 0:
            self._arrive(s, way, unit)
        else:
            s.flying[way] = (*s.flying[way], unit._replace(done=s.zone.new()))

    def _tell(self, s: State, way: int, tags: Tags) -> None:
        """A thread has something new from another; an AND waits for one of each."""
        name, reader = self.ways[way], self.ways[way][2]
        thread = self.model.system.threads[reader]
        if not self.needed.has(("job", reader)):
            return
        if thread.arrival:
            s.registers[way] = tags
            return
        if not thread.joins:
            self._job(s, reader, [(name, tags)])
            return
        s.tokens[self.join_number[name]] += (tags,)
        inputs = self.inputs[reader]
        if all(s.tokens[i] for i in inputs):
            behind = [(self.joins[i], s.tokens[i][0]) for i in inputs]
            for i in inputs:
                s.tokens[i] = s.tokens[i][1:]
            self._job(s, reader, behind)

    def _job(self, s: State, name: str, behind: Sequence[tuple[Key, Tags]]) -> None:
        found = []
        if begins := self.model.begins.get(name):
            clock = s.zone.new()
            found += [((f, 0), (clock, 0)) for f in begins]
        for way, tags in behind:
            known = dict(tags)
            for f, at in self.model.onward.get(way, ()):
                if (f, at) in known:
                    found.append(((f, at + 1), known[f, at]))
        stage = ("job", name)
        s.push(*self.place(stage), Unit(stage, tuple(sorted(found))))

    # Steps of what runs

    def _step(self, s: State, core: int, server: int, unit: Unit) -> Iterator[State]:
        new = s.copy()
        clock, cost = self.takes(unit)
        if unit.left:
            yield from self._copy_leaves(s, core, server, unit)
        elif unit.stage[0] == "message":
            if new.zone.keep(0, clock, -cost.best):
                self._see(new, unit.tags)
                self._over(new, core, server)
                kinds = self.model.figures
                tags = tuple([tag for tag in unit.tags if kinds[tag[0][0]].kind != "ddl"])
                self._tell(new, self.way_number[unit.stage[1:]], tags)
                yield new
        elif unit.step < len(self.model.sends[unit.stage[1]]):
            sent = self.sent(unit)
            if new.zone.keep(0, clock, -max(0, sent.earliest - sent.before)):
                self._publish(new, server, unit, sent)
                yield new
        elif new.zone.keep(0, clock, -cost.best):
            self._complete(new, core, server, unit)
            yield new

    def _publish(self, s: State, server: int, unit: Unit, sent: Sent) -> None:
        if sent.controller is None:
            s.serving[server] = unit._replace(left=sent.readers, sending=s.zone.new())
            return
        stage = ("sample", unit.stage[1], sent.topic)
        s.serving[server] = unit._replace(step=unit.step + 1)
        if not self.needed.has(stage):
            return
        tags = [*self._brought(unit.tags, stage)]
        if handed := self.model.handed.get(stage[1:]):
            clock = s.zone.new()
            tags += [((f, 0), (clock, 0)) for f in handed]
        s.push(*self.place(stage), Unit(stage, tuple(sorted(tags)), left=sent.readers))

    def _brought(self, tags: Tags, stage: Key) -> Tags:
        """Of what a job knows, what a sample or message of it brings on."""
        return tuple([tag for tag in tags if self._is_brought(tag[0], stage)])

    def _is_brought(self, what: tuple[int, int], stage: Key) -> bool:
        figure, at = self.model.figures[what[0]], what[1]
        if figure.kind == "ddl":
            of = figure.of if stage[0] == "message" else figure.of[:2]
            return of == stage[1:]
        if at >= len(figure.hops):
            return False
        hop = figure.hops[at]
        name = (hop.source, hop.topic or "", hop.target)
        return name == stage[1:] if stage[0] == "message" else name[:2] == stage[1:]

    def _copy_leaves(self, s: State, core: int, server: int, unit: Unit) -> Iterator[State]:
        sent = self.sent(unit)
        for reader in unit.left if sent.is_open else unit.left[:1]:
            new = s.copy()
            if not new.zone.keep(0, unit.sending, -sent.cost.best):
                return
            left = tuple([one for one in unit.left if one != reader])
            is_job, now = unit.stage[0] == "job", unit
            if is_job:
                now = unit._replace(done=new.zone.minus(unit.done, unit.sending))
            stage = ("message", unit.stage[1], sent.topic, reader)
            message = Unit(stage, self._brought(unit.tags, stage))
            if left:
                new.serving[server] = now._replace(left=left, sending=new.zone.new())
            elif is_job:
                new.serving[server] = now._replace(left=(), sending=0, step=unit.step + 1)
            else:
                self._over(new, core, server)
            self._leave(new, self.way_number[stage[1:]], message)
            yield new

    def _complete(self, s: State, core: int, server: int, unit: Unit) -> None:
        name = unit.stage[1]
        self._see(s, unit.tags, name)
        self._over(s, core, server)
        for follower in self.model.followers.get(name, ()):
            way = (name, "", follower)
            tags = tuple([tag for tag in unit.tags if self._follows(tag[0], way)])
            self._leave(s, self.way_number[way], Unit(("news", *way), tags))

    def _follows(self, what: tuple[int, int], way: Key) -> bool:
        hops = self.model.figures[what[0]].hops
        if what[1] >= len(hops):
            return False
        hop = hops[what[1]]
        return (hop.source, hop.topic or "", hop.target) == way

    def _over(self, s: State, core: int, server: int) -> None:
        s.serving[server] = None
        s.running[core] = -1

    def _see(self, s: State, tags: Tags, name: str | None = None) -> None:
        """A message is read, or a job of this name complete: after this time at most."""
        ends = self.model.ends.get(name or "", ())
        for what, since in tags:
            kind = self.model.figures[what[0]].kind
            if kind == "ddl" if name is None else kind != "ddl" and what in ends:
                known = s.known[what[0]]
                if kind != "reaction_time":
                    self._lasts(s, what[0], since)
                elif known is not None and since[1] < known[1]:
                    self._lasts(s, what[0], known)  # missed by the event before
                    s.known[what[0]] = since

    def _lasts(self, s: State, figure: int, since: Since) -> None:
        clock, periods = since
        most = s.zone.most[clock][0]
        if periods:
            most += periods * self.periods[s.begun.index(clock)]
        self.worst[figure] = max(self.worst[figure], most)

    # When all of an instant has happened

    def settle(self, s: State) -> list[State]:
        """Each core serves the most urgent of those that have work. Whoever loses a core does so
        before others get theirs back: what their clocks have to do with each other is still known.
        """
        chosen = [
            next((i for i in servers if s.serving[i] or any(s.waiting[i])), -1)
            for servers in self.on_core
        ]
        for core, top in enumerate(chosen):
            if s.running[core] not in (-1, top) and not self._lose(s, s.running[core]):
                return []
        found = [s]
        for core, top in enumerate(chosen):
            found = [new for one in found for new in self._serve(one, core, top)]
        return [one for one in found if self._is_called(one)]

    def _is_called(self, s: State) -> bool:
        """No timer waits twice: what is due while it waits is none, unless it is called now."""
        for source in compress(self.sources, self.is_timer):
            server, queue = self.place(("job", source))
            if len([u for u in s.waiting[server][queue] if u.stage == ("job", source)]) > 1:
                return False
        return True

    def _lose(self, s: State, server: int) -> bool:
        """Others have its core from now on; not if it would have taken its step."""
        unit = s.serving[server]
        if unit is not None:
            clock, cost = self.takes(unit)
            if not s.zone.keep(clock, 0, cost.worst - 1):
                return False
            s.serving[server] = unit._replace(away=s.zone.new())
        return True

    def _serve(self, s: State, core: int, top: int) -> list[State]:
        s.running[core] = top
        if top < 0:
            return [s]
        unit = s.serving[top]
        if unit is None:
            return [self._take(s.copy(), top, queue) for queue in self._next(s, top)]
        if unit.away:
            s.serving[top] = _back(s.zone, unit)
        return [s]

    def _next(self, s: State, server: int) -> list[int]:
        """The queues of which it may take the first."""
        its = self.model.servers[server]
        found = [queue for queue, units in enumerate(s.waiting[server]) if units]
        if its.order == FIRST or (its.takes_inline and found[0] == 0):
            return found[:1]
        if its.order == TURNS:
            at = s.turns[server][0]
            return [next((queue for queue in found if queue >= at), found[0])]
        assert its.order == ANY
        return its.most_urgent(found)

    def _take(self, s: State, server: int, queue: int) -> State:
        its, queues = self.model.servers[server], s.waiting[server]
        unit, *rest = queues[queue]
        s.waiting[server] = (*queues[:queue], tuple(rest), *queues[queue + 1 :])
        if its.order == TURNS:
            at, had = s.turns[server]
            had = had + 1 if at == queue else 1
            over = had >= its.weights[queue]
            s.turns[server] = ((queue + 1) % len(queues), 0) if over else (queue, had)
        if unit.stage[0] == "job":
            unit = unit._replace(tags=self._read(s, unit))
        clock = s.zone.new()
        begun = unit._replace(sending=clock) if unit.left else unit._replace(done=clock)
        s.serving[server] = begun
        return s

    def _read(self, s: State, unit: Unit) -> Tags:
        """What a job knows that begins: of each register what came last."""
        found = dict(unit.tags)
        for way in self.reads.get(unit.stage[1], ()):
            for (f, at), since in s.registers[way]:
                found[f, at + 1] = since
        return tuple(sorted(found.items()))


def _back(zone: Zone, unit: Unit) -> Unit:
    """It has its core again: what others had is no work of its own."""
    done = zone.minus(unit.done, unit.away) if unit.done else 0
    sending = zone.minus(unit.sending, unit.away) if unit.sending else 0
    if done and sending:
        apart, back = zone.most[unit.done][unit.sending], zone.most[unit.sending][unit.done]
        zone.keep(done, sending, apart)
        zone.keep(sending, done, back)
    return unit._replace(done=done, sending=sending, away=0)
