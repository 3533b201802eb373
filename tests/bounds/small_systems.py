"""Short ways to write the systems of the literature down.

Two shapes cover them: independent threads or chains on preemptive cores, and samples that one flow
controller serves (non-preemptive scheduling of jobs that arrive without jitter).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ddsrta import analyze
from ddsrta.bounds.result import Result
from ddsrta.models.arrivals import Arrival, Periodic
from ddsrta.models.system import (
    Chain,
    Core,
    Cost,
    Following,
    Middleware,
    Publication,
    Reservation,
    Subscription,
    System,
    Thread,
    Topic,
)

INSTANT = Cost(1, 1)  # the least cost that there is, for middleware that a source knows nothing of


def cores(names: Iterable[str], supply: Mapping[str, Reservation] | None = None) -> dict[str, Core]:
    """Cores of one machine `m`, whole or supplying a reservation."""
    return {f"m/{name}": Core("m", name, (supply or {}).get(name)) for name in names}


def thread(
    name: str,
    core: str,
    priority: int,
    wcet: int,
    arrival: Arrival | None = None,
    *,
    bcet: int | None = None,
    after: Sequence[str] = (),
) -> Thread:
    """A thread that time releases, or the jobs of the threads before it."""
    follows = Following(tuple(after)) if after else None
    return Thread(name, f"m/{core}", priority, wcet, bcet, arrival, follows=follows)


def on_cores(
    threads: Iterable[Thread],
    paths: Mapping[str, Sequence[str]] | None = None,
    supply: Mapping[str, Reservation] | None = None,
) -> System:
    """The threads, the cores that they name, and chains."""
    by_name = {one.name: one for one in threads}
    names = dict.fromkeys(one.core.removeprefix("m/") for one in by_name.values())
    chains = {name: Chain(name, tuple(path)) for name, path in (paths or {}).items()}
    return System("known answer", cores=cores(names, supply), threads=by_name, chains=chains)


def preemptive_responses(
    tasks: Sequence[tuple[int, Arrival]], reservation: Reservation | None = None
) -> list[int | None]:
    """Response times on one core of tasks (wcet, arrival), the most urgent first."""
    threads = [
        thread(f"t{index}", "c", len(tasks) - index, wcet, arrival)
        for index, (wcet, arrival) in enumerate(tasks)
    ]
    supply = {"c": reservation} if reservation else None
    result = analyze(on_cores(threads, supply=supply))
    return [result.threads[one.name].wcrt for one in threads]


def periodic(tasks: Iterable[Sequence[int]], unit: int = 1) -> list[tuple[int, Arrival]]:
    """(C, T, …) of a table as (wcet, arrival)."""
    return [(row[0] * unit, Periodic(row[1] * unit)) for row in tasks]


def served_responses(
    policy: str,
    tasks: Sequence[tuple[int, Arrival]],
    reservation: Reservation | None = None,
) -> list[int | None]:
    """Response times in a flow controller of samples (cost, arrival), the most urgent first."""
    samples = sample_results(policy, tasks, reservation).messages
    by_topic = {message.topic: message.flow_controller for message in samples}
    return [by_topic[f"s{index}"] for index in range(len(tasks))]


def sample_results(
    policy: str, tasks: Sequence[tuple[int, Arrival]], reservation: Reservation | None = None
) -> Result:
    """Each task is the sample of a publisher that has a core of its own.

    A publisher's job takes 1 ns and hands its sample over after 1 ns, so samples arrive exactly as
    the jobs do. Every topic has one reader, whose listener takes 1 ns.
    """
    threads: dict[str, Thread] = {}
    for index, (cost, arrival) in enumerate(tasks):
        publication = Publication(f"s{index}", "async", "F", cost=Cost(cost, cost))
        threads[f"p{index}"] = Thread(
            f"p{index}", f"m/p{index}", 1, 1, 1, arrival, publishes=(publication,)
        )
        threads[f"r{index}"] = Thread(
            f"r{index}", f"m/r{index}", 1, 1,
            subscribes=Subscription((f"s{index}",), f"L{index}", INSTANT),
        )  # fmt: skip
    indices = range(len(tasks))
    names = [f"{kind}{index}" for kind in "prl" for index in indices]
    system = System(
        "known answer",
        cores=cores(["f", *names], {"f": reservation} if reservation else None),
        topics={f"s{index}": Topic(f"s{index}", 1, priority=index) for index in indices},
        flow_controllers={"F": Middleware("F", "m/f", 1, policy=policy)},
        listeners={f"L{index}": Middleware(f"L{index}", f"m/l{index}", 1) for index in indices},
        threads=threads,
    )
    return analyze(system)
