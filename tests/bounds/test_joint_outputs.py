"""What flow controllers send to a listener, all topics of one together (lemma joint-outputs)."""

from __future__ import annotations

from random import Random

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.joint_outputs.feeders import Feeder, Topic
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker import check

WITHOUT = ddsrta.Refinements(joint_outputs=False)
MS = 1_000_000
TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b, c, net, act, d, e]}, n: {cores: [act]}}
network: [{from: m, to: n, delay: 2ms, best: BEST}]
delays: {flow_controller: {1kB: {worst: 2ms, best: SEND}}, publisher: {1kB: 1ms}, listener: {1kB: 3ms}}
topics: {v: {size: 1kB}, x: {size: 1kB}, y: {size: 1kB}, z: {size: 1kB}}
flow_controllers: {F: {core: m/net, priority: 1, policy: POLICY}}
listeners: {L: {core: WHERE/act, HOW}}
threads:
  p: {core: m/a, priority: 1, wcet: 1ms, period: 50ms, publishes: [{topic: x, flow_controller: F}]}
  q: {core: m/b, priority: 1, wcet: 1ms, period: 50ms, publishes: [{topic: y, flow_controller: F}]}
  r: {core: m/c, priority: 1, wcet: 1ms, period: 50ms, publishes: [{topic: z, flow_controller: F}]}
  t: {core: m/e, priority: 1, wcet: 1ms, period: 50ms, publishes: [{topic: v, mode: sync}]}
  s: {core: WHERE/act, priority: 1, wcet: 1ms, arrival: {period: 50ms}, subscribes: {topics: [v, x, y, z], listener: L}}
chains: {way: {path: [t, v, s]}}
"""


def system_of(send="2ms", where="m", best="2ms", how="priority: 2", policy="FIFO"):
    text = TEXT.replace("SEND", send).replace("WHERE", where).replace("BEST", best)
    return ddsrta.loads(text.replace("HOW", how).replace("POLICY", policy))


def listener(system, refinements=None):
    result = ddsrta.analyze(system, refinements=refinements)
    assert result.check.status == "confirmed" and result.check.without == ()
    return {message.topic: message.listener for message in result.messages}["v"]


@pytest.mark.parametrize("policy", ["FIFO", "HIGH_PRIORITY", "ROUND_ROBIN"])
def test_samples_of_several_topics_come_one_by_one(policy):
    system = system_of(policy=policy)
    assert listener(system, WITHOUT) == 12 * MS
    assert listener(system) == 8 * MS


def test_what_may_take_no_time_to_send_may_come_at_once():
    assert listener(system_of("0ns")) == 12 * MS
    assert 12 * MS - 10 < listener(system_of("1ns")) <= 12 * MS


def test_ways_of_different_length_bring_samples_together():
    assert listener(system_of(where="n", best="2ms")) == 8 * MS
    assert listener(system_of(where="n", best="0ns")) == 10 * MS  # as if sent 2 ms before


def test_reservations_serve_less_of_it():
    how = "reservation: {budget: 4ms, period: 5ms}"
    assert listener(system_of(how=how)) < listener(system_of(how=how), WITHOUT)


def test_a_flow_controller_brings_one_sample_and_what_fits_after_it():
    feeder = Feeder("F", (Topic(1, 4, (0,)), Topic(2, 3, (1,))), 0)
    assert [feeder.sent([8, 9], time) for time in (0, 1, 2, 3, 4, 20)] == [4, 8, 12, 13, 15, 21]


def test_no_choice_of_samples_brings_more():
    for seed in range(300):
        random = Random(seed)
        topics = [(random.randint(1, 4), random.randint(1, 6)) for _ in range(random.randint(2, 4))]
        topics.sort(key=lambda topic: topic[0] / topic[1])
        most = [random.randint(0, 3) for _ in topics]
        feeder = Feeder("F", tuple(Topic(*topic, ()) for topic in topics), 0)
        room = random.randint(0, 12)
        works = [units * work for units, (_, work) in zip(most, topics, strict=True)]
        best = max(of_choices(topics, most, room), default=0)
        assert best <= feeder.sent(works, room), seed


def of_choices(topics, most, room):
    """The work of each choice of samples of which all but one take no more than the time."""
    choices = [()]
    for units in most:
        choices = [(*before, now) for before in choices for now in range(units + 1)]
    for choice in choices:
        time = sum(n * least for n, (least, _) in zip(choice, topics, strict=True))
        longest = max((t[0] for n, t in zip(choice, topics, strict=True) if n), default=0)
        if time - longest <= room:
            yield sum(n * work for n, (_, work) in zip(choice, topics, strict=True))


def test_terms_add_up():
    explanation = explain(system_of(), "way")
    stage = next(stage for stage in explanation.stages if "sample by sample" in stage.note)
    assert sum(term.time for term in stage.terms) == stage.total == 8 * MS


def test_the_checker_refuses_less_than_can_come():
    document = certificate(system_of())
    assert check(document).status == "confirmed"
    for stage in document["stages"]:
        if stage.get("joint"):
            stage["response"] -= 1
    assert check(document).status == "refuted"


def test_the_checker_confirms_nothing_by_it_that_is_not_said():
    document = certificate(system_of())
    for stage in document["stages"]:
        stage.pop("joint", None)
    assert check(document).status == "refuted"


def test_nothing_is_looked_for_where_one_topic_comes_alone():
    text = TEXT.replace("topic: y, flow_controller: F", "topic: y, mode: sync")
    text = text.replace("topic: z, flow_controller: F", "topic: z, mode: sync")
    for name, value in (("SEND", "2ms"), ("WHERE", "m"), ("BEST", "0ns"), ("HOW", "priority: 2")):
        text = text.replace(name, value)
    assert not solve(ddsrta.loads(text.replace("POLICY", "FIFO"))).joint
