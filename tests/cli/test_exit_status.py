"""What scripts rely on: exit statuses, and what goes to stdout and to stderr."""

import json
import signal
import sys
from types import ModuleType

import pytest

from ddsrta.__main__ import main
from ddsrta.cli.progress import Interrupts
from ddsrta.examples import TWO_THREADS
from ddsrta.report.baseline import result_from_dict
from tests.cli.test_start import python
from tests.report import results


@pytest.fixture
def system(tmp_path):
    path = tmp_path / "system.yaml"
    path.write_text(TWO_THREADS)
    return str(path)


@pytest.fixture
def finds(monkeypatch):
    """Let the analysis find a result, or raise an exception."""

    def set_result(outcome):
        def analyze(system, profile="busy-window", time_limit=None):
            if isinstance(outcome, BaseException):
                raise outcome
            return outcome

        module = ModuleType("ddsrta.bounds.analyze")
        module.analyze = analyze
        monkeypatch.setitem(sys.modules, "ddsrta.bounds.analyze", module)

    return set_result


@pytest.mark.parametrize("case", [(results.result, 0), (results.late, 1), (results.overloaded, 1)])
@pytest.mark.parametrize("command", [["analyze"], ["analyze", "--format", "json"], ["check"]])
def test_the_verdict_is_the_exit_status_and_the_result_is_printed(
    case, command, system, finds, capsys
):
    make, status = case
    finds(make())
    assert main([*command, system]) == status
    out, err = capsys.readouterr()
    assert "control" in out
    assert err == ""


LIVELOCK = TWO_THREADS.replace("F: {core: ecu/c0, priority: 80", "F: {core: ecu/c0, priority: 90")


@pytest.mark.parametrize("command", ["analyze", "check", "simulate"])
def test_a_livelock_fails_although_the_figures_are_in_time(tmp_path, command, capsys):
    path = tmp_path / "livelock.yaml"
    path.write_text(LIVELOCK)
    assert main([command, str(path)]) == 1
    out = capsys.readouterr().out
    assert "[livelock]" in out
    assert not out.startswith(("MET", "passed"))


def test_a_result_that_called_an_error_met_is_read_as_an_error(tmp_path, capsys):
    path = tmp_path / "livelock.yaml"
    path.write_text(LIVELOCK)
    main(["analyze", str(path), "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    assert document["verdict"] == "error"
    assert result_from_dict(document | {"verdict": "met"}).verdict == "error"


def test_every_error_of_a_file_is_reported_with_its_place_and_counted(tmp_path, capsys):
    path = tmp_path / "bad.yaml"
    path.write_text(TWO_THREADS.replace("wcet: 1ms", "wect: 1ms").replace("2ms", "2"))
    assert main(["analyze", str(path)]) == 2
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert out == ""
    assert f"{path}:19:5: unknown key 'wect'; did you mean 'wcet'?" in lines
    assert any(line.startswith(f"{path}:25:11: '2' has no unit") for line in lines)
    assert lines[-1].startswith(f"{len(lines) - 1} errors")


def test_a_name_in_an_error_cannot_start_a_line_of_its_own(tmp_path, capsys):
    path = tmp_path / "bad.yaml"
    path.write_text(
        'ddsrta: 1\nmachines: {m: {cores: [c]}}\nthreads: {}\n"\\n::error::\\e[31m": 1\n'
    )
    assert main(["check", str(path)]) == 2
    err = capsys.readouterr().err
    assert "\x1b" not in err
    assert not any(line.startswith("::") for line in err.splitlines())


def test_a_missing_file_is_a_wrong_call(capsys):
    assert main(["analyze", "/nonexistent.yaml"]) == 2
    assert "/nonexistent.yaml:1:1: No such file or directory" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ([], "no command given"),
        (["analyse"], "did you mean 'analyze'?"),
        (["analyze"], "SYSTEM"),
        (["analyze", "x.yaml", "--frmat", "json"], "--frmat"),
        (["explore", "x.yaml", "--sampler"], "--sampler; see 'ddsrta explore --help'"),
        (["explore", "x.yaml", "--candidates", "0"], "'0' is not a number from 1 to"),
        (["check", "x.yaml", "--fail-on-worse"], "needs a --baseline"),
        (["check", "x.yaml", "--tolerance", "-3"], "not a percentage"),
        (["analyze", "x", "--profile", "published", "--certificate", "c"], "has certificates"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(call, says, capsys):
    assert main(call) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err


def test_a_defect_is_3_and_asks_for_a_report(system, finds, capsys, monkeypatch):
    monkeypatch.delenv("DDSRTA_DEBUG", raising=False)
    finds(ZeroDivisionError("secret"))
    assert main(["analyze", system]) == 3
    err = capsys.readouterr().err
    assert "report it" in err
    assert "Traceback" not in err
    monkeypatch.setenv("DDSRTA_DEBUG", "1")
    assert main(["analyze", system]) == 3
    assert "Traceback" in capsys.readouterr().err


def test_interrupting_is_130_and_silent(system, finds, capsys):
    finds(KeyboardInterrupt())
    assert main(["analyze", system]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("module", ["improve.repairs", "sensitivity"])
def test_the_first_ctrl_c_ends_an_analysis_that_a_search_begins_with(
    module, system, capsys, monkeypatch
):
    """There is nothing to show yet. It was noted, and the analysis waited for."""
    waited = []

    def analyze(*_, **__):
        signal.raise_signal(signal.SIGINT)
        waited.append(1)
        return results.late()

    monkeypatch.setattr(f"ddsrta.exploration.{module}.analyze", analyze)
    assert main([module.partition(".")[0], system]) == 130
    assert capsys.readouterr() == ("", "")
    assert not waited


def test_a_ctrl_c_that_somebody_looks_for_is_noted_once():
    with Interrupts() as asked:
        assert not asked.came()
        signal.raise_signal(signal.SIGINT)
        assert asked.came()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize(("stop", "status"), [(KeyboardInterrupt(), 130), (SystemExit(143), 143)])
def test_interrupting_is_silent_while_a_class_is_made_too(
    stop, status, system, capsys, monkeypatch
):
    """Which an import does: Python 3.11 raises a RuntimeError for it, caused by what it was."""

    class Stops:
        def __set_name__(self, owner, name):
            raise stop

    def analyze(*_, **__):
        type("Made", (), {"member": Stops()})

    monkeypatch.setattr("ddsrta.bounds.analyze.analyze", analyze)
    assert main(["analyze", system]) == status
    assert capsys.readouterr() == ("", "")


def test_output_goes_to_a_file_where_one_is_named(system, finds, capsys, tmp_path):
    finds(results.late())
    assert main(["analyze", system, "--output", str(tmp_path / "out.txt")]) == 1
    assert capsys.readouterr().out == ""
    assert "steer" in (tmp_path / "out.txt").read_text()


def test_a_place_that_cannot_be_written_is_a_wrong_call(system, finds, capsys):
    finds(results.result())
    assert main(["analyze", system, "--output", "/nonexistent/out.txt"]) == 2
    assert "cannot write '/nonexistent/out.txt'" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_who_is_asked_to_end_leaves_no_temporary_file(tmp_path, name):
    """The signal comes while the file is written."""
    (tmp_path / "s.yaml").write_text(TWO_THREADS)
    (tmp_path / "out.txt").write_text("as it was")
    program = (
        "import os, signal, sys; from ddsrta.__main__ import main;"
        f"signal.signal(signal.{name}, signal.SIG_DFL);"  # nohup has it ignored
        f"os.fsync = lambda _: os.kill(os.getpid(), signal.{name});"
        "sys.argv = ['ddsrta', 'analyze', 's.yaml', '--output', 'out.txt']; sys.exit(main())"
    )
    done = python("-c", program, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (128 + getattr(signal, name), b"")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.txt", "s.yaml"]
    assert (tmp_path / "out.txt").read_text() == "as it was"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["init", "--name=--"], "argument --name: '--' is no value"),
        (["explain", "system.yaml", "--time-limit=--"], "argument --time-limit: '--' is no value"),
        (["explain", "system.yaml", "--timelimit", "5"], "5 (did you mean --time-limit?); see"),
        (["improve", "system.yaml", "--time-limits=5"], "5 (did you mean --time-limit?); see"),
        (["lf", "stp", "system.yaml", "--latncy"], "--latncy (did you mean --latency?); see"),
        (["diff", "a", "b", "--zzz"], "unrecognized arguments: --zzz; see 'ddsrta diff --help'"),
        (["simulate", "system.yaml", f"--seed={10**40}"], "it must be a number of 64 bits"),
    ],
)
def test_what_no_option_takes_is_a_wrong_call(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "system.yaml").write_text(TWO_THREADS)
    try:
        assert main(words) == 2
    except SystemExit as ended:
        assert ended.code == 2
    assert said in capsys.readouterr().err
