"""What leaves before its unit is done (lemmas reserved-rest and early-in-tandem)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from tests.soundness.attack import attack, attacked
from tests.soundness.bounds import bounds_of

WITHOUT = ddsrta.Refinements(leaving_early=False)
MS = 1_000_000
SLOW = "budget: 1ms, period: 5ms"
TEXT = """
ddsrta: 1
machines: {m: {cores: {s: SENDERS, f: CORE, l: {}, k: {}}}}
delays: {flow_controller: {60kB: 1ms}, publisher: {60kB: 1ms}, listener: {60kB: 100us}}
topics: {image: {size: 60kB, copies: connection}, note: {size: 60kB}}
flow_controllers: {F: {core: m/f, PLACE}}
listeners: {L: {core: m/l, priority: 5}}
threads:
  camera: {core: m/s, FIRST, wcet: 1ms, arrival: {period: 200ms, jitter: LATE}, publishes: [SENDS]}
  a: {core: m/k, priority: 10, wcet: 1us, subscribes: {topics: [image], listener: L}}
  b: {core: m/k, priority: 30, wcet: 1us, subscribes: {topics: [image], listener: L}}
  c: {core: m/k, priority: 20, wcet: 1us, subscribes: {topics: [image, note], listener: L}}
"""
PLACES = {
    "core": ("{reservation: {SLOW}}", "priority: 5"),
    "thread": ("{}", "reservation: {SLOW}"),
    "partition": ("{partitions: {A: {SLOW}, B: {SLOW}}}", "priority: 5, partition: A"),
}
ASYNC = "{topic: image, flow_controller: F, count: COUNT}"


def system_of(core="{}", place="priority: 5", sends=ASYNC, count=1, senders="{}", first="", late=0):
    text = TEXT.replace("CORE", core).replace("PLACE", place).replace("SENDERS", senders)
    text = text.replace("FIRST", first or "priority: 1").replace("LATE", f"{late}ms")
    text = text.replace("SENDS", sends).replace("COUNT", str(count)).replace("SLOW", SLOW)
    return ddsrta.loads(text)


def sent(system, refinements=None):
    """When the copies of an image have left, in ms; the checker agrees."""
    result = ddsrta.analyze(system, refinements=refinements)
    assert (result.check.status, result.check.without) == ("confirmed", ())
    return [int(each.sent) / MS for each in result.messages if each.topic == "image"]


@pytest.mark.parametrize("where", PLACES)
def test_copies_of_a_slow_flow_controller_are_whole_periods_apart(where):
    system = system_of(*PLACES[where])
    sooner = 8 if where == "thread" else 0  # its budget comes at once (lemma fresh-budgets)
    assert sent(system, WITHOUT) == [17 - sooner, 18 - sooner, 19 - sooner]
    assert sent(system) == [9 - sooner, 14 - sooner, 19 - sooner]


def test_a_run_sends_the_copies_as_late_as_is_said():
    system = system_of(*PLACES["core"])
    result, program = ddsrta.analyze(system), program_of(system)
    bounds = bounds_of(program, result)
    wanted = [n for n, one in enumerate(program.measures) if one.kind == "ddl"]
    budget = Budget(runs=200, events=1_000_000)
    seen = attack(program, bounds, 1, budget, 600 * MS, measures=wanted).seen
    read = [seen[number] / MS - 0.1 for number in wanted]  # none waits for others in the listener
    assert read == pytest.approx(sent(system))


def test_what_a_slow_job_sends_first_has_left_whole_periods_before_its_end():
    both = "{topic: image, mode: sync}, {topic: note, mode: sync}"
    slow = system_of(sends=both, senders=f"{{reservation: {{{SLOW}}}}}")
    # the job takes 8 + 5 · 5 - 4 = 29 ms, and 3, 2 or 1 ms of work come behind a copy
    assert sent(slow, WITHOUT) == [26, 27, 28]
    assert sent(slow) == [14, 19, 24]


def test_a_budget_that_is_enough_for_each_job_is_there_at_once():
    both = "{topic: image, mode: sync}, {topic: note, mode: sync}"
    enough = system_of(sends=both, first="reservation: {budget: 5ms, period: 50ms}")
    assert sent(enough) == sent(enough, WITHOUT) == [2, 3, 4]


def test_the_first_copy_of_the_last_image_waits_for_no_whole_image():
    system = system_of(count=3)
    first, *_ = (each.ddl for each in ddsrta.analyze(system).messages)
    before, *_ = (each.ddl for each in ddsrta.analyze(system, refinements=WITHOUT).messages)
    assert first < before
    claims = certificate(system)
    message = next(one for one in claims["messages"] if one["subscriber"] == "a")
    message["ddl"] -= 1
    assert not check(claims).ok


@pytest.mark.parametrize("figure", ["sent", "ddl"])
@pytest.mark.parametrize("where", PLACES)
def test_a_nanosecond_less_is_refuted(where, figure):
    claims = certificate(system_of(*PLACES[where], late=150))
    message = next(one for one in claims["messages"] if one["subscriber"] == "a")
    message[figure] -= 1
    verdict = check(claims)
    assert not verdict.ok and f"camera/image/a: {figure}" in verdict.failure


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("where", PLACES)
def test_no_run_is_later(where, count):
    system = system_of(*PLACES[where], count=count, late=150)
    assert not attacked(system, ddsrta.analyze(system), 60, count)


def test_where_threads_sleep_it_is_not_used():
    limited = system_of(place="priority: 5, limit: {bytes: 120kB, period: 5ms}", count=3)
    some = [ddsrta.analyze(limited, refinements=one).messages for one in (None, WITHOUT)]
    assert [each.ddl for each in some[0]] == [each.ddl for each in some[1]]


LAST = """
ddsrta: 1
machines: {m: {cores: {a: {}, b: {}, f: CORE, l: {}, k: {}}}}
topics: {map: {size: 1MB}, scan: {size: 1kB}}
flow_controllers: {F: {core: m/f, priority: 5}}
listeners: {L: {core: m/l, priority: 5}}
threads:
  mapper: {core: m/a, priority: 1, wcet: 1ms, period: 900ms, publishes: [{topic: map, flow_controller: F, delay: 20ms}]}
  laser: {core: m/b, priority: 1, wcet: 1ms, period: 900ms, publishes: [{topic: scan, flow_controller: F, delay: 4ms}]}
  planner: {core: m/k, priority: 1, wcet: 1ms, subscribes: {topics: [map], listener: L, delay: 2ms}}
  tracker: {core: m/k, priority: 2, wcet: 1ms, subscribes: {topics: [scan], listener: L, delay: 10ms}}
"""


@pytest.mark.parametrize(
    ("core", "loose", "ddl"),
    [("{}", 34, 26), ("{reservation: {budget: 10ms, period: 20ms}}", 74, 66)],
)
def test_ours_is_the_last_of_all_that_waits_in_front_of_it(core, loose, ddl):
    system = ddsrta.loads(LAST.replace("CORE", core))
    before, after = (
        int(ddsrta.analyze(system, refinements=one).messages[0].ddl) / MS for one in (WITHOUT, None)
    )
    assert (before, after) == (loose, ddl)
    assert not attacked(system, ddsrta.analyze(system), 200, 1)
    claims = certificate(system)
    claims["messages"][0]["ddl"] -= 1
    assert not check(claims).ok


@pytest.mark.parametrize(
    ("core", "ddl"), [("{}", 44), ("{reservation: {budget: 10ms, period: 20ms}}", 84)]
)
def test_what_is_sent_later_may_be_read_sooner(core, ddl):
    far = LAST.replace("l: {}, k: {}}}}", "l: {}}}, n: {cores: [l, k]}}").replace("m/l", "n/l")
    far = far.replace("m/k", "n/k") + "network: [{from: m, to: n, delay: 12ms}]\n"
    system = ddsrta.loads(far.replace("CORE", core))
    result = ddsrta.analyze(system)
    assert (int(result.messages[0].ddl) / MS, result.check.status) == (ddl, "confirmed")
    assert not attacked(system, result, 200, 1)
