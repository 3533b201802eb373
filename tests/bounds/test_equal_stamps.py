"""Sets of approximate_time whose messages all have one stamp (lemma equal-stamps)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.solve import solve
from ddsrta.checker import check
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from tests.bounds.no_less import confirms_no_less_of
from tests.soundness.attack import attack, span_of
from tests.soundness.bounds import bounds_of

MS = 1_000_000
WITHOUT = ddsrta.Refinements(equal_stamps=False)
TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
delays: {publisher: {1kB: 1ms}, listener: {1kB: 1ms}}
topics: {raw: {size: 1kB}, image: {size: 1kB}, info: {size: 1kB}, spare: {size: 1kB}}
listeners: {L: {core: m/c, priority: 9}, M: {core: m/b, priority: 9}}
threads:
  camera: {core: m/a, priority: 2, wcet: 1ms, ARRIVAL, publishes: [INFO, {topic: raw, mode: sync}]}
  rectify:
    {core: m/b, priority: 2, wcet: 10ms, subscribes: {topics: [raw], listener: M},
     publishes: [{topic: image, mode: sync}]}
  fuse:
    {core: m/c, priority: 5, wcet: 2ms,
     subscribes: {topics: [info, image], listener: L, activation: and, synchronize: POLICY}}
  log: {core: m/c, priority: 1, wcet: 2ms, period: 100ms}
  OTHER
chains: {way: {path: [camera, raw, rectify, image, fuse]}}
"""
ONE = "{topic: info, mode: sync}"
APART = "period: 100ms"


def system_of(policy="approximate_time", arrival=APART, info=ONE, other=""):
    text = TEXT.replace("POLICY", policy).replace("ARRIVAL", arrival)
    return ddsrta.loads(text.replace("INFO", info).replace("OTHER", other))


def figures(system, refinements=None):
    result = ddsrta.analyze(system, refinements=refinements)
    assert (result.check.status, result.check.without) == ("confirmed", ())
    chain, fuse = result.chains["way"], result.threads["fuse"]
    return chain.latency, fuse.wcrt, result.threads["log"].wcrt, result.synchronizers["fuse"].needed


def by_number(system):
    solution = solve(system)
    return solution.compiled.stages[solution.number(("job", "fuse"))].by_number


def test_a_set_is_made_as_soon_as_it_is_there():
    # the image comes 16 ms after its stamp; listener and fuse go before log
    assert figures(system_of()) == (18 * MS, 2 * MS, 6 * MS, 1)
    assert figures(system_of("exact_time")) == (18 * MS, 2 * MS, 6 * MS, 1)
    # by chapter 16 the next message of each decides, and one that was kept makes one set more
    assert figures(system_of(), WITHOUT) == (122 * MS, 6 * MS, 8 * MS, 2)


def test_releases_may_coincide():
    at_once = "arrival: {period: 100ms, jitter: 100ms}"
    assert by_number(system_of(arrival=at_once))
    assert not by_number(system_of("exact_time", arrival=at_once))  # one may lose its set
    # all of two jobs at once: camera, two copies, rectify, its copy, fuse
    assert figures(system_of(arrival=at_once))[0] == 2 * (3 + 2 + 11 + 1 + 2) * MS
    assert figures(system_of(arrival=at_once), WITHOUT)[0] > 200 * MS


@pytest.mark.parametrize(("queue", "expected"), [(1, False), (2, True), (3, True)])
def test_a_queue_without_room_has_what_chapter_16_says(queue, expected):
    # an image takes longer than until the next one: two sets are not complete at once
    system = system_of(f"approximate_time, queue: {queue}", arrival="period: 14ms")
    assert by_number(system) is expected
    assert (figures(system) == figures(system, WITHOUT)) is not expected


OTHER = (
    "other: {core: m/d, priority: 1, wcet: 1ms, period: 100ms, "
    "publishes: [{topic: info, mode: sync}]}"
)


@pytest.mark.parametrize(
    "system",
    [
        system_of(info="{topic: info, mode: sync, count: 2}"),
        system_of(info="{topic: spare, mode: sync}", other=OTHER),
        system_of("mtd"),
        system_of("latest"),
    ],
)
def test_nothing_changes_otherwise(system):
    assert not by_number(system)
    assert figures(system) == figures(system, WITHOUT)


@pytest.mark.parametrize(
    "arrival", [APART, "arrival: {period: 100ms, jitter: 100ms}", "period: 14ms"]
)
def test_no_run_takes_longer(arrival):
    system = system_of(arrival=arrival)
    program, result = program_of(system), ddsrta.analyze(system)
    bounds = bounds_of(program, result)
    worst = attack(program, bounds, 3, Budget(runs=150), span_of(system, program, bounds))
    assert all(seen <= bound for seen, bound in zip(worst.seen, bounds, strict=True) if bound >= 0)


def test_the_checker_confirms_it_and_nothing_below():
    claims = certificate(system_of())
    confirms_no_less_of(claims, claims["chains"]["way"], "latency")


@pytest.mark.parametrize("counted", [{}, {"counted_by": None, "allowed": None}])
@pytest.mark.parametrize(
    "system",
    [
        system_of(info="{topic: spare, mode: sync}", other=OTHER),
        system_of("approximate_time, queue: 1", arrival="period: 14ms"),
        system_of(info="{topic: info, mode: sync, count: 2}"),
    ],
)
def test_the_checker_wants_one_source_and_room(system, counted):
    claims = certificate(system)
    assert check(claims).ok
    claims["synchronizers"]["fuse"] |= {**counted, "equal_stamps": True}
    assert not check(claims).ok
