"""Completion and the manual page know every command and option, since they come from the parser."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ddsrta.__main__ import main
from ddsrta.base.version import VERSION
from ddsrta.cli import man, shells
from ddsrta.cli.calls import Call, calls
from ddsrta.cli.commands import COMMANDS

CALLS = calls()
ROOT = Path(__file__).parents[2]
PAGES = [
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("casestudies/*/README.md"),
    ROOT / "harness/README.md",
    ROOT / "README.md",
]
SHELLS = ("bash", "zsh", "fish")


def test_calls_are_all_commands() -> None:
    assert [call.words[0] for call in CALLS if len(call.words) == 1] == list(COMMANDS)
    assert ("lf", "stp") in [call.words for call in CALLS]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_has_each_command_and_option(shell: str) -> None:
    script = getattr(shells, shell)(CALLS)
    for call in CALLS:
        assert all(word in script for word in call.words)
        for flag in call.flags:
            assert (f"-l {flag[2:]} " if shell == "fish" else flag) in script


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_reads_its_script(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "script").write_text(getattr(shells, shell)(CALLS))
    subprocess.run([shell, "-n", tmp_path / "script"], check=True, capture_output=True)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("ana", "analyze"),
        ("analyze --for", "--format"),
        ("analyze --format ''", "text json"),
        ("lf st", "stp"),
        ("lf stp --fo", "--format"),
        ("lf stp --format ''", "text json"),
        ("analyze --output he", "here.yaml"),
        ("analyze -o he", "here.yaml"),
        ("analyze he", "here.yaml"),
        ("export grap", "graphml"),
        ("analyze --profile=x --fo", "--format"),
        ("nonsense", ""),
    ],
)
def test_bash_completes(words: str, found: str, tmp_path: Path) -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    (tmp_path / "here.yaml").touch()
    (tmp_path / "script").write_text(shells.bash(CALLS))
    call = f". ./script; COMP_WORDS=(ddsrta {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))"
    command = ["bash", "-c", f'{call}; _ddsrta; echo "${{COMPREPLY[*]}}"']
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == (f"{found}\n", "")


def test_the_manual_page_describes_each_call(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["man"]) == 0
    text = capsys.readouterr().out
    assert text == man.page(CALLS)
    assert text.isascii()
    for call in CALLS[1:]:
        assert f'.SS "ddsrta {" ".join(call.words)}"\n' in text
    plain = text.replace("\\-", "-")
    assert all(
        f"\\fB{flag}\\fR" in plain for call in CALLS for flag in call.flags if flag != "--help"
    )


def test_man_finds_nothing_wrong(tmp_path: Path) -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    command = ["groff", "-man", "-Tutf8", "-ww", "-z"]
    done = subprocess.run(
        command, input=man.page(CALLS), capture_output=True, text=True, check=True
    )
    assert [line for line in done.stderr.splitlines() if "can't break line" not in line] == []


def test_a_short_option_prints_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-V"]) == 0
    assert capsys.readouterr().out == f"ddsrta {VERSION}\n"


def test_a_short_option_names_the_output_of_every_command_that_has_one() -> None:
    names = [option.names for call in CALLS for option in call.options]
    assert {each for each in names if "--output" in each} == {("-o", "--output")}


@pytest.mark.parametrize("call", CALLS, ids=lambda call: " ".join(call.words) or "ddsrta")
def test_each_option_is_explained_where_it_is_asked_for_and_in_the_docs(call: Call) -> None:
    said = "\n".join(page.read_text() for page in PAGES)
    for option in call.options:
        assert option.help, option
        assert all(re.search(rf"{name}(?![\w-])", said) for name in option.names[-1:]), option
