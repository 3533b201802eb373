"""When budgets of SCHED_DEADLINE come that are not enough for each job (lemma fresh-budgets)."""

from __future__ import annotations

from random import Random

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker import check
from tests.bounds.deadline_runs import Reserved, drawn, worst_of
from tests.bounds.no_less import confirms_no_less
from tests.bounds.test_deadline_servers import HEAD, responses, thread
from tests.soundness.test_corpus import FILES

PLAIN = Refinements(fresh_budgets=False)


def sporadic(apart: int) -> str:
    return f"arrival: {{sporadic: {apart}ns}}"


def burst(count: int, apart: int, period: int) -> str:
    return f"arrival: {{burst: {{count: {count}, distance: {apart}ns, period: {period}ns}}}}"


@pytest.mark.parametrize(
    ("text", "expected", "plain"),
    [
        # alone: 20 at once, and 1 of the next budget
        (thread("a", 20, 100, 21, sporadic(300)), 101, 261),
        # each is small, but the third needs a second budget
        (thread("a", 20, 100, 8, burst(3, 0, 400)), 104, 264),
        # b may go first with 3 / 10 of the time
        (thread("a", 20, 100, 21, sporadic(300)) + thread("b", 3, 10, 4, sporadic(40)), 131, 261),
        # b is served, and takes less than its budget
        (thread("a", 20, 100, 21, sporadic(300)) + thread("b", 3, 10, 1, sporadic(10)), 111, 261),
        # all of the core is promised: by its deadlines
        (thread("a", 20, 100, 21, sporadic(300)) + thread("b", 8, 10, 9, sporadic(40)), 181, 261),
    ],
)
def test_a_budget_comes_as_soon_as_others_leave_room(text: str, expected: int, plain: int) -> None:
    assert responses(text)["a"] == expected
    assert responses(text, PLAIN)["a"] == plain


def test_what_comes_soon_after_other_work_finds_the_budget_used_up() -> None:
    # done at 20 and at 100 + 20, though nothing was pending when the second one came at 30
    assert responses(thread("a", 20, 100, 20, burst(2, 30, 500)))["a"] == 90
    # what was used is no more than a share of the time: the budget is new
    assert responses(thread("a", 20, 100, 20, burst(2, 101, 500)))["a"] == 20
    assert worst_of({"a": Reserved(20, 30, 20, 100)}, Random(2), 121)["a"] == 90


CONTROLLER = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {flow_controller: {1B: 2ns}, listener: {1B: 1ns}}
topics: {t: {size: 1B, priority: 1}, u: {size: 1B, priority: 2}}
flow_controllers: {F: {core: m/b, reservation: {budget: 3ns, period: 10ns}, policy: POLICY}}
listeners: {L: {core: m/c, priority: 9}}
threads:
  p: {core: m/a, priority: 2, wcet: 1ns, arrival: {sporadic: 100ns}, publishes: [{topic: t, flow_controller: F}]}
  q: {core: m/a, priority: 1, wcet: 1ns, arrival: {sporadic: 100ns}, publishes: [{topic: u, flow_controller: F}]}
  s: {core: m/c, priority: 1, wcet: 1ns, subscribes: {topics: [t, u], listener: L}}
  w: {core: m/b, reservation: {budget: 1ns, period: 5ns}, wcet: 2ns, arrival: {sporadic: 50ns}}
"""


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        # behind the other sample: 2 for w, a budget, and 1 of the next one
        ("FIFO", [2 + 10 + 1, 2 + 10 + 1]),
        # the budget may have been used for what is less urgent: 7 more; and have ended just as the
        # other sample began
        ("HIGH_PRIORITY", [7 + 2 + 10 + 1, 7 + 2 + 10 + 1]),
    ],
)
def test_only_threads_that_do_all_in_order_have_had_nothing_to_do(
    policy: str, expected: list[int]
) -> None:
    result = ddsrta.analyze(ddsrta.loads(CONTROLLER.replace("POLICY", policy)))
    assert [message.flow_controller for message in result.messages] == expected
    assert result.check.status == "confirmed"


@pytest.mark.parametrize(
    "text",
    [
        thread("a", 20, 100, 21, sporadic(300)) + "middleware: {fastdds: 2.9}\n",
        thread("a", 20, 100, 21, sporadic(300)) + thread("b", 81, 100, 8, sporadic(300)),
    ],
)
def test_nothing_is_known_where_threads_wait_for_locks_or_too_much_is_promised(text: str) -> None:
    system = ddsrta.loads(HEAD + "threads:\n" + text)
    plain = ddsrta.analyze(system, refinements=PLAIN)
    assert ddsrta.analyze(system).threads["a"] == plain.threads["a"]


def test_the_checker_confirms_no_less_and_asks_for_the_assumption() -> None:
    text = thread("a", 20, 100, 20, burst(2, 30, 500)) + thread("b", 3, 10, 4, sporadic(40))
    confirms_no_less(certificate(ddsrta.loads(HEAD + "threads:\n" + text)), "deadline-servers")


def test_no_budget_is_fresh_to_a_message_that_others_may_go_before() -> None:
    (file,) = (one for one in FILES if one.stem == "taken_first_as_a_budget_ends")
    system = ddsrta.load(file)
    claims = certificate(system)
    (row,) = (one for one in claims["stages"] if "taken" in one)
    # 11 jobs need two budgets, and the first may be late by 900; turns have it whole
    assert (row["response"], row["taken"]) == (472, 900 + 1000 + 10)
    row["taken"] -= 1
    assert "job r: taken: up to 1.91 us, more than" in check(claims).failure
    row["taken"] += 1
    confirms_no_less(claims, "deadline-servers")
    plain = ddsrta.analyze(system, refinements=Refinements(turns_in_order=False))
    assert (plain.threads["r"].wcrt, plain.check.status) == (1910, "confirmed")
    terms = explain(system, "way").stages[-1].terms
    assert ("waits for supply", "the reservation's gaps") in [(t.label, t.detail) for t in terms]


@pytest.mark.parametrize("budget", ["", ", reservation: {budget: 9ns, period: 9ns}"])
def test_a_budget_that_is_a_whole_core_blocks_no_longer(budget: str) -> None:
    """For the checker as for the analysis: of what a flow controller has begun, 1 ns is done."""
    place = "{core: m/b, policy: HIGH_PRIORITY" + (budget or ", priority: 1") + "}"
    result = ddsrta.analyze(ddsrta.loads(BLOCKED.replace("FIRST", place)))
    assert result.check.status == "confirmed" and result.check.without == ()
    assert [one.flow_controller for one in result.messages] == [4, 5]


BLOCKED = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
topics: {near: {size: 1B, priority: 0}, far: {size: 1B, priority: 1}}
flow_controllers: {F: FIRST}
listeners: {L: {core: m/c, priority: 9}}
threads:
  p: {core: m/a, priority: 2, wcet: 1ns, period: 50ns, publishes: [{topic: near, flow_controller: F, delay: 2ns}]}
  q: {core: m/a, priority: 1, wcet: 1ns, period: 50ns, publishes: [{topic: far, flow_controller: F, delay: 3ns}]}
  r: {core: m/c, priority: 1, wcet: 1ns, subscribes: {topics: [near, far], listener: L, delay: 1ns}}
"""


def test_it_is_explained() -> None:
    text = HEAD + "threads:\n" + thread("a", 20, 100, 21, sporadic(300))
    (stage,) = explain(ddsrta.loads(text + "chains: {x: {path: [a]}}\n"), "x").stages
    terms = {term.label: (term.time, term.detail) for term in stage.terms}
    gaps = "the reservation's gaps, its budget whole at first"
    assert terms == {"own work": (21, ""), "waits for supply": (80, gaps)}


@pytest.mark.parametrize("seed", range(8))
def test_no_run_is_above_a_bound(seed: int) -> None:
    random = Random(f"fresh budgets {seed}")
    for _ in range(4):
        threads = drawn(random, 0.95, 14)
        bounds = responses(
            "".join(
                thread(name, one.budget, one.period, one.work, sporadic(one.apart))
                for name, one in threads.items()
            )
        )
        for _ in range(6):
            for name, seen in worst_of(threads, random, 300).items():
                assert bounds[name] is None or seen <= bounds[name], threads
