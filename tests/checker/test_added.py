"""Sums of many streams are what the streams bring one by one."""

from math import lcm
from random import Random

import pytest

from ddsrta.checker.added import Curves, is_plain, steps_of
from ddsrta.checker.arrivals import Source
from ddsrta.checker.budget import Budget
from ddsrta.checker.curves import Base, Stream
from ddsrta.checker.stages import Edge

LENGTHS = (*range(1, 60), 99, 100, 101, 997, 1000, 12_345)


def stream(random: Random, bases: list[Base]) -> Stream:
    """Of several bases, with or without spacing; every fourth is late without a limit."""
    times, best = random.choice((1, 1, 2, 3)), random.randrange(20)
    bunch = random.choice((1, times))
    distance = random.choice((0, 1, 3, 40, 300))
    edge = Edge(("job", "x"), bunch, 0, best, distance, random.randrange(50), 0)
    before = None if distance and random.random() < 0.25 else best + random.randrange(300)
    paced = None if before is None else best + random.randrange(before - best + 1)
    given = random.choice((None, edge)) if before is not None else edge
    return Stream(random.choice(bases), times, before, best, given, paced)


def plain(period: int, jitter: int = 0) -> Base:
    source = Source("periodic", period, jitter)
    return Base(("job", f"p{period}"), source, (), False, True, Budget())


def sources() -> list[Base]:
    found = [plain(100), plain(100, 30), plain(37, 80)]
    burst = Source("burst", 50, 0, 2, 3)
    return [*found, Base(("job", "b"), burst, (), False, True, Budget())]


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("longer", [0, 7])
def test_many_streams_bring_what_they_bring_one_by_one(seed: int, longer: int) -> None:
    random, bases = Random(seed), sources()
    some = [stream(random, bases) for _ in range(random.randrange(20, 60))]
    costs = [random.randrange(1, 9) for _ in some]
    curves = Curves((one, cost, longer) for one, cost in zip(some, costs, strict=True))
    for length in LENGTHS:
        each = (one.most(length + longer) * cost for one, cost in zip(some, costs, strict=True))
        assert curves.at(length) == sum(each), length


def test_equal_streams_are_looked_at_once() -> None:
    base = plain(1000)
    for count in (100, 1000):
        some = (Stream(base, 1, 5 + n % 7, 0) for n in range(count))
        assert Curves((one, 1, 0) for one in some).looks == 1
        bursts = (Stream(sources()[-1], 1, 5, 0) for n in range(count))
        assert Curves((one, 1, 0) for one in bursts).looks == count


def test_spacing_that_says_nothing_is_left_out_and_no_other() -> None:
    random, seen = Random(3), set()
    for _ in range(3000):
        period, distance = random.randrange(1, 40), random.randrange(1, 40)
        offset, slack = random.randrange(-1, 90), random.randrange(60)
        times, bunch = random.randrange(1, 4), random.randrange(1, 4)
        limits = any(
            bunch * -(-(length + slack) // distance) < times * ((length + offset) // period + 1)
            for length in range(1, 4000)
        )
        found = is_plain((offset, period, times, slack, distance, bunch, 1))
        assert not (found and limits)
        seen.add((found, limits))
    assert seen >= {(True, False), (False, True)}


def test_what_has_rates_brings_as_much_in_each_period_and_of_other_sums_nothing_is_said() -> None:
    random, seen = Random(5), set()
    for _ in range(600):
        some = [stream(random, sources()) for _ in range(random.choice((0, 1, 2, 40)))]
        curves = Curves((one, random.randrange(1, 9), 0) for one in some)
        if random.random() < 0.5:
            curves.at(1)  # what is the same is put together
        rates = curves.rates()
        seen.add((rates is None, len(some)))
        whole = lcm(*(period for period, _ in rates or ()))
        brings = sum(whole // period * work for period, work in rates or ())
        for length in LENGTHS[::5] if rates is not None else ():
            assert curves.at(length + whole) == curves.at(length) + brings
    assert seen >= {(False, 0), (False, 1), (True, 1), (False, 2), (True, 40)}


def test_steps_count_from_the_first_moment_on() -> None:
    steps = steps_of(10, [(-1, 1), (9, 10), (10, 100)])
    assert [steps.at(length) for length in (1, 2, 10, 11)] == [221, 221, 321, 332]
