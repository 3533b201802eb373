"""A run of enclaves: what they ask of each other, and how they share cores.

Written from what docs/lf.md says of the runtime, to hold `ddsrta lf enclaves` against. One clock;
neither shutdown nor messages between federates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from random import Random

from ddsrta.lf.program.federates import Action, Reaction
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.tags import SAME, Tag
from ddsrta.lf.run.simulation.agenda import Agenda
from ddsrta.lf.run.simulation.choices import Choices
from ddsrta.lf.run.simulation.cores import Cores
from ddsrta.lf.run.simulation.cores import Job as CoreJob
from ddsrta.lf.run.simulation.enclaves_wiring import EnclavePlan, wire
from ddsrta.lf.run.simulation.process import Process
from ddsrta.lf.run.simulation.seen import Most, Seen
from ddsrta.lf.run.simulation.world import Coordination, Job, Origins, World

Cost = Callable[[int, Reaction], int]


def simulate(
    federation: Federation,
    until: int,
    seed: int = 0,
    longest: float = 0.7,
    cost: Cost | None = None,
) -> Seen:
    """A run with all tags before `until`; `longest`: the share of jobs that take their wcet.

    `cost` tells what a reaction takes at the time of a tag, where that is not to be drawn.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> simulate(two_federates(), 5_000_000, longest=1).ended["source", "produce"].most
    500000
    """
    plans = wire(federation)
    choices = EnclaveChoices(seed, longest, [plan.name for plan in plans])
    agenda = Agenda(cores=Cores(choices.chance, _cores(federation, plans)))
    clocks = dict.fromkeys(federation.clocks.values(), 0)
    world = World(federation, agenda, choices, Seen(), clocks, until - 1, {})
    enclaves = {plan.name: Enclave(world, plan, choices, cost) for plan in plans}
    for enclave in enclaves.values():
        enclave.join(enclaves)
    _roots(world, enclaves.values())
    for enclave in enclaves.values():
        enclave.wake()
    agenda.run()
    return world.seen


class EnclaveChoices(Choices):
    """Execution times, the order of reactions of a level, and whom others ask when, at random.

    `early`: they ask before the time of a tag has come; `in_turn`: the next only after an answer;
    `ranks`: who is given cores first, if that goes by a fixed order.
    """

    def __init__(self, seed: int, longest: float, names: Iterable[str]) -> None:
        super().__init__(seed)
        chance = self.chance = Random(seed)
        self.longest = longest
        self.early, self.in_turn = chance.random() < 0.5, chance.random() < 0.5
        self.ranks = {name: chance.random() for name in names} if chance.random() < 0.5 else {}
        self.drops = chance.random()

    def between(self, best: int, worst: int | None) -> int:
        """A time."""
        if self.chance.random() < self.longest:
            return worst or 0
        return self.chance.randint(best, worst or 0)

    def writes(self, federate: str, always: bool) -> bool:
        """Whether a reaction writes an effect this time."""
        return always or self.chance.random() >= self.drops / 2


class Enclave(Process):
    """One enclave of a run: it starts a tag once all upstream are done with it."""

    plan: EnclavePlan

    def __init__(self, world: World, plan: EnclavePlan, choices: EnclaveChoices,
                 cost: Cost | None) -> None:  # fmt: skip
        super().__init__(world, plan, Coordination())
        self.choices, self.cost, self.rank = choices, cost, choices.ranks.get(plan.name)
        self.alarms: set[Tag] = set()

    def join(self, enclaves: Mapping[str, Enclave]) -> None:
        """Know the others."""
        plan = self.plan
        self.upstream = [(enclaves[name], shift) for name, shift in plan.upstream]
        self.downstream = [enclaves[name] for name in plan.downstream]
        self.reached = {
            port: [(enclaves[name], place, shift) for name, place, shift in row]
            for port, row in plan.reached.items()
        }

    def wake(self) -> None:
        """Start the next tag, if its time has come and all upstream are done with it."""
        if self.current is not None or not self.heads:
            return
        agenda, tag = self.world.agenda, self.heads[0]
        if tag[0] > agenda.now and tag not in self.alarms:
            self.alarms.add(tag)
            agenda.at(tag[0], self.wake)
        if tag[0] > agenda.now and not self.choices.early:
            return
        asked = (source.is_done(tag - shift) for source, shift in self.upstream)
        done = all(asked) if self.choices.in_turn else all(list(asked))
        # A tag of it may have been started while those upstream were asked.
        if done and tag[0] <= agenda.now and self.current is None and self.head() == tag:
            self._start()

    def is_done(self, tag: Tag) -> bool:
        """Whether it is done with a tag; if it has not begun with that, it gets an empty one."""
        if tag[0] >= 0 and self.started < tag:
            self.schedule(tag, None, {})
        return tag[0] < 0 or self.started > tag or (self.started == tag and self.current is None)

    def _start(self) -> None:
        self._open()
        if self.plan.federate.overhead:
            self._occupy(self.plan.federate.overhead, lambda: None, self._begin)
        else:
            self._begin()

    def _occupy(self, takes: int, begin: Callable[[], None], end: Callable[[], None]) -> None:
        jobs = self.world.agenda.cores.jobs[self.plan.federate.host]
        jobs.append(CoreJob(takes, self.rank, begin, end))

    def arrive(self, place: str, origins: Origins) -> None:
        """Something is present at the current tag: what it triggers here and elsewhere."""
        super().arrive(place, origins)
        tag = self.current
        assert tag is not None
        for enclave, port, shift in self.reached.get(place, ()):
            if enclave is self and shift == SAME:
                super().arrive(port, origins)
            elif shift == SAME:
                enclave.schedule(tag, port, origins)
            else:
                self.pass_on(enclave, shift, (place, port), origins)

    def _pick(self, jobs: list[Job]) -> list[Job]:
        """As many as there are free workers."""
        names = sorted(job for job in jobs if isinstance(job, str))
        self.choices.chance.shuffle(names)
        picked: list[Job] = [*names[: self.plan.workers - self._running]]
        jobs[:] = [job for job in jobs if job not in picked]
        return picked

    def _run(self, job: Job) -> None:
        """A reaction begins when it first gets a core: its deadline is looked at then."""
        self._running += 1
        self._occupy(self._takes(job), partial(self._begins, job), partial(self._end, job))

    def _takes(self, job: Job) -> int:
        if self.cost is None:
            return super()._takes(job)
        return self.cost(self.started[0], self.plan.federate.reactions[str(job)])

    def _effects(self, name: str, tag: Tag) -> None:
        seen = self.world.seen
        ended = seen.ended.setdefault((self.plan.federate.name, name), Most())
        seen.add(ended, self.local() - tag[0])
        super()._effects(name, tag)

    def _finish(self) -> None:
        self.current = None
        if self._arrived:
            seen = self.world.seen
            seen.add(seen.done.setdefault(self.name, Most()), self.local() - self.started[0])
        self.wake()
        for other in self.choices.chance.sample(self.downstream, len(self.downstream)):
            other.wake()


def _cores(federation: Federation, plans: Iterable[EnclavePlan]) -> dict[str, int | None]:
    workers = Counter[str]()
    for plan in plans:
        workers[plan.federate.host] += plan.workers
    return {
        name: host.cores if host.cores is not None and workers[name] > host.cores else None
        for name, host in federation.hosts.items()
    }


def _roots(world: World, enclaves: Iterable[Enclave]) -> None:
    """What happens at the start, by timers, and by the outer world."""
    for name, federate in world.federation.federates.items():
        mine = [enclave for enclave in enclaves if enclave.plan.federate.name == name]
        roots = [(0, (0, 0), "startup")]
        roots += [(0, (timer.offset, 0), timer.name) for timer in federate.timers.values()]
        for action in federate.actions.values():
            roots += _outer(world, action)
        for time, tag, place in roots:
            for enclave in mine:
                if place in enclave.plan.triggered and tag[0] <= world.horizon:
                    if time:
                        world.agenda.at(time, partial(enclave.schedule, tag, place, {}))
                    else:
                        enclave.put(tag, place, {})


def _outer(world: World, action: Action) -> Iterator[tuple[int, Tag, str]]:
    """When an event is known, and its tag: after what has been done by then."""
    if action.kind == "physical" and action.min_spacing:
        chance = world.choices.chance
        time = chance.randrange(2 * action.min_spacing)
        while time <= world.horizon:
            yield time, (time + action.min_delay + 1, 0), action.name
            wait = chance.choice([0, 0, chance.randrange(action.min_spacing)])
            time += action.min_spacing + wait
