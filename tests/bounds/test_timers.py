"""Timers that are called late, and so skip releases; the timers thread of an events executor."""

from __future__ import annotations

import pytest

from ddsrta import analyze, simulate
from ddsrta.base.diagnostics import InputError
from ddsrta.bounds.solve import solve
from ddsrta.models.reader import loads
from ddsrta.report.terminal import result_text
from ddsrta_kernel import Solver

# `slow` takes longer than the timer's period of 12
REGISTER = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
topics: {t: {size: 1B}, x: {size: 1B}}
listeners: {L: {core: m/c, priority: 50}}
threads:
  z: {core: m/a, priority: 40, wcet: 1ms, period: 37ms, publishes: [{topic: x, delay: 0ms}]}
  reg: {core: m/c, priority: 30, wcet: 1ms, period: 10ms,
        subscribes: {topics: [t], listener: L, delay: 0ms}}
executors: {e: {core: m/b, priority: 40, kind: %s}}
callbacks:
  tick: {executor: e, wcet: 1ms, timer: 12ms%s, publishes: [{topic: t, delay: 0ms}]}
  slow: {executor: e, wcet: %s, subscribes: {topics: [x], listener: L, delay: 0ms}}
chains:
  age: {path: [tick, t, reg], constraint: data_age, deadline: 1s}
"""
JOIN = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
topics: {s: {size: 1B}, t: {size: 1B}, x: {size: 1B}}
listeners: {L: {core: m/c, priority: 50}}
threads:
  z: {core: m/a, priority: 40, wcet: 1ms, period: 100ms, publishes: [{topic: x, delay: 0ms}]}
  p: {core: m/a, priority: 50, wcet: 1ms, period: 10ms, publishes: [{topic: s, delay: 0ms}]}
  join: {core: m/a, priority: 30, wcet: 1ms,
         subscribes: {topics: [s, t], listener: L, activation: and, delay: 0ms}}
executors: {e: {core: m/b, priority: 40}}
callbacks:
  tick: {executor: e, wcet: 1ms, timer: 10ms, publishes: [{topic: t, delay: 0ms}]}
  slow: {executor: e, wcet: %s, subscribes: {topics: [x], listener: L, delay: 0ms}}
chains:
  by p: {path: [p, s, join]}
  by tick: {path: [tick, t, join]}
"""
EVENTS = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
topics: {x: {size: 1B}, y: {size: 1B}}
listeners: {L: {core: m/c, priority: 50}}
threads:
  p: {core: m/a, priority: 50, wcet: 1ns, period: 20ms, publishes: [{topic: x, delay: 0ms}]}
  q: {core: m/c, priority: 40, wcet: 1ns, period: 30ms, publishes: [{topic: y, delay: 0ms}]}
executors: {e: {core: m/b, priority: 40, kind: events%s}}
callbacks:
  tick: {executor: e, wcet: 1ms, timer: 100ms}
  sx: {executor: e, wcet: 9ms, subscribes: {topics: [x], listener: L, delay: 0ms}}
  sy: {executor: e, wcet: 12ms, subscribes: {topics: [y], listener: L, delay: 0ms}}
"""
MS = 1_000_000


def register(kind="single_threaded", details="", slow="25ms"):
    return loads(REGISTER % (kind, details, slow), "register")


def overruns(result):
    return [each.message for each in result.warnings if each.rule == "timer-overrun"]


@pytest.mark.parametrize("kind", ["single_threaded", "multi_threaded", "events", "static"])
def test_a_data_age_counts_the_releases_that_a_late_call_skips(kind):
    result = analyze(register(kind))
    # called up to 25 ms late: 12 and 24 ms are skipped, so releases are up to 36 ms apart
    response = result.callbacks["tick"].wcrt
    assert 26 * MS <= response < 26.1 * MS
    assert result.chains["age"].data_age >= response + 36 * MS
    (said,) = overruns(result)
    assert "'tick' of 12 ms" in said
    assert "36 ms apart" in said
    system = register(kind, slow="25ms, bcet: 25ms")
    seen = simulate(system, horizon=4_000 * MS, seeds=40)
    assert not seen.violations
    assert seen.chains["age"].data_age.max > 60 * MS  # were none skipped, it would be 39 ms


def test_what_several_timers_skip_is_said_once_with_their_names():
    text = REGISTER % ("single_threaded", "", "25ms")
    text = text.replace("chains:", "  tack: {executor: e, wcet: 1ms, timer: 12ms}\nchains:")
    result = analyze(loads(text, "register"))
    assert len(overruns(result)) == 2
    lines = [line for line in result_text(result).splitlines() if "timer-overrun" in line]
    assert len(lines) == 1
    assert "'tick', 'tack' called up to 28 ms late, releases up to 36 ms apart" in lines[0]


def test_nothing_changes_where_the_call_comes_before_the_next_release():
    result = analyze(register(slow="10ms"))
    assert overruns(result) == []
    assert result.chains["age"].data_age < 11.1 * MS + 12 * MS + 1.1 * MS


def test_a_call_as_the_next_release_is_due_skips_it():
    times = {slow: register(slow=slow) for slow in ("11.8ms", "11.999999ms", "12ms")}
    late = {}
    for slow, system in times.items():
        solution = solve(system)
        number = solution.number(("job", "tick"))
        late[slow] = solution.response(number) - solution.compiled.stages[number].cost
        assert bool(solution.compiled.skips) == (late[slow] >= 12 * MS)
    assert late["11.8ms"] < 12 * MS <= late["12ms"]


def test_jitter_makes_a_timer_later():
    assert overruns(analyze(register(details=", arrival: {jitter: 1ms}", slow="10ms"))) == []
    said = overruns(analyze(register(details=", arrival: {jitter: 2ms}", slow="10ms")))
    assert "26 ms apart" in said[0]  # two periods and the jitter


def test_a_slower_input_does_not_wait_for_what_is_skipped():
    # p comes each 40, and the timer at least each 30
    slower = (JOIN % "25ms").replace("period: 10ms, publishes", "period: 40ms, publishes")
    assert analyze(loads(slower, "slower")).chains["by p"].latency is not None


def test_a_timer_of_a_curve_promises_no_largest_distance_if_it_may_skip():
    curve = ", arrival: {curve: [0ms, 12ms], repeat: 1, max_distance: 12ms}"
    kept = analyze(register(details=curve, slow="10ms"))
    assert overruns(kept) == []
    assert kept.chains["age"].data_age is not None
    late = analyze(register(details=curve))
    assert "any time apart" in overruns(late)[0]
    assert late.chains["age"].data_age is None


def test_threads_and_other_releases_by_time_skip_nothing():
    text = REGISTER.replace("timer: 12ms%s", "arrival: {period: 12ms}%s")
    assert overruns(analyze(loads(text % ("events", "", "25ms"), "released"))) == []


def test_an_unbounded_timer_may_skip_anything():
    result = analyze(register("multi_threaded", slow="38ms"))
    assert result.callbacks["tick"].wcrt is None
    assert result.chains["age"].data_age is None
    assert "may be called any time late" in overruns(result)[0]


def test_a_token_that_waits_for_a_skipped_one_has_no_bound():
    result = analyze(loads(JOIN % "25ms", "join"))
    assert result.chains["by p"].latency is None
    assert "tick" in result.chains["by p"].unbounded_because
    assert result.chains["by tick"].latency is not None  # the n-th of p comes no later
    kept = analyze(loads(JOIN % "5ms", "join"))
    assert kept.chains["by p"].latency is not None


def test_timers_with_offsets_are_not_in_step_if_one_skips():
    def both(slow):
        text = JOIN.replace("period: 10ms", "arrival: {period: 10ms, offset: 0ms}")
        text = text.replace("timer: 10ms", "timer: 10ms, arrival: {offset: 5ms}")
        return analyze(loads(text % slow, "offsets"))

    assert both("25ms").chains["by p"].latency is None
    assert both("5ms").chains["by p"].latency is not None


def test_the_timers_of_an_events_executor_wait_for_all_that_is_in_its_queue():
    system = loads(EVENTS % "", "events")
    result = analyze(system)
    # x at 0, 20, 40 and y at 0, 30: 27 + 24, and its own
    assert 52 * MS <= result.callbacks["tick"].wcrt < 52.1 * MS
    assert result.callbacks["sx"].wcrt < 22.1 * MS
    seen = simulate(system, horizon=2_000 * MS, seeds=20)
    assert not seen.violations
    assert seen.callbacks["tick"].response.max > 23 * MS  # more than one that waits in the queue


def test_an_events_executor_under_sched_deadline_makes_no_timers_thread():
    text = EVENTS.replace("priority: 40, kind", "reservation: {budget: 9ms, period: 10ms}, kind")
    with pytest.raises(InputError, match="timers thread"):
        loads(text % "", "deadline")


def test_a_problem_that_stays_what_it_was_is_solved_once(monkeypatch):
    made = []

    class Noted(Solver):
        def __init__(self, *asked):
            super().__init__(*asked)
            made.append(asked)

    monkeypatch.setattr("ddsrta.bounds.solve.Solver", Noted)
    solution = solve(loads(REGISTER % ("single_threaded", "", "14ms")))
    assert solution.compiled.skips and len(made) == 1
