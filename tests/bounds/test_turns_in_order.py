"""What counts jobs does not see which message each of them takes (lemma turns-in-order): only how
long a message takes is longer where messages are taken in any order."""

from __future__ import annotations

import copy

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.solve import solve
from ddsrta.checker import check
from tests.bounds.test_several_publishers import (
    EXECUTORS,
    ONE,
    OTHERS,
    SYSTEM,
    as_they_come,
    runs,
)
from tests.soundness.test_corpus import FILES

AS_BEFORE = ddsrta.Refinements(turns_in_order=False)
# What r does makes more work for its own core: with messages for turns that is a circle.
BACK = SYSTEM.replace(
    "chains: {",
    """  back: {core: m/a, priority: 4, wcet: 1ms, follows: {threads: [r]}}
  again: {core: m/c, priority: 6, wcet: 1ms, follows: {threads: [back]}}
  low: {core: m/c, priority: 1, wcet: 5ms, period: 100ms}
chains: {whole: {path: [p, x, r, back, again]}, """,
)
# A listener is less urgent than what it releases on its core: nothing waits as a message comes.
URGENT = """ddsrta: 1
machines: {m: {cores: [a, c]}}
delays: {listener: {1kB: 1ms}, publisher: {1kB: 1us}}
topics: {x: {size: 1kB, history: 9}}
listeners: {L: {core: m/c, priority: 4, queue: 9}}
threads:
  p: {core: m/a, priority: 5, wcet: 1us, period: 20ms, publishes: [{topic: x, mode: sync}]}
  q: {core: m/a, priority: 4, wcet: 1us, period: 20ms, publishes: [{topic: x, mode: sync}]}
  r: {core: m/c, priority: 5, wcet: 3ms, subscribes: {topics: [x], listener: L}}
  next: {core: m/c, priority: 3, wcet: 2ms, follows: {threads: [r]}}
chains: {way: {path: [p, x, r, next]}}
"""


def test_what_others_feel_is_as_if_messages_came_in_order():
    mixed, plain = ddsrta.loads(BACK), ddsrta.loads(as_they_come(BACK))
    result, same = ddsrta.analyze(mixed), ddsrta.analyze(plain)
    assert result.check.status == "confirmed"
    for name in ("p", "q", "h", "back", "again", "low"):
        assert result.threads[name].wcrt == same.threads[name].wcrt
    assert solve(mixed).response(("job", "r")) == same.threads["r"].wcrt < result.threads["r"].wcrt
    before = ddsrta.analyze(mixed, refinements=AS_BEFORE)
    assert before.threads["low"].wcrt > result.threads["low"].wcrt
    assert before.chains["whole"].latency > result.chains["whole"].latency


@pytest.mark.parametrize(("executor", "group"), EXECUTORS)
def test_it_is_so_in_every_executor(executor, group):
    text = OTHERS.replace("EXECUTOR", executor).replace("GROUP", group)
    results = [ddsrta.analyze(ddsrta.loads(one)) for one in (text, as_they_come(text))]
    before = ddsrta.analyze(ddsrta.loads(text), refinements=AS_BEFORE)
    assert {one.check.status for one in (*results, before)} == {"confirmed"}
    result, plain = results
    if "reentrant" not in group:
        assert result.threads["out"].wcrt == plain.threads["out"].wcrt
        assert result.callbacks["s"].wcrt == plain.callbacks["s"].wcrt
    for name in ("way", "other", "third"):
        assert result.chains[name].latency <= before.chains[name].latency
    assert plain.callbacks["r"].wcrt < result.callbacks["r"].wcrt <= before.callbacks["r"].wcrt


@pytest.mark.parametrize(
    "text", [BACK, URGENT, OTHERS.replace("EXECUTOR", ONE).replace("GROUP", "")]
)
def test_no_run_is_above_it(text):
    system = ddsrta.loads(text)
    result = ddsrta.analyze(system)
    assert result.check.status == "confirmed"
    for name, chain in result.chains.items():
        assert runs(system, name, 60) <= chain.latency


def test_a_message_that_wakes_its_reader_at_once_waits_for_nothing():
    result = ddsrta.analyze(ddsrta.loads(URGENT))
    assert result.threads["r"].wcrt == 3_000_000
    assert result.check.status == "confirmed"


def test_1_ns_less_is_refuted():
    claims = certificate(ddsrta.loads(SYSTEM))
    assert check(claims).status == "confirmed"
    (row,) = (one for one in claims["stages"] if "taken" in one)
    assert (row["response"], row["taken"]) == (17_000_000, 20_000_000)
    lower = copy.deepcopy(claims)
    (row,) = (one for one in lower["stages"] if "taken" in one)
    row["taken"] -= 1
    assert "job r: taken: up to 20 ms, more than the claimed" in check(lower).failure
    lower = copy.deepcopy(claims)
    (row,) = (one for one in lower["stages"] if "taken" in one)
    row["response"] -= 1
    assert check(lower).status == "refuted"


def test_a_message_waits_in_its_history_while_what_comes_otherwise_is_taken():
    (file,) = (one for one in FILES if one.stem == "passed_over_in_another_history")
    text = file.read_text("utf-8")
    beside = text.replace("intra_process: true", "intra_process: false").replace(
        "process: P, subscribes: {topics: [x]}", "process: P, subscribes: {topics: [x]}, FOLLOWS"
    )
    follows = beside.replace("FOLLOWS", "follows: {threads: [h]}")
    for one, name, most in (
        (text, "r < x, directly", 2),
        (beside.replace(", FOLLOWS", ""), "r < x", 2 + 2 + 1),
        (follows, "r < x", 4 + 2 + 1),  # 32 ms, and not a turn of 23
    ):
        claims = certificate(ddsrta.loads(one))
        assert check(claims).status == "confirmed"
        assert claims["queues"][name]["backlog"] == most
        claims["queues"][name]["backlog"] -= 1
        assert check(claims).status == "refuted"


def test_without_it_a_certificate_has_messages_for_turns():
    claims = certificate(ddsrta.loads(SYSTEM), AS_BEFORE)
    assert not any("taken" in one for one in claims["stages"])
    assert check(claims).status == "confirmed"
    (row,) = (one for one in claims["stages"] if one["stage"] == ["job", "r"])
    assert row["response"] == 20_000_000
    row["response"], row["taken"] = 17_000_000, 20_000_000
    assert check(claims).status == "confirmed"
    row["taken"] = 17_000_000
    assert check(claims).status == "refuted"
    (row,) = (one for one in claims["stages"] if one["stage"] == ["job", "h"])
    row["taken"] = row["response"]
    with pytest.raises(ValueError, match="job h cannot have 'taken'"):
        check(claims)


def test_jobs_that_leave_messages_out_are_counted_one_by_one():
    text = BACK.replace(
        "subscribes: {topics: [x], listener: L}}\n",
        "subscribes: {topics: [x], listener: L}, publishes: [{topic: y, mode: sync, jobs: 1 of 3}]}\n"
        "  heard: {core: m/l, priority: 5, wcet: 1ms, subscribes: {topics: [y], listener: L}}\n",
    )
    system = ddsrta.loads(text)
    heard = system.threads["heard"]
    assert heard.subscribes is not None
    every = ddsrta.loads(text.replace(", jobs: 1 of 3", ", jobs: 1 of 1"))
    one, all_ = (ddsrta.analyze(each) for each in (system, every))
    assert one.check.status == all_.check.status == "confirmed"
    assert one.threads["heard"].wcrt == all_.threads["heard"].wcrt
    in_order = ddsrta.analyze(ddsrta.loads(as_they_come(text)))
    assert in_order.threads["heard"].wcrt <= one.threads["heard"].wcrt


def test_a_result_says_the_time_of_messages_everywhere():
    system = ddsrta.loads(SYSTEM)
    result = ddsrta.analyze(system)
    assert result.threads["r"].wcrt == result.chains["way"].hops[-1].response == 20_000_000


# r takes messages of y, which come all the time, before any of x: meanwhile three of x wait.
STARVED = """ddsrta: 1
machines: {m: {cores: [a, b, c, l]}}
delays: {listener: {1kB: 1us}, publisher: {1kB: 1us}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
listeners: {L: {core: m/l, priority: 9}}
threads:
  p: {core: m/a, priority: 5, wcet: 1us, period: 18ms, publishes: [{topic: x, mode: sync}]}
  q: {core: m/b, priority: 5, wcet: 1us, period: 5ms, publishes: [{topic: y, mode: sync}]}
  h: {core: m/c, priority: 9, wcet: 11ms, period: 100ms}
  r: {core: m/c, priority: 5, wcet: 3ms, subscribes: {topics: [x, y], listener: L, order: any}}
chains: {way: {path: [p, x, r]}}
"""


def test_messages_of_one_topic_may_wait_for_turns_of_another():
    system = ddsrta.loads(STARVED)
    result = ddsrta.analyze(system)
    assert result.check.status == "confirmed"
    before = ddsrta.analyze(system, refinements=AS_BEFORE)
    assert result.queues["r < x"].backlog == before.queues["r < x"].backlog == 3
    claims = certificate(system)
    claims["queues"]["r < x"]["backlog"] = 2
    assert check(claims).status == "refuted"


def test_a_history_that_is_too_short_for_that_loses_messages():
    text = STARVED.replace("x: {size: 1kB}", "x: {size: 1kB, history: %d}")
    later = "  end: {core: m/l, priority: 5, wcet: 1ms, period: 10ms, follows: {threads: [r]}}\n"
    text = text.replace("chains:", later + "chains:")
    text = text.replace("[p, x, r]", "[p, x, r, end], constraint: data_age")
    for room, is_kept in ((2, False), (3, True)):
        result = ddsrta.analyze(ddsrta.loads(text % room))
        assert result.check.status == "confirmed"
        assert (result.chains["way"].data_age is not None) is is_kept


def test_of_one_topic_as_many_wait_as_turns_are_to_come():
    result, plain = (ddsrta.analyze(ddsrta.loads(t)) for t in (SYSTEM, as_they_come(SYSTEM)))
    assert result.queues["r < x"].backlog == plain.queues["r < x"].backlog
