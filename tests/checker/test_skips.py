"""Timers that may skip releases (lemma timer-skips): what is confirmed, and what is refuted or
refused."""

import copy

import pytest

from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import CertificateError, check
from ddsrta.models.document import digest
from ddsrta.models.reader import loads
from tests.bounds.test_timers import EVENTS, JOIN, REGISTER

MS = 1_000_000


def refuted(claims):
    verdict = check(claims)
    assert not verdict.ok
    return verdict.failure


@pytest.fixture
def register():
    return certificate(loads(REGISTER % ("single_threaded", "", "25ms"), "register"))


@pytest.fixture
def join():
    return certificate(loads(JOIN % "25ms", "join"))


def test_what_the_analysis_claims_is_confirmed(register, join):
    assert check(register).ok
    assert check(join).ok
    assert register["skips"] == join["skips"] == ["tick"]
    kept = certificate(loads(REGISTER % ("single_threaded", "", "10ms"), "register"))
    assert "skips" not in kept
    assert check(kept).ok


def test_a_timer_that_may_skip_has_to_be_named(register):
    del register["skips"]
    assert "may be called 25 ms late" in refuted(register)


def test_an_age_or_reaction_that_ignores_what_is_skipped_is_refuted(register):
    for figure in ("data_age", "reaction_time"):
        claims = copy.deepcopy(register)
        claims["chains"]["age"][figure] -= 1
        assert figure in refuted(claims)


def test_a_wait_for_what_is_skipped_has_no_bound(join):
    join["chains"]["by p"]["latency"] = 1000 * MS
    assert "unbounded" in refuted(join)


def test_a_timer_without_a_bound_may_skip_anything(register):
    for stage in register["stages"]:
        if stage["stage"] == ["job", "tick"]:
            stage["response"] = None
    assert "data_age: claimed to be" in refuted(register)
    del register["skips"]
    assert "any time" in refuted(register)


def test_what_is_no_timer_skips_nothing(register):
    for name in ("slow", "z", "nobody"):
        with pytest.raises(CertificateError, match="no timer"):
            check({**register, "skips": ["tick", name]})


def test_more_may_be_named_than_need_be():
    text = (REGISTER % ("single_threaded", "", "10ms")).replace(", deadline: 1s", "")
    claims = certificate(loads(text, "register"))
    named = {**claims, "skips": ["tick"]}  # late by less than a period: as if it skipped one
    assert "data_age" in refuted(named)
    for chain in named["chains"].values():
        for figure in ("data_age", "reaction_time"):
            chain[figure] += 12 * MS
    assert check(named).ok


LATE_START = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
delays: {publisher: {1kB: 1ms}, listener: {1kB: 1ms}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
listeners: {L: {core: m/c, priority: 9}}
executors: {E: {core: m/a, priority: 1}}
callbacks:
  tick: {executor: E, timer: 10ms, arrival: {offset: 9ms}, wcet: 1ms, publishes: [{topic: x, mode: sync}]}
threads:
  slow: {core: m/b, priority: 1, wcet: 1ms, period: 100ms, publishes: [{topic: y, mode: sync}]}
  other: {core: m/d, priority: 1, wcet: 1ms, arrival: {period: 10ms, offset: 0ms}}
  fuse: {core: m/c, priority: 5, wcet: 1ms,
         subscribes: {topics: [x, y], listener: L, activation: and, synchronize: mtd}}
"""


def test_a_timer_that_is_named_for_nothing_begins_no_sooner():
    # slow is released at the start, other, with which tick shares a clock, 10 ms later, tick 19 ms
    claims = certificate(loads(LATE_START))
    assert check(claims).ok and claims["synchronizers"]["fuse"]["disparity"] == 19 * MS
    alone = LATE_START.replace("arrival: {period: 10ms, offset: 0ms}", "period: 10ms")
    forged = certificate(loads(alone.replace(", arrival: {offset: 9ms}", "")))
    assert forged["synchronizers"]["fuse"]["disparity"] < 14 * MS
    forged |= {key: claims[key] for key in ("system", "digest", "assumptions")}
    assert "disparity" in refuted({**forged, "skips": ["tick"]})


def test_other_callbacks_come_before_a_timer_of_an_events_executor():
    claims = certificate(loads(EVENTS % "", "events"))
    assert check(claims).ok
    for stage in claims["stages"]:
        if stage["stage"] == ["job", "tick"]:
            stage |= {"response": 22 * MS, "latency": 22 * MS}
    assert "job tick" in refuted(claims)


def test_an_events_executor_under_sched_deadline_has_no_timers_thread():
    claims = certificate(loads(EVENTS % "", "events"))
    place = {"reservation": {"budget": 9 * MS, "period": 10 * MS}}
    document = copy.deepcopy(claims["system"])
    for thing in (document["executors"]["e"], *document["threads"].values()):
        if thing is document["executors"]["e"] or thing.get("executor") == "e":
            thing.update(place)
    with pytest.raises(CertificateError, match="timers thread"):
        check({**claims, "system": document, "digest": digest(document)})
