"""Policies by their registry: whatever is in it is analysed, checked, simulated and attacked."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import ddsrta
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.refinements import Refinements
from ddsrta.checker import policies as checker
from ddsrta.models.validate import validate
from ddsrta.policies import POLICIES, PUBLICATION_KEYS, TOPIC_KEYS
from ddsrta.policies.policy import Policy, Sender
from ddsrta.policies.reference import reference
from ddsrta.policies.relation import Delay
from tests.soundness.attack import attacked
from tests.soundness.focused import focused_system
from tests.soundness.generator import random_system
from tests.soundness.registered import NEW, with_policy

RUNS = 16
HORIZON = 1500
EDF, WEIGHTED = "EARLIEST_DEADLINE_FIRST", "WEIGHTED_ROUND_ROBIN"


def test_the_checker_has_a_list_of_its_own_and_it_is_the_same():
    assert tuple(POLICIES) == tuple(checker.POLICIES)
    assert tuple(TOPIC_KEYS) == tuple(checker.TOPIC_KEYS)
    assert tuple(PUBLICATION_KEYS) == checker.PUBLICATION_KEYS
    for name, policy in POLICIES.items():
        theirs = checker.POLICIES[name]
        assert theirs.of_fast_dds == policy.of_fast_dds and theirs.by_topic == policy.by_priority
        assert theirs.needed == tuple(k for k, key in policy.topic_keys.items() if key.required)


@pytest.mark.parametrize("name", POLICIES)
def test_the_checker_has_the_same_queues_and_datagrams_that_go_first(name):
    policy, theirs = POLICIES[name], checker.POLICIES[name]
    ours, known = [], []
    for place, (priority, value) in enumerate(product((0, 1, 1), (3, 3, 5))):
        said = dict.fromkeys((*policy.topic_keys, *policy.publication_keys), value)
        ours.append(Sender(priority, place, False, said))
        known.append(checker.Sender(("writer", str(place)), priority, False, said))
    for i, k in product(range(len(ours)), repeat=2):
        together = policy.queue(ours[i]) == policy.queue(ours[k])
        assert together == (theirs.queue(known[i]) == theirs.queue(known[k]))
        if i != k:
            assert policy.holds_before(ours[i], ours[k]) == theirs.holds(known[i], known[k])


@pytest.mark.parametrize("name", NEW)
def test_bounds_are_confirmed_and_no_run_is_above_one(name):
    bounded = 0
    for seed in range(12):
        for draw in (focused_system, random_system):
            system = with_policy(draw(seed), name)
            assert not validate(system)
            result = ddsrta.analyze(system)
            assert result.check.status == "confirmed" and not result.check.without
            assert not attacked(system, result, RUNS, seed)
            bounded += any(message.ddl is not None for message in result.messages)
    assert bounded > 6


def _without_shifts(found):
    return [r._replace(shift=min(0, r.shift)) if r.kind == Delay.EARLIER else r for r in found]


def _without_blocking(found):
    return [r for r in found if r.kind != Delay.BLOCKS]


def _without_weights(found):
    return [r._replace(weight=1, own=1) for r in found]


@pytest.mark.parametrize(
    ("name", "fault"),
    [(EDF, _without_shifts), (EDF, _without_blocking), (WEIGHTED, _without_weights)],
)
def test_attacks_notice_what_a_policy_forgets(monkeypatch, name, fault):
    policy = type(POLICIES[name])
    relate = policy.relate
    monkeypatch.setattr(
        policy, "relate", lambda self, senders: list(map(fault, relate(self, senders)))
    )
    systems = (with_policy(focused_system(seed), name, seed) for seed in range(40))
    assert any(
        attacked(system, ddsrta.analyze(system, check=False), RUNS, seed)
        for seed, system in enumerate(systems)
    )


PLAIN = replace(Refinements.all(), tandem=False, effects=False, program_order=False)


def bounds(system):
    """Of all messages, without refinements that know less of policies with shifts and weights."""
    result = ddsrta.analyze(system, check=False, refinements=PLAIN)
    return [(message.ddl, message.flow_controller) for message in result.messages]


def apart(system):
    """Each flow controller alone on a core: peers of the same priority linger or overtake."""
    cores = dict(system.cores)
    controllers = {}
    for name, controller in system.flow_controllers.items():
        core = replace(cores[controller.core], name=f"of {name}", reservation=None, partitions={})
        cores[core.path] = core
        controllers[name] = replace(controller, core=core.path, partition=None, reservation=None)
    return replace(system, cores=cores, flow_controllers=controllers)


@pytest.mark.parametrize("seed", range(8))
def test_with_equal_values_they_are_policies_that_are_known(seed):
    system = apart(focused_system(seed))
    due = {
        name: replace(topic, settings={"deadline": 500}) for name, topic in system.topics.items()
    }
    even = replace(with_policy(system, EDF), topics=due)
    assert bounds(even) == bounds(with_policy(system, "FIFO"))
    one = with_policy(system, WEIGHTED)
    threads = {
        name: replace(t, publishes=tuple(replace(p, settings={}) for p in t.publishes))
        for name, t in one.threads.items()
    }
    assert bounds(replace(one, threads=threads)) == bounds(with_policy(system, "ROUND_ROBIN"))


@pytest.mark.parametrize("seed", range(8))
def test_deadlines_far_apart_are_priorities(seed):
    system = apart(focused_system(seed))
    topics = {
        name: replace(topic, settings={"deadline": (topic.priority + 11) * 10**9})
        for name, topic in system.topics.items()
    }
    found = bounds(replace(with_policy(system, EDF), topics=topics))
    known = bounds(with_policy(system, "HIGH_PRIORITY"))
    # Under overload the most urgent topic has a bound, but no deadline, however early, is met.
    assert all(one in ((None, None), other) for one, other in zip(found, known, strict=True))
    assert seed != 0 or found == known


def test_the_page_is_what_the_files_say():
    page = Path(__file__).parents[2] / "docs" / "reference" / "policies.md"
    assert page.read_text(encoding="utf-8") == reference()


SYSTEM = """ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {flow_controller: {1kB: 10us}, listener: {1kB: 1us}}
topics:
  x: {size: 1kB, deadline: 20us}
  y: {size: 1kB, deadline: 90us}
flow_controllers: {F: {core: m/a, priority: 5, policy: EARLIEST_DEADLINE_FIRST}}
listeners: {L: {core: m/b, priority: 5}}
threads:
  s:
    {core: m/b, priority: 9, wcet: 1us, period: 1ms,
     publishes: [{topic: x, flow_controller: F}, {topic: y, flow_controller: F}]}
  t: {core: m/b, priority: 8, wcet: 1us, period: 1ms, publishes: [{topic: y, flow_controller: F}]}
  r: {core: m/b, priority: 7, wcet: 1us, subscribes: {topics: [x, y], listener: L}}
"""


def sending(text):
    """What samples take in the flow controller, by thread and topic."""
    result = ddsrta.analyze(ddsrta.loads(text), refinements=PLAIN)
    assert result.check.status == "confirmed"
    found = {(m.publisher, m.topic): m.flow_controller for m in result.messages}
    return [found[key] for key in (("s", "x"), ("s", "y"), ("t", "y"))]


def test_known_answers():
    """x waits for one y that has begun (10 us less 1 ns); a y for the other and for x, of which
    no second one comes in time."""
    assert sending(SYSTEM) == [19_999, 30_000, 30_000]
    assert sending(SYSTEM.replace("EARLIEST_DEADLINE_FIRST", "FIFO")) == [30_000] * 3
    weighted = SYSTEM.replace("EARLIEST_DEADLINE_FIRST", "WEIGHTED_ROUND_ROBIN")
    burst = weighted.replace("topic: x,", "topic: x, count: 4, weight: 2,")
    # of four x the last comes behind two turns of each y, of which there is one sample each
    assert max(sending(burst)) == 60_000
    assert sending(burst)[1] == 40_000  # y's: two x and the other y come first, and itself


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("x: {size: 1kB, deadline: 20us}", "x: {size: 1kB}", 5, "'deadline' of topic 'x' is miss"),
        ("deadline: 20us", "deadline: 20", 5, "unit"),
        ("priority: 5, policy: EARLIEST", "priority: 5, queue: 0, policy: EARLIEST", 7, "0"),
        ("deadline: 20us", "deadline: 0us", 5, "more than zero"),
        ("topic: x,", "topic: x, weight: 2,", 12, "'weight' has no effect here"),
        ("DEADLINE_FIRST}", "DEADLINE_FIRST, limit: {bytes: 9kB, period: 1ms}}", 7, "'limit' is"),
        ("topics:\n  x", "middleware: {fastdds: 2.9}\ntopics:\n  x", 8, "'middleware' is what"),
    ],
)
def test_what_does_not_fit_is_refused_where_it_stands(old, new, line, message):
    with pytest.raises(ddsrta.InputError) as caught:
        ddsrta.loads(SYSTEM.replace(old, new))
    first = caught.value.diagnostics[0]
    assert message in str(first) and first.position.line == line


def test_an_unknown_policy_is_refused_where_no_file_says_it():
    system = ddsrta.loads(SYSTEM).altered("flow_controllers", "F", policy="EARLIEST")
    with pytest.raises(ddsrta.InputError, match="there is no policy 'EARLIEST'"):
        ddsrta.analyze(system)


def test_both_readers_read_the_same(tmp_path):
    for name in ("EARLIEST_DEADLINE_FIRST", "WEIGHTED_ROUND_ROBIN"):
        text = SYSTEM.replace("EARLIEST_DEADLINE_FIRST", name)
        if name == WEIGHTED:
            text = text.replace("topic: x,", "topic: x, weight: 3,")
        (tmp_path / "s.yaml").write_text(text)
        assert ddsrta.analyze(ddsrta.load(tmp_path / "s.yaml")).check.status == "confirmed"


def test_what_a_policy_does_not_say_is_refused():
    class Silent(Policy):
        name = "SILENT"

    with pytest.raises(TypeError, match="abstract"):
        Silent()
    assert not Silent.published and not Silent.reserves


def test_relations_keep_what_they_say_where_they_are_placed():
    system = with_policy(focused_system(3), EDF)
    problem = compile_system(system).problem
    shifts = {
        problem.relation_shift[r]
        for r, kind in enumerate(problem.relation_kind)
        if kind == Delay.EARLIER
    }
    assert len(shifts) > 1
