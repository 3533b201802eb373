"""Executors of several threads on one core, where each would have a reservation or a share of its
own: the analysis refuses them, and so does the checker."""

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import CertificateError, check
from ddsrta.models.document import digest
from ddsrta.models.system import Reservation

TEXT = """
ddsrta: 1
machines: {m: {cores: [a]}}
executors: {E: {core: m/a, PLACE}}
callbacks:
  one: {executor: E, timer: 100ms, wcet: 3ms}
  two: {executor: E, timer: 100ms, wcet: 4ms}
"""


def of_kind(place, kind):
    """What the checker says of the same claims for another kind."""
    claims = certificate(ddsrta.loads(TEXT.replace("PLACE", place)))
    assert check(claims).ok
    claims["system"]["executors"]["E"] |= {"kind": kind, "release": "jazzy"}
    claims["digest"] = digest(claims["system"])
    claims["assumptions"] = [*claims.get("assumptions", ()), "timers-threads"]
    return check(claims)


@pytest.mark.parametrize("kind", ["multi_threaded", "events", "events_cbg"])
def test_threads_of_sched_other_have_a_core_each(kind):
    assert of_kind("policy: other", kind).failure == (
        "the verdict is claimed to be met, and is error"
    )
    assert of_kind("policy: other", "static").ok


@pytest.mark.parametrize("kind", ["multi_threaded", "events", "events_cbg"])
def test_no_reservation_is_that_of_several_threads(kind):
    with pytest.raises(CertificateError):
        of_kind("reservation: {budget: 5ms, period: 10ms}", kind)


def test_a_system_made_in_python_is_refused_as_a_file_is():
    pool = ddsrta.loads(TEXT.replace("PLACE", "priority: 5, kind: multi_threaded"))
    made = pool.altered("executors", "E", reservation=Reservation(5_000_000, 10_000_000))
    with pytest.raises(ddsrta.InputError, match="a reservation of its own"):
        ddsrta.analyze(made)
