"""ddsrta report, and the pages of analyze, check and simulate, which are views of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ddsrta.__main__ import main
from ddsrta.examples import TWO_THREADS

SECTIONS = re.compile(r"<section id='(\w+)'")
USUAL = ["chains", "graph", "time", "worst", "loads", "all"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.yaml").write_text(TWO_THREADS)
    return tmp_path


def page(*call: str, status: int = 0) -> str:
    assert main([*call]) == status
    return Path("page.html").read_text()


def test_a_report_has_its_sections_and_the_exit_status_of_an_analysis(folder: Path) -> None:
    assert SECTIONS.findall(page("report", "s.yaml", "-o", "page.html", "--runs", "20")) == USUAL
    (folder / "s.yaml").write_text(TWO_THREADS.replace("deadline: 8ms", "deadline: 3ms"))
    assert ">MISSED</b>" in page("report", "s.yaml", "-o", "page.html", "--runs", "0", status=1)


def test_the_same_call_writes_the_same_page() -> None:
    first = page("report", "s.yaml", "-o", "page.html")
    assert page("report", "s.yaml", "-o", "page.html") == first


def test_the_worst_run_is_drawn_beside_its_bound() -> None:
    text = page("report", "s.yaml", "-o", "page.html", "--runs", "30")
    assert re.search(r"control loop: 3.286 ms found in \d+ runs?, the bound is 3.286 ms", text)
    assert "latency sensor → speed → control" in text


ONE = """\
ddsrta: 1
machines: {m: {cores: [c]}}
threads: {control: {core: m/c, priority: 1, wcet: 1ms, period: 10ms}}
chains: {c: {path: [control], deadline: 3ms}}
"""


def test_what_values_can_do_is_told_where_it_is_asked_for(folder: Path) -> None:
    (folder / "s.yaml").write_text(ONE)
    text = page("report", "s.yaml", "-o", "page.html", "--runs", "0", "--sensitivity")
    assert "sensitivity" in SECTIONS.findall(text)
    assert "control: wcet" in text


def test_what_changed_is_told_from_a_model_and_from_a_result(folder: Path) -> None:
    (folder / "old.yaml").write_text(TWO_THREADS.replace("wcet: 2ms", "wcet: 1ms"))
    main(["analyze", "old.yaml", "--format", "json", "--output", "old.json"])
    call = ["report", "s.yaml", "-o", "page.html", "--runs", "0", "--baseline"]
    of_model, of_result = page(*call, "old.yaml"), page(*call, "old.json")
    assert "control: wcet 1ms → 2ms" in of_model
    for text in (of_model, of_result):
        assert "2 bounds worse" in text
        assert "+1 ms, +43.8 %" in text


def test_pages_of_other_commands_are_views_of_a_report(folder: Path) -> None:
    (folder / "old.yaml").write_text(TWO_THREADS.replace("wcet: 2ms", "wcet: 1ms"))
    assert "graph" in SECTIONS.findall(page("analyze", "s.yaml", "--html", "page.html"))
    text = page("check", "s.yaml", "--baseline", "old.yaml", "--html", "page.html")
    assert {"chains", "changes", "graph", "time"} <= set(SECTIONS.findall(text))
    assert "the largest causes" in page("check", "s.yaml", "--html", "page.html")
    text = page(
        "simulate", "s.yaml", "--attack", "control loop", "--runs", "9", "--html", "page.html"
    )
    assert {"chains", "worst", "graph"} <= set(SECTIONS.findall(text))
    published = page("analyze", "s.yaml", "--profile", "published", "--html", "page.html")
    assert "profile published" in published


def test_a_page_of_several_systems_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "s.yaml", "s.yaml", "--html", "page.html"]) == 2
    assert "--html is for one system" in capsys.readouterr().err


def test_a_number_of_runs_is_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "s.yaml", "--runs", "many"]) == 2
    assert "--runs" in capsys.readouterr().err


def test_where_nothing_is_bounded_the_page_says_why(folder: Path) -> None:
    (folder / "s.yaml").write_text(TWO_THREADS.replace("period: 10ms", "period: 1ms"))
    text = page("report", "s.yaml", "-o", "page.html", status=1)
    assert ">UNBOUNDED</b>" in text
    assert "is loaded" in text


TWO_WAYS = """\
ddsrta: 1
machines: {m: {cores: [c]}}
threads:
  a: {core: m/c, priority: 4, wcet: 1ms, period: 9ms}
  x: {core: m/c, priority: 3, wcet: 1ms, follows: {threads: [a]}}
  y: {core: m/c, priority: 2, wcet: 1ms, follows: {threads: [a]}}
  b: {core: m/c, priority: 1, wcet: 1ms, follows: {threads: [x, y]}}
chains: {way: {from: a, to: b, deadline: 4ms}}
"""


def test_paths_between_two_ends_are_told_apart_wherever_they_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "ways.yaml").write_text(TWO_WAYS)
    for call in ("check", "explain", "improve"):
        assert main([call, "ways.yaml"]) == (0 if call == "explain" else 1)
        assert "way/2 (a → b via y)" in capsys.readouterr().out, call
    assert "way/2 (a → b via y)" in page("report", "ways.yaml", "-o", "page.html", status=1)
