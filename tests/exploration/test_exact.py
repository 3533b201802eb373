"""Exact worst cases: known answers, all runs of tiny systems, and what is refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from random import Random

import pytest

import ddsrta
from casestudies.analyses import loaded
from casestudies.ros2_testbed import variants
from ddsrta.__main__ import main
from ddsrta.base.diagnostics import InputError
from ddsrta.checker import check
from ddsrta.examples import TWO_THREADS
from ddsrta.exploration.exact.cores import Cores
from ddsrta.exploration.exact.exact import exact
from ddsrta.exploration.exact.explore import Exploration, NotSmallError
from ddsrta.exploration.exact.situation import Work
from ddsrta.exploration.exact.zone import elapse, fresh, limit, start
from ddsrta.report.exact import exact_text
from ddsrta.simulation.build import program_of
from ddsrta_simulator import Measure
from tests.effort import draws
from tests.exploration.tiny import Everything, TooManyError, drawn, text

US = 1000
TESTBED = ("S-S", 1940_006), ("F-F", 1868_006), ("HP-HP", 1868_006)


@cache
def three_topics(configuration):
    return exact(loaded("three_topics", configuration))


@pytest.mark.parametrize(
    "configuration, figures",
    [
        ("conf1_fifo", [1386, 1610, 1834, 286, 510, 734]),
        ("conf2_high_priority", [1386, 1610, 1834, 286, 510, 734]),
        ("conf3_round_robin", [1386, 1610, 1834, 286, 510, 734]),
        ("conf4_sync", [1422, 1646, 1870, 1322, 1546, 1770]),
        ("conf1_safe", [1386, 1610, 1834, 1285.999, 1509.999, 1733.999]),
    ],
)
def test_three_topics_by_hand(configuration, figures):
    """Conf. 1: θ1 is sent and read at once, 62 + 224 us: the job before is long done, and the others come
    behind it; each of these waits for one more reading. The latency has the job of 1 ms and the reader's 100 us
    besides. Safe: the controller sends when the job is over, which goes on for 1 ns less than 1 ms."""
    found = three_topics(configuration).cases
    assert [one.at_most for one in found] == [round(one * US) for one in figures]
    assert all(
        one.exact and one.run.replay().worst[one.target.measure] == one.at_most for one in found
    )
    assert all(one.at_most <= one.target.bound for one in found)


@pytest.mark.parametrize("seed, explored, bound", [(73, 15, 14), (264, 8, 7)])
def test_a_confirmed_bound_below_what_is_explored_counts(seed, explored, bound):
    """And a run of that length shows that it is exact. The certificate proves what was explored."""
    found = exact(ddsrta.loads(text(drawn(Random(seed)))), ["c"])
    [case] = found.cases
    assert (case.explored.most, case.target.bound, case.at_most) == (explored, bound, bound)
    assert case.exact and case.by_bound and not case.broken
    assert found.certified["figures"][0]["at_most"] == explored
    assert "exact" in exact_text(found)
    assert replace(case, sure=False).at_most == explored


@pytest.mark.parametrize("name, figure", TESTBED[: draws(1, of=len(TESTBED))])
def test_testbed(name, figure):
    """Nothing of the event before is left: each stage takes its most, one behind the other. (The
    table of the README has all.)"""
    found = exact(ddsrta.loads(variants.text(name)), ["end to end"]).cases
    assert {(one.at_most, one.exact) for one in found} == {(figure, True)}


def test_all_runs_of_tiny_systems_have_no_more_and_no_less():
    compared = 0
    for number in range(draws(14, of=40)):
        tiny = drawn(Random(number))
        everything = Everything(tiny)
        try:
            everything.run(3000)
        except TooManyError:
            continue
        program = program_of(ddsrta.loads(text(tiny)))
        seen = {Measure("latency", ("p", "t0", "r")): everything.latency}
        for topic, most in enumerate(everything.delivery):
            seen[Measure("ddl", ("p", f"t{topic}", "r"))] = most
        wanted = {program.measures.index(measure): most for measure, most in seen.items()}
        for measure, most in wanted.items():
            found = explored(program, measure, most)
            if found:
                assert min(found) == most, (number, program.measures[measure])
                compared += 1
    assert compared > 20


def explored(program, measure, enough):
    """By different numbers of zones, until it is small enough."""
    found = []
    for width in (1, 8, 1 << 30):
        try:
            found.append(Exploration(program, {measure}, 3000, width).run()[measure])
        except NotSmallError:
            continue
        if found[-1] <= enough:
            break
    return found


def test_what_was_done_before_others_came_is_kept():
    """Sent for 2 to 3 ns, then away for 4: done are 2 to 3."""
    program = program_of(loaded("three_topics", "conf1_safe"))
    zone = start()
    sending = fresh(zone)
    elapse(zone)
    assert limit(zone, 0, sending, -2) and limit(zone, sending, 0, 3)
    away = fresh(zone)
    elapse(zone)
    assert limit(zone, away, 0, 4) and limit(zone, 0, away, -4)
    work = Cores(program).resume(zone, Work(1, (), left=(0,), sending=sending, away=away))
    assert (-zone[0][work.sending], zone[work.sending][0], work.done) == (2, 3, 0)


def test_no_run_of_the_engine_is_above():
    for number in range(100, 110):
        system = ddsrta.loads(text(drawn(Random(number))))
        for one in exact(system, runs=100).cases:
            assert not one.broken
            assert one.target.bound is None or one.found <= one.target.bound


FEW = (
    200  # situations: more than there are where some zones are kept apart, which is soon found then
)
PLAIN = """ddsrta: 1
machines: {m: {cores: [a, b]}}
threads:
  p: {core: m/a, priority: 2, wcet: 1ms, period: 10ms}
  q: {core: m/a, priority: 1, wcet: 1ms, bcet: 1us, period: 15ms}
  r: {core: m/b, priority: 1, wcet: 1ms, follows: {threads: [q]}}
chains: {c: {path: [q, r]}}
"""


def test_what_the_refused_differ_from_is_explored():
    assert exact(ddsrta.loads(PLAIN), states=FEW).cases[0].at_most == 3_000_000


@pytest.mark.parametrize(
    "change, words",
    [
        (("period: 10ms", "arrival: {sporadic: 10ms}"), "sources that are not periodic"),
        (("period: 10ms", "arrival: {period: 10ms, jitter: 1ms}"), "jitter"),
        (("period: 10ms", "arrival: {period: 10ms, min_distance: 1ms}"), "min_distance.*nothing"),
        (("priority: 2", "priority: 1"), "the equal priorities of 'p' and 'q'"),
        (("bcet: 1us", "bcet: 0ms"), "work that may take no time"),
        (("core: m/a, priority: 1", "core: m/a, policy: other"), "SCHED_OTHER .*priority"),
        (("core: m/a, priority: 1", "cores: [m/a, m/b], priority: 3"), "cores; pin them"),
    ],
)
def test_what_is_not_explored_is_refused_by_its_name(change, words):
    with pytest.raises(InputError, match=words):
        exact(ddsrta.loads(PLAIN.replace(*change)))


@pytest.mark.parametrize("key", ["jobs: 1 of 2", "one_of: x", "min_separation: 9ns"])
def test_messages_that_not_every_job_sends_are_refused(key):
    """Each by its own key, and by no column of the engine."""
    two = next(tiny for tiny in map(drawn, map(Random, range(9))) if tiny.topics > 1)
    tiny = re.sub(r"(?<={)topic: t\d,", rf"\g<0> {key},", text(two))
    with pytest.raises(InputError, match=rf"\({key.split(':')[0]}\); leave") as refused:
        exact(ddsrta.loads(tiny))
    assert "engine" not in str(refused.value) and len(refused.value.diagnostics) == 1


def test_what_a_job_sends_as_it_begins_is_refused():
    """A core would have to be given twice at one instant: runs were 1 ns above."""
    sent = text(drawn(Random(1))).replace("{topic: t0,", "{topic: t0, earliest: 0ns,")
    with pytest.raises(InputError, match="as it begins"):
        exact(ddsrta.loads(sent))


def test_overload_and_large_systems_end():
    with pytest.raises(InputError, match="not small"):
        exact(
            ddsrta.loads(PLAIN.replace("wcet: 1ms, bcet: 1us", "wcet: 14.9ms, bcet: 14.9ms")),
            states=2000,
        )
    with pytest.raises(InputError, match="more than 3 situations"):
        exact(ddsrta.loads(PLAIN), states=3)


@pytest.mark.parametrize(
    "study, name, words",
    [
        ("published_equal_priorities", "system", "equal priorities"),
        ("car_detection", "system", "synchronizers"),
        ("move_base", "navigation", "not periodic"),
        ("xronos_order", "synchronous", "jitter"),
        ("ars", "F", "more than 99 situations"),
        ("waters2019", "sync", "more than 99 situations"),
        ("irobot", "finished", "more than 99 situations"),
    ],
)
def test_why_case_studies_have_none(study, name, words):
    """As casestudies/README.md says."""
    states = 99 if "99" in words else 3000
    with pytest.raises(InputError, match=words):
        exact(loaded(study, name), states=states)


def test_what_is_refused_is_said_in_words_of_the_file():
    """No 'jobs' where 'rounds' is said, and no equal priorities of threads that have none."""
    text = """ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {publisher: {1kB: 1us}, listener: {1kB: 1us}}
topics: {ping: {size: 1kB}, pong: {size: 1kB}}
listeners: {L: {core: m/a, priority: 9}}
threads:
  first: {core: m/a, priority: 5, wcet: 9us, period: 9ms, publishes: [{topic: ping}]}
  there: {core: m/a, priority: 4, wcet: 9us, subscribes: {topics: [ping], listener: L}, publishes: [{topic: pong}]}
  back:
    {core: m/a, priority: 3, wcet: 9us, publishes: [{topic: ping, rounds: 2}],
     subscribes: {topics: [pong], listener: L}}
  one: {core: m/b, policy: other, wcet: 1us, period: 9ms}
  two: {core: m/b, policy: other, wcet: 1us, period: 9ms}
"""
    with pytest.raises(InputError) as refused:
        exact(ddsrta.loads(text))
    said = [each.message for each in refused.value.diagnostics]
    assert any("messages that go round" in each for each in said)
    assert any("SCHED_OTHER" in each for each in said)
    assert not any("(jobs)" in each or "equal priorities" in each for each in said)
    alike = text.replace("policy: other", "priority: 3")
    with pytest.raises(InputError, match="the equal priorities of 'one' and 'two'"):
        exact(ddsrta.loads(alike))


EXECUTOR = """ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {publisher: {1kB: 1ms}, listener: {1kB: 1ms}}
topics: {t: {size: 1kB}}
listeners: {L: {core: m/b, priority: 9}}
executors: {E: {core: m/b, priority: 1, kind: fixed_priority}}
threads:
  p: {core: m/a, priority: 2, wcet: 1ms, period: 20ms, publishes: [{topic: t, mode: sync}]}
callbacks:
  x: {executor: E, priority: 1, wcet: 1ms, subscribes: {topics: [t], listener: L}}
  y: {executor: E, priority: 2, wcet: 2ms, subscribes: {topics: [t], listener: L}}
chains: {c: {path: [p, t, x]}}
"""


def test_equal_callbacks_of_an_executor_by_priority_come_in_any_order():
    """Whichever: both have come when the listener, more urgent, is done."""
    assert exact(ddsrta.loads(EXECUTOR)).check.status == "confirmed"
    text = EXECUTOR.replace("priority: 2, wcet: 2ms", "priority: 1, wcet: 2ms")
    for last, most in (("x", 7), ("y", 7)):
        found = exact(ddsrta.loads(text.replace("t, x]", f"t, {last}]")))
        case = found.cases[0]
        assert found.check.status == "confirmed"
        assert (case.target.kind, case.at_most, case.exact) == ("latency", most * 1_000_000, True)


DUE = """ddsrta: 1
machines: {m: {cores: [a]}}
executors: {E: {core: m/a, priority: 5}}
callbacks:
  long: {executor: E, wcet: 12ms, bcet: 12ms, timer: 40ms, arrival: {offset: 0ms}}
  tick: {executor: E, wcet: 1ms, bcet: 1ms, timer: 10ms, arrival: {offset: 2ms}}
threads:
  low: {core: m/a, priority: 1, wcet: 5ms, bcet: 5ms, arrival: {period: 40ms, offset: 0ms}}
chains: {c: {path: [low]}}
"""


def test_what_is_due_as_a_timer_is_called_may_come():
    """tick is due at 2, called at 12, and due then, too: low waits for 12 + 1 + 1. Were tick called
    any later, it would leave that out, as runs of the engine do."""
    found = exact(ddsrta.loads(DUE), ["c"], states=FEW)
    (case,) = found.cases
    assert (case.at_most, case.found, found.check.status) == (19_000_000, 18_000_000, "confirmed")
    found.certified["figures"][0]["at_most"] = 18_000_000
    assert check(found.certified).status == "refuted"
    later = DUE.replace("12ms, bcet: 12ms", "12.000001ms, bcet: 12.000001ms")
    assert exact(ddsrta.loads(later), ["c"], states=FEW).cases[0].at_most == 18_000_001


@pytest.mark.parametrize(
    "constraint, most",
    [("data_age", 3_000_000), ("trigger_latency", 3_000_000), ("reaction_time", 18_000_000)],
)
def test_other_figures_of_a_path(constraint, most):
    """Without registers data age is latency, as is a trigger latency without joins; a reaction waits for a period."""
    said = PLAIN.replace("[q, r]}", f"[q, r], constraint: {constraint}, deadline: 1s}}")
    (case,) = exact(ddsrta.loads(said), states=FEW).cases
    assert (case.target.kind, case.at_most, case.exact) == (constraint, most, True)


def test_reactions_to_what_time_does_not_release_are_not_explored(capsys, tmp_path):
    said = PLAIN.replace("[q, r]}", "[r], constraint: reaction_time, deadline: 1s}")
    (tmp_path / "s.yaml").write_text(said)
    main(["exact", str(tmp_path / "s.yaml")])
    assert "not explored: registers of several writers, reactions" in capsys.readouterr().out


def test_a_column_that_the_engine_has_more_is_refused():
    from ddsrta.exploration.exact.small import check

    system = ddsrta.loads(PLAIN)
    program = program_of(system)
    check(program, system)
    program.lock_wake.append(3)
    with pytest.raises(InputError, match="lock_wake of the engine"):
        check(program, system)


def test_runs_that_are_brought_closer_begin_with_the_others() -> None:
    """What begins a period later has the join wait for it; of that the figures say nothing."""
    joined = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
threads:
  s: {core: m/a, priority: 1, wcet: 8us, bcet: 7us, period: 20us}
  t: {core: m/b, priority: 1, wcet: 3us, bcet: 3us, period: 20us}
  both: {core: m/c, priority: 1, wcet: 1us, follows: {threads: [s, t], activation: and}}
chains: {way: {path: [s, both]}}
"""
    for seed in range(1, 5):
        (case,) = exact(ddsrta.loads(joined), ["way"], runs=20, seed=seed).cases
        assert case.found == case.at_most == 23_999


def test_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.yaml").write_text(TWO_THREADS)
    assert main(["exact", "s.yaml"]) == 0
    out = capsys.readouterr().out
    assert "control loop" in out and out.count("  exact  ") == 2
    assert main(["exact", "s.yaml", "control loop", "--format", "json"]) == 0
    (figure,) = json.loads(capsys.readouterr().out)["cases"]
    assert (figure["at_most"], figure["found"], figure["exact"]) == (3_286_000, 3_286_000, True)
    (tmp_path / "late.yaml").write_text(TWO_THREADS.replace("deadline: 8ms", "deadline: 3ms"))
    assert main(["exact", "late.yaml"]) == 1
    assert main(["exact", "s.yaml", "--certificate", "c.json"]) == 0
    assert "checked: confirmed, certificate" in capsys.readouterr().out
    assert main(["verify", "c.json", "--system", "s.yaml"]) == 0
    assert "claimed: 2 of 2 figures are exact" in capsys.readouterr().out
    assert main(["exact", "s.yaml", "--states", "2"]) == 2
    assert "not small" in capsys.readouterr().err
