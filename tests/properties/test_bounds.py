"""What must hold of every bound, on many random systems."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from ddsrta.bounds.closed_window.ceilings import solved_below
from ddsrta.bounds.closed_window.windows import ClosedWindows
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.paths.latency import message_latency
from ddsrta.bounds.present import message_keys
from ddsrta.bounds.slowest_input.waits import solved_by_slowest
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.solve import loose_stages
from ddsrta.bounds.stages import Key
from ddsrta.models.arrivals import Arrival, Burst, Curve, Periodic, Sporadic
from ddsrta.models.system import Cost, Delays, Reservation, System, Thread
from ddsrta.papers.dds import published_bounds
from ddsrta_kernel import Solver
from tests.effort import draws
from tests.kernel.random_systems import random_system

Bounds = dict[tuple[str, Key], int | None]
STEPS = 4_000  # enough for these systems, and soon over where they have no bound
SEEDS = range(draws(40, of=150))  # for each property


def bounds(system: System, steps: int = STEPS) -> Bounds:
    """Responses and latencies of all stages, and delivery latencies of all messages."""
    compiled = compile_system(system)
    if compiled.slowest:
        solver = solved_by_slowest(compiled, steps, None)
    else:
        solver = Solver(compiled.problem, steps)
        solver.solve()
    loose = loose_stages(compiled, solver)
    windows = ClosedWindows(compiled, solver, steps)
    solver, ceilings = solved_below(windows, loose, steps, None)
    solution = Solution(compiled, solver, ceilings=ceilings)
    result: Bounds = {}
    for stage in compiled.stages:
        result["response", stage.key] = solution.response(stage.key)
        result["latency", stage.key] = solution.latency(stage.key)
    for keys in message_keys(solution.compiled):
        result["ddl", keys[-1]] = message_latency(solution, keys)
    return result


def assert_not_below(harder: System, easier: System, seed: int) -> None:
    higher, lower = bounds(harder), bounds(easier)
    if any(bound is None and higher.get(key) is not None for key, bound in lower.items()):
        lower = bounds(easier, 20 * STEPS)  # it only took longer
    for key, bound in lower.items():
        if key in higher and higher[key] is not None:
            assert bound is not None, (seed, key)
            assert higher[key] >= bound, (seed, key)  # type: ignore[operator]


def _thread(system: System, name: str, **changes: object) -> System:
    return system.altered("threads", name, **changes)


def _longer_job(system: System, pick: int) -> System:
    name = sorted(system.threads)[pick % len(system.threads)]
    return _thread(system, name, wcet=system.threads[name].wcet + 1 + pick % 3)


def _more_jitter(system: System, pick: int) -> System:
    for name, thread in system.threads.items():
        if isinstance(thread.arrival, Periodic | Sporadic):
            jitter = thread.arrival.jitter + 1 + pick % 20
            return _thread(system, name, arrival=dataclasses.replace(thread.arrival, jitter=jitter))
    return system


def _slower_middleware(system: System, pick: int) -> System:
    names = [field.name for field in dataclasses.fields(Delays) if field.default == ()]
    name = names[pick % len(names)]
    table = tuple(
        (size, dataclasses.replace(cost, worst=cost.worst + 1))
        for size, cost in getattr(system.delays, name)
    )
    return dataclasses.replace(system, delays=dataclasses.replace(system.delays, **{name: table}))


def _more_messages(system: System, pick: int) -> System:
    """Async ones: sending more by itself also makes a job longer, and what it starts comes apart."""
    for name in sorted(system.threads, reverse=bool(pick % 2)):
        publications = system.threads[name].publishes
        if publications and publications[0].mode == "async":
            first = dataclasses.replace(publications[0], count=publications[0].count + 1)
            return _thread(system, name, publishes=(first, *publications[1:]))
    return system


def _without_and(system: System) -> System:
    """AND matches tokens by number: inputs that bring equally many are bounded more tightly, so
    there one more message can also help."""
    threads = {
        name: dataclasses.replace(thread, activation="or")
        for name, thread in system.threads.items()
    }
    return dataclasses.replace(system, threads=threads)


def _less_best_case(system: System, pick: int) -> System:
    name = sorted(system.threads)[pick % len(system.threads)]
    return _thread(system, name, bcet=0)


def _smaller_budget(system: System, pick: int) -> System:
    for path, core in system.cores.items():
        if core.reservation:
            shrunk = Reservation(core.reservation.budget - 1, core.reservation.period)
            return system.altered("cores", path, reservation=shrunk)
    return system


HARDER: list[Callable[[System, int], System]] = [
    _longer_job,
    _more_jitter,
    _slower_middleware,
    _more_messages,
    _less_best_case,
    _smaller_budget,
]


@pytest.mark.parametrize("harder", HARDER, ids=lambda f: f.__name__.strip("_"))
def test_bounds_grow_with_every_cost_and_jitter(harder: Callable[[System, int], System]) -> None:
    changed = 0
    for seed in SEEDS:
        system = random_system(seed, 0.7)
        if harder is _more_messages:
            system = _without_and(system)
        other = harder(system, seed)
        if other == system:
            continue
        changed += 1
        assert_not_below(other, system, seed)
    assert changed > len(SEEDS) // 6


def _without(system: System, name: str) -> System:
    """The system without a thread that releases nobody."""
    threads = {key: value for key, value in system.threads.items() if key != name}
    return dataclasses.replace(system, threads=threads)


def _is_leaf(system: System, thread: Thread) -> bool:
    """Nobody's cause, and nobody's reader: one more copy also keeps messages apart."""
    return not thread.subscribes and not thread.publishes and not system.followers(thread.name)


def test_removing_interference_never_raises_a_bound() -> None:
    removed = 0
    for seed in SEEDS:
        system = random_system(seed, 0.8)
        leaves = [t.name for t in system.threads.values() if _is_leaf(system, t)]
        if leaves:
            removed += 1
            assert_not_below(system, _without(system, leaves[0]), seed)
    assert removed > len(SEEDS) // 2


def _renamed(system: System) -> tuple[System, Callable[[Key], Key]]:
    """Other names, and threads, cores and topics in reverse order of the file."""

    def new(name: str) -> str:
        return "z" + name[::-1]

    threads = {}
    for name, thread in reversed(list(system.threads.items())):
        subscribes = thread.subscribes and dataclasses.replace(
            thread.subscribes, topics=tuple(new(t) for t in reversed(thread.subscribes.topics))
        )
        follows = thread.follows and dataclasses.replace(
            thread.follows, threads=tuple(new(t) for t in reversed(thread.follows.threads))
        )
        publishes = tuple(dataclasses.replace(p, topic=new(p.topic)) for p in thread.publishes)
        threads[new(name)] = dataclasses.replace(
            thread, name=new(name), subscribes=subscribes, follows=follows, publishes=publishes
        )
    topics = {
        new(name): dataclasses.replace(topic, name=new(name))
        for name, topic in reversed(list(system.topics.items()))
    }
    renamed = dataclasses.replace(
        system,
        threads=threads,
        topics=topics,
        cores=dict(reversed(list(system.cores.items()))),
        listeners=dict(reversed(list(system.listeners.items()))),
    )
    return renamed, lambda key: (key[0], *(new(part) for part in key[1:]))


def test_names_and_order_of_the_file_do_not_matter() -> None:
    given_up = 0
    for seed in SEEDS:
        system = random_system(seed, 0.7)
        renamed, new = _renamed(system)
        expected = {(kind, new(key)): bound for (kind, key), bound in bounds(system).items()}
        found = bounds(renamed)
        assert found.keys() == expected.keys()
        # The order of the search decides whether a bound is found within so few steps, not which.
        given_up += any((bound is None) != (expected[key] is None) for key, bound in found.items())
        for key, bound in found.items():
            assert None in (bound, expected[key]) or bound == expected[key], (seed, key)
    assert given_up < len(SEEDS) / 50


def _scaled(system: System, factor: int) -> System:
    """All times multiplied. What is one ε stays one ε: the unit of time does not scale."""

    def arrival(value: Arrival | None) -> Arrival | None:
        if isinstance(value, Curve):
            distances = tuple(d * factor for d in value.distances)
            return Curve(distances, value.repeat, value.period * factor)
        if isinstance(value, Burst):
            return Burst(value.count, value.distance * factor, value.period * factor)
        if isinstance(value, Sporadic):
            return Sporadic(value.distance * factor, value.jitter * factor)
        if isinstance(value, Periodic):
            return Periodic(
                value.period * factor, value.jitter * factor, value.min_distance * factor
            )
        return None

    def reservation(value: Reservation | None) -> Reservation | None:
        return value and Reservation(value.budget * factor, value.period * factor)

    threads = {
        name: dataclasses.replace(
            t,
            wcet=t.wcet * factor,
            bcet=(1 if t.bcet is None else t.bcet) * factor,
            arrival=arrival(t.arrival),
            reservation=reservation(t.reservation),
            follows=t.follows
            and dataclasses.replace(
                t.follows, delay=t.follows.delay * factor, best=t.follows.best * factor
            ),
            publishes=tuple(
                dataclasses.replace(p, earliest=p.earliest * factor) for p in t.publishes
            ),
        )
        for name, t in system.threads.items()
    }
    delays = Delays(
        *(
            tuple((s, Cost(c.worst * factor, c.best * factor)) for s, c in table)
            for table in (
                system.delays.flow_controller, system.delays.listener, system.delays.publisher
            )
        )
    )  # fmt: skip
    cores = {
        path: dataclasses.replace(core, reservation=reservation(core.reservation))
        for path, core in system.cores.items()
    }
    return dataclasses.replace(system, threads=threads, delays=delays, cores=cores)


def test_bounds_scale_with_the_unit_of_time_up_to_epsilon() -> None:
    """Only ε terms (blocking less one ε, start plus one ε) keep scaled bounds from being exact."""
    factor = 10_000
    exact = compared = 0
    for seed in SEEDS:
        system = _scaled(random_system(seed, 0.6), 1)
        small, large = bounds(system), bounds(_scaled(system, factor))
        for key, bound in small.items():
            scaled = large[key]
            if bound is None or scaled is None:
                continue
            compared += 1
            exact += scaled == factor * bound
            # The finer unit of time can only sharpen or shift what ε rounds: by whole units of
            # work at most, since a coincidence in the coarse unit need not be one in the fine.
            assert abs(scaled - factor * bound) <= factor * bound * 0.5 + factor, (seed, key)
    assert exact > 0.8 * compared


def test_never_above_the_published_bounds_where_those_are_sound() -> None:
    """FIFO and HIGH_PRIORITY, one message a job, unique priorities, no AND: there the published
    analysis holds, and ours must not be worse."""
    compared = lower = 0
    for seed in range(draws(20, of=60)):
        system = _published_kind(random_system(seed, 0.6, distinct=True))
        ours = bounds(system)
        theirs = published_bounds(system)
        for name, bound in theirs.threads.items():
            mine = ours["response", ("job", name)]
            assert bound is None or (mine is not None and mine <= bound), (seed, name)
            compared += bound is not None
            lower += bound is not None and mine is not None and mine < bound
        for key, bound in theirs.messages.items():
            mine = ours["ddl", ("message", *key)]
            assert bound is None or (mine is not None and mine <= bound), (seed, key)
            compared += bound is not None
    assert compared > 20 and lower


def _published_kind(system: System) -> System:
    threads = {
        name: dataclasses.replace(
            thread,
            reservation=None,
            activation="or",
            bcet=None,
            publishes=tuple(dataclasses.replace(p, count=1) for p in thread.publishes),
        )
        for name, thread in system.threads.items()
    }
    controllers = {
        name: dataclasses.replace(
            controller,
            policy="FIFO" if controller.policy == "ROUND_ROBIN" else controller.policy,
        )
        for name, controller in system.flow_controllers.items()
    }
    cores = {
        path: dataclasses.replace(core, reservation=None) for path, core in system.cores.items()
    }
    return dataclasses.replace(system, threads=threads, flow_controllers=controllers, cores=cores)
