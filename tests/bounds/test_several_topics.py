"""Responses of callbacks that wait for several topics: from the last message (lemma
set-response)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.simulation import Run, program_of
from ddsrta.simulation.choices import random_choices
from ddsrta.simulation.finder import find

MS = 1_000_000
HORIZON = 1000 * MS
TEXT = """
ddsrta: 1
machines: {m: {cores: [c0, c1, c2]}}
topics: {a: {size: 1kB}, b: {size: 1kB}}
listeners: {L: {core: m/c1, priority: 50}}
threads:
  A: {core: m/c0, priority: 50, wcet: 1ms, period: 100ms, publishes: [{topic: a, delay: 1us}]}
  B: {core: m/c2, priority: 50, wcet: 1ms, period: 100ms, publishes: [{topic: b, delay: 1us}]}
executors:
  ex: {core: m/c1, priority: 40, kind: single_threaded}
callbacks:
  t: {executor: ex, wcet: 5ms, timer: 100ms}
  cb: {executor: ex, wcet: 1ms, subscribes: {topics: [a, b], listener: L, activation: and, delay: 1us}}
"""
POLICIES = ("", "exact_time", "approximate_time", "latest", "mtd")


def system(policy=""):
    text = TEXT.replace(
        "activation: and",
        f"activation: and, synchronize: {policy}" if policy else "activation: and",
    )
    return ddsrta.loads(text)


def runs(program, measure, count=40):
    for seed in range(count):
        run = Run(program, random_choices(program, seed, HORIZON))
        run.advance(HORIZON)
        yield run.worst[measure]


def measured(program):
    wanted = [m for m in program.measures if m.kind == "response" and m.of == ("job", "cb")]
    return program.measures.index(wanted[0])


def test_the_timer_that_is_in_progress_counts():
    # when the last message is there, t has just begun: 5 of it, 1 of the callback
    bound = ddsrta.analyze(system()).callbacks["cb"].wcrt
    assert 6 * MS <= bound <= 6 * MS + 3000
    program = program_of(system())
    assert 5 * MS < max(runs(program, measured(program), 300)) <= bound


@pytest.mark.parametrize("policy", [p for p in POLICIES if p != "exact_time"])
def test_no_run_is_above(policy):
    drawn = system(policy)
    program, bound = program_of(drawn), ddsrta.analyze(drawn).callbacks["cb"].wcrt
    measure = measured(program)
    assert max(runs(program, measure)) <= bound


@pytest.mark.parametrize("policy", ("", "approximate_time"))
def test_an_instance_begins_with_the_last_message(policy):
    program = program_of(system(policy))
    measure = measured(program)
    for seed in range(3):
        run = Run(program, random_choices(program, seed, HORIZON), trace=1 << 16)
        rows = []
        while run.advance(HORIZON) < HORIZON:
            rows.append(run.take_trace())
        rows.append(run.take_trace())
        trail = find(program, rows, measure)
        assert trail is not None and trail.value == run.worst[measure]


@pytest.mark.parametrize("policy", [p for p in POLICIES if p != "exact_time"])
def test_certificates_say_it(policy):
    found = certificate(system(policy))
    assert check(found).ok
    assert found["callbacks"]["cb"] == ddsrta.analyze(system(policy)).callbacks["cb"].wcrt
    found["callbacks"]["cb"] -= 1
    verdict = check(found)
    assert not verdict.ok and "callback 'cb': response" in verdict.failure
    del found["callbacks"]["cb"]
    assert not check(found).ok


def test_the_published_profile_means_the_same():
    found = ddsrta.analyze(system(), profile="published").callbacks
    assert found["cb"].wcrt >= found["cb/a"].wcrt + 1 * MS


SENDING = (
    TEXT.replace("topics: {a", "topics: {c: {size: 1kB}, a")
    .replace("threads:", "threads:\n  R: {core: m/c2, priority: 40, wcet: 1us, subscribes: {topics: [c], listener: K, delay: 1us}}")
    .replace("L: {", "K: {core: m/c2, priority: 60}, L: {")
    .replace("and, delay: 1us}", "and, delay: 1us}, publishes: [{topic: c, mode: sync, delay: 1us}]")
)  # fmt: skip
SENT = ("cb", "c", "R")


def sending(policy):
    more = f"activation: and, synchronize: {policy}" if policy else "activation: and"
    return ddsrta.loads(SENDING.replace("activation: and", more))


def delivery(program):
    wanted = [m for m in program.measures if m.kind == "ddl" and m.of == SENT]
    return program.measures.index(wanted[0])


@pytest.mark.parametrize("policy", [p for p in POLICIES if p != "exact_time"])
def test_what_the_callback_sends_counts_from_the_last_message(policy):
    # the timer that is in progress delays it as it delays the callback
    drawn = sending(policy)
    result, program = ddsrta.analyze(drawn), program_of(sending(policy))
    message = next(m for m in result.messages if m.topic == "c")
    assert message.publisher_wcrt == result.callbacks["cb"].wcrt
    measure = delivery(program)
    assert 5 * MS < max(runs(program, measure, 300)) <= message.ddl


@pytest.mark.parametrize("policy", ("", "approximate_time"))
def test_an_instance_of_what_it_sends_begins_with_the_last_message(policy):
    program = program_of(sending(policy))
    measure = delivery(program)
    for seed in range(3):
        run = Run(program, random_choices(program, seed, HORIZON), trace=1 << 16)
        rows = []
        while run.advance(HORIZON) < HORIZON:
            rows.append(run.take_trace())
        rows.append(run.take_trace())
        trail = find(program, rows, measure)
        assert trail is not None and trail.value == run.worst[measure]


@pytest.mark.parametrize("figure", ["ddl", "sent"])
@pytest.mark.parametrize("policy", [p for p in POLICIES if p != "exact_time"])
def test_certificates_claim_what_it_sends_from_the_last_message(policy, figure):
    found = certificate(sending(policy))
    assert check(found).ok
    message = next(m for m in found["messages"] if m["topic"] == "c")
    message[figure] -= MS
    verdict = check(found)
    assert not verdict.ok and f"message cb/c/R: {figure}" in verdict.failure


# the last of four sets that are made at once waits for the others on c1; until its message is read
# one window for the whole path gives less than the message's own windows since the callback began
CROWD = """
ddsrta: 1
machines: {m: {cores: [c1, c2, c3]}}
delays: {listener: {1kB: 2us}, publisher: {1kB: 2us}}
listeners: {L: {core: m/c1, priority: 60}, K: {core: m/c3, priority: 60}}
executors: {E: {core: m/c1, priority: 5}, F: {core: m/c3, priority: 5}}
topics: {a: {size: 1kB}, b: {size: 1kB}, c: {size: 1kB}, d: {size: 1kB}}
threads:
  A: {core: m/c2, priority: 6, wcet: 2us, arrival: {period: 300us, jitter: 900us}, publishes: [{topic: a}]}
  B: {core: m/c2, priority: 6, wcet: 1us, arrival: {period: 100us}, publishes: [{topic: b}]}
  S: {core: m/c3, priority: 70, wcet: 1us, subscribes: {topics: [d], listener: K}}
callbacks:
  cb: {executor: E, wcet: 2us, bcet: 2us, subscribes: {topics: [a, b], listener: L, activation: and}, publishes: [{topic: c}]}
  R: {executor: F, wcet: 12us, subscribes: {topics: [c], listener: K}, publishes: [{topic: d}]}
"""


def test_what_it_sends_takes_no_longer_than_the_way_from_its_last_subscription():
    found = certificate(ddsrta.loads(CROWD))
    assert check(found).ok
    message = next(m for m in found["messages"] if m["publisher"] == "cb")
    assert message["ddl"] == 26_005 + 6_998  # 4 of cb, 4 of a and one of b on c1; and behind it
    message["ddl"] -= 1
    assert "message cb/c/R: ddl" in check(found).failure
