"""Certificates of exact worst cases: confirmed as they are, and not where anything less is said."""

from __future__ import annotations

import copy
from functools import cache
from random import Random

import pytest

import ddsrta
from casestudies.ros2_testbed import variants
from ddsrta.base.diagnostics import InputError
from ddsrta.checker import CertificateError, check
from ddsrta.checker.budget import Budget
from ddsrta.checker.document import read_system
from ddsrta.checker.exact.check import WORK
from ddsrta.checker.exact.closed import Closed
from ddsrta.checker.exact.model import Model, UnknownError, figure_of
from ddsrta.checker.exact.replay import Event, Replay
from ddsrta.checker.sums import RefutedError
from ddsrta.exploration.exact import certificate
from ddsrta.exploration.exact.exact import exact
from tests.effort import draws
from tests.exploration.test_exact import FEW, PLAIN
from tests.exploration.test_exact import three_topics as explored
from tests.exploration.tiny import drawn, text


def three_topics():
    return explored("conf1_fifo").certified


@cache
def tiny(number):
    return exact(ddsrta.loads(text(drawn(Random(number)))), runs=100, states=600).certified


@pytest.mark.parametrize(
    "name", ["conf1_fifo", "conf2_high_priority", "conf3_round_robin", "conf4_sync", "conf1_safe"]
)
def test_three_topics_are_confirmed(name):
    found = explored(name)
    assert (found.check.status, found.check.because) == ("confirmed", None)
    assert ("turn-order" in found.assumptions) == (name == "conf3_round_robin")
    verdict = check(found.certified)
    assert verdict.claims == "claimed: 6 of 6 figures are exact"
    assert verdict.certificate == found.check.certificate


@pytest.mark.parametrize("name", ["F-F", "S-S"][: draws(1, of=2)])
def test_executors_that_go_round_are_confirmed(name):
    assert exact(ddsrta.loads(variants.text(name)), ["end to end"]).check.status == "confirmed"


def test_tiny_systems_are_confirmed():
    confirmed = 0
    for number in (*range(draws(8, of=24)), 38, 42, 48, 64, 107):
        try:
            made = tiny(number)
        except InputError:  # not small
            continue
        verdict = check(made)
        assert verdict.ok, (number, verdict.failure)
        confirmed += 1
    assert confirmed > 10


AT_ONCE = """\
ddsrta: 1
machines: {m: {cores: [c0, c1]}}
delays: {flow_controller: {1kB: 1ms}, listener: {1kB: 3ms}}
topics: {x: {size: 1kB}}
flow_controllers: {F: {core: m/c1, priority: 23}}
listeners: {L: {core: m/c1, priority: 81}}
executors: {E: {core: m/c0, priority: 68}}
threads:
  first: {core: m/c0, priority: 6, wcet: 3ms, period: 50ms}
  sender: {core: m/c1, priority: 2, wcet: 1ms, follows: {threads: [first]}, publishes: [{topic: x, flow_controller: F}]}
  after: {core: m/c0, priority: 31, wcet: 2ms, follows: {threads: [tick]}}
callbacks:
  tick: {executor: E, wcet: 1ms, timer: 50ms}
  reader: {executor: E, wcet: 4ms, subscribes: {topics: [x], listener: L}}
chains: {way: {path: [first, sender, x, reader]}}
"""


def test_cores_that_are_lost_and_got_back_at_once_are_confirmed():
    """L is done: E takes c0 from `after`, and `sender` has c1 again. Whose clock says so first
    does not matter; the checker had another order, and 1 ns more than was listed."""
    found = exact(ddsrta.loads(AT_ONCE), ["way"], runs=1)
    assert (found.check.status, found.cases[0].at_most) == ("confirmed", 15_000_000)


BOTH = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
topics: {x: {size: 1B}, y: {size: 1B}}
flow_controllers: {F: {core: m/a, priority: 10}}
listeners: {L: {core: m/a, priority: 7}}
executors: {E: {core: m/a, priority: 16, kind: fixed_priority}}
threads:
  p: {core: m/b, priority: 12, wcet: 2ns, period: 8ns, publishes: [
    {topic: x, flow_controller: F, delay: 1ns}, {topic: y, mode: sync, delay: 2ns}]}
callbacks:
  r1: {executor: E, wcet: 3ns, priority: 1, subscribes: {topics: [x], listener: L, delay: 1ns}}
  r2: {executor: E, wcet: 1ns, priority: 2, subscribes: {topics: [y], listener: L, delay: 1ns}}
chains: {way: {path: [p, x, r1]}}
"""


def test_a_job_sends_by_itself_when_what_goes_before_is_handed_over():
    """A copy of y may take 2 ns, and the run showed it to begin before x was handed over."""
    found = exact(ddsrta.loads(BOTH), ["way"])
    assert (found.check.status, found.check.because) == ("confirmed", None)
    assert [(case.at_most, case.exact) for case in found.cases] == [(9, True)]


@pytest.mark.parametrize("number", range(draws(3, of=6)))
def test_a_lowered_figure_is_refused(number):
    """With the run, and with none."""
    for place in range(6):
        for run in (True, False):
            made = copy.deepcopy(three_topics() if number == 0 else tiny(number))
            if place < len(made["figures"]):
                figure = made["figures"][place]
                exactly = figure["at_most"] == figure["found"]
                figure["at_most"] = figure["found"] - 1
                figure["found"] -= 1
                if not run:
                    figure["found"] = figure["run"] = None
                assert not exactly or check(made).status == "refuted"


def test_a_longer_run_than_any_is_refused():
    made = copy.deepcopy(three_topics())
    made["figures"][0]["found"] += 1
    assert "longer than any" in check(made).failure
    made["figures"][0]["at_most"] += 1
    assert "has 1.386 ms, not 1.386001 ms" in check(made).failure


def test_each_situation_is_needed():
    """None is listed in vain: without any of them something leaves the list."""
    proof = tiny(6)["proofs"][0]
    for place in range(len(proof)):
        made = copy.deepcopy(tiny(6))
        del made["proofs"][0][place]
        assert check(made).status == "refuted"


def test_changed_runs_are_none_or_no_longer():
    played = 0
    for number in range(draws(4, of=8)):
        made, random = tiny(number), Random(number)
        system = read_system(made["system"])
        for figure in made["figures"]:
            model = Model(system, [figure_of(system, figure["kind"], tuple(figure["of"]))])
            for _ in range(40):
                events = changed(figure["run"], random)
                try:
                    found = Replay(model).play(events)
                except (RefutedError, CertificateError, UnknownError):
                    continue
                played += 1
                assert found <= figure["at_most"]
    assert played > 12


def changed(run, random):
    events = [list(event) for event in run]
    place = random.randrange(len(events))
    by = random.choice((-2, -1, 1, 2))
    how = random.randrange(4)
    for event in events[place:] if how == 0 else events[place : place + 1] if how == 1 else ():
        event[0] = max(0, event[0] + by)
    if how == 2:
        del events[place]
    elif how == 3:
        other = min(place + 1, len(events) - 1)
        events[place][1:], events[other][1:] = events[other][1:], events[place][1:]
    events.sort(key=lambda event: event[0])
    return [Event(time, kind, tuple(of)) for time, kind, *of in events]


def test_changed_lists_say_no_less():
    followed = 0
    for number in (0, 2, 3, 6):
        made, random = tiny(number), Random(number)
        system = read_system(made["system"])
        for at, proof in enumerate(made["proofs"]):
            mine = [figure for figure in made["figures"] if figure["proof"] == at]
            figures = [figure_of(system, one["kind"], tuple(one["of"])) for one in mine]
            for _ in range(15):
                listed = copy.deepcopy(proof)
                change(listed, random)
                try:
                    most = Closed(Model(system, figures), Budget(WORK)).check(listed, "")
                except (RefutedError, CertificateError, UnknownError):
                    continue
                followed += 1
                assert all(a >= one["found"] for a, one in zip(most, mine, strict=True))
    assert followed > 5


def change(listed, random):
    one = random.choice(listed)
    zone = random.choice(one["zones"])
    how = random.randrange(4)
    if how == 0:
        row = random.choice(zone)
        row[random.randrange(len(row))] += random.choice((-1, 1, 5))
    elif how == 1:
        one["begun"] = {}
    elif how == 2:
        one["waiting"] = {}
    else:
        listed.remove(one)


def test_a_long_list_is_not_written_and_not_confirmed(monkeypatch):
    monkeypatch.setattr(certificate, "LISTED", 3)
    found = exact(ddsrta.loads(PLAIN), states=FEW)
    assert found.certified["proofs"] == [] and found.check.status == "unchecked"
    assert "too long" in found.check.because
    assert any(case.at_most == case.found for case in found.cases)
    assert not any(case.exact for case in found.cases) and "  exact  " not in str(found)


def test_what_the_checker_does_not_follow_is_unchecked():
    """Explored are earliest deadlines first, by whichever order."""
    said = text(drawn(Random(10))).replace("ROUND_ROBIN", "EARLIEST_DEADLINE_FIRST")
    said = said.replace("priority: 0}", "deadline: 5ns}").replace(
        "priority: 1}}", "deadline: 6ns}}"
    )
    found = exact(ddsrta.loads(said))
    assert found.check.status == "unchecked"
    assert "EARLIEST_DEADLINE_FIRST" in found.check.because


def test_limits_of_work_are_undecided():
    assert check(three_topics(), 1000).status == "undecided"


def test_assumptions_are_said():
    made = copy.deepcopy(three_topics())
    for rule in made["assumptions"]:
        silent = {**made, "assumptions": [one for one in made["assumptions"] if one != rule]}
        assert f"'{rule}'" in check(silent).failure
    assert {"arrival-order", "no-overflow"} <= set(made["assumptions"])
