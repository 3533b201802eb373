"""The tables a person reads."""

import re
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

import ddsrta
from ddsrta.__main__ import main
from ddsrta.base.text import rounded_down, rounded_up, width
from ddsrta.base.units import Duration
from ddsrta.examples import TWO_THREADS
from ddsrta.models.assumptions import Assumption
from ddsrta.report.explanation import explained_text
from ddsrta.report.findings import assumed, finding_lines
from ddsrta.report.page.report import explained_html
from ddsrta.report.style import Style, style_for
from ddsrta.report.table import table
from ddsrta.report.terminal import result_text
from tests.report import results


def row(text, name):
    return next(line.split() for line in text.splitlines() if line.startswith(f"  {name} "))


def test_the_verdict_comes_first_and_errors_right_after_it():
    lines = result_text(results.late()).splitlines()
    expected = "MISSED  three topics: 1 error below; without it, 1 of 3 deadlines missed"
    assert lines[0] == expected
    assert lines[2] == "  s.yaml:12:3: error: F1 may overflow [queue-overflow]"
    assert lines[-4] == "  s.yaml:7:1: warning: theta1 keeps fewer samples [history]"


def test_a_chain_shows_its_bound_deadline_and_slack():
    text = result_text(results.late())
    met = "5.001 ms – – 20 ms 14.99 ms {} P → theta1 → S"
    assert " ".join(row(text, "control")[1:]) == met.format("ok?"), "next to an error"
    calm = result_text(replace(results.late(), warnings=()))
    assert " ".join(row(calm, "control")[1:]) == met.format("ok")
    assert " ".join(row(text, "steer")[1:]) == "25 ms – – 20 ms -5 ms MISSED P → theta2 → T"


def test_a_bound_that_is_in_time_never_looks_late_through_rounding():
    near = results.result(chains={"c": results.chain(1_999_901, 1_999_950)})
    assert "1.999901 ms  1.99995 ms" in result_text(near)


def test_unbounded_is_said_with_the_reason_once():
    text = result_text(results.overloaded())
    assert text.startswith("UNBOUNDED  three topics: 1 of 2 deadlines without a bound\n")
    assert row(text, "control")[1:5] == ["unbounded", "20", "ms", "no"]
    assert text.count("core ecu1/c0 is overloaded") == 1
    assert "  unbounded: P: as control above" in text
    assert row(text, "ecu1/c0") == ["ecu1/c0", "120.0", "%", "overloaded"]
    assert row(text, "F1") == ["F1", "unbounded", "4", "may", "overflow"]


def test_a_wait_without_end_at_a_join_is_unbounded_not_absent():
    joined = results.result(
        chains={"c": results.chain(None, trigger_latency=results.ns(5_000_000))}
    )
    assert row(result_text(joined), "c")[1:4] == ["unbounded", "5", "ms"]


def test_the_other_profile_is_named():
    assert "published" in result_text(results.result(profile="published")).splitlines()[0]


@pytest.mark.parametrize("make", [results.result, results.late, results.overloaded])
def test_tables_fit_a_hundred_columns_and_end_without_blanks(make):
    for line in result_text(make()).splitlines():
        assert width(line) <= 100
        assert line == line.rstrip()


def test_long_paths_leave_the_table_before_it_gets_too_wide():
    long = tuple(f"thread_number_{i}" for i in range(9))
    text = result_text(results.result(chains={"c": results.chain(1, 2, path=long)}))
    assert "thread_number_1" not in text
    assert all(width(line) <= 100 for line in text.splitlines())


def test_names_cannot_repaint_the_terminal():
    text = result_text(results.hostile())
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert not any(line.startswith("::") for line in text.splitlines())


def unpainted(text):
    return re.sub(r"\x1b\[\d*m", "", text)


def test_colour_changes_nothing_but_the_colour():
    coloured = result_text(results.late(), Style(colour=True))
    assert "\x1b[31m" in coloured
    plain = "\n".join(line.rstrip() for line in unpainted(coloured).splitlines())
    assert plain + "\n" == result_text(results.late())


def test_columns_line_up_for_wide_characters():
    lines = table(["a", "b"], [["速度", "x"], ["ab", "x"]])
    assert [width(line[: line.index("x")]) for line in lines[1:]] == [8, 8]


@pytest.mark.parametrize("value", [0, 1, 9_999, 10_001, 123_456_789, 999_999_999, 10**15 + 1])
def test_rounding_never_flatters(value):
    from ddsrta.base.units import parse_duration

    assert 0 <= parse_duration(rounded_up(value)) - value <= value // 1000
    assert 0 <= value - parse_duration(rounded_down(value)) <= value // 1000


def test_a_miss_is_never_rounded_towards_zero():
    assert rounded_down(Duration(-10_001)) == "-10.01 us"


def test_a_path_through_registers_has_no_latency_and_says_which_figure_has_no_bound():
    sampled = results.chain(
        None,
        constraint="data_age",
        data_age=Duration(7_000_000),
        unbounded_because="W writes 'speed', too",
    )
    text = result_text(results.result(chains={"c": sampled}))
    assert row(text, "c")[1:4] == ["7", "ms", "unbounded"]
    assert "W writes 'speed', too" in text


def test_long_reasons_are_wrapped():
    reason = "stages that depend on each other keep growing " * 5
    chains = {"c": results.chain(None, 5, unbounded_because=reason)}
    text = result_text(results.result(verdict="unbounded", chains=chains))
    assert all(len(line) <= 100 for line in text.splitlines())


FULL = """\
ddsrta: 1
machines: {m: {cores: [c, d]}}
threads:
  hog: {core: m/c, priority: 9, wcet: 11ms, period: 10ms}
  next: {core: m/d, priority: 8, wcet: 1ms, follows: {threads: [hog]}}
  last: {core: m/d, priority: 7, wcet: 1ms, follows: {threads: [next]}}
chains:
  first: {path: [hog, next], deadline: 9ms}
  second: {path: [hog, next, last], deadline: 9ms}
"""


@pytest.mark.parametrize("call", ["analyze", "check", "explain"])
def test_a_reason_that_many_things_share_is_said_once(call, tmp_path, capsys):
    path = tmp_path / "full.yaml"
    path.write_text(FULL)
    assert main([call, str(path)]) == 1
    text = " ".join(capsys.readouterr().out.split())
    assert text.count("m/c is loaded 110 %: move") + text.count("is loaded 110 %;") == 1
    assert ("as first above" in text) or "first, second: thread hog" in text


def sampled(period):
    return ddsrta.loads(
        f"""\
ddsrta: 1
machines: {{m: {{cores: [c]}}}}
threads:
  s: {{core: m/c, priority: 3, wcet: 1ms, period: {period}}}
  t: {{core: m/c, priority: 2, wcet: 1ms, period: 9ms, follows: {{threads: [s]}}}}
chains: {{way: {{path: [s, t], constraint: data_age, deadline: 9ms}}}}
"""
    )


def test_a_deadline_that_sampling_alone_exceeds_is_said_to_be_so():
    late, close = (ddsrta.explain(sampled(period)) for period in ("10ms", "8ms"))
    assert "10 ms of it is waiting for what samples" in explained_text(late)
    assert "10 ms of it is waiting for what samples" in explained_html(late)
    assert "shorter periods" not in explained_text(close)


def test_a_timer_that_skips_for_the_work_of_others_samples_no_slower_than_its_period():
    text = """\
ddsrta: 1
machines: {m: {cores: [c]}}
executors: {e: {core: m/c, priority: 9}}
callbacks:
  s: {executor: e, wcet: 1ms, timer: 10ms}
  t: {executor: e, wcet: 1ms, timer: 10ms, follows: {threads: [s]}}
  slow: {executor: e, wcet: 12ms, timer: 60ms}
chains: {way: {path: [s, t], constraint: data_age, deadline: %s}}
"""
    late, close = (ddsrta.explain(ddsrta.loads(text % time)) for time in ("9ms", "25ms"))
    assert any(found.rule == "timer-overrun" for found in late.result.warnings)
    assert "10 ms of it is waiting for what samples" in explained_text(late)
    assert late.result.chains["way"].data_age > 25_000_000
    assert "waiting for what samples" not in explained_text(close)


def test_python_prints_what_the_commands_print(tmp_path, capsys):
    path = str(tmp_path / "s.yaml")
    Path(path).write_text(TWO_THREADS.replace("wcet: 1ms", "wcet: 9ms"))  # which assumes something
    system = ddsrta.load(path)
    assert "assumed: " in ddsrta.explain(system)._repr_html_()
    for command, found in (
        ("analyze", ddsrta.analyze(system)),
        ("exact", ddsrta.exact(system)),
        ("explain", ddsrta.explain(system)),
        ("improve", ddsrta.improve(system)),
        ("simulate --horizon 1s", ddsrta.simulate(system, horizon="1s")),
    ):
        main([*command.split()[:1], path, *command.split()[1:]])
        printed = capsys.readouterr().out
        assert printed == f"{found}\n", command
    assert "sensor → speed → control" in str(system)
    assert "latency" in str(ddsrta.analyze(system).chains["control loop"])


def test_a_table_that_gets_too_wide_has_long_names_on_lines_of_their_own():
    """So that figures stay below each other within 80 columns."""
    rows = [["a", "1 ms"], ["long " * 30 + "name", "2 ms"]]
    lines = table(["message", ">delivery"], rows)
    assert [len(line) < 80 for line in lines] == [True, True, False, True]
    assert lines[2].endswith("name") and lines[3].strip() == "2 ms"
    assert len({len(line) for line in (lines[0], lines[1], lines[3])}) == 1
    assert len(table(["thread", "path"], [["a", "long " * 30]])) == 2, "what stands last is not cut"


class Terminal(StringIO):
    """Where a person reads."""

    def isatty(self):
        return True


@pytest.mark.parametrize("environment", [{"COLUMNS": "80"}, {"COLUMNS": "80", "NO_COLOR": "1"}])
def test_a_person_reads_assumptions_in_lines_that_a_terminal_shows_whole(environment):
    long = [Assumption(f"rule-{n}", "there is room for all that wait " * 9) for n in range(2)]
    style, whole = style_for(Terminal(), environment), finding_lines(assumed(long))
    broken = finding_lines(assumed(long), style)
    assert all(len(line) > 250 and "\n" not in line for line in whole)  # for grep
    assert len(broken) == len(whole) and [unpainted(each).split() for each in broken] == [
        each.split() for each in whole
    ]
    lines = unpainted("\n".join(broken)).splitlines()
    assert max(map(len, lines)) <= 80 and sum(not line.startswith("    ") for line in lines) == 2
    assert ("\x1b" in "".join(broken)) == ("NO_COLOR" not in environment)
    assert style_for(StringIO(), environment) == Style()


@pytest.mark.parametrize("columns", [50, 80])
def test_what_explains_a_stage_is_no_wider_than_the_terminal(columns):
    late = ddsrta.explain(ddsrta.loads(TWO_THREADS), "control loop")
    wide, text = (explained_text(late, style) for style in (Style(), Style(columns=columns)))
    notes, whole = (re.findall(r"(?m)^ {4}[a-z].*", each) for each in (text, wide))
    assert max(map(width, notes)) <= columns < max(map(width, whole))
    assert " ".join(map(str.strip, notes)) == " ".join(map(str.strip, whole))
