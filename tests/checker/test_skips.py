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
    claims = certificate(loads(REGISTER % ("single_threaded", "", "10ms"), "register"))
    assert check({**claims, "skips": ["tick"]}).ok  # late by less than a period: the same gap


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
