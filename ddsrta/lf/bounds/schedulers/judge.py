"""Everything that `ddsrta lf schedule` says: latest starts beside deadlines, by scheduler."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from ddsrta.bounds.result import Finding, Verdict
from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.assumptions import Assumption, assumption_findings, assumptions
from ddsrta.lf.bounds.launch.lags import UnknownLagError
from ddsrta.lf.bounds.logical_time.activation import Activation, activation
from ddsrta.lf.bounds.schedulers.assumed import schedule_assumptions
from ddsrta.lf.bounds.schedulers.core_run import Policy
from ddsrta.lf.bounds.schedulers.environments import Environment, environments, placed
from ddsrta.lf.bounds.schedulers.linux import latest_on_core
from ddsrta.lf.bounds.schedulers.members import Key, Member
from ddsrta.lf.bounds.schedulers.own import Latest, latest_starts
from ddsrta.lf.bounds.schedulers.receivers import received, within
from ddsrta.lf.bounds.schedulers.tags import early, is_run, is_steady, tags_of
from ddsrta.lf.bounds.schedulers.throttling import DEFAULT_THROTTLE, Throttle
from ddsrta.lf.bounds.unbounded import (
    LINUX_RECEIVES,
    UP_TO_LINUX,
    WORKERS_OF_DEADLINE,
    WORKERS_THROTTLED,
)
from ddsrta.lf.program.federation import Federation, in_time

SchedulerName = Literal["np", "gedf-np", "fifo", "deadline-monotonic", "edf"]
SCHEDULERS: tuple[SchedulerName, ...] = get_args(SchedulerName)
OWN: Mapping[str, Literal["NP", "GEDF_NP"]] = {"np": "NP", "gedf-np": "GEDF_NP"}
POLICIES: Mapping[str, Policy] = {
    "fifo": "fifo",
    "deadline-monotonic": "deadline-monotonic",
    "edf": "edf",
}


@dataclass(frozen=True)
class Column:
    """One scheduler with a number of workers (None: those of the file)."""

    scheduler: SchedulerName
    workers: int | None
    latest: Mapping[Key, Latest]

    @property
    def title(self) -> str:
        """How people name it."""
        return self.scheduler if self.workers is None else f"{self.scheduler} ×{self.workers}"


@dataclass(frozen=True)
class ScheduleReport:
    """Deadlines by environment and reaction, and a column for each scheduler."""

    federation: Federation
    deadlines: Mapping[Key, int]
    columns: tuple[Column, ...]
    findings: tuple[Finding, ...]
    verdict: Verdict
    assumptions: tuple[Assumption, ...] = ()

    def met(self, column: Column, key: Key) -> bool:
        """Whether a reaction never starts too late."""
        return in_time(column.latest[key].lag, self.deadlines[key])

    def verdict_of(self, column: Column) -> Verdict:
        """Of one scheduler."""
        late = [column.latest[key] for key in self.deadlines if not self.met(column, key)]
        if any(latest.lag is not None or latest.seen is not None for latest in late):
            return "missed"
        return "unbounded" if late else "met"


def schedule(
    federation: Federation,
    schedulers: Sequence[SchedulerName] = SCHEDULERS,
    workers: Sequence[int] = (),
    throttle: Throttle = DEFAULT_THROTTLE,
) -> ScheduleReport:
    """Work everything out.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> report = schedule(two_federates(), ["np"])
    >>> [latest.lag for latest in report.columns[0].latest.values()]
    [1650000]
    """
    deadlines = {
        (environment.name, reaction.name): reaction.deadline
        for environment in environments(federation)
        for reaction in environment.part.reactions.values()
        if reaction.deadline is not None
    }
    counts: Sequence[int | None] = workers or (None,)
    columns = tuple(
        Column(scheduler, count, _column(federation, scheduler, count, throttle))
        for scheduler in schedulers
        for count in counts
    )
    assumed = (*assumptions(federation), *schedule_assumptions(federation, schedulers))
    findings = tuple(_findings(deadlines, assumed))
    report = ScheduleReport(federation, deadlines, columns, findings, "met", assumed)
    verdicts = [report.verdict_of(column) for column in columns]
    order: tuple[Verdict, ...] = ("missed", "unbounded", "met")
    return replace(report, verdict=min(verdicts, key=order.index, default="met"))


def _column(
    federation: Federation, scheduler: SchedulerName, workers: int | None, throttle: Throttle
) -> dict[Key, Latest]:
    found = activation(federation)
    members = environments(federation, workers)
    if scheduler in OWN:
        kind = OWN[scheduler]
        members = [replace(m, part=replace(m.part, scheduler=kind)) for m in members]
        short = _short(federation, members)
        waiting = received(federation, members, found, short)
        latest: dict[Key, Latest] = {}
        for member in members:
            crowded = replace(member, obstacle=member.obstacle or short.get(member.host))
            latest |= _own(federation, crowded, found, waiting)
        return latest
    return _linux(federation, members, found, POLICIES[scheduler], throttle)


def _short(federation: Federation, members: Sequence[Environment]) -> dict[str, Because]:
    """The hosts where Linux, and not Lingua Franca, decides which worker runs."""
    workers = Counter[str]()
    for member in members:
        workers[member.host] += member.part.workers
    return {
        name: UP_TO_LINUX.of(host=name, cores=host.cores, workers=workers[name])
        for name, host in federation.hosts.items()
        if host.cores is not None and workers[name] > host.cores
    }


def _own(
    federation: Federation,
    member: Environment,
    found: Activation,
    waiting: Mapping[Key, Latest],
) -> dict[Key, Latest]:
    wanted = [r.name for r in member.part.reactions.values() if r.deadline is not None]
    if member.receives and not member.obstacle:
        return {(member.name, name): waiting[member.name, name] for name in wanted}
    try:
        if member.obstacle:
            raise UnknownLagError(member.obstacle)
        moments = tags_of(federation, member, found)
        program = within(federation, member, found)
        real = is_run(member, moments, found) and program.is_ordered and not program.overtakes
        latest = latest_starts(program, moments, real)
    except UnknownLagError as error:
        return {(member.name, name): Latest(None, because=error.because) for name in wanted}
    return {(member.name, name): latest[name] for name in wanted}


def _linux(
    federation: Federation,
    members: Sequence[Environment],
    found: Activation,
    policy: Policy,
    throttle: Throttle,
) -> dict[Key, Latest]:
    places = placed(members, federation)
    latest: dict[Key, Latest] = {}
    cores: dict[tuple[str, int | str], list[Environment]] = {}
    for member in members:
        place = places[member.name]
        own = f"of {member.name}" if place is None or isinstance(place, str) else place
        cores.setdefault((member.host, own), []).append(member)
    lost = {m.host: p for m in members if isinstance(p := places[m.name], str)}
    for (host, _), group in cores.items():
        wanted = [(m.name, r.name) for m in group for r in m.part.reactions.values()
                  if r.deadline is not None]  # fmt: skip
        try:
            if host in lost:
                raise UnknownLagError(lost[host])
            if places[group[0].name] is None and group[0].part.workers > 1:
                latest |= _alone(federation, group[0], found, policy, throttle)
                continue
            runs = [_member(federation, member, found, policy) for member in group]
            latest |= latest_on_core(runs, policy, throttle)
        except UnknownLagError as error:
            latest |= {key: Latest(None, because=error.because) for key in wanted}
    return latest


def _alone(
    federation: Federation,
    member: Environment,
    found: Activation,
    policy: Policy,
    throttle: Throttle,
) -> dict[Key, Latest]:
    """Each worker has a core to itself, as under the schedulers of Lingua Franca."""
    if policy == "edf":
        raise UnknownLagError(WORKERS_OF_DEADLINE.of(name=member.name))
    _modelled(member)
    program = within(federation, member, found)
    window = throttle.period + program.to_done()
    executed = 0
    for moment, names in tags_of(federation, member, found).items():
        costs = (member.part.reactions[name].wcet or 0 for name in names)
        work = sum(costs) + member.part.overhead + program.sending
        executed += work * (-(-window // moment.root.period) if moment.root.period else 1)
    if executed > throttle.runtime:
        raise UnknownLagError(WORKERS_THROTTLED.of(name=member.name))
    return _own(federation, member, found, {})


def _member(
    federation: Federation, member: Environment, found: Activation, policy: Policy
) -> Member:
    """A thread of Linux; raises UnknownLagError where it is none that is modelled."""
    _modelled(member)
    program = within(federation, member, found)
    moments = tags_of(federation, member, found)
    for names in moments.values():
        program.tag_work(names)  # every execution time must be known
    steady = is_steady(federation, member, found)
    real = is_run(member, moments, found) and program.is_ordered and not program.overtakes
    if policy == "edf":  # each wake-up counts for its deadlines
        moments = tags_of(federation, member, found, wakes=True)
    return Member(member.name, program, moments, steady, real, early(federation, member))


def _findings(deadlines: Mapping[Key, int], assumed: tuple[Assumption, ...]) -> Iterator[Finding]:
    yield from assumption_findings(assumed)
    if not deadlines:
        message = "no reaction has a deadline: there is nothing to miss"
        yield Finding("no-deadlines", "note", message)


def _modelled(member: Environment) -> None:
    """Raises UnknownLagError for what is no thread of Linux that is modelled."""
    if member.obstacle:
        raise UnknownLagError(member.obstacle)
    if member.receives:
        raise UnknownLagError(LINUX_RECEIVES.of(name=member.name))
