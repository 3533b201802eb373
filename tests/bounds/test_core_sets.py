"""Threads that move between cores (lemmas set-window and set-shadows): bounds known by hand, and
runs that reach them."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.order.places import share_supply
from ddsrta.bounds.terms.explain import explain
from ddsrta.simulation import Run, program_of, worst_choices

HEAD = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
threads:
"""
THREE = """
  one: {cores: [m/a, m/b], priority: 4, wcet: 3ns, period: 100ns}
  two: {cores: [m/b, m/a], priority: 3, wcet: 4ns, period: 100ns}
  three: {cores: [m/a, m/b], priority: 2, wcet: 2ns, period: 100ns}
"""
PINNED = "  {}: {{core: m/a, priority: {}, wcet: {}ns, period: 100ns}}\n".format


def responses(text):
    result = ddsrta.analyze(ddsrta.loads(HEAD + text))
    assert result.check.status == "confirmed"
    return {name: thread.wcrt for name, thread in result.threads.items()}


def seen(text, until=90):
    """The responses of one run in which all come at once, and nothing is better than it must."""
    program = program_of(ddsrta.loads(HEAD + text))
    run = Run(program, worst_choices(program))
    run.advance(until)
    worst = zip(program.measures, run.worst, strict=True)
    return {m.of[1]: value for m, value in worst if m.kind == "response" and m.of[0] == "job"}


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (THREE, {"one": 3, "two": 4, "three": 5}),
        # what is pinned to one core is never on both: three waits for the first of two or one
        (THREE + PINNED("above", 9, 6), {"above": 6, "one": 3, "two": 7, "three": 8}),
        # of two that are pinned to a, the core b feels nothing
        (
            PINNED("p", 9, 6) + PINNED("q", 8, 7) + THREE.splitlines()[3],
            {"p": 6, "q": 13, "three": 2},
        ),
        # any core may do all that moves
        (THREE + PINNED("below", 1, 1), {"one": 3, "two": 4, "three": 5, "below": 10}),
        # equals may each go first
        (
            THREE.replace("priority: 3", "priority: 2").replace("priority: 4", "priority: 2"),
            {"one": 5, "two": 6, "three": 5},
        ),
    ],
)
def test_bounds_known_by_hand(text, known):
    assert responses(text) == known


def test_runs_reach_them():
    assert seen(THREE) == {"one": 3, "two": 4, "three": 5}


def test_with_three_cores_three_have_one_each():
    text = THREE.replace("m/a, m/b", "m/a, m/b, m/c").replace("m/b, m/a", "m/c, m/b, m/a")
    assert responses(text) == seen(text) == {"one": 3, "two": 4, "three": 2}


def test_a_job_that_was_left_when_the_window_opened_counts():
    """`late` is up to 9 late, so that two of its jobs come 1 apart."""
    text = """
  late: {cores: [m/a, m/b], priority: 4, wcet: 3ns, arrival: {period: 10ns, jitter: 9ns}}
  long: {cores: [m/a, m/b], priority: 3, wcet: 8ns, period: 100ns}
  z: {cores: [m/a, m/b], priority: 2, wcet: 1ns, period: 100ns}
"""
    assert responses(text) == {"late": 5, "long": 8, "z": 7}


def test_an_explanation_adds_up():
    system = ddsrta.loads(HEAD + THREE + "chains: {way: {path: [three]}}")
    found = explain(system, "way")
    (stage,) = found.stages
    terms = {term.label: (term.time, term.detail) for term in stage.terms}
    assert terms == {
        "own work": (2, ""),
        "waits for a core": (3, "6 ns of other threads in 2 cores"),
    }
    assert stage.where == "m/a, m/b" and found.bound == 5


def test_too_much_work_has_no_bound_and_says_so():
    text = THREE.replace("4ns", "95ns").replace("3ns", "80ns").replace("2ns", "50ns")
    result = ddsrta.analyze(ddsrta.loads(HEAD + text))
    assert result.threads["two"].wcrt == 95 and result.threads["three"].wcrt is None
    reason = (
        "thread three is loaded 130 %: by itself, and what is no less urgent on 2 cores together"
        "; move work elsewhere, or make it rarer"
    )
    assert result.threads["three"].unbounded_because == reason


def test_what_must_be_true_of_linux_is_said():
    (found,) = ddsrta.analyze(ddsrta.loads(HEAD + THREE)).assumptions
    assert found.rule == "core-sets" and "migrate_disable" in found.message


def test_a_thread_that_moves_keeps_nobody_from_its_first_core():
    system = ddsrta.loads(HEAD + THREE + PINNED("below", 1, 1))
    assert not share_supply(system.threads["below"], system.threads["one"])


def test_one_core_in_the_list_is_that_core():
    one = ddsrta.loads(HEAD + "  z: {cores: [m/a], priority: 2, wcet: 2ns, period: 100ns}\n")
    assert one.threads["z"].core == "m/a" and not one.threads["z"].cores


def test_what_if_it_were_pinned():
    system = ddsrta.loads(HEAD + THREE).replace("threads", "three", cores=None, core="m/a")
    assert ddsrta.analyze(system).threads["three"].wcrt == 9


POOL = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
executors: {E: {cores: [m/a, m/b], pinned: false, priority: 5, kind: multi_threaded}}
threads:
  urgent: {core: m/a, priority: 9, wcet: 1ns, period: 200ns}
  less: {core: m/b, priority: 1, wcet: 2ns, period: 200ns}
callbacks:
  one: {executor: E, timer: 200ns, wcet: 3ns, group: g}
  two: {executor: E, timer: 200ns, wcet: 4ns, group: g}
  three: {executor: E, timer: 200ns, wcet: 5ns, group: h}
"""


def test_an_executor_whose_threads_move():
    """Of what is more urgent on one core all feel, as with pinned threads."""
    system = ddsrta.loads(POOL)
    result = ddsrta.analyze(system)
    found = {name: one.wcrt for name, one in {**result.threads, **result.callbacks}.items()}
    assert found == {"urgent": 1, "less": 14, "one": 8, "two": 8, "three": 6}
    assert result.check.status == "confirmed"
    assert [each.rule for each in result.assumptions] == [
        "core-sets",
        "idle-threads",
        "free-groups",
    ]
    assert result.callbacks["one"].core == "m/a, m/b"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("pinned: false", "pinned: false, threads: 3"), "3 threads that move between 2 cores"),
        (("pinned: false", "pinned: false, threads: 1"), "1 threads that move between 2 cores"),
        (("cores: [m/a, m/b], ", "core: m/a, "), "its threads have one core"),
        (("executors: {", "executors: {F: {cores: [m/b, m/c], pinned: false, priority: 6, "
          "kind: multi_threaded}, "), "executor 'F' has some cores of 'E'"),
        (("executors: {", "executors: {F: {cores: [m/b, m/c], priority: 6, kind: multi_threaded}, "),
         "executor 'F' has threads on m/b, to which 'E' may move"),
        (("core: m/b", "cores: [m/a, m/b]"), "thread 'less' moves between cores of 'E'"),
        (("priority: 1,", "priority: 5,"), "thread 'less' has the priority of executor 'E' on m/b"),
        (("priority: 1,", "policy: other,"), "thread 'less' is of SCHED_OTHER on m/b"),
    ],
)  # fmt: skip
def test_what_is_not_modelled_of_such_an_executor_is_refused(change, said):
    with pytest.raises(ddsrta.InputError) as raised:
        ddsrta.loads(POOL.replace(*change, 1))
    assert [each for each in raised.value.diagnostics if said in each.message and each.position]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("m/b, m/a", "m/b, m/c"), "thread 'one' has some cores of 'two'"),
        (("[a, b, c]", "{a: {}, c: {}, b: {reservation: {budget: 1ns, period: 2ns}}}"),
         "thread 'one' moves to m/b, which is reserved"),
        (("[m/b, m/a]", "[m/b, m/a, m/b]"), "a core is listed twice"),
        (("[m/b, m/a]", "[m/b, n/a]"), "there is no core"),
        (("cores: [m/b, m/a]", "core: m/a, cores: [m/b, m/a]"), "either a core or several"),
        (("cores: [m/b, m/a], ", ""), "'core' is missing"),
        (("priority: 4", "reservation: {budget: 1ns, period: 2ns}"), "has a priority, on whole"),
        (("  one", PINNED("p", 3, 1) + "  one"), "'p' has the priority of 'two', which may move"),
        (("  one", PINNED("p", 3, 1).replace("priority: 3", "reservation: {budget: 1ns, period: 2ns}")
          + "  one"), "thread 'p' is reserved on m/a, to which 'one' may move"),
        (("  one", PINNED("p", 3, 1).replace("priority: 3", "policy: other") + "  one"),
         "thread 'p' is of SCHED_OTHER on m/a, to which 'one' may move"),
        (("priority: 4", "policy: other"), "a thread of SCHED_OTHER has no cores"),
        (("threads:", "middleware: {fastdds: '2.9'}\nthreads:"), "moves, where Fast DDS has locks"),
        (("threads:", "executors: {e: {cores: [m/a, m/c], priority: 9, kind: multi_threaded}}\nthreads:"),
         "executor 'e' has threads on m/a, to which 'one' may move"),
        (("threads:", "flow_controllers: {F: {core: m/c, priority: 9, limit: {bytes: 1kB, period: 1ms}}}\n"
          "threads:"), "thread 'one' moves, where a flow controller sleeps for its limit"),
    ],
)  # fmt: skip
def test_what_is_not_modelled_is_refused_where_it_stands(change, said):
    with pytest.raises(ddsrta.InputError) as raised:
        ddsrta.loads((HEAD + THREE).replace(*change, 1))
    found = [each for each in raised.value.diagnostics if said in each.message]
    assert found and found[0].position is not None
