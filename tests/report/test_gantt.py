"""Gantt charts: golden ones of known runs, and pictures that are what was measured."""

from __future__ import annotations

import io
from decimal import Decimal
from functools import cache
from itertools import pairwise
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from ddsrta.base.text import width
from ddsrta.report.gantt import svg, text
from ddsrta.report.gantt_rows import WORDS, ticks
from ddsrta.report.html import result_html
from ddsrta.report.worst_instance import show
from ddsrta.simulation import Run, program_of, random_choices
from ddsrta.simulation.instance import OWN, WAITING, worst_instance
from ddsrta_simulator import Measure
from tests.report.results import late
from tests.simulation.drawings import Scene
from tests.simulation.hostile import hostile
from tests.simulation.test_instance import cut
from tests.simulation.test_timeline import chain
from tests.soundness.ros2 import mixed_system

PATH = ("p", "T", "r")
GOLDEN = """\
latency p → T → r: 15 ns

         0 ns      5 ns       10 ns   15 ns
         |         |          |         |
  m/c0
    p   │█████████                         │
    busy│        ▓▓▓▓▓▓▓                   │
    F   │        ······██████              │
  m/c1
    L   │                   ███            │
    r   │                     ███████████  │

  █ its own work   · its own work waits
  ▓ more urgent

   4 ns  p → F  T
   9 ns  F → L  T
  10 ns  L → r  T
"""


def instance():
    return cut(chain(), "latency", PATH)


def test_golden_chart():
    assert text(instance(), 44) == GOLDEN


def test_a_plain_terminal_gets_plain_marks():
    plain = text(instance(), 44, ascii_only=True)
    assert plain.isascii()
    assert "    F   |        ......######              |" in plain.splitlines()
    assert "4 ns  p -> F  T" in plain


@pytest.mark.parametrize("columns", [60, 100, 200])
def test_no_line_is_wider_than_asked(columns):
    found = worst_of(3)
    chart = text(found, columns).splitlines()
    assert max(width(line) for line in chart[1:]) <= columns


SVG = "{http://www.w3.org/2000/svg}"


def rectangles(root, role):
    """Begin and end in pixels of the bars of a role."""
    found = [r for r in root.iter(f"{SVG}rect") if r.get("class") == role]
    return [(Decimal(r.get("x")), Decimal(r.get("x")) + Decimal(r.get("width"))) for r in found]


def test_rectangles_are_the_spans():
    shown = instance()
    root = ElementTree.fromstring(svg(shown))
    names = {e.get("class") for e in root.iter(f"{SVG}rect") if e.get("class")}
    assert names == {bar.role for bar in shown.bars}
    for role in names:
        bars = [bar for bar in shown.bars if bar.role == role]
        drawn = sorted(rectangles(root, role))
        scale = Decimal(900 - 190 - 14) / (shown.last - shown.first)
        expected = sorted(
            (190 + (b.begin - shown.first) * scale, 190 + (b.end - shown.first) * scale)
            for b in bars
        )
        for (x1, x2), (begin, end) in zip(drawn, expected, strict=True):
            assert abs(x1 - begin) < Decimal("0.05") and abs(x2 - end) < Decimal("0.05")


def test_every_bar_says_what_it_is():
    titles = [e.text for e in ElementTree.fromstring(svg(instance())).iter(f"{SVG}title")]
    assert "F" not in titles
    assert f"T #0 of p: {WORDS[OWN]}, 2 ns from 7 ns" in titles
    assert f"busy #0: {WORDS['urgent']}, 3 ns from 4 ns" in titles
    assert "T: F → L at 9 ns" in titles


def test_a_picture_has_a_title_a_description_and_nothing_that_runs():
    picture = svg(instance())
    root = ElementTree.fromstring(picture)
    assert root.find(f"{SVG}title").text == "latency p → T → r: 15 ns"
    assert "F to L at 9 ns" in root.find(f"{SVG}desc").text
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "style", "g", "rect", "line", "text", "polygon"}
    assert "href" not in picture and "url(" not in picture
    assert not [e for e in root.iter() if e.get("id")]  # many of them may be on one page


@cache
def worst_of(seed):
    program = program_of(mixed_system(seed))
    choices = random_choices(program, seed, 10**9)

    def rows():
        run = Run(program, choices, trace=3000)
        run.advance(10**15)
        return [run.take_trace()]

    found = []
    for number, measure in enumerate(program.measures):
        if measure.kind != "pending":
            one = worst_instance(program, rows, number)
            found += [] if one is None else [one]
    return max(found, key=lambda one: one.value)


@pytest.mark.parametrize("seed", range(4))
def test_random_instances_can_be_drawn(seed):
    shown = worst_of(seed)
    root = ElementTree.fromstring(svg(shown))
    assert root.get("width") == "900"
    drawn = [r for r in root.iter(f"{SVG}rect") if r.get("class") in WORDS]
    assert 0 < len(drawn) <= len(shown.bars)
    for rectangle in drawn:
        x, wide = Decimal(rectangle.get("x")), Decimal(rectangle.get("width"))
        assert x >= 190 and x + wide <= 900 and wide > 0
    assert text(shown, 100)


def test_hostile_names_break_neither_the_picture_nor_the_terminal():
    scene = hostile()
    of = next(m.of for m in scene.program.measures if m.kind == "latency")
    shown = cut(scene, "latency", of)
    root = ElementTree.fromstring(svg(shown))
    words = [e.text for e in root.iter(f"{SVG}text")]
    assert 'qu"ote' in words and any(word.startswith(r"line\nbreak\x1b[31m") for word in words)
    assert any("<b>&amp;" in e.text for e in root.iter(f"{SVG}title"))
    chart = text(shown, 100)
    assert "\x1b" not in chart and "\u202e" not in chart
    assert len(chart.splitlines()) == len(GOLDEN.splitlines()) - 1
    assert text(shown, 100, ascii_only=True).isascii()


def test_ticks_are_round_and_few():
    for seed in range(4):
        shown = worst_of(seed)
        for most in (3, 9, 20):
            found = ticks(shown, most)
            assert 1 <= len(found) <= most + 1
            assert "0 " in [tick.text[:2] for tick in found]
            steps = {b.time - a.time for a, b in pairwise(found)}
            assert len(steps) <= 1
            assert all(str(step).rstrip("0") in ("1", "2", "5") for step in steps)


def found(kind="latency", value=15, at=15):
    scene = chain()
    of = PATH if kind == "latency" else "F"
    return SimpleNamespace(
        program=scene.program,
        number=scene.program.measures.index(Measure(kind, of)),
        worst=value,
        end=at,
        replay=lambda: advanced(Run(scene.program, scene.choices, trace=10), at + 1),
    )


def advanced(run, until):
    """As far as that, or until its buffer is full."""
    run.advance(until)
    return run


def test_what_a_search_has_found_is_shown(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    out = io.StringIO()
    show(found(), out, str(tmp_path / "worst.svg"))
    assert out.getvalue() == text(instance(), 60)
    assert (tmp_path / "worst.svg").read_text(encoding="utf-8") == svg(instance())


def test_a_stream_without_blocks_gets_ascii():
    data = io.BytesIO()
    out = io.TextIOWrapper(data, encoding="latin-1")
    show(found(), out)
    out.flush()
    assert data.getvalue().isascii() and b"####" in data.getvalue()


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (found("pending", 1), "has no beginning and no end"),
        (found(value=14), "does not tell which"),
        (found(value=-1), "never seen"),
    ],
)
def test_what_has_no_chart_is_said(one, reason):
    out = io.StringIO()
    show(one, out)
    assert out.getvalue().startswith("no chart: ") and reason in out.getvalue()


def test_a_page_shows_instances_only_if_there_are_some():
    assert "worst instances" not in result_html(late())
    page = result_html(late(), [instance(), instance()])
    assert page.count("latency p → T → r: 15 ns</title>") == 2


def test_reservations_are_shown():
    machines = "machines: {m: {cores: {c0: {reservation: {budget: 3ns, period: 10ns}}}}}\n"
    threads = "threads:\n  t: {core: m/c0, priority: 2, wcet: 4ns, period: 1us}\n"
    shown = cut(Scene(threads, machines=machines), "response", ("job", "t"))
    assert (shown.begin, shown.end) == (0, 25)
    assert len(rectangles(ElementTree.fromstring(svg(shown)), "closed")) == 2
    assert {bar.role for bar in shown.bars} == {OWN, WAITING}


def test_threads_of_linux_default_have_no_priority_beside_their_names():
    threads = "threads:\n  t: {core: m/c0, policy: other, wcet: 4ns, period: 1us}\n"
    picture = svg(cut(Scene(threads), "response", ("job", "t")))
    assert ">other</text>" in picture and "-2147" not in picture


def test_very_many_bars_become_fewer_but_none_is_lost():
    shown = worst_of(3)
    bar = next(bar for bar in shown.bars if bar.role != WAITING)
    step = max(1, (shown.last - shown.first) // 5000)
    many = tuple(
        bar._replace(begin=begin, end=begin + step // 2 + 1)
        for begin in range(shown.first, shown.last - step, step)
    )
    picture = svg(type(shown)(**{**vars(shown), "bars": many}))
    drawn = rectangles(ElementTree.fromstring(picture), bar.role)
    assert len(drawn) < 1000
    assert min(drawn)[0] == 190 and max(x2 for _, x2 in drawn) > 880
