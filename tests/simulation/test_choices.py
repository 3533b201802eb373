"""Whatever is chosen stays within what the model allows."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

import ddsrta
from ddsrta.models.arrivals import Burst, Curve, Periodic, Sporadic
from ddsrta.models.system import Core, Reservation, System, Thread
from ddsrta.simulation import Run, program_of, random_choices, worst_choices
from ddsrta.simulation.choices import lead
from ddsrta_simulator.program import ALIGNED, ARRIVED, CLOSED, DENSE, OPENED, WILD
from tests.effort import draws
from tests.soundness.generator import random_system

ARRIVALS = {
    "periodic": Periodic(10),
    "jittered": Periodic(10, 13, 2),
    "sporadic": Sporadic(7),
    "sporadic with jitter": Sporadic(10, 25),
    "burst": Burst(3, 1, 40),
    "single": Burst(1, 0, 9),
    "curve": Curve((0, 1, 10), 2, 10),
    "last recurs": Curve((0, 1, 10, 12), 1, 100),
    "all recur": Curve((0, 3, 5), 3, 30),
    "simultaneous": Curve((0, 0, 0, 50), 4, 60),
    "sporadic, not silent": Sporadic(7, gap=20),
    "sporadic, nearly periodic": Sporadic(10, 25, 10),
    "burst, not silent": Burst(3, 1, 40, 38),
    "curve, not silent": Curve((0, 1, 10), 2, 10, 60),
    "last recurs, not silent": Curve((0, 1, 10, 12), 1, 100, 100),
}


def releases(arrival, horizon, **entries):
    """The times at which a thread with this arrival is released."""
    thread = Thread("t", "m/c", 1, 1, arrival=arrival)
    program = program_of(System("one", {"m/c": Core("m", "c")}, threads={"t": thread}))
    choices = worst_choices(program)
    for entry, value in entries.items():
        getattr(choices, f"source_{entry}")[0] = value
    return released(program, choices, 0, horizon)


def released(program, choices, thread, horizon):
    """When the jobs of a thread arrive."""
    run = Run(program, choices, trace=10**6)
    run.advance(horizon)
    rows = run.take_trace()
    return [
        rows[i] for i in range(0, len(rows), 5) if rows[i + 1] == ARRIVED and rows[i + 2] == thread
    ]


def assert_allowed(arrival, times):
    for first in range(len(times)):
        for count in range(2, min(12, len(times) - first + 1)):
            assert times[first + count - 1] - times[first] >= arrival.least_distance(count)
    if arrival.largest_gap is not None:
        assert all(later - time <= arrival.largest_gap for time, later in pairwise(times))
        assert isinstance(arrival, Periodic) or times[0] <= arrival.largest_gap


@pytest.mark.parametrize("name", ARRIVALS)
@pytest.mark.parametrize("kind", [DENSE, ALIGNED, WILD])
def test_releases_keep_their_distances(name, kind):
    arrival = ARRIVALS[name]
    found = set()
    for seed in range(40):
        random = Random(seed)
        moment = random.randrange(300)
        times = releases(
            arrival,
            1000,
            kind=kind,
            moment=moment,
            seed=random.getrandbits(60),
            jitter=seed % 2,
            pause=random.choice((0, 1, 30)),
        )
        assert len(times) >= 5
        assert times == sorted(times)
        assert_allowed(arrival, times)
        assert moment in times or kind == WILD or "not silent" in name or "nearly" in name
        found.add(tuple(times))
    assert len(found) > (5 if arrival.largest_gap is None or isinstance(arrival, Periodic) else 1)


@pytest.mark.parametrize(
    "name", ["periodic", "jittered", "sporadic with jitter", "burst", "single"]
)
def test_dense_releases_come_as_early_as_they_may(name):
    arrival = ARRIVALS[name]
    times = releases(arrival, 500)
    assert times == [arrival.least_distance(q + 1) for q in range(len(times))]


@pytest.mark.parametrize("name", [name for name in ARRIVALS if "not silent" in name])
def test_a_wild_source_is_as_late_as_it_may(name):
    arrival = ARRIVALS[name]
    gaps = set()
    for seed in range(10):
        times = releases(arrival, 2000, kind=WILD, seed=seed * 2**40, pause=arrival.gap)
        gaps |= {later - time for time, later in pairwise(times)}
    assert max(gaps) == arrival.gap


def test_aligned_releases_are_all_late_up_to_the_moment_and_then_dense():
    # periods begin at 3, 13, 23 …; those up to 23 are 13 late, then as early as 2 apart
    times = releases(Periodic(10, 13, 2), 60, kind=ALIGNED, moment=36)
    assert times == [16, 26, 36, 38, 43, 53]


@pytest.mark.parametrize("names", [("clock", "late"), ("late", "clock")])
def test_what_a_clock_releases_gathers_at_the_moment_wherever_its_periods_begin(names):
    # periods begin at 3, 13, 23 …, as the clock has it; 33 and 43 are as late as the moment, no more
    arrivals = {"clock": Periodic(100, offset=0), "late": Periodic(10, 20, 0, 3)}
    cores = {f"m/{name}": Core("m", name) for name in names}
    threads = {name: Thread(name, f"m/{name}", 1, 1, arrival=arrivals[name]) for name in names}
    program = program_of(System("two", cores, threads=threads))
    choices, late = worst_choices(program), program.sources.index("late")
    choices.source_kind[late], choices.source_moment[late] = ALIGNED, 47
    assert released(program, choices, names.index("late"), 60) == [23, 33, 43, 47, 47, 53]


def test_a_curve_remembers_more_than_its_list():
    # four releases need 12, and each one more 100 from the second-last recurring distance on
    assert releases(Curve((0, 1, 10, 12), 1, 100), 400) == [0, 1, 10, 12, 112, 212, 312]


def supplied(program, choices, horizon):
    """The intervals of each supply with a budget."""
    run = Run(program, choices, trace=10**6)
    run.advance(horizon)
    rows = run.take_trace()
    intervals, begun = {}, {}
    for i in range(0, len(rows), 5):
        time, kind, what, _, _ = rows[i : i + 5]
        if kind == OPENED:
            begun[what] = time
        elif kind == CLOSED:
            intervals.setdefault(what, []).append((begun.pop(what), time))
    for what, time in begun.items():
        intervals.setdefault(what, []).append((time, horizon))
    return intervals


def budgeted(seed):
    """A core with two or three reservations and nothing else to do."""
    random = Random(seed)
    partitions, load = {}, 0.0
    for name in "ABC"[: random.randint(1, 3)]:
        period = random.choice((10, 12, 20, 25, 40, 100))
        most = int((1 - load) * period)
        if most:
            budget = random.randint(1, most)
            partitions[name] = Reservation(budget, period)
            load += budget / period + 1e-9
    return System("budgets", {"m/c": Core("m", "c", partitions=partitions)})


def test_every_period_of_a_reservation_has_its_budget_and_no_two_serve_at_once():
    horizon = 3000
    for seed in range(draws(50, of=150)):
        program = program_of(budgeted(seed))
        choices = random_choices(program, seed, horizon)
        intervals = supplied(program, choices, horizon)
        everything = sorted(i for each in intervals.values() for i in each)
        assert all(first[1] <= second[0] for first, second in pairwise(everything))
        for supply, budget in enumerate(program.supply_budget):
            period = program.supply_period[supply]
            if not budget:
                continue
            first = choices.supply_phase[supply] % period
            served = Counter()  # by period
            for begin, end in intervals[supply]:
                for number in range((begin - first) // period, (end - 1 - first) // period + 1):
                    start = first + number * period
                    served[number] += min(end, start + period) - max(begin, start)
            for number in range((horizon - first - 1) // period - 1):
                assert served[number] == budget, (seed, supply, number)


def test_a_change_of_one_entry_leaves_the_other_sources_as_they_were():
    system = random_system(11)
    program = program_of(system)
    choices = random_choices(program, 5, 2000)
    changed = choices.copy()
    changed.source_moment[0] += 3
    changed.source_seed[0] += 1

    def by_source(chosen):
        run = Run(program, chosen, trace=10**6)
        run.advance(2000)
        rows = run.take_trace()
        times = {thread: [] for thread in program.source_thread}
        for i in range(0, len(rows), 5):
            if rows[i + 1] == ARRIVED and rows[i + 2] in times:
                times[rows[i + 2]].append(rows[i])
        return [times[thread] for thread in program.source_thread]

    before, after = by_source(choices), by_source(changed)
    assert len(before) > 1
    assert before[0] != after[0]
    assert before[1:] == after[1:]


OFFSETS = {
    "a": ("m/c", Periodic(10, 13, 0, 2)),
    "b": ("m/c", Periodic(10, 0, 0, 7)),
    "c": ("m/d", Periodic(30, 4, 3, 11)),
    "free": ("m/c", Periodic(10)),
    "x": ("n/c", Periodic(10, 0, 0, 9)),
    "y": ("n/c", Periodic(20, 0, 0, 19)),
}


def clocked_releases(choose, horizon):
    """The times at which each of the threads above is released."""
    cores = {path: Core(*path.split("/")) for path in ("m/c", "m/d", "n/c")}
    threads = {
        name: Thread(name, core, 1, 1, arrival=arrival) for name, (core, arrival) in OFFSETS.items()
    }
    program = program_of(System("clocks", cores, threads=threads))
    choices = choose(program)
    run = Run(program, choices, trace=10**6)
    run.advance(horizon)
    rows = run.take_trace()
    times = {name: [] for name in OFFSETS}
    for i in range(0, len(rows), 5):
        if rows[i + 1] == ARRIVED:
            times[program.stages[rows[i + 2]][1]].append(rows[i])
    return times


@pytest.mark.parametrize("block", range(5))
def test_offsets_count_from_one_time_zero_a_machine(block):
    zeros = set()
    each = draws(15, of=40)
    for seed in range(each * block, each * (block + 1)):
        times = clocked_releases(lambda p, seed=seed: random_choices(p, seed, 400), 400)
        zero = {"m": times["b"][0] - 7, "n": times["x"][0] - 9}
        zeros.add((zero["m"], zero["n"]))
        assert zero["m"] >= -7 and zero["n"] >= -9
        assert times["b"][0] < 15 and times["x"][0] < 10
        for name, (core, arrival) in OFFSETS.items():
            if arrival.offset is not None:
                assert times[name]
                for n, time in enumerate(times[name]):
                    late = time - (zero[core[0]] + arrival.offset + n * arrival.period)
                    assert 0 <= late <= arrival.jitter, (seed, name, n)
    assert len(zeros) > each // 2


def test_time_zero_is_anywhere_in_the_first_period_or_before_it_where_all_may_come_later():
    seen = set()
    for moment in range(-30, 30):

        def at(program, moment=moment):
            choices = worst_choices(program)
            leader = program.source_leader[program.sources.index("b")]
            choices.source_moment[leader] = moment
            return choices

        seen.add(clocked_releases(at, 50)["b"][0])
    assert seen == set(range(15))  # b has no jitter: it is due at 0 or later


EARLY = Path(__file__).parents[1] / "soundness/corpus/due_before_the_start_by_a_clock.yaml"


def test_what_is_due_before_the_start_by_a_clock_comes_after_it_and_waits():
    """a is due 5 us before the start, comes at it, and then in time; c begins as late as it may."""
    program = program_of(ddsrta.load(EARLY))
    choices = worst_choices(program)
    moments = {"a": 0, "b": 0, "c": 19_999}
    for source, name in enumerate(program.sources):
        choices.source_kind[source] = ALIGNED
        choices.source_moment[source] = moments[name]
    lead(program, choices, program.sources.index("a"))
    run = Run(program, choices)
    run.advance(200_000)
    (measure,) = (i for i, each in enumerate(program.measures) if each.kind == "latency")
    assert run.worst[measure] == 26_999
