"""Synchronizers (definition message-stamps): what is confirmed of their sets, what refuted or
refused."""

import copy
import json
from functools import cache

import pytest

from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import CertificateError, check
from ddsrta.models.document import digest
from ddsrta.models.reader import loads
from tests.bounds.test_set_counts import merged_scans
from tests.bounds.test_synchronizers import CALLBACKS, sensors, stereo
from tests.effort import draws
from tests.soundness.synchronized import synchronized_system

MS = 1_000_000
SYSTEMS = {
    "mtd": lambda: sensors("mtd"),
    "mtd with a queue": lambda: sensors("synchronize: mtd, queue: 2"),
    "mtd of a sporadic source": lambda: sensors("mtd", camera="arrival: {sporadic: 100ms}"),
    "latest": lambda: sensors("latest"),
    "approximate_time": lambda: sensors("approximate_time"),
    "approximate_time with jitter": lambda: sensors(
        "synchronize: approximate_time, queue: 20", "arrival: {period: 40ms, jitter: 30ms}"
    ),
    "approximate_time with a short queue": lambda: sensors(
        "synchronize: approximate_time, queue: 2"
    ),
    "exact_time": lambda: stereo("synchronize: exact_time"),
    "exact_time with a short queue": lambda: stereo("synchronize: exact_time, queue: 1").replace(
        "threads", "lidar", wcet=97_000_000
    ),
    "known offsets": lambda: sensors(
        "mtd",
        "arrival: {period: 100ms, offset: 10ms}",
        "arrival: {period: 100ms, offset: 70ms, jitter: 5ms}",
    ),
    **{
        f"{policy} in rounds": lambda policy=policy: loads(CALLBACKS.format(policy=policy), "c")
        for policy in ("mtd", "latest", "approximate_time", "exact_time")
    },
}


@cache
def text_of(name):
    return json.dumps(certificate(SYSTEMS[name]()))


def claimed(name):
    return json.loads(text_of(name))


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_the_analysis_says_is_confirmed(name):
    verdict = check(claimed(name))
    assert verdict.ok, verdict.failure


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_nanosecond_less_is_refuted(name):
    """Of all that is said of sets; and of what their curves allow for."""
    figures = 0
    for key in ("disparity", "gap", "allowed", *claimed(name)["synchronizers"]["fuse"]["waits"]):
        less = claimed(name)
        sets = less["synchronizers"]["fuse"]
        figure = sets if key in sets else sets["waits"]
        if figure[key] in (None, 0):
            continue
        figure[key] -= 1
        verdict = check(less)
        assert not verdict.ok, key
        assert "synchronizer 'fuse'" in verdict.failure or key == "allowed", verdict.failure
        figures += 1
    assert figures > 0


@pytest.mark.parametrize("name", [name for name in SYSTEMS if "rounds" not in name])
def test_less_for_a_chain_through_sets_is_refuted(name):
    """Mostly by a nanosecond: what the checker finds by itself may be less than was claimed."""
    exact = 0
    for chain, figures in claimed(name)["chains"].items():
        for figure in figures.keys() - {"path"}:
            if figures[figure] is None:
                continue
            for less in (1, figures[figure] // 4):
                changed = claimed(name)
                changed["chains"][chain][figure] -= less
                verdict = check(changed)
                exact += less == 1 and not verdict.ok
                assert less == 1 or f"chain '{chain}': {figure}: up to " in verdict.failure
    assert exact > 2 or "sporadic" in name


def test_where_there_is_no_bound_none_may_be_claimed():
    claims = claimed("mtd of a sporadic source")
    claims["synchronizers"]["fuse"]["gap"] = 10**9
    assert check(claims).failure == (
        "synchronizer 'fuse': gap is unbounded, claimed to be 1 s (lemma mtd-sets)"
    )
    claims = claimed("latest")
    claims["chains"]["far"]["reaction_time"] = 10**15
    assert "is unbounded" in check(claims).failure


def test_sets_that_may_be_lost_are_not_counted_by_numbers():
    claims = claimed("exact_time with a short queue")
    assert claims["synchronizers"]["fuse"]["counted_by"] is not None
    claims["synchronizers"]["fuse"] |= {"counted_by": None, "allowed": None}
    verdict = check(claims)
    assert not verdict.ok


def test_sets_are_counted_by_what_all_topics_bring_where_no_topic_is_named():
    """One more may come of what was kept: what bounds allow for where the queue says so."""
    claims = claimed("approximate_time")
    claims["synchronizers"]["fuse"] |= {"counted_by": None, "allowed": None}
    assert check(claims).ok
    without_stamps = json.loads(json.dumps(certificate(merged_scans("approximate_time"))))
    (place,) = [n for n, s in enumerate(without_stamps["stages"]) if s["stage"] == ["job", "fuse"]]
    assert without_stamps["stages"][place]["response"] is None
    without_stamps["stages"][place]["response"] = 10**15
    assert "unbounded" in check(without_stamps).failure


def test_sets_that_may_share_a_message_are_not_counted_by_it():
    """`latest` makes one at each arrival, the first of both topics and the next of the fast one in
    13 ms: three of 2 ms come before low. Counted by what is slow, two were confirmed."""
    claims = certificate(loads(OFTEN % "latest"))
    (low,) = [one for one in claims["stages"] if one["stage"] == ["job", "low"]]
    assert low["response"] == 15 * MS
    low |= {"response": 13 * MS, "latency": 13 * MS}
    assert "job low" in check(claims).failure
    claims["synchronizers"]["fuse"] |= {"counted_by": "y", "allowed": 100 * MS}
    assert "may be in several" in check(claims).failure
    shared = certificate(loads(OFTEN % "mtd"))
    shared["synchronizers"]["fuse"] |= {"counted_by": "y", "allowed": 1000 * MS}
    assert "may be in several" in check(shared).failure


OFTEN = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
delays: {publisher: {1kB: 1us}, listener: {1kB: 1us}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
listeners: {L: {core: m/d, priority: 9}}
threads:
  slow: {core: m/b, priority: 1, wcet: 1us, period: 100ms, publishes: [{topic: y, mode: sync}]}
  fast: {core: m/a, priority: 1, wcet: 1us, period: 10ms, publishes: [{topic: x, mode: sync}]}
  fuse: {core: m/c, priority: 5, wcet: 2ms,
         subscribes: {topics: [x, y], listener: L, activation: and, synchronize: %s}}
  low: {core: m/c, priority: 1, wcet: 9ms, period: 200ms}
"""


def test_any_topic_may_count_whose_messages_are_allowed_for():
    """That of the faster source is allowed as well: there are more of it, so bounds are larger."""
    claims = claimed("approximate_time")
    sets = claims["synchronizers"]["fuse"]
    assert sets["counted_by"] == "image"
    sets["counted_by"] = "scan"
    sets["allowed"] //= 2
    assert not check(claims).ok


def test_exactly_the_synchronizers_of_the_system():
    claims = claimed("mtd")
    claims["synchronizers"]["other"] = claims["synchronizers"]["fuse"]
    assert check(claims).failure == "synchronizer 'other': the system has none such"
    del claims["synchronizers"]
    assert check(claims).failure == "synchronizer 'fuse': is not claimed"
    without = json.loads(json.dumps(certificate(sensors("delay: 1ms"))))
    assert "synchronizers" not in without
    without["synchronizers"] = {}
    assert check(without).ok


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"policy": "nearest", "queue": None}, "policy"),
        ({"policy": "mtd", "queue": 0}, "queue"),
        ({"policy": "mtd", "queue": True}, "queue"),
        ({"policy": "mtd"}, "queue"),
        ({"policy": "latest", "queue": 3}, "latest has no queue"),
        ([], "synchronize"),
        (None, "synchronize"),
    ],
)
def test_what_is_no_synchronizer_is_refused(change, says):
    claims = claimed("mtd")
    claims["system"]["threads"]["fuse"]["synchronize"] = change
    claims["digest"] = digest(claims["system"])
    with pytest.raises(CertificateError, match=says):
        check(claims)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"waits": {}}, "waits"),
        ({"waits": []}, "waits"),
        ({"counted_by": "cars"}, "counted_by"),
        ({"allowed": -1}, "allowed"),
        ({"disparity": 1.5}, "disparity"),
        ({"more": 1}, "more"),
    ],
)
def test_claims_that_are_none_are_refused(change, says):
    claims = claimed("mtd")
    claims["synchronizers"]["fuse"] |= change
    with pytest.raises(CertificateError, match=says):
        check(claims)


def test_a_thread_without_and_has_no_synchronizer():
    for change in ({"activation": "or"}, {"subscribes": None}):
        claims = claimed("mtd")
        claims["system"]["threads"]["fuse"] |= change
        claims["digest"] = digest(claims["system"])
        with pytest.raises(CertificateError):
            check(claims)


def test_another_policy_is_not_confirmed_by_the_same_claims():
    """mtd keeps what is near; the newest messages are further apart."""
    claims = claimed("mtd")
    claims["system"]["threads"]["fuse"]["synchronize"]["policy"] = "latest"
    claims["digest"] = digest(claims["system"])
    assert not check(claims).ok


@pytest.mark.parametrize("block", range(4))
def test_random_systems_are_confirmed_and_not_with_less(block):
    """Of every stage behind a synchronizer and all its figures."""
    refuted = 0
    each = draws(4, of=10)
    for seed in range(each * block, each * (block + 1)):
        certified = json.loads(json.dumps(certificate(synchronized_system(seed))))
        verdict = check(certified)
        assert verdict.ok, (seed, verdict.failure)
        for name, sets in certified["synchronizers"].items():
            for figure in ("disparity", "gap"):
                if sets[figure]:
                    less = copy.deepcopy(certified)
                    less["synchronizers"][name][figure] -= 1
                    assert not check(less).ok, (seed, figure)
                    refuted += 1
    assert refuted


def test_jobs_that_overtake_spoil_no_other_input_of_a_synchronizer():
    """A queue bounds how old a message of a topic is, in whatever order those of others come."""
    system = loads("""
ddsrta: 1
machines: {m: {cores: [a, b, c, d, e]}}
delays: {publisher: {1kB: 1ms}, listener: {1kB: 0ms}}
topics: {scan: {size: 1kB}, pose: {size: 1kB}}
listeners: {L: {core: m/d, priority: 9}}
processes: {app: {intra_process: true, listener: L}}
executors: {pool: {cores: [m/b, m/c], kind: multi_threaded, priority: 5, process: app}}
callbacks:
  locate: {executor: pool, wcet: 1ms, timer: 50ms, reentrant: true, publishes: [{topic: pose, mode: sync}]}
  aside: {executor: pool, wcet: 60ms, timer: 200ms}
threads:
  lidar: {core: m/a, priority: 2, wcet: 2ms, period: 100ms, publishes: [{topic: scan, mode: sync}]}
  plan: {core: m/e, priority: 2, wcet: 5ms, process: app, subscribes: {
    topics: [scan, pose], listener: L, activation: and, synchronize: approximate_time, queue: 2}}
""")
    claims = certificate(system)
    assert claims["synchronizers"]["plan"]["counted_by"] == "scan"
    assert check(claims).ok
