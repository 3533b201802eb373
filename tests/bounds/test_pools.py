"""Executors whose threads are on several cores (lemma pool-window): bounds known by hand, and runs
that reach them."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.terms.explain import explain
from ddsrta.simulation import Run, program_of, worst_choices
from ddsrta_simulator.program import BEST, WORST

HEAD = """
ddsrta: 1
machines: {m: {cores: [c0, c1, c2]}}
executors:
  e: {cores: [m/c0, m/c1], priority: 5, kind: multi_threaded}
"""
ONE = HEAD + "callbacks:\n  z: {executor: e, wcet: 3ns, timer: 1us}\n"
APART = (
    HEAD
    + """callbacks:
  a: {executor: e, wcet: 6ns, timer: 1us, reentrant: true}
  b: {executor: e, wcet: 6ns, timer: 1us, group: g}
  z: {executor: e, wcet: 6ns, timer: 1us, group: h}
"""
)
TOGETHER = APART.replace("reentrant: true", "group: g").replace("group: h", "group: g")
URGENT = """threads:
  hi: {core: m/c0, priority: 9, wcet: 10ns, period: 1us}
"""
LOW = "  lo: {core: m/c1, priority: 1, wcet: 2ns, period: 1us}\n"


def responses(text):
    result = ddsrta.analyze(ddsrta.loads(text))
    return {name: job.wcrt for name, job in {**result.threads, **result.callbacks}.items()}


def seen(text, until=900, habit=WORST, **moments):
    """The largest response of each job in one run: releases at these moments, else at 0."""
    system = ddsrta.loads(text)
    program = program_of(system)
    choices = worst_choices(program)
    for name, moment in moments.items():
        choices.source_moment[program.sources.index(name)] = moment
    for decision in {*program.server_pick} - {-1}:
        choices.decision_habit[decision] = habit
    run = Run(program, choices)
    run.advance(until)
    worst = zip(program.measures, run.worst, strict=True)
    return {m.of[1]: value for m, value in worst if m.kind == "response" and m.of[0] == "job"}


def test_a_callback_alone():
    assert responses(ONE)["z"] == 3


def test_an_idle_thread_that_is_kept_off_its_core_keeps_all_others_from_picking():
    # core c1 is free all the time, but the thread of c0 has the mutex
    assert responses(ONE + URGENT)["z"] == 13
    assert seen(ONE + URGENT)["z"] == 13


def test_urgent_work_of_all_cores_adds_up():
    text = ONE + URGENT + "  ho: {core: m/c1, priority: 6, wcet: 20ns, period: 1us}\n"
    assert responses(text)["z"] == 33


def test_other_groups_share_the_threads():
    assert responses(APART) == {"a": 12, "b": 12, "z": 12}  # 12 of others in 2 threads, and 6
    assert max(seen(APART).values()) == 12


def test_a_group_keeps_no_more_than_one_thread_busy():
    # what is in it may have no bound at all
    two = APART.replace("reentrant: true", "group: g").replace("timer: 1us", "timer: 11ns")
    assert responses(two) == {"a": None, "b": None, "z": 6}


def test_jobs_of_one_reentrant_callback_may_need_more_than_a_core():
    text = HEAD + "callbacks:\n  r: {executor: e, wcet: 15ns, timer: 10ns, reentrant: true}\n"
    assert (responses(text)["r"], seen(text)["r"]) == (15, 15)


def test_a_group_excludes():
    assert responses(TOGETHER) == {"a": 18, "b": 18, "z": 18}
    assert max(seen(TOGETHER).values()) == 18


def test_a_group_of_its_own_is_a_thread():
    # 0.96 of a core, one after the other: 8 timers of 12 each 100
    text = HEAD + "callbacks:\n" + "".join(
        f"  t{i}: {{executor: e, wcet: 12ns, timer: 100ns}}\n" for i in range(8)
    )  # fmt: skip
    assert set(responses(text).values()) == {96}
    assert max(seen(text).values()) == 96


def test_callbacks_that_name_no_group_are_in_one():
    named = TOGETHER.replace(", group: g", "")
    assert responses(named) == responses(TOGETHER)
    assert seen(named) == seen(TOGETHER)


def test_each_core_may_run_all_callbacks():
    assert responses(APART + URGENT + LOW)["lo"] == 2 + 3 * 6
    # a begins on c0, and b and z one after the other on c1, while hi keeps a from ending
    text = APART + URGENT + LOW
    assert seen(text, a=0, b=1, z=1, hi=1, lo=1)["lo"] == 2 + 2 * 6


def test_more_urgent_stages_do_not_feel_it():
    assert responses(APART + URGENT)["hi"] == 10


def test_a_more_urgent_pool_counts_once_and_not_on_each_core():
    text = ONE.replace(
        "callbacks:", "  f: {cores: [m/c0, m/c1], priority: 7, kind: multi_threaded}\ncallbacks:"
    )
    assert responses(text + "  y: {executor: f, wcet: 10ns, timer: 1us}\n")["z"] == 13


def test_one_of_several_cores_is_a_core():
    one = APART.replace("cores: [m/c0, m/c1]", "cores: [m/c0]")
    assert responses(one) == responses(APART.replace("cores: [m/c0, m/c1]", "core: m/c0"))


@pytest.mark.parametrize("cost", range(1, 40, 3))
def test_more_work_never_lowers_a_bound(cost):
    def bounds(own, urgent):
        text = (APART + URGENT + LOW).replace("wcet: 6ns", f"wcet: {own}ns")
        return responses(text.replace("wcet: 10ns", f"wcet: {urgent}ns"))

    for less, more in (
        (bounds(6, cost), bounds(6, cost + 3)),
        (bounds(cost, 9), bounds(cost + 3, 9)),
    ):
        assert all(more[name] >= bound for name, bound in less.items())


def test_more_work_than_of_one_core_may_have_bounds():
    # together 1.2 of a core, on three
    text = (
        HEAD.replace("m/c1]", "m/c1, m/c2]")
        + "callbacks:\n"
        + "".join(
            f"  k{i}: {{executor: e, wcet: 12ns, timer: 100ns, reentrant: true}}\n"
            for i in range(10)
        )
    )
    assert None not in responses(text).values()
    assert None in responses(text.replace("cores: [m/c0, m/c1, m/c2]", "core: m/c0")).values()


OVERLOADED = (
    ONE
    + """threads:
  hi: {core: m/c0, priority: 9, wcet: 60ns, period: 100ns}
  ho: {core: m/c1, priority: 9, wcet: 60ns, period: 100ns}
"""
)


def test_urgent_work_that_fills_a_core_together_leaves_no_bound_and_says_why():
    found = ddsrta.analyze(ddsrta.loads(OVERLOADED)).callbacks["z"]
    assert found.wcrt is None
    assert "more urgent on all its cores together" in found.unbounded_because


ITSELF = (
    HEAD
    + "callbacks:\n"
    + "  long: {executor: e, timer: 1us, wcet: 26ns, group: g}\n"
    + "  more: {executor: e, timer: 1us, wcet: 7ns, group: g}\n"
    + "".join(f"  s{i}: {{executor: e, timer: 19ns, wcet: 1ns, group: s{i}}}\n" for i in range(7))
    + "  z: {executor: e, timer: 34ns, wcet: 24ns, reentrant: true}\n"
)


def test_a_reentrant_job_that_comes_late_in_a_window_may_find_one_more_of_its_own():
    # z ends at 31, and the next one comes at 34, behind all short ones twice
    assert seen(ITSELF, until=75, habit=BEST, long=19)["z"] == 35
    assert responses(ITSELF)["z"] == 59


CHAIN = (
    HEAD
    + """callbacks:
  r: {executor: e, wcet: 40ns, timer: 50ns, reentrant: true}
  s: {executor: e, wcet: 5ns, follows: {threads: [r]}, group: g}
threads:
  reader: {core: m/c2, priority: 5, wcet: 1ns, period: 100ns, follows: {threads: [s]}}
chains: {c: {path: [r, s, reader], deadline: 1ms, constraint: data_age}}
"""
)


def test_what_is_older_may_be_written_last_behind_a_reentrant_callback():
    chain = ddsrta.analyze(ddsrta.loads(CHAIN)).chains["c"]
    assert chain.data_age is None and chain.reaction_time is None
    assert "jobs of r may run at the same time" in chain.unbounded_because
    grouped = CHAIN.replace("reentrant: true", "group: h").replace("timer: 50ns", "timer: 200ns")
    assert ddsrta.analyze(ddsrta.loads(grouped)).chains["c"].data_age is not None


BURST = (
    HEAD
    + """callbacks:
  r: {executor: e, wcet: 60ns, bcet: 60ns, reentrant: true,
      arrival: {burst: {count: 2, distance: 0ns, period: 1us}}}
threads:
  s: {core: m/c2, priority: 5, wcet: 5ns, follows: {threads: [r]}}
"""
)


def test_what_a_reentrant_callback_brings_is_not_spaced():
    # two jobs end together, though each takes 60
    assert responses(BURST)["s"] == seen(BURST)["s"] == 10
    grouped = BURST.replace("reentrant: true", "group: g")
    assert responses(grouped)["s"] == seen(grouped)["s"] == 5


def test_explain_says_what_a_bound_is_made_of():
    explanation = explain(
        ddsrta.loads(APART + URGENT + "chains: {c: {path: [z], deadline: 1ms}}\n"), "c"
    )
    stage = explanation.stages[0]
    labels = {term.label: (term.time, term.detail) for term in stage.terms}
    assert labels["preempted by thread hi"][0] == 10
    assert labels["waits for a thread"] == (6, "12 ns of other callbacks in 2 threads")
    assert sum(term.time for term in stage.terms) == stage.total


TURNS = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d, e, f, g]}}
topics: {x: {size: 1B}, y: {size: 1B}}
flow_controllers: {F: {core: m/a, priority: 7, policy: ROUND_ROBIN}}
listeners: {L: {core: m/b, priority: 7}, L2: {core: m/f, priority: 7}}
executors: {e0: {cores: [m/c, m/d], priority: 5, kind: multi_threaded, threads: 2}}
threads:
  p: {core: m/e, priority: 9, wcet: 1us, period: 400us, publishes: [{topic: x, flow_controller: F, delay: 2us}]}
  r: {core: m/g, priority: 5, wcet: 4us, subscribes: {topics: [y], listener: L2, delay: 3us}}
callbacks:
  q: {executor: e0, wcet: 394us, bcet: 1us, reentrant: true, subscribes: {topics: [x], listener: L, delay: 3us}, publishes: [{topic: y, flow_controller: F, delay: 2us}]}
chains: {k: {path: [p, x, q], deadline: 1ms}}
"""


def test_what_comes_behind_a_reentrant_callback_is_no_effect_of_what_came_before():
    # 1 of p, 2 of the y of the last p, 2 of x, 3 of the listener, 394 of q
    bounds = ddsrta.analyze(ddsrta.loads(TURNS))
    assert bounds.chains["k"].latency == 402_000
    # one after the other, and with the y of the last p done when the next x comes
    apart = TURNS.replace("reentrant: true", "group: g").replace("period: 400us", "period: 420us")
    assert ddsrta.analyze(ddsrta.loads(apart)).chains["k"].latency == 400_000


def stamped(policy, group):
    """Two callbacks of a pool that write to a thread of their process."""
    return ddsrta.loads(f"""
ddsrta: 1
machines: {{m: {{cores: [c0, c1, c2]}}}}
topics: {{x: {{size: 1B}}, y: {{size: 1B}}}}
listeners: {{L: {{core: m/c2, priority: 9}}}}
processes: {{p: {{listener: L, intra_process: true}}}}
executors:
  e: {{cores: [m/c0, m/c1], priority: 5, kind: multi_threaded, process: p}}
callbacks:
  q: {{executor: e, wcet: 30us, bcet: 1us, {group}, timer: 100us, publishes: [{{topic: x, delay: 0ns}}]}}
  r: {{executor: e, wcet: 20us, bcet: 1us, group: h, timer: 200us, publishes: [{{topic: y, delay: 0ns}}]}}
threads:
  j: {{core: m/c2, priority: 5, process: p, wcet: 4us,
       subscribes: {{topics: [x, y], listener: L, activation: and, synchronize: {policy}, delay: 3us}}}}
""")


@pytest.mark.parametrize("policy", ("mtd", "approximate_time", "latest"))
def test_what_may_overtake_has_no_stamp(policy):
    found = ddsrta.analyze(stamped(policy, "reentrant: true")).synchronizers["j"]
    assert found.disparity is None
    assert "may overtake each other" in found.unbounded_because
    assert ddsrta.analyze(stamped(policy, "group: g")).synchronizers["j"].disparity is not None
