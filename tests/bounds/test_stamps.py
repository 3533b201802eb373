"""That stamps are releases: what a synchronizer that chooses by them rests on."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.synchronizers.bounds import Input, bounds
from ddsrta.checker.check import check
from ddsrta.models.synchronization import Synchronizer
from tests.bounds.test_synchronizers import sensors, stereo
from tests.simulation.synchronizers import machine

RULE = "stamps"
FIRST = "first-messages"


@pytest.mark.parametrize("policy", ["exact_time", "approximate_time", "mtd"])
def test_who_chooses_by_stamps_takes_them_to_be_releases(policy: str) -> None:
    system = stereo("synchronize: exact_time") if policy == "exact_time" else sensors(policy)
    (line,) = (one for one in ddsrta.analyze(system).assumptions if one.rule == RULE)
    assert "'fuse' waits for" in line.message and line.position is not None
    claims = certificate(system)
    assert RULE in check(claims).assuming
    claims["assumptions"] = [one for one in claims["assumptions"] if one != RULE]
    assert f"rest on '{RULE}'" in str(check(claims).failure)


def test_who_takes_the_newest_needs_no_stamps() -> None:
    for system in (sensors("latest"), sensors("delay: 1ms")):
        assert RULE not in {one.rule for one in ddsrta.analyze(system).assumptions}


def test_a_second_message_does_not_come_before_the_first_of_a_topic_ahead() -> None:
    """LatestTime of message_filters would look for a rate that is not there."""
    system = sensors("latest")
    (line,) = (one for one in ddsrta.analyze(system).assumptions if one.rule == FIRST)
    assert "brings 'fuse' its second message" in line.message and line.position is not None
    claims = certificate(system)
    assert FIRST in check(claims).assuming
    claims["assumptions"] = [one for one in claims["assumptions"] if one != FIRST]
    assert f"rest on '{FIRST}'" in str(check(claims).failure)
    assert FIRST not in {one.rule for one in ddsrta.analyze(sensors("mtd")).assumptions}


def test_with_the_time_at_which_jobs_ran_a_set_comes_later_than_its_bound() -> None:
    """Of left, each 40, and right, each 100. The message of left is released at 0 and reads the
    clock at 4: it is the pivot then, and waits for the next of right."""
    left = Input("x", 40, 40, 40, 1, 5, lambda window: -(-window // 40))
    right = Input("y", 100, 100, 100, 1, 6, lambda window: -(-window // 100))
    most = bounds(Synchronizer("approximate_time"), [left, right]).ages[0]
    assert most == 106 and age(0) <= most < age(4)


def age(late: int) -> int:
    """How old the first message of left is in its set, from its release."""
    search = machine(Synchronizer("approximate_time"), 2)
    others = ((40 * n + 5, 0, 40 * n + late) for n in (1, 2))
    coming = [(5, 0, late), (5, 1, 3), *others, (109, 1, 103)]
    sets = [(now, each) for now, topic, stamp in coming for each in search.add(topic, stamp, now)]
    assert sets[0][1] == (late, 3)
    return sets[0][0]
