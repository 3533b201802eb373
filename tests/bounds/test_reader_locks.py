"""Who takes a message has the lock of its reader: that no listener waits for it is assumed where
another message may come meanwhile."""

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from tests.bounds.test_keys import CALLBACK, SYSTEM, assumed

RULE = "reader-locks"
ONE = SYSTEM.replace(", count: 3", "")
SAMPLED = ONE.replace("wcet: 2ms, subscribes", "wcet: 2ms, period: 10ms, subscribes")


@pytest.mark.parametrize("text", [SYSTEM, SAMPLED])
def test_where_another_may_come_it_is_assumed(text):
    one = assumed(text)[RULE]
    assert "listener 'L' does not wait for the lock of reader 'r', which who takes" in one.message
    assert one.position[1] == 5


@pytest.mark.parametrize("text", [ONE, CALLBACK])
def test_where_one_waits_or_within_rclcpp_nothing_is(text):
    assert RULE not in assumed(text)


def test_readers_are_counted():
    both = SYSTEM.replace("wcet: 1ms, subscribes", "wcet: 1ms, period: 50ms, subscribes")
    assert "'r' (and 1 more reader), which" in assumed(both)[RULE].message


@pytest.mark.parametrize("text", [SYSTEM, SAMPLED])
def test_a_certificate_has_to_say_it(text):
    claims = certificate(ddsrta.loads(text))
    claims["assumptions"] = [one for one in claims["assumptions"] if one != RULE]
    assert f"rest on '{RULE}', which is not said to be assumed" in check(claims).failure
