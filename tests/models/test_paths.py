"""Enumerating paths ends soon on any graph, and says when it left some out."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddsrta.models.arrivals import Periodic
from ddsrta.models.graph import Hop, activation_cycles, hops_of_path, inputs, outputs
from ddsrta.models.paths import is_reachable, paths_between
from ddsrta.models.system import Following, Publication, Subscription, System, Thread, Topic
from tests.effort import calls, draws

LIMIT = 10_000


def system_of(edges: set[tuple[int, int]], count: int, timed: bool = True) -> System:
    """Threads that follow each other along the edges; sampling them unless told otherwise."""
    before: dict[int, list[str]] = {n: [] for n in range(count)}
    for source, target in sorted(edges):
        before[target].append(f"t{source}")
    threads = [
        Thread(
            f"t{n}", "m/c", 1, 1, arrival=Periodic(10) if timed else None,
            follows=Following(tuple(names)) if names else None,
        )
        for n, names in before.items()
    ]  # fmt: skip
    return System("graph", threads={thread.name: thread for thread in threads})


def hub(writers: int, readers: int, timed: bool = True) -> System:
    """Every thread of one kind writes what every thread of the other reads, and back."""
    arrival = Periodic(10) if timed else None
    forth, back = (Publication("forth"),), (Publication("back"),)
    threads = [
        Thread(f"w{n}", "m/c", 1, 1, arrival=arrival, publishes=forth,
               subscribes=Subscription(("back",), "L"))
        for n in range(writers)
    ] + [
        Thread(f"r{n}", "m/c", 1, 1, arrival=arrival, publishes=back,
               subscribes=Subscription(("forth",), "L"))
        for n in range(readers)
    ]  # fmt: skip
    topics = {name: Topic(name, 1) for name in ("forth", "back")}
    return System("hub", topics=topics, threads={thread.name: thread for thread in threads})


def threads_of(path: tuple[Hop, ...], start: str) -> tuple[str, ...]:
    return (start, *(hop.target for hop in path))


edge_sets = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=24)


@settings(max_examples=draws(60, of=200), deadline=None)
@given(edge_sets)
def test_all_simple_paths_are_found_once(edges: set[tuple[int, int]]) -> None:
    system = system_of(edges, 6)
    expected = {
        (0, *middle, 5)
        for length in range(5)
        for middle in permutations(range(1, 5), length)
        if all(edge in edges for edge in pairwise((0, *middle, 5)))
    }
    found = paths_between(system, "t0", "t5", LIMIT)
    names = [threads_of(path, "t0") for path in found.paths]
    assert sorted(names) == sorted(tuple(f"t{n}" for n in path) for path in expected)
    assert not found.cut
    assert is_reachable(system, "t0", "t5") == bool(expected)


@settings(max_examples=100, deadline=None)
@given(edge_sets, st.integers(1, 10))
def test_a_limit_keeps_the_first_paths_and_says_that_there_are_more(
    edges: set[tuple[int, int]], limit: int
) -> None:
    system = system_of(edges, 6)
    all_paths = paths_between(system, "t0", "t5", LIMIT).paths
    found = paths_between(system, "t0", "t5", limit)
    assert found.paths == all_paths[:limit]
    assert found.cut == (len(all_paths) > limit)


@pytest.mark.parametrize("size", [30, 300])
def test_a_dense_graph_with_circles_is_cut_soon(size: int) -> None:
    system = hub(size, size)
    found = paths_between(system, "w0", f"r{size - 1}", 256)
    work = calls(lambda: paths_between(system, "w0", f"r{size - 1}", 256))
    assert work < 30 * size**2  # the hops of the hub
    assert found.cut
    assert found.paths
    for path in found.paths:
        names = threads_of(path, "w0")
        assert len(set(names)) == len(names)


def test_dead_ends_do_not_use_up_the_search() -> None:
    """The only way on is the last; before it, a clique that leads back to the start alone."""
    clique = range(1, 25)
    edges = {(a, b) for a in clique for b in clique if a != b}
    edges |= {(0, n) for n in clique} | {(n, 0) for n in clique} | {(0, 25)}
    system = system_of(edges, 26)
    assert calls(lambda: paths_between(system, "t0", "t25", 256)) < 20 * len(edges)
    found = paths_between(system, "t0", "t25", 256)
    assert [threads_of(path, "t0") for path in found.paths] == [("t0", "t25")]
    assert not found.cut


def test_a_lattice_is_cut_at_its_limit() -> None:
    """Layers of two, 40 deep: 2⁴⁰ paths."""
    edges = {(0, 1), (0, 2), (79, 81), (80, 81)}
    edges |= {(n, m) for n in range(1, 79) for m in (n + 1 + n % 2, n + 2 + n % 2)}
    found = paths_between(system_of(edges, 82), "t0", "t81", 1000)
    assert (len(found.paths), found.cut) == (1000, True)


def test_long_paths_do_not_fill_the_memory() -> None:
    """Each of 2¹² paths is 5,000 threads long."""
    length, doubled = 5_000, 12
    edges = {(n, n + 1) for n in range(length)}
    edges |= {(n, n + 2) for n in range(0, 2 * doubled, 2)}
    found = paths_between(system_of(edges, length + 1), "t0", f"t{length}", LIMIT)
    assert found.cut
    assert sum(map(len, found.paths)) < 5_000_000


def test_a_thread_reaches_itself_by_the_empty_path() -> None:
    assert paths_between(system_of(set(), 1), "t0", "t0", 5) == ([()], False)


def test_circles_of_activations_are_found_once_each() -> None:
    edges = {(0, 1), (1, 2), (2, 0), (2, 3), (3, 3), (4, 5)}
    circles = list(activation_cycles(system_of(edges, 6, timed=False)))
    assert sorted(map(sorted, circles)) == [["t0", "t1", "t2"], ["t3"]]
    around = next(circle for circle in circles if len(circle) == 3)
    assert all(edge in {("t0", "t1"), ("t1", "t2"), ("t2", "t0")} for edge in pairwise(around))


@settings(max_examples=draws(60, of=200), deadline=None)
@given(edge_sets)
def test_circles_are_circles_and_are_found_where_there_are_any(edges: set[tuple[int, int]]) -> None:
    circles = list(activation_cycles(system_of(edges, 6, timed=False)))
    for circle in circles:
        for source, target in pairwise([*circle, circle[0]]):
            assert (int(source[1:]), int(target[1:])) in edges
    remaining = set(range(6))
    while free := [n for n in remaining if not any((m, n) in edges for m in remaining)]:
        remaining -= set(free)
    assert bool(circles) == bool(remaining)


def test_time_breaks_a_circle() -> None:
    assert list(activation_cycles(hub(5, 5, timed=True))) == []
    assert list(activation_cycles(hub(5, 5, timed=False)))


def test_a_deep_graph_needs_no_recursion() -> None:
    count = 20_000
    system = system_of({(n, n + 1) for n in range(count - 1)}, count, timed=False)
    assert list(activation_cycles(system)) == []
    found = paths_between(system, "t0", f"t{count - 1}", 256)
    assert [len(path) for path in found.paths] == [count - 1]


def test_a_hub_is_not_unfolded_into_pairs() -> None:
    system = hub(20_000, 20_000, timed=False)
    assert list(activation_cycles(system))
    assert is_reachable(system, "w0", "r19999")
    assert calls(lambda: list(activation_cycles(system))) < 20 * 40_000
    assert calls(lambda: is_reachable(system, "w0", "r19999")) < 20 * 40_000


def test_inputs_and_outputs_are_the_same_hops() -> None:
    system = hub(3, 2)
    into = {hop for thread in system.threads.values() for hop in inputs(system, thread)}
    out = {hop for thread in system.threads.values() for hop in outputs(system, thread)}
    assert into == out
    assert len(into) == 12


def test_a_thread_may_have_the_name_of_its_topic() -> None:
    threads = [
        Thread("speed", "m/c", 1, 1, arrival=Periodic(9), publishes=(Publication("speed"),)),
        Thread("log", "m/c", 1, 1, subscribes=Subscription(("speed",), "L")),
        Thread("after", "m/c", 1, 1, follows=Following(("speed",))),
    ]
    system = System(
        "names", topics={"speed": Topic("speed", 1)}, threads={t.name: t for t in threads}
    )
    assert hops_of_path(system, ("speed", "speed", "log")) == [Hop("speed", "speed", "log")]
    assert hops_of_path(system, ("speed", "after")) == [Hop("speed", None, "after")]
