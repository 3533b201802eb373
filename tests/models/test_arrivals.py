"""Least distances against every sequence of releases that the model allows."""

from __future__ import annotations

from itertools import accumulate, pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddsrta.models.arrivals import Arrival, Burst, Curve, Periodic, Sporadic, superadditive


def least_of(sequences: list[list[int]], count: int) -> int:
    return min(
        later - earlier
        for sequence in sequences
        for earlier, later in zip(sequence, sequence[count - 1 :], strict=False)
    )


@pytest.mark.parametrize(
    ("period", "jitter", "distance"),
    [(4, 0, 0), (4, 2, 0), (4, 6, 0), (3, 4, 1), (3, 4, 2), (3, 2, 3), (2, 3, 1)],
)
def test_periodic_against_all_jitters(period: int, jitter: int, distance: int) -> None:
    """A release comes up to the jitter late, in order, and no closer than min_distance."""
    releases = [
        [k * period + late for k, late in enumerate(lates)]
        for lates in product(range(jitter + 1), repeat=4)
    ]
    allowed = [r for r in releases if all(b - a >= distance for a, b in pairwise(r))]
    model = Periodic(period, jitter, distance)
    for count in range(1, 5):
        assert model.least_distance(count) == least_of(allowed, count)
    assert model.largest_gap == max(b - a for r in allowed for a, b in pairwise(r))


@pytest.mark.parametrize(("distance", "jitter"), [(4, 0), (4, 2), (3, 7)])
def test_sporadic_against_all_jitters(distance: int, jitter: int) -> None:
    releases = [
        [k * distance + late for k, late in enumerate(lates)]
        for lates in product(range(jitter + 1), repeat=4)
    ]
    allowed = [r for r in releases if all(a <= b for a, b in pairwise(r))]
    model = Sporadic(distance, jitter)
    assert [model.least_distance(q) for q in range(1, 5)] == [
        least_of(allowed, q) for q in range(1, 5)
    ]
    assert model.largest_gap is None


@given(st.integers(1, 6), st.integers(0, 5), st.integers(0, 8))
def test_burst_against_a_long_record(count: int, distance: int, idle: int) -> None:
    period = max(1, count * distance + idle)
    record = [k * period + i * distance for k in range(8) for i in range(count)]
    model = Burst(count, distance, period)
    assert [model.least_distance(q) for q in range(1, 4 * count)] == [
        least_of([record], q) for q in range(1, 4 * count)
    ]


def test_a_burst_runs_into_the_next_no_closer_than_its_distance() -> None:
    """Three releases 4 apart in 10: the last of one burst and the first of the next are 2 apart."""
    with pytest.raises(ValueError, match="exceeds its period"):
        Burst(3, 4, 10)


distance_lists = st.lists(st.integers(0, 20), min_size=1, max_size=6).map(
    lambda gaps: (0, *accumulate(gaps))
)


@given(distance_lists.filter(lambda d: d[-1] > 0))
def test_the_extension_of_a_list_is_superadditive_where_the_list_is(
    distances: tuple[int, ...],
) -> None:
    """From a record of such gaps, the extended curve is below every distance of longer stretches."""
    gaps = [b - a for a, b in pairwise(distances)]
    record = list(accumulate(gaps * 4, initial=0))
    known = tuple(least_of([record], q) for q in range(1, len(distances) + 1))
    if known[-1] == 0:
        return
    curve = superadditive(known)
    for count in range(1, len(record) + 1):
        assert curve.least_distance(count) <= least_of([record], count)
    assert [curve.least_distance(q) for q in range(1, len(known) + 1)] == list(known)


models: st.SearchStrategy[Arrival] = st.one_of(
    st.builds(Periodic, st.integers(5, 20), st.integers(0, 50), st.integers(0, 5)),
    st.builds(Sporadic, st.integers(1, 20), st.integers(0, 50)),
    st.builds(Burst, st.integers(1, 5), st.integers(0, 4), st.integers(20, 40)),
)


@given(models, st.integers(1, 60), st.integers(1, 60))
def test_distances_are_superadditive(model: Arrival, a: int, b: int) -> None:
    """a releases and then b, sharing one: their distances add up at least."""
    assert model.least_distance(a + b - 1) >= model.least_distance(a) + model.least_distance(b)


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=6).map(lambda g: (0, *accumulate(g))),
    st.integers(1, 7),
    st.integers(1, 60),
)
def test_a_curve_never_decreases_and_recurs(
    distances: tuple[int, ...], repeat: int, period: int
) -> None:
    try:
        curve = Curve(distances, repeat, period)
    except ValueError:
        return
    values = [curve.least_distance(q) for q in range(1, 40)]
    assert values == sorted(values)
    for q in range(len(distances) + 1, 40):
        assert curve.least_distance(q) == curve.least_distance(q - repeat) + period


@pytest.mark.parametrize("model", [Periodic(5), Sporadic(5), Burst(2, 1, 5), Curve((0, 1), 1, 5)])
def test_one_release_spans_nothing(model: Arrival) -> None:
    assert model.least_distance(1) == model.least_distance(0) == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Periodic(0), "the period must be positive"),
        (lambda: Periodic(5, -1), "jitter and min_distance must not be negative"),
        (lambda: Periodic(5, 0, 6), "min_distance must not exceed the period"),
        (lambda: Sporadic(0), "the distance of sporadic releases must be positive"),
        (lambda: Sporadic(5, -1), "jitter must not be negative"),
        (lambda: Burst(0, 1, 5), "a burst has at least one release"),
        (lambda: Burst(1, -1, 5), "a burst needs a positive period and no negative distance"),
        (lambda: Curve((), 1, 5), "a curve starts with 0 ms"),
        (lambda: Curve((1, 2), 1, 5), "a curve starts with 0 ms"),
        (lambda: Curve((0, 2, 1), 1, 5), "the distances of a curve must not decrease"),
        (lambda: Curve((0, 2), 3, 5), "repeats at least one and at most all"),
        (lambda: Curve((0, 2), 1, 0), "a curve needs a positive period"),
        (lambda: Curve((0, 2, 9), 2, 3), "shorter than the part of the curve that recurs"),
        (lambda: superadditive((0,)), "at least two distances"),
        (lambda: superadditive((0, 5, 3)), "must not decrease"),
        (lambda: superadditive((0, 0)), "must be more than zero"),
    ],
)
def test_contradictions_are_refused(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=message):
        make()
