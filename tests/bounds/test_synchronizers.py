"""Synchronizers in systems: what results say of them, and what chains through them take."""

from __future__ import annotations

import random

import pytest

import ddsrta
from ddsrta.bounds.placement import place
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.solve import solve
from ddsrta.bounds.stages import unfold
from ddsrta.bounds.terms.explain import explain
from ddsrta.models.synchronization import SYNC_POLICIES, Synchronizer
from ddsrta.models.system import System
from ddsrta.policies.relation import Delay
from tests.effort import draws
from tests.properties.sources import merged, one_of, sets_of, ways_of
from tests.simulation.synchronizers import machine
from tests.soundness.draw import drawn

MS = 1_000_000
SENSORS = """\
ddsrta: 1
machines: {{m: {{cores: [a, b, c, d, e]}}}}
delays: {{listener: {{1kB: 1ms}}, publisher: {{1kB: {{worst: 1ms, best: 1ms}}}}}}
topics: {{scan: {{size: 1kB}}, image: {{size: 1kB}}, cars: {{size: 1kB}}, extra: {{size: 1kB}}}}
listeners: {{L: {{core: m/d, priority: 90}}, K: {{core: m/e, priority: 90}}}}
threads:
  lidar: {{core: m/a, priority: 9, wcet: 1ms, {lidar}, publishes: [{{topic: scan}}]}}
  camera: {{core: m/b, priority: 9, wcet: 2ms, {camera}, publishes: [{{topic: image}}]}}
  fuse:
    core: m/c
    priority: 9
    wcet: 3ms
    subscribes: {{topics: [scan, image], listener: L, activation: and, {synchronize}}}
    publishes: [{{topic: cars}}]
  act: {{core: m/c, priority: 8, wcet: 1ms, subscribes: {{topics: [cars], listener: K}}}}
chains:
  near: {{path: [lidar, scan, fuse], constraint: reaction_time}}
  far: {{path: [camera, image, fuse], constraint: reaction_time}}
  whole: {{path: [camera, image, fuse, cars, act]}}
"""


def sensors(synchronize: str, lidar: str = "period: 40ms", camera: str = "period: 100ms") -> System:
    if synchronize in SYNC_POLICIES:
        synchronize = f"synchronize: {synchronize}"
    return ddsrta.loads(SENSORS.format(synchronize=synchronize, lidar=lidar, camera=camera), "f")


def stereo(synchronize: str) -> System:
    """One camera, whose image also comes by way of a filter."""
    text = SENSORS.format(synchronize=synchronize, lidar="period: 40ms", camera="period: 100ms")
    filtered = (
        "lidar: {core: m/a, priority: 9, wcet: 9ms, subscribes: {topics: [extra], listener: K}"
    )
    text = text.replace("lidar: {core: m/a, priority: 9, wcet: 1ms, period: 40ms", filtered)
    text = text.replace(
        "publishes: [{topic: image}]", "publishes: [{topic: image}, {topic: extra}]"
    )
    return ddsrta.loads(text.replace(", constraint: reaction_time", ""), "f")


def test_mtd_keeps_the_bound_of_saito_where_delays_do_not_count() -> None:
    found = ddsrta.analyze(sensors("mtd")).synchronizers["fuse"]
    # lidar: 1 ms (sync sending) … 4; camera: 1 ms … 5: the newest scan is at most 40 + 4 - 2 older
    assert found.disparity is not None
    assert 40 * MS <= found.disparity <= 43 * MS
    assert found.period == 100 * MS
    assert found.waits.keys() == {"scan", "image"}
    assert found.unbounded_because is None


def test_a_set_is_made_for_each_image_and_not_for_each_scan() -> None:
    for policy in ("mtd", "approximate_time"):
        result = ddsrta.analyze(sensors(policy))
        fastest = ddsrta.Refinements(slowest_inputs=False)
        by_number = ddsrta.analyze(sensors("delay: 1ms"), refinements=fastest)
        assert result.cores["m/c"].utilization < 0.6 * by_number.cores["m/c"].utilization
    every = ddsrta.analyze(sensors("latest"))
    assert every.synchronizers["fuse"].period == 28_571_428  # 1 / (1/40 + 1/100)


def test_exact_time_is_the_and_of_one_stream() -> None:
    exact = ddsrta.analyze(stereo("synchronize: exact_time"))
    plain = ddsrta.analyze(stereo("delay: 1ms"))
    assert exact.chains == plain.chains
    assert exact.synchronizers["fuse"].disparity == 0
    assert not plain.synchronizers


def test_exact_time_with_too_short_a_queue_has_no_next_set_and_says_why() -> None:
    long = stereo("synchronize: exact_time, queue: 1").replace("threads", "lidar", wcet=97 * MS)
    result = ddsrta.analyze(long)
    because = "its queue of 1 may lose a set that is not complete: it needs 2; enlarge its 'queue'"
    assert result.synchronizers["fuse"].unbounded_because == because
    assert result.threads["fuse"].wcrt is not None
    assert result.chains["whole"].latency is not None
    assert result.synchronizers["fuse"].gap is None
    (warning,) = [found for found in result.warnings if found.rule == "queue-overflow"]
    assert "up to 2 and has room for 1" in warning.message
    enough = long.altered("threads", "fuse", synchronizer=Synchronizer("exact_time", 2))
    assert ddsrta.analyze(enough).synchronizers["fuse"].gap is not None


def test_two_releases_with_one_stamp_are_no_exact_time() -> None:
    system = stereo("synchronize: exact_time")
    jittery = ddsrta.models.arrivals.Periodic(100 * MS, 100 * MS)
    result = ddsrta.analyze(system.altered("threads", "camera", arrival=jittery))
    assert result.threads["fuse"].wcrt is not None
    assert result.synchronizers["fuse"].disparity == 0
    assert "the same stamp" in str(result.synchronizers["fuse"].unbounded_because)


def test_approximate_time_with_too_short_a_queue_says_how_old_messages_are_and_no_more() -> None:
    short = sensors("synchronize: approximate_time, queue: 2")
    result = ddsrta.analyze(short)
    found = result.synchronizers["fuse"]
    assert (found.disparity, found.gap, found.queue) == (None, None, 2)
    assert found.needed is not None and found.needed > 2
    enough = ddsrta.analyze(sensors(f"synchronize: approximate_time, queue: {found.needed}"))
    assert enough.synchronizers["fuse"].disparity is not None
    assert result.threads["fuse"].wcrt is not None
    neither = ddsrta.Refinements(room_ages=False, set_counts=False)
    assert ddsrta.analyze(short, refinements=neither).threads["fuse"].wcrt is None


@pytest.mark.parametrize("policy", ["approximate_time", "mtd", "latest"])
def test_a_sporadic_sensor_leaves_what_needs_its_next_message_unbounded(policy: str) -> None:
    result = ddsrta.analyze(sensors(policy, camera="arrival: {sporadic: 100ms}"))
    found = result.synchronizers["fuse"]
    assert found.gap is None
    assert "how long the next message of 'image' takes" in str(found.unbounded_because)
    assert (found.disparity is None) == (policy != "mtd")
    assert result.chains["far"].reaction_time is None
    assert result.threads["fuse"].wcrt is not None  # what comes makes no more than so many


@pytest.mark.parametrize("policy", ["approximate_time", "mtd", "latest"])
def test_messages_of_several_threads_have_no_stamp(policy: str) -> None:
    text = SENSORS.format(
        synchronize=f"synchronize: {policy}", lidar="period: 40ms", camera="period: 100ms"
    ).replace("wcet: 2ms, period: 100ms", "wcet: 2ms, subscribes: {topics: [extra], listener: K}, "
              "follows: {threads: [tick]}")  # fmt: skip
    text = text.replace("  fuse:", "  tick: {core: m/b, priority: 5, wcet: 1ms, period: 1s}\n"
                        "  tock: {core: m/b, priority: 4, wcet: 1ms, period: 1s, publishes: "
                        "[{topic: extra}]}\n  fuse:").replace(", constraint: reaction_time", "")  # fmt: skip
    found = ddsrta.analyze(ddsrta.loads(text)).synchronizers["fuse"]
    assert found.disparity is None
    assert found.waits["image"] is None
    assert (found.waits["scan"] is None) == (policy != "latest")  # that keeps the newest alone
    assert "stem from jobs of several threads" in str(found.unbounded_because)


def test_several_messages_of_one_job_have_one_stamp() -> None:
    text = SENSORS.format(
        synchronize="synchronize: mtd", lidar="period: 40ms", camera="period: 100ms"
    )
    text = text.replace("{topic: scan}", "{topic: scan, count: 2}")
    found = ddsrta.analyze(ddsrta.loads(text)).synchronizers["fuse"]
    assert "2 messages of 'scan' with the same stamp" in str(found.unbounded_because)


def test_latest_waits_only_for_what_does_not_fire() -> None:
    chains = ddsrta.analyze(sensors("latest")).chains
    far = chains["far"]
    assert far.trigger_latency is not None and far.latency is not None
    assert far.latency >= 100 * MS > far.trigger_latency
    assert far.reaction_time is None
    assert "rates that it measures" in str(far.unbounded_because)


def test_a_register_keeps_a_value_until_a_newer_one_is_not_left_out() -> None:
    """Sets of mtd leave scans out: what a timed reader sees may be older than two scans."""
    text = SENSORS.format(
        synchronize="synchronize: mtd", lidar="period: 40ms", camera="period: 250ms"
    )
    text = text.replace("act: {core: m/c, priority: 8, wcet: 1ms,",
                        "act: {core: m/c, priority: 8, wcet: 1ms, period: 70ms,")  # fmt: skip
    text = text.replace("path: [camera, image, fuse, cars, act]",
                        "path: [lidar, scan, fuse, cars, act], constraint: data_age")  # fmt: skip
    system = ddsrta.loads(text)
    age = ddsrta.simulate(system, horizon="20s", seeds=10).chains["whole"].data_age
    assert age is not None and age.max is not None and age.bound is not None
    assert age.bound >= age.max > 250 * MS
    # with latest, nothing says when there is a set again
    assert (
        ddsrta.analyze(ddsrta.loads(text.replace("mtd", "latest"))).chains["whole"].data_age is None
    )


def test_a_join_by_number_after_a_synchronizer_has_no_bounded_wait() -> None:
    text = SENSORS.format(
        synchronize="synchronize: mtd", lidar="period: 40ms", camera="period: 100ms"
    )
    text = text.replace("{topics: [cars], listener: K}",
                        "{topics: [cars, extra], listener: K, activation: and}")  # fmt: skip
    text = text.replace(
        "publishes: [{topic: image}]", "publishes: [{topic: image}, {topic: extra}]"
    )
    whole = ddsrta.analyze(ddsrta.loads(text)).chains["whole"]
    assert whole.trigger_latency is not None
    assert whole.latency is None


def test_the_published_profile_says_that_it_knows_none() -> None:
    rules = {found.rule for found in ddsrta.analyze(sensors("mtd"), profile="published").warnings}
    assert "published-synchronizer" in rules


def test_exact_time_is_simulated_as_the_and_that_it_is() -> None:
    exact, plain = stereo("synchronize: exact_time"), stereo("delay: 1ms")
    seen = [ddsrta.simulate(system, horizon="2s").chains for system in (exact, plain)]
    assert {name: chain.latency for name, chain in seen[0].items()} == {
        name: chain.latency for name, chain in seen[1].items()
    }


def test_offsets_on_one_machine_do_not_shift_stamps() -> None:
    """Sources that share a base (lemma known-offsets) keep stamps of their own."""
    periods = ("period: 100ms", "period: 100ms")
    offsets = ("arrival: {period: 100ms, offset: 10ms}", "arrival: {period: 100ms, offset: 70ms}")
    for policy in ("mtd", "approximate_time", "latest"):
        free = ddsrta.analyze(sensors(policy, *periods)).synchronizers["fuse"]
        known = ddsrta.analyze(sensors(policy, *offsets)).synchronizers["fuse"]
        for one, other in zip(known.waits.values(), free.waits.values(), strict=True):
            assert one is not None and other is not None
            assert abs(one - other) < 5 * MS
        assert known.unbounded_because == free.unbounded_because


def test_the_explanation_adds_up() -> None:
    for policy in ("mtd", "latest", "approximate_time"):
        found = explain(sensors(policy), "whole")
        assert found.bound == sum(stage.total for stage in found.stages)
        labels = [term.label for stage in found.stages for term in stage.terms]
        assert ("kept by the synchronizer" in labels) == (policy != "latest")
        for stage in found.stages:
            assert stage.total == sum(term.time for term in stage.terms)


CALLBACKS = """\
ddsrta: 1
machines: {{m: {{cores: [a, b, c]}}}}
delays: {{listener: {{1kB: 1ms}}, publisher: {{1kB: 1ms}}}}
topics: {{scan: {{size: 1kB}}, image: {{size: 1kB}}}}
listeners: {{L: {{core: m/b, priority: 90}}}}
executors: {{ex: {{core: m/c, priority: 50}}}}
threads:
  lidar: {{core: m/a, priority: 9, wcet: 1ms, period: 40ms, publishes: [{{topic: scan}}, {{topic: image}}]}}
callbacks:
  tick: {{executor: ex, wcet: 1ms, timer: 30ms}}
  fuse:
    executor: ex
    wcet: 2ms
    subscribes: {{topics: [scan, image], listener: L, activation: and, synchronize: {policy}}}
"""


@pytest.mark.parametrize("policy", SYNC_POLICIES)
def test_what_may_run_often_in_a_round_is_not_counted_by_rounds(policy: str) -> None:
    system = ddsrta.loads(CALLBACKS.format(policy=policy))
    stages = unfold(system)
    placement = place(system, stages)
    unit = {stages[s].key: u for u, s in enumerate(placement.stage_of) if s is not None}
    inline = unit["job", "fuse"]
    kinds = {
        kind
        for kind, first, last, *_ in placement.relations[unit["job", "tick"]]
        if first <= inline < last
    }
    once = policy in ("exact_time", "mtd")
    assert kinds <= ({Delay.ALTERNATES, Delay.PRECEDES} if once else {Delay.LINGERS})
    assert kinds
    assert ddsrta.analyze(system).callbacks["tick"].wcrt is not None


def firings_within(solution: Solution, times: list[int]) -> bool:
    """Whether no window of a run has more jobs than the curve says. A listener takes 1 ns at least
    for a message, which the runs do not keep: n more for n of them."""
    return all(
        solution.count(("job", "fuse"), times[k + n] - times[k] + 1 + n) > n
        for n in range(1, 12)
        for k in range(len(times) - n)
    )


@pytest.mark.parametrize("policy", ["mtd", "approximate_time", "latest"])
def test_runs_stay_within_results(policy: str) -> None:
    """Arrivals as the analysis allows them, through the policy's state machine."""
    made = 0
    for seed in range(draws(30, of=90)):
        draw = random.Random(f"{policy} {seed}")
        arrivals = [drawn_arrival(draw), drawn_arrival(draw)]
        if seed % 3 == 0:  # one clock: the sources share a base
            period = draw.randint(20, 90)
            arrivals = [
                f"arrival: {{period: {period}ms, jitter: {draw.choice((0, 7))}ms, "
                f"offset: {draw.randint(0, 19)}ms}}"
                for _ in range(2)
            ]
        system = sensors(policy, *arrivals)
        solution, result = solve(system), ddsrta.analyze(system)
        stage = solution.compiled.stages[solution.number(("job", "fuse"))]
        names = [solution.compiled.stages[edge.source].key[1] for edge in stage.inputs]
        clock = one_of(draw, 0, 20 * MS)
        ways = []
        for topic, edge in enumerate(stage.inputs):
            arrival = system.threads[names[topic]].arrival
            assert isinstance(arrival, ddsrta.models.arrivals.Periodic)
            earliest, latest = solution.arrival_window(edge)
            assert latest is not None
            source = solution.compiled.streams.of[solution.number(("job", names[topic]))]
            # of a shared base, the jitter is a part of the way
            way = Way(earliest - source.best, latest - source.best - source.late)
            phase = one_of(draw, 0, arrival.period)
            if arrival.offset is not None:
                phase = clock + arrival.offset
            stamps = sorted(
                phase + k * arrival.period + one_of(draw, 0, arrival.jitter) for k in range(60)
            )
            ways.append(ways_of(draw, topic, way, stamps))
        last = min(way[-1].arrives for way in ways)
        messages = [m for m in merged(draw, ways) if m.arrives <= last]
        found = sets_of(machine(Synchronizer(policy), 2), messages)
        made += len(found)
        sets = result.synchronizers["fuse"]
        for now, members in found:
            assert max(members) - min(members) <= (sets.disparity or 0)
            for i, chain in enumerate(("near", "far")):
                data = result.chains[chain].latency
                assert data is not None
                assert now - members[i] + 3 * MS <= data, (seed, names)
        assert firings_within(solution, [now for now, _ in found]), seed
    assert made > 1000


def drawn_arrival(draw: random.Random) -> str:
    jitter = draw.choice((0, 0, 15, 80))
    return f"arrival: {{period: {draw.randint(8, 99)}ms, jitter: {jitter}ms}}"


class Way:
    """How long messages take."""

    def __init__(self, earliest: int, latest: int) -> None:
        self.earliest = earliest
        self.latest = latest


def test_the_queue_that_is_needed_is_enough_for_the_checker() -> None:
    asked = set()
    for seed in range(16):
        system = drawn(seed, "synchronized")
        for name, found in ddsrta.analyze(system, check=False).synchronizers.items():
            if found.policy == "latest":
                assert found.needed in (1, None)
                asked |= {found.policy} if found.needed else set()
            elif found.needed is not None:
                needed: int | None = found.needed
                room = 0
                while needed is not None and needed > room:  # with more room sets may be more
                    room = needed
                    queue = Synchronizer(found.policy, room)
                    result = ddsrta.analyze(system.altered("threads", name, synchronizer=queue))
                    needed = result.synchronizers[name].needed
                assert needed is not None
                assert result.check is not None and result.check.status == "confirmed", seed
                assert not result.check.without
                asked.add(found.policy)
    assert asked == {*SYNC_POLICIES}
