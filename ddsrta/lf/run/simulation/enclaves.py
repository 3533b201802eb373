"""A run of enclaves: tags, levels, workers, cores, and what enclaves ask of each other.

Written from what docs/lf.md says of the runtime, to hold `ddsrta lf enclaves` against.
Execution times, the order of reactions of a level, who gets a core, and when the outer world does
something are drawn at random. One clock; neither shutdown nor messages between federates.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ddsrta.lf.program.federation import Federate, Federation, Reaction, in_time
from ddsrta.lf.program.tags import Tag
from ddsrta.lf.run.simulation.enclaves_wiring import Enclave, Key, Name, wire


@dataclass
class Seen:
    """The latest that a run has seen after the time of a tag: starts and ends of reactions, ends of
    tags; how often a reaction ran, and how often it started after its deadline."""

    started: dict[Name, int] = field(default_factory=dict)
    ended: dict[Name, int] = field(default_factory=dict)
    done: dict[Key, int] = field(default_factory=dict)
    runs: dict[Name, int] = field(default_factory=dict)
    missed: dict[Name, int] = field(default_factory=dict)


@dataclass
class _Job:
    """What a worker does: a reaction, or what the runtime does for a tag (None)."""

    enclave: Key
    reaction: Reaction | None
    left: int


def simulate(
    federation: Federation,
    until: int,
    seed: int = 0,
    longest: float = 0.7,
    cost: Callable[[int, Reaction], int] | None = None,
) -> Seen:
    """A run with all tags before `until`; `longest`: the share of jobs that take their wcet.

    `cost` tells what a reaction takes at the time of a tag, where that is not to be drawn.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> simulate(two_federates(), 5_000_000, longest=1).ended["source", "produce"]
    500000
    """
    return _Run(federation, until, random.Random(seed), longest, cost).run()


class _Run:
    def __init__(
        self,
        federation: Federation,
        until: int,
        chance: random.Random,
        longest: float,
        cost: Callable[[int, Reaction], int] | None = None,
    ) -> None:
        self.cost = cost
        self.chance, self.longest, self.until = chance, longest, until
        self.federation, self.seen = federation, Seen()
        self.enclaves = wire(federation)
        self.now = self.count = 0
        self.events: list[tuple[int, int, Key, Tag, frozenset[str] | None]] = []
        self.early = chance.random() < 0.5  # whether they ask before the time of a tag has come
        self.in_turn = chance.random() < 0.5  # whether they ask the next only after an answer
        self.rank = {key: chance.random() for key in self.enclaves} if chance.random() < 0.5 else {}
        self.jobs: dict[str, list[_Job]] = {host: [] for host in federation.hosts}
        self.cores = self._cores()
        self.drops = chance.random()

    def _cores(self) -> dict[str, int | None]:
        workers = dict.fromkeys(self.federation.hosts, 0)
        for enclave in self.enclaves.values():
            workers[enclave.host] += enclave.workers
        return {
            name: host.cores if host.cores is not None and workers[name] > host.cores else None
            for name, host in self.federation.hosts.items()
        }

    def run(self) -> Seen:
        for name, federate in self.federation.federates.items():
            for time, tag, place in self._roots(federate):
                for key, enclave in self.enclaves.items():
                    if key[0] != name or not (started := enclave.triggered.get(place)):
                        continue
                    if time:
                        self._later(time, key, tag, frozenset(started))
                    elif tag[0] < self.until:
                        enclave.queue.setdefault(tag, set()).update(started)
        for key in self.enclaves:
            self._wake(key)
        while True:
            while self.events and self.events[0][0] <= self.now:
                _, _, key, tag, names = heapq.heappop(self.events)
                if names is None:
                    self._wake(key)
                else:
                    self._take(key, tag, names)
            step = self._step()
            if step is None:
                return self.seen
            self._advance(step)

    def _roots(self, federate: Federate) -> Iterator[tuple[int, Tag, str]]:
        """When an event is known, its tag, and where it is."""
        yield 0, (0, 0), "startup"
        for timer in federate.timers.values():
            last = self.until if timer.period else timer.offset + 1
            for tick in range(timer.offset, last, timer.period or 1):
                yield 0, (tick, 0), timer.name
        for action in federate.actions.values():
            if action.kind == "physical" and action.min_spacing:
                time = self.chance.randrange(2 * action.min_spacing)
                while time < self.until:
                    # Its tag is after what has been done by now.
                    yield time, (time + action.min_delay + 1, 0), action.name
                    wait = self.chance.choice([0, 0, self.chance.randrange(action.min_spacing)])
                    time += action.min_spacing + wait

    def _later(self, time: int, key: Key, tag: Tag, names: frozenset[str] | None) -> None:
        """Reactions that a tag gets at some time; None: the time of the tag has come."""
        self.count += 1
        heapq.heappush(self.events, (time, self.count, key, tag, names))

    # Enclaves

    def _take(self, key: Key, tag: Tag, names: frozenset[str]) -> None:
        enclave = self.enclaves[key]
        assert tag > enclave.completed and (enclave.busy is None or tag > enclave.busy)
        if tag[0] < self.until:
            enclave.queue.setdefault(tag, set()).update(names)
            self._wake(key)

    def _wake(self, key: Key) -> None:
        """Start the next tag, if its time has come and all upstream are done with it."""
        enclave = self.enclaves[key]
        if enclave.busy is not None or not enclave.queue:
            return
        tag = min(enclave.queue)
        if tag[0] > self.now and (key, tag) not in enclave.alarms:
            enclave.alarms.add((key, tag))
            self._later(tag[0], key, tag, None)
        if tag[0] > self.now and not self.early:
            return
        asked = (self._is_done(source, tag - shift) for source, shift in enclave.upstream)
        if not (all(asked) if self.in_turn else all(list(asked))) or tag[0] > self.now:
            return
        if enclave.busy is not None or min(enclave.queue, default=None) != tag:
            return  # a tag of it was started while those upstream were asked
        enclave.busy = tag
        for name in enclave.queue.pop(tag):
            enclave.waiting.setdefault(enclave.levels[name], set()).add(name)
        enclave.real = bool(enclave.waiting)
        if enclave.overhead:
            self._start(key, None)
        else:
            self._go_on(key)

    def _is_done(self, key: Key, tag: Tag) -> bool:
        """Whether an enclave upstream is done with a tag; if not, it gets an empty one."""
        enclave = self.enclaves[key]
        if tag[0] < 0 or enclave.completed >= tag or (enclave.busy or (-1, 0)) > tag:
            return True
        if enclave.busy != tag:
            enclave.queue.setdefault(tag, set())
            self._wake(key)
        return enclave.completed >= tag or (enclave.busy or (-1, 0)) > tag

    def _start(self, key: Key, reaction: Reaction | None) -> None:
        enclave = self.enclaves[key]
        enclave.running += 1
        if reaction is None:
            cost = enclave.overhead
        elif self.cost is not None:
            assert enclave.busy is not None
            cost = self.cost(enclave.busy[0], reaction)
        else:
            cost = reaction.wcet or 0
            if self.chance.random() >= self.longest:
                cost = self.chance.randint(reaction.bcet, cost)
        self.jobs[enclave.host].append(_Job(key, reaction, cost))

    def _go_on(self, key: Key) -> None:
        """Give the free workers what there is on the lowest level, or end the tag."""
        enclave = self.enclaves[key]
        if enclave.running or enclave.busy is None:
            self._fill(key)
            return
        enclave.level = min(enclave.waiting, default=-1)
        if enclave.waiting:
            self._fill(key)
            return
        tag = enclave.completed = enclave.busy
        enclave.busy = None
        if enclave.real:
            late = self.now - tag[0]
            self.seen.done[key] = max(self.seen.done.get(key, 0), late)
        self._wake(key)
        for other in self.chance.sample(enclave.downstream, len(enclave.downstream)):
            self._wake(other)

    def _fill(self, key: Key) -> None:
        enclave = self.enclaves[key]
        names = sorted(enclave.waiting.get(enclave.level, ()))
        self.chance.shuffle(names)
        for name in names[: enclave.workers - enclave.running]:
            enclave.waiting[enclave.level].discard(name)
            self._start(key, self.federation.federates[key[0]].reactions[name])
        if not enclave.waiting.get(enclave.level, True):
            del enclave.waiting[enclave.level]

    def _end(self, job: _Job) -> None:
        enclave = self.enclaves[job.enclave]
        enclave.running -= 1
        if job.reaction is not None:
            tag = enclave.busy
            assert tag is not None
            name = (job.enclave[0], job.reaction.name)
            self.seen.ended[name] = max(self.seen.ended.get(name, 0), self.now - tag[0])
            self._write(job.enclave, enclave, job.reaction, tag)
        self._go_on(job.enclave)

    def _write(self, key: Key, enclave: Enclave, reaction: Reaction, tag: Tag) -> None:
        for effect in reaction.effects:
            if not reaction.always and self.chance.random() < self.drops / 2:
                continue
            for other, reader, shifts in enclave.reached.get(effect, ()):
                at = tag
                for shift in shifts:
                    at = at + shift
                if other == key and at == tag:
                    enclave.waiting.setdefault(enclave.levels[reader], set()).add(reader)
                else:
                    self._take(other, at, frozenset([reader]))

    # Cores

    def _progressing(self) -> Iterator[list[_Job]]:
        for host, jobs in self.jobs.items():
            cores = self.cores[host]
            if cores is None or len(jobs) <= cores:
                yield jobs
            elif self.rank:
                yield sorted(jobs, key=lambda job: self.rank[job.enclave])[:cores]
            else:
                yield self.chance.sample(jobs, cores)

    def _step(self) -> int | None:
        """How long until something happens; lets the jobs on cores get on by that."""
        chosen = [job for jobs in self._progressing() for job in jobs]
        for job in chosen:
            self._begin(job)
        ends = [job.left for job in chosen]
        if self.events:
            ends.append(self.events[0][0] - self.now)
        if not ends:
            return None
        step = min(ends)
        for job in chosen:
            job.left -= step
        return step

    def _begin(self, job: _Job) -> None:
        """A reaction starts when it first gets a core: its deadline is looked at then."""
        if job.reaction is None or job.reaction in self.enclaves[job.enclave].begun:
            return
        enclave = self.enclaves[job.enclave]
        assert enclave.busy is not None
        enclave.begun.append(job.reaction)
        late = self.now - enclave.busy[0]
        name = (job.enclave[0], job.reaction.name)
        self.seen.started[name] = max(self.seen.started.get(name, 0), late)
        self.seen.runs[name] = self.seen.runs.get(name, 0) + 1
        if not in_time(late, job.reaction.deadline):
            self.seen.missed[name] = self.seen.missed.get(name, 0) + 1

    def _advance(self, step: int) -> None:
        self.now += step
        for jobs in self.jobs.values():
            ended = [job for job in jobs if job.left <= 0]
            if not ended:
                continue
            jobs[:] = [job for job in jobs if job.left > 0]
            for job in ended:
                if job.reaction is not None:
                    if job.reaction not in self.enclaves[job.enclave].begun:
                        self._begin(job)
                    self.enclaves[job.enclave].begun.remove(job.reaction)
                self._end(job)
