"""How the program starts: quickly, in a pipe, on a terminal, in old locales."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ddsrta.__main__ import main
from ddsrta.examples import TWO_THREADS

ROOT = Path(__file__).resolve().parents[2]
MOST_MODULES = 275  # of ours, for a system of threads alone: each costs a cold start its time
THREADS = """\
ddsrta: 1
machines: {m: {cores: [c]}}
threads:
  first: {core: m/c, priority: 2, wcet: 1ms, period: 10ms}
  second: {core: m/c, priority: 1, wcet: 1ms, follows: {threads: [first]}}
chains: {both: {path: [first, second]}}
"""


def python(*arguments, **options):
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'cython_ext'}"}
    environment.update(options.pop("env", {}))
    return subprocess.run(
        [sys.executable, *arguments],
        check=False,
        capture_output=True,
        env=environment,
        timeout=600,
        **options,
    )


def ddsrta(*arguments, **options):
    return python("-m", "ddsrta", *arguments, **options)


@pytest.mark.parametrize("call", ["['--help']", "['--version']", "['analyze', '--help']"])
def test_help_imports_neither_yaml_nor_the_analysis(call):
    done = python(
        "-c",
        f"import sys, ddsrta.__main__; ddsrta.__main__.main({call});"
        "print([m for m in ('yaml', 'json', 'ddsrta.models.reader', 'ddsrta.bounds.analyze')"
        " if m in sys.modules])",
    )
    assert done.stdout.decode().splitlines()[-1] == "[]" or call == "['analyze', '--help']"
    assert b"ddsrta" in done.stdout
    assert done.returncode == 0


def test_importing_the_entry_point_is_light():
    done = python(
        "-c",
        "import sys, ddsrta.__main__;"
        "print(sorted({'yaml', 'dataclasses', 'argparse', 'json'} & set(sys.modules)))",
    )
    assert done.stdout.decode().strip() == "[]"


ROOMS_OF_FEATURES = {
    "ddsrta.bounds.join_wait",
    "ddsrta.bounds.locks.waits",
    "ddsrta.bounds.order.judge",
    "ddsrta.bounds.evidence.refused",
    "ddsrta.bounds.synchronizers.bounds",
    "ddsrta.checker.lock_sets",
    "ddsrta.checker.locks",
    "ddsrta.checker.orders.check",
    "ddsrta.checker.pending_pools",
    "ddsrta.checker.rounds",
    "ddsrta.lf",
    "ddsrta.models.trace",
    "ddsrta.report.baseline",
    "ddsrta.simulation",
    "ddsrta_simulator.engine",
    "ddsrta_simulator.program",
    "difflib",
    "numpy",
    "shutil",
    "random",
    "tempfile",
}


def modules_of_an_analysis(path):
    """What is loaded when a new process has analysed and checked a file."""
    done = python(
        "-c",
        "import sys, ddsrta.__main__; assert ddsrta.__main__.main(['analyze', sys.argv[1]]) == 0;"
        "print(*sys.modules)",
        str(path),
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.decode().splitlines()[-1].split())


def test_an_analysis_loads_what_the_system_needs(tmp_path):
    path = tmp_path / "threads.yaml"
    path.write_text(THREADS)
    loaded = modules_of_an_analysis(path)
    assert sorted(loaded & ROOMS_OF_FEATURES) == []
    assert len([name for name in loaded if name.startswith("ddsrta")]) <= MOST_MODULES


def test_help_lists_the_commands_and_the_exit_statuses():
    text = ddsrta("--help").stdout.decode()
    for command in ("analyze", "check", "explain", "verify", "schema", "version"):
        assert f"\n    {command} " in text
    assert "exit status" in text


def test_version_and_schema():
    assert ddsrta("--version").stdout.startswith(b"ddsrta ")
    assert re.search(rb"kernel: .+\nsimulator: .+\npython: ", ddsrta("version").stdout)
    assert b'"http://json-schema.org/draft-07/schema#"' in ddsrta("schema").stdout


def test_bad_bytes_on_stdin_have_a_place():
    done = ddsrta("analyze", "-", input=b"ddsrta: 1\nname: \xff\n")
    assert done.returncode == 2
    assert b"<stdin>:2:7: not UTF-8 text" in done.stderr


@pytest.mark.parametrize("command", ["analyze", "verify"])
def test_a_stdin_that_is_closed_is_no_defect(command, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)  # as Python has it then
    assert main([command, "-"]) == 2
    assert "it is closed" in capsys.readouterr().err


def test_a_reader_that_left_is_no_reason_to_complain():
    reader, writer = os.pipe()
    os.close(reader)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "ddsrta", "schema"],
            check=False,
            stdout=writer,
            stderr=subprocess.PIPE,
            env=environment,
            timeout=600,
        )
    finally:
        os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_said_once():
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ddsrta", "schema"],
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            timeout=600,
        )
    assert done.stderr.decode().count("\n") == 1
    assert b"No space left" in done.stderr
    assert done.returncode == 2


def on_terminal(tmp_path, code, **environment):
    """What a program writes to a terminal."""
    main_end, other_end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=other_end,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", **environment},
    )
    os.close(other_end)
    written = b""
    try:
        while chunk := os.read(main_end, 65536):
            written += chunk
    except OSError:  # how Linux says that the other end is closed
        pass
    process.wait(600)
    os.close(main_end)
    return written


PRINTS = (
    "import tests.report.results as r; from ddsrta.cli.streams import output_style, put;"
    "from ddsrta.report.terminal import result_text; put(result_text(r.late(), output_style()))"
)


def test_colour_is_for_terminals_and_not_with_no_color(tmp_path):
    colourful = {"NO_COLOR": ""}
    assert b"\x1b[31m" in on_terminal(tmp_path, PRINTS, **colourful)
    assert b"\x1b" not in on_terminal(tmp_path, PRINTS, NO_COLOR="1")
    assert b"\x1b" not in on_terminal(tmp_path, PRINTS, TERM="dumb")
    piped = python("-c", PRINTS, env={"NO_COLOR": ""})
    assert b"MISSED" in piped.stdout
    assert b"\x1b" not in piped.stdout


def test_a_terminal_without_unicode_gets_plainer_signs():
    done = python("-c", PRINTS, env={"PYTHONIOENCODING": "ascii"})
    assert done.stderr == b""
    assert b"P -> theta1 -> S" in done.stdout


def test_annotations_of_a_bad_file_go_where_github_reads_them(tmp_path):
    (tmp_path / "bad.yaml").write_text(TWO_THREADS.replace("wcet: 1ms", "wect: 1ms"))
    done = ddsrta("check", "bad.yaml", "--github", cwd=tmp_path)
    assert done.returncode == 2
    assert b"::error file=bad.yaml,line=19,col=5,title=ddsrta input::unknown key" in done.stdout
