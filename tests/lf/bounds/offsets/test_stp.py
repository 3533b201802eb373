"""Offsets of federations that can be worked out by hand, and what they have to satisfy in general."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddsrta.lf.bounds.offsets.least import Offsets, offsets
from ddsrta.lf.bounds.offsets.links import network
from ddsrta.lf.program.examples import two_federates
from ddsrta.lf.program.federation import Federation, Host
from ddsrta.lf.program.reader import loads
from ddsrta.lf.program.tags import Shift
from tests.effort import draws
from tests.lf.federations import MS, US, small


def found(federation: Federation) -> Offsets:
    return offsets(network(federation))


def values(federation: Federation) -> dict[str, int | None]:
    return {name: offset.value for name, offset in found(federation).offsets.items()}


def path(federation: Federation, name: str) -> list[str]:
    return [link.connection.source for link in found(federation).offsets[name].path]


def test_two_federates_wait_for_execution_latency_and_clocks() -> None:
    """0.5 ms to produce, 1 ms on the way, 50 + 100 us between the clocks."""
    assert values(two_federates()) == {"source": 0, "sink": 1650 * US}


def test_after_is_taken_off() -> None:
    federation = two_federates()
    connection = federation.connections[0]
    for after, offset in ((MS, 650 * US), (1650 * US, 0), (5 * MS, 0)):
        later = replace(federation, connections=(replace(connection, shift=Shift.of(after)),))
        assert values(later)["sink"] == offset


def test_a_pair_of_clocks_stands_for_the_sum_of_both() -> None:
    federation = replace(two_federates(), clock_errors={("front", "rear"): 10 * US})
    assert values(federation)["sink"] == 1510 * US


def test_a_chain_adds_up() -> None:
    chain = small({"a": "1ms", "b": "2ms", "c": "3ms"}, [("a", "b"), ("b", "c")], delay="500us")
    assert values(chain) == {"a": 0, "b": 1500 * US, "c": 4 * MS}
    assert path(chain, "c") == ["a", "b"]


def test_a_diamond_waits_for_the_slower_branch() -> None:
    diamond = small(
        {"a": "1ms", "b": "2ms", "c": "5ms", "d": "1ms"},
        [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")],
        delay="1ms",
    )
    result = found(diamond)
    assert values(diamond) == {"a": 0, "b": 2 * MS, "c": 2 * MS, "d": 8 * MS}
    assert path(diamond, "d") == ["a", "c"]
    slacks = {link.connection.name: result.slack(link) for link in result.network.links}
    assert slacks["b.out → d.from_b"] == 3 * MS
    assert slacks["c.out → d.from_c"] == 0


def ring(after: str) -> Federation:
    """a sends at its own ticks only: what comes back triggers a reaction that sends nothing."""
    text = small(
        {"a": "1ms", "b": "2ms", "c": "0ms"},
        [("a", "b"), ("b", "c"), ("c", "a", f"after: {after}")],
        delay="1ms",
        sources=["a"],
    )
    a = text.federates["a"]
    only = replace(a.reactions["r"], triggers=("tick",))
    a = replace(a, reactions={"r": only})
    return replace(text, federates={**text.federates, "a": a})


def test_a_ring_with_enough_after_has_offsets() -> None:
    assert values(ring("6ms")) == {"a": 0, "b": 2 * MS, "c": 5 * MS}
    assert values(ring("5999us")) == {"a": None, "b": None, "c": None}


def test_a_ring_with_too_little_is_named_with_what_is_missing() -> None:
    result = found(ring("4ms"))
    (circle,) = result.circles
    assert sorted(circle.members) == ["a", "b", "c"]
    assert circle.weight == 2 * MS
    assert result.repairs == {2: 2 * MS + 50 * US}  # a waits 0, and so 50 us more for c
    assert "takes more time than 'after' gives" in str(result.offsets["b"].because)


def test_without_the_circle_there_are_offsets_with_the_repair() -> None:
    result = found(ring("4ms"))
    repaired = offsets(result.network, result.repairs)
    assert {n: o.value for n, o in repaired.offsets.items()} == {"a": 0, "b": 2 * MS, "c": 5 * MS}


def test_what_follows_a_circle_has_no_offset_but_others_have() -> None:
    federation = small(
        {"a": "1ms", "b": "1ms", "c": "1ms", "d": "1ms", "e": "1ms"},
        [("a", "b"), ("b", "a"), ("b", "c"), ("d", "e")],
        sources=["a"],
    )
    assert values(federation) == {"a": None, "b": None, "c": None, "d": 0, "e": MS}


def test_a_physical_connection_makes_nobody_wait() -> None:
    federation = two_federates()
    connection = replace(federation.connections[0], physical=True, min_spacing=MS)
    assert values(replace(federation, connections=(connection,)))["sink"] == 0


@pytest.mark.parametrize("what", ["wcet", "clock", "network"])
def test_what_is_not_given_is_not_guessed(what: str) -> None:
    federation = two_federates()
    if what == "wcet":
        source = federation.federates["source"]
        reactions = {"produce": replace(source.reactions["produce"], wcet=None)}
        source = replace(source, reactions=reactions)
        federation = replace(federation, federates={**federation.federates, "source": source})
    elif what == "clock":
        federation = replace(federation, hosts={**federation.hosts, "rear": Host("rear", 2)})
    else:
        federation = replace(federation, network={})
    offset = found(federation).offsets["sink"]
    assert offset.value is None
    assert what in str(offset.because)


def test_absent_after_delays_who_comes_next() -> None:
    """b stops at its level for c's message up to 3 ms longer, and so sends as much later."""
    names = {"a": "1ms", "c": "1ms", "b": "1ms", "d": "1ms"}
    plain = small(names, [("a", "b"), ("c", "b"), ("b", "d")])
    waits = small(names, [("a", "b"), ("c", "b", "absent_after: 3ms"), ("b", "d")])
    assert (values(plain)["d"], values(waits)["d"]) == (2 * MS, 5 * MS)


federations = st.integers(2, 6).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 20), min_size=n, max_size=n),
        st.lists(
            st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(0, 60)),
            max_size=10,
        ),
    )
)


def drawn(wcets: list[int], edges: list[tuple[int, int, int]], unit: str = "ms") -> Federation:
    """Each sends at its own ticks only; so lags are execution times."""
    seen = {}
    for source, target, after in edges:
        if source != target:
            seen[source, target] = after
    federation = small(
        {f"f{i}": f"{wcet}{unit}" for i, wcet in enumerate(wcets)},
        [(f"f{a}", f"f{b}", f"after: {after}{unit}") for (a, b), after in seen.items()],
        delay=f"3{unit}",
        sources=[f"f{i}" for i in range(len(wcets))],
    )
    federates = {
        name: replace(
            federate, reactions={"r": replace(federate.reactions["r"], triggers=("tick",))}
        )
        for name, federate in federation.federates.items()
    }
    return replace(federation, federates=federates)


@settings(max_examples=draws(50, of=150), deadline=None)
@given(federations)
def test_offsets_are_the_least_solution(
    case: tuple[list[int], list[tuple[int, int, int]]],
) -> None:
    """By the equations as they stand: iterated from 0 they end at S, or they never end."""
    federation = drawn(*case)
    names = list(federation.federates)
    weights = [
        (c.source, c.target, case[0][int(c.source[1:])] * MS + 3 * MS - c.shift.time)
        for c in federation.connections
    ]
    least = dict.fromkeys(names, 0)
    for _ in range(len(names) + 1):
        last = least
        least = {
            j: max([0] + [last[i] + x for i, target, x in weights if target == j]) for j in names
        }
    far = least
    for _ in range(200):
        far = {j: max([0] + [far[i] + x for i, target, x in weights if target == j]) for j in names}
    expected = {j: least[j] if far[j] == least[j] else None for j in names}
    assert values(federation) == expected


@settings(max_examples=60, deadline=None)
@given(federations, st.integers(0, 5), st.integers(0, 5), st.integers(0, 60))
def test_another_connection_lowers_no_offset(
    case: tuple[list[int], list[tuple[int, int, int]]], source: int, target: int, after: int
) -> None:
    wcets, edges = case
    source, target = source % len(wcets), target % len(wcets)
    if any(edge[:2] == (source, target) for edge in edges):
        return
    fewer = values(drawn(wcets, edges))
    more = values(drawn(wcets, [*edges, (source, target, after)]))
    for name, value in fewer.items():
        larger = more[name]
        assert larger is None or (value is not None and larger >= value)


@settings(max_examples=60, deadline=None)
@given(federations)
def test_a_change_of_units_changes_nothing(
    case: tuple[list[int], list[tuple[int, int, int]]],
) -> None:
    wcets, edges = case
    milli, micro = values(drawn(wcets, edges)), values(drawn(wcets, edges, "us"))
    assert milli == {n: None if v is None else v * 1000 for n, v in micro.items()}


@settings(max_examples=60, deadline=None)
@given(federations)
def test_repairs_remove_all_circles_and_each_circle_is_positive(
    case: tuple[list[int], list[tuple[int, int, int]]],
) -> None:
    result = found(drawn(*case))
    for circle in result.circles:
        assert circle.weight > 0
        assert circle.weight == sum(link.weight or 0 for link in circle.links)
        ends = [link.connection.target for link in circle.links]
        starts = [link.connection.source for link in circle.links]
        assert ends == [*starts[1:], starts[0]]
    assert result.repaired
    assert not offsets(result.network, result.repairs).circles


@settings(max_examples=60, deadline=None)
@given(federations)
def test_the_path_of_an_offset_adds_up_to_it(
    case: tuple[list[int], list[tuple[int, int, int]]],
) -> None:
    for offset in found(drawn(*case)).offsets.values():
        if offset.value is not None:
            assert sum(link.weight or 0 for link in offset.path) == offset.value


TWO_MICROSTEPS = """\
federation: 1
coordination: decentralized
hosts: {h: {cores: 8}}
network: [{from: h, to: h, delay: 1ms}]
federates:
  twice:
    host: h
    timers: {tick: {period: 20ms}}
    actions: {later: {}}
    inputs: [back]
    outputs: [out]
    reactions:
      a: {triggers: [tick, later], effects: [out], wcet: 2ms}
      b: {triggers: [tick], effects: [later], wcet: 1ms}
      c: {triggers: [back], wcet: 1ms}
  once:
    host: h
    timers: {tick: {period: 20ms}}
    inputs: [in]
    outputs: [out]
    reactions:
      a: {triggers: [in], wcet: 1ms}
      b: {triggers: [tick], effects: [out], wcet: 1ms}
connections: [{from: twice.out, to: once.in}, {from: once.out, to: twice.back}]
"""


def test_no_repair_makes_two_messages_one_tag() -> None:
    """An `after` of the first connection takes microsteps off: all its messages but one are tardy.
    Where the second one's do so, too, there is no repair."""
    result = found(loads(TWO_MICROSTEPS, "f.yaml"))
    assert result.circles and result.repaired and set(result.repairs) == {1}
    again = TWO_MICROSTEPS.replace("a: {triggers: [in],", "a: {triggers: [in], effects: [out],")
    result = found(loads(again, "f.yaml"))
    assert result.circles and not result.repaired and not result.repairs
