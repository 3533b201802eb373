"""Where bounds rest on the order in which callbacks were registered, results and certificates say so."""

import pytest

from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.models.reader import loads

SERVED = """\
ddsrta: 1
machines: {m: {cores: [a]}}
executors: {e: {core: m/a, priority: 9, kind: single_threaded, order: registered}}
callbacks:
  first: {executor: e, wcet: 1ms, timer: 10ms}
  second: {executor: e, wcet: 2ms, timer: 20ms}
"""
ONE_OF_A_KIND = SERVED[: SERVED.index("  second")]
OTHERS = {
    "unknown": SERVED.replace("registered", "unknown"),
    "no rounds": SERVED.replace("single_threaded", "events"),
    "one of a kind": ONE_OF_A_KIND,
}


def rules(text):
    return [found.rule for found in analyze(loads(text, "s.yaml")).assumptions]


def test_turns_in_the_order_of_the_file_are_assumed():
    (found,) = analyze(loads(SERVED, "s.yaml")).assumptions
    assert (found.rule, found.position[1]) == ("registration", 3)
    assert "'order: unknown' if that is not certain" in found.message


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS.keys())
def test_it_is_said_where_bounds_rest_on_it_alone(text):
    assert rules(text) == []
    assert check(certificate(loads(text, "s.yaml"))).ok


def test_a_certificate_has_to_say_so():
    claims = certificate(loads(SERVED, "s.yaml"))
    assert claims["assumptions"] == ["registration"]
    assert check(claims).assuming == ("registration",)
    del claims["assumptions"]
    assert "rest on 'registration', which is not said to be assumed" in check(claims).failure
