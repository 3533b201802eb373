"""Threads, their priorities and reservations, and how they are released."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from ddsrta.base.priorities import FAIR, Priority
from ddsrta.base.units import Duration, format_duration
from ddsrta.bounds.findings.places import Placed, listed, supplies, threads
from ddsrta.bounds.findings.rules import finding
from ddsrta.bounds.result import Finding
from ddsrta.models.arrivals import Curve
from ddsrta.models.reservations import job_cost, reserved, served
from ddsrta.models.supplies import LEAST_BUDGET, LONGEST_PERIOD, SHORTEST_PERIOD
from ddsrta.models.system import Core, Reservation, System, Thread

ADMITTED = Fraction(95, 100)  # sched_rt_runtime_us / sched_rt_period_us as Linux sets them
UNTHROTTLED = 950_000_000  # sched_rt_runtime_us
UNTHROTTLING = "sched_rt_runtime_us to -1, since 6.12 the runtime of each fair_server to 0"


def thread_priority_range(system: System) -> Iterator[Finding]:
    """SCHED_FIFO of Linux knows 1 … 99; QNX, where partitions come from, 1 … 255."""
    for kind, name, thing in threads(system):
        core = system.cores[thing.core]
        most = 255 if core.partitions else 99
        by_priority = thing.reservation is None and thing.priority != FAIR
        if by_priority and not 1 <= thing.priority <= most:
            yield finding(
                system,
                "priority-range",
                (kind, name, "priority"),
                f"'{name}' has priority {thing.priority}, and a thread of {core.path} can have "
                f"1 … {most}",
            )


def equal_priorities(system: System) -> Iterator[Finding]:
    """One finding for each priority that several threads of a supply share, at the last of them."""
    for (core, partition), placed in supplies(system).items():
        if len({thread.priority for thread in placed}) == len(placed):
            continue
        levels: dict[Priority, list[Placed]] = {}
        for thread in placed:
            levels.setdefault(thread.priority, []).append(thread)
        for priority, peers in levels.items():
            if len(peers) > 1 and priority != FAIR:
                where = f"partition '{partition}' of {core}" if partition else core
                yield finding(
                    system,
                    "equal-priorities",
                    (peers[-1].kind, peers[-1].name, "priority"),
                    f"{listed([peer.name for peer in peers])} have priority {priority} on {where}: "
                    "none preempts another, and one that runs keeps the core while it has work; "
                    "give them different priorities",
                )


def reservation_overcommit(system: System) -> Iterator[Finding]:
    """Budgets of a core that no scheduler can keep, or that Linux does not admit."""
    for core in system.cores.values():
        yield from _partitions(system, core)
    reserved: dict[str, Fraction] = {}
    largest: dict[str, tuple[Fraction, str, str]] = {}
    for kind, name, thing in threads(system):
        if thing.reservation is not None:
            share = Fraction(thing.reservation.budget, thing.reservation.period)
            reserved[thing.core] = reserved.get(thing.core, Fraction(0)) + share
            largest[thing.core] = max(
                largest.get(thing.core, (Fraction(0), "", "")), (share, kind, name)
            )
    for path, total in reserved.items():
        if total > ADMITTED:
            _, kind, name = largest[path]
            yield finding(
                system,
                "reservation-overcommit",
                (kind, name, "reservation"),
                f"threads reserve {_percent(total)} of {path}, and Linux admits at most 95 %; "
                f"reduce budgets (the largest is that of '{name}') or move threads",
                severity="error" if total > 1 else "warning",
            )


def reservation_range(system: System) -> Iterator[Finding]:
    """Reservations that Linux refuses, however little there is besides."""
    for kind, name, thing in threads(system):
        own = thing.reservation
        if own is not None and not _is_taken(own):
            budget, period = format_duration(own.budget), format_duration(own.period)
            yield finding(
                system,
                "reservation-range",
                (kind, name, "reservation"),
                f"'{name}' has {budget} each {period}: SCHED_DEADLINE of Linux takes budgets from "
                "1024 ns on, and periods from 100 us to 4.194304 s",
            )


def _is_taken(own: Reservation) -> bool:
    return own.budget >= LEAST_BUDGET and SHORTEST_PERIOD <= own.period <= LONGEST_PERIOD


def unserved_reservation(system: System) -> Iterator[Finding]:
    """Threads of SCHED_DEADLINE that need not be done within the period of their reservation."""
    kept = served(system)
    for promised in reserved(system).values():
        for reservation, thing in promised:
            if not isinstance(thing, Thread) or thing.name in kept:
                continue
            if why := _unserved(system, thing, reservation):
                yield finding(
                    system,
                    "unserved-reservation",
                    ("threads", thing.name, "reservation"),
                    f"'{thing.name}' is bounded by the supply of its reservation, which may begin "
                    f"late: {why}",
                )


def _unserved(system: System, thread: Thread, reservation: Reservation) -> str:
    """Why (definition constant-bandwidth-server), where no other finding says so."""
    budget, period = format_duration(reservation.budget), format_duration(reservation.period)
    cost = job_cost(system, thread)
    if thread.arrival is None:
        return "messages release it, whose distance nothing keeps above its period"
    apart = thread.arrival.least_distance(2)
    if apart < reservation.period:
        return (
            f"two releases may be {format_duration(apart)} apart, less than its period of {period}"
        )
    if cost > reservation.budget:
        return f"a job may take {format_duration(cost)}, and its budget is {budget}"
    if system.fastdds is not None:
        return "its jobs may sleep for locks of Fast DDS ('middleware')"
    return ""


def _partitions(system: System, core: Core) -> Iterator[Finding]:
    total = sum((Fraction(p.budget, p.period) for p in core.partitions.values()), Fraction(0))
    if total > 1:
        yield finding(
            system,
            "reservation-overcommit",
            ("machines", core.machine, "cores", core.name, "partitions"),
            f"the partitions of {core.path} add up to {_percent(total)} of it; reduce budgets",
        )


def _percent(share: Fraction) -> str:
    """Rounded up, so that what is too much also looks so."""
    return f"{-(-share * 100 // 1)} %"


def throttled_jobs(system: System) -> Iterator[Finding]:
    """Jobs that Linux stops before they are done, however little there is to do besides."""
    for name, thread in system.threads.items():
        if (cost := job_cost(system, thread)) > UNTHROTTLED and _is_by_priority(system, thread):
            yield finding(
                system,
                "throttled-job",
                ("threads", name, "wcet"),
                f"a job of '{name}' may take {format_duration(cost)}, and Linux stops SCHED_FIFO "
                "threads after 950 ms of each second by default, which no bound counts; set "
                f"{UNTHROTTLING}, or let it be SCHED_OTHER",
            )


def throttled_together(
    system: System, responses: Mapping[str, Duration | None]
) -> Iterator[Finding]:
    """Cores that jobs which Linux would let end alone may keep busy for as long, one after another:
    one finding for each, of the job that may wait longest."""
    late = {name: most for name, most in responses.items() if most and most > UNTHROTTLED}
    if not late:
        return
    longest: dict[str, tuple[int, str]] = {}
    alone: set[str] = set()
    for name, thread in system.threads.items():
        kind, place = thread.server
        if getattr(system, kind)[place].cores or not _is_by_priority(system, thread):
            continue
        if job_cost(system, thread) > UNTHROTTLED:
            alone.add(thread.core)
        if name in late:
            longest[thread.core] = max(longest.get(thread.core, (0, "")), (late[name], name))
    for core, (most, name) in longest.items():
        if core not in alone:
            yield finding(
                system,
                "throttled-job",
                ("threads", name, "wcet"),
                f"'{name}' may take {format_duration(most)} from its release as others have "
                f"{core}, and Linux stops SCHED_FIFO threads after 950 ms of each second by "
                f"default, which no bound counts; set {UNTHROTTLING}, or spread the work",
            )


def _is_by_priority(system: System, thread: Thread) -> bool:
    """Whether only SCHED_FIFO says when it runs, on whole cores."""
    kind, place = thread.server
    thing = getattr(system, kind)[place]
    cores = [system.cores[path] for path in thing.cores or (thing.core,)]
    is_whole = not any(core.reservation or core.partitions for core in cores)
    return thing.reservation is None and thing.priority != FAIR and is_whole


def trace_arrival(system: System) -> Iterator[Finding]:
    """Releases that are known from one record only."""
    for thread in system.threads.values():
        if isinstance(thread.arrival, Curve) and thread.arrival.recorded:
            yield finding(
                system,
                "trace-arrival",
                ("threads", thread.name, "arrival"),
                f"releases of '{thread.name}' are those of one recorded run: bounds hold while "
                "they come no denser; record the busiest conditions, or give a period",
            )


def open_constraint(system: System) -> Iterator[Finding]:
    """Deadlines that are taken to be for the data age."""
    for name, chain in system.chains.items():
        if chain.samples:
            yield finding(
                system,
                "open-constraint",
                ("chains", name, "deadline"),
                f"'{chain.samples}' is released by time and samples on the way of chain '{name}', "
                "so its deadline is taken to be for the data age; say 'constraint: data_age', or "
                "'reaction_time' for how long something new may wait, which is more",
            )
