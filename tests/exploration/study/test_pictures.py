"""How a study shows itself: as text, as a page, in a notebook, as a PNG and as a table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ddsrta.exploration.study.study import Study
from ddsrta.report.json import document
from ddsrta.report.study import study_text
from ddsrta.report.study_html import study_page
from tests.exploration.study.cases import BOTH, ORDER, explored

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def found() -> Study:
    return explored(name="<b>three</b>")


def test_the_text_has_the_front_a_picture_and_how_it_came_about(found: Study) -> None:
    text = study_text(found)
    assert re.search(r"^ +base +9 ms +7.16 ms$", text, re.M)
    assert text.count("*") >= 2 and "│" in text
    assert "logger: priority 30 → 10  three.yaml:" in text
    assert "whole: all 6 points" in text


def test_a_page_draws_each_two_goals_and_escapes_names(found: Study) -> None:
    page = study_page(found)
    assert page.count("<svg") == 1 and "&lt;b&gt;three" in page and "<b>three" not in page
    assert page.count("r='5'") == len(found.front)
    assert "http://www.w3.org/2000/svg" in page and page.count("http") == page.count(
        "http://www.w3"
    )
    three = explored(objectives=[*BOTH, {"minimize": "changes"}])
    assert study_page(three).count("<svg") == 3
    assert "polyline" in page and "polyline" not in study_page(three)


def test_one_goal_is_drawn_over_the_candidates() -> None:
    one = explored(objectives=BOTH[:1])
    assert study_page(one).count("<svg") == 1
    assert ">candidate<" in one._repr_html_()


def test_nothing_feasible_says_what_came_nearest() -> None:
    limits = {"limits": [{"figure": "latency", "of": "loop", "at_most": "1ms"}]}
    none = explored(constraints=limits)
    assert "nothing that was tried" in study_text(none)
    assert re.search(
        r"nearest: candidate \d fails 1 of what is asked, by \d+.\d % in all", study_text(none)
    )
    assert "<svg" not in study_page(none)
    assert document(none)["front"] == []


def test_hostile_names_stay_text() -> None:
    found = explored(name=HOSTILE, parameters={"<i>": ORDER})
    for shown in (study_page(found), found._repr_html_()):
        assert "<script>alert" not in shown and "<i>" not in shown


def test_a_png_is_one(found: Study) -> None:
    pytest.importorskip("matplotlib", reason="the notebook extra is not installed")
    from ddsrta.report.front_plot import front_png

    for one in (found, explored(objectives=BOTH[:1])):
        assert front_png(one).startswith(b"\x89PNG")


def test_a_study_draws_its_front_into_axes(found: Study) -> None:
    pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    assert found.plot(axes) is axes and axes.get_xlabel() == "latency of filter, ms"
    dots = {each.get_label(): each.get_offsets().tolist() for each in axes.collections}
    front = [[value / 1e6 for value in member.goals if value] for member in found.front]
    assert dots["front"] == front and dots["base"] == [[9, 7.16]]
    limits = {"limits": [{"figure": "latency", "of": "loop", "at_most": "1ms"}]}
    none = explored(constraints=limits).plot(Figure().add_subplot())
    assert [each.get_label() for each in none.collections] == ["base"]


def test_a_frame_has_all_candidates(found: Study) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = found.to_frame()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 6
    assert list(frame.columns) == [
        "candidate", "order", "latency of filter", "latency of loop", "feasible", "front",
    ]  # fmt: skip
    assert list(frame[frame.front].candidate) == sorted(member.number for member in found.front)


def test_the_document_has_what_the_text_has(found: Study, tmp_path: Path) -> None:
    made = found.to_dict()
    assert made["study"] == "<b>three</b>" and made["is_whole"] and made["count"] == 6
    assert [each["goals"] for each in made["front"]] == [list(m.goals) for m in found.front]
    assert made["front"][0]["changes"][0]["line"] > 1
