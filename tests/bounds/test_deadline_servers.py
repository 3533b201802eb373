"""Threads of SCHED_DEADLINE with budget enough for each of their jobs (lemma deadline-servers)."""

from __future__ import annotations

from random import Random

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.terms.explain import explain
from tests.bounds.deadline_runs import Reserved, worst_of
from tests.bounds.no_less import confirms_no_less

HEAD = "ddsrta: 1\nmachines: {m: {cores: [c, d]}}\ndelays: {listener: {1B: 1ns}, publisher: {1B: 1ns}}\n"
PLAIN = Refinements(deadline_servers=False, fresh_budgets=False)


def thread(name, budget, period, wcet, arrival):
    reservation = f"reservation: {{budget: {budget}ns, period: {period}ns}}"
    return f"  {name}: {{core: m/c, {reservation}, wcet: {wcet}ns, {arrival}}}\n"


def every(period):
    return f"period: {period}ns"


def responses(text, refinements=None):
    result = ddsrta.analyze(ddsrta.loads(HEAD + "threads:\n" + text), refinements=refinements)
    assert result.check.status == "confirmed"
    assert not result.check.without
    return {name: one.wcrt for name, one in result.threads.items()}


FIFO = "  z: {core: m/c, priority: 5, wcet: 1ns, period: 500ns}\n"


def test_a_job_that_takes_its_whole_budget_is_not_delayed_and_its_core_feels_what_it_does() -> None:
    alone = thread("a", 20, 100, 20, every(100)) + FIFO
    assert responses(alone) == {"a": 20, "z": 21}
    plain = responses(alone, PLAIN)
    assert plain == {"a": None, "z": 41}


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        # due at the same time
        ([("b", 30, 100, 30, every(100))], 50),
        # due later, and never at work when ours comes with the same deadline
        ([("b", 300, 1000, 300, every(1000))], 20),
        # b is busy from 0 to 60, and due at 120: ours comes at 20
        ([("b", 60, 120, 60, every(120))], 60),
        # it has more to do than its budget: its share of 100 counts
        ([("b", 30, 100, 31, every(300))], 50),
        # closer than its period
        ([("b", 10, 50, 5, "arrival: {period: 100ns, jitter: 60ns}")], 40),
    ],
)
def test_others_go_first_where_they_are_due_first(others, expected) -> None:
    text = thread("a", 20, 100, 20, every(100)) + "".join(thread(*other) for other in others)
    assert responses(text)["a"] == expected


@pytest.mark.parametrize(
    "text",
    [
        thread("a", 20, 100, 21, every(300)),  # more than a budget
        thread("a", 20, 100, 20, "arrival: {period: 120ns, jitter: 21ns}"),  # closer than a period
        thread("a", 20, 100, 20, every(300)) + thread("b", 80, 100, 80, every(100)),  # all of it
        thread("a", 20, 100, 20, every(300)).replace("threads", "")
        + "middleware: {fastdds: 2.9}\n",
    ],
)
def test_else_a_reservation_is_a_periodic_resource(text) -> None:
    system = ddsrta.loads(HEAD + "threads:\n" + text)
    plain = ddsrta.analyze(system, refinements=PLAIN)
    some = Refinements(fresh_budgets=False)
    assert ddsrta.analyze(system, refinements=some).threads["a"] == plain.threads["a"]


CHAIN = """\
topics: {t: {size: 1B}}
listeners: {L: {core: m/c, priority: 9}}
threads:
  a: {core: m/c, reservation: {budget: 22ns, period: 100ns}, wcet: 20ns, period: 100ns,
      publishes: [{topic: t, mode: sync}]}
  b: {core: m/c, reservation: {budget: 10ns, period: 100ns}, wcet: 10ns, period: 100ns}
  r: {core: m/c, priority: 5, wcet: 7ns, subscribes: {topics: [t], listener: L}}
chains: {x: {path: [a, t, r]}}
"""


def test_a_chain_on_one_core_counts_what_may_run_meanwhile_once() -> None:
    result = ddsrta.analyze(ddsrta.loads(HEAD + CHAIN))
    assert result.threads["a"].wcrt == 21 + 10
    assert result.chains["x"].latency == 21 + 10 + 1 + 7
    (found,) = (each for each in result.assumptions if each.rule == "deadline-servers")
    assert "HRTICK_DL" in found.message


def test_the_checker_confirms_no_less_and_asks_for_the_assumption() -> None:
    confirms_no_less(certificate(ddsrta.loads(HEAD + CHAIN)), "deadline-servers")


def test_pools_feel_them_as_more_urgent_threads() -> None:
    text = thread("a", 20, 100, 20, every(100))
    pool = "executors: {E: {cores: [m/c, m/d], priority: 5, kind: multi_threaded}}\n"
    callback = "callbacks: {k: {executor: E, timer: 1us, wcet: 3ns}}\n"
    result = ddsrta.analyze(ddsrta.loads(HEAD + pool + callback + "threads:\n" + text))
    assert result.callbacks["k"].wcrt == 23
    assert result.check.status == "confirmed"


def test_it_is_explained() -> None:
    text = HEAD + "threads:\n" + thread("a", 20, 100, 20, every(100))
    text += thread("b", 30, 100, 30, every(100)) + "chains: {x: {path: [a]}}\n"
    (stage,) = explain(ddsrta.loads(text), "x").stages
    terms = {term.label: term.time for term in stage.terms}
    assert terms == {"own work": 20, "SCHED_DEADLINE threads due earlier": 30}


def drawn(random: Random) -> dict[str, Reserved]:
    """Threads of one core; without a period the least urgent of SCHED_FIFO."""
    found, room = {}, random.uniform(0.4, 0.98)
    for name in "abcd"[: random.randint(1, 4)]:
        period = random.randint(3, 14)
        budget = max(1, int(period * random.uniform(0.05, room * 0.8)))
        if budget / period >= room:
            continue
        room -= budget / period
        work, apart = random.randint(1, budget), period + random.choice((0, 0, 1, 3, period))
        if random.random() < 0.2:  # not served
            work = budget + random.randint(1, 4)
            apart = random.randint(2, 4) * period * -(-work // budget)
        found[name] = Reserved(work, apart, budget, period)
    found["z"] = Reserved(1, 40)
    return found


@pytest.mark.parametrize("seed", range(8))
def test_no_run_is_above_a_bound(seed: int) -> None:
    random = Random(seed)
    for _ in range(4):
        threads = drawn(random)
        text = FIFO.replace("500ns", "40ns")
        for name, one in threads.items():
            if one.period:
                arrival = f"arrival: {{sporadic: {one.apart}ns}}"
                text += thread(name, one.budget, one.period, one.work, arrival)
        bounds = responses(text)
        for _ in range(6):
            for name, seen in worst_of(threads, random, 300).items():
                assert bounds[name] is None or seen <= bounds[name], text
