"""Every command, output and Python session that the documentation shows is what a run shows."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from tests.docs import pictures
from tests.docs.console import PICTURE, ROOT, drawn, rendered, sessions

# All that show commands; test_theory.py has the chapters of the theory.
PAGES = [
    page.relative_to(ROOT).as_posix()
    for page in sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
    if page.parent.name != "theory" and "```console" in page.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", PAGES)
def test_the_page_shows_what_its_commands_print(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    now = rendered(page, tmp_path, fork=name != "README.md")
    assert now == page, f"python -m tests.docs.console {name} writes what is printed now"
    made = dict(drawn(ROOT / name, tmp_path))
    shown = {((ROOT / name).parent / link).resolve() for link in PICTURE.findall(page)}
    assert shown - {pictures.GRAPH} == set(made)
    for place, picture in made.items():
        kept = place.read_text(encoding="utf-8")
        assert kept == picture, f"python -m tests.docs.console {name} draws {place.name} anew"
    monkeypatch.chdir(tmp_path)
    for number, session in enumerate(sessions(page)):
        test = doctest.DocTestParser().get_doctest(session, {}, f"{name} {number}", name, 0)
        assert doctest.DocTestRunner().run(test).failed == 0


def test_the_picture_of_a_report_is_what_is_drawn_now() -> None:
    kept = pictures.GRAPH.read_text(encoding="utf-8")
    assert kept == pictures.graph(), "python -m tests.docs.pictures draws it anew"
