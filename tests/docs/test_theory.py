"""The chapters of the theory: their examples come out, their names are the ones that are cited."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from tests.docs import names, pictures
from tests.docs.console import FENCE, ROOT, rendered, sessions, write_files

CHAPTERS = sorted(path.name for path in names.THEORY.glob("*.md"))
PARTS = {
    "Lemma": ("Statement( and proof)?", "(Statement and p|P)roof", "Example", "Cost", "From"),
    "Definition": ("From",),
}
MOST_WORDS = 1800  # of a chapter, without its files and sessions


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_examples_of_a_chapter_come_out(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for chapter in CHAPTERS:
        write_files((names.THEORY / chapter).read_text(encoding="utf-8"), tmp_path)
    page = (names.THEORY / name).read_text(encoding="utf-8")
    command = f"python -m tests.docs.console docs/theory/{name} writes what is printed"
    assert rendered(page, tmp_path, fork=True) == page, command
    monkeypatch.chdir(tmp_path)
    for number, session in enumerate(sessions(page)):
        test = doctest.DocTestParser().get_doctest(session, {}, f"{name} {number}", name, 0)
        assert doctest.DocTestRunner().run(test).failed == 0


def test_pictures_are_those_of_the_examples() -> None:
    shown = list(pictures.pictures())
    assert {path.stem for path in pictures.place("x").parent.glob("*")} == set(shown)
    for each in shown:
        if pictures.by_hand(each):
            continue
        kept = pictures.place(each).read_text(encoding="utf-8")
        assert kept == pictures.drawn(each), "python -m tests.docs.pictures draws them anew"


def test_each_name_is_explained_once_and_listed() -> None:
    listed = (names.THEORY / "README.md").read_text(encoding="utf-8")
    for name, (kind, page) in names.headings().items():
        assert f"| [`{name}`]({page}#{kind}-{name}) | {kind} |" in listed


@pytest.mark.parametrize("name", [name for name in CHAPTERS if name[0].isdigit()])
def test_a_chapter_can_be_read_in_one_go(name: str) -> None:
    prose = FENCE.sub("", (names.THEORY / name).read_text(encoding="utf-8"))
    assert len(prose.split()) < MOST_WORDS


def test_what_is_cited_by_name_is_explained_as_what_it_is_cited() -> None:
    known = names.headings()
    for path in names.files():
        for kind, name in names.citations(path):
            assert name in known, f"{path}: {kind} {name} is not in docs/theory"
            assert known[name][0] == kind, f"{path}: {name} is a {known[name][0]}"


def test_each_lemma_and_definition_is_cited_by_the_code_that_rests_on_it() -> None:
    code = [path for path in names.files() if path.suffix != ".md" and path.parts[-2] != "docs"]
    cited = {name for path in code for _, name in names.citations(path)}
    known = {name for name, (kind, _) in names.headings().items() if kind != "note"}
    assert known - cited == set()


def test_nothing_is_cited_by_number_but_the_lemmas_of_papers() -> None:
    number = re.compile(r"\btheory,? \(?\d|\b(?:docs/lf\.md|federations?),? [Ll]emmas? \d", re.I)
    ours = re.compile(r"\blemmas? \d", re.I)
    for path in names.files():
        text = path.read_text(encoding="utf-8")
        assert not number.search(text), path
        if {"lf", "kernel", "ddsrta_kernel"} & set(path.relative_to(ROOT).parts):
            assert not ours.search(text), path


def test_the_vocabulary_has_each_word_once() -> None:
    page = (names.THEORY / "vocabulary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| [^|]+ \|$", page, re.M)
    words = [row for row in rows if row != "word" and not row.startswith("---")]
    assert len(words) > 50
    assert sorted(set(words)) == sorted(words)


@pytest.mark.parametrize("name", [name for name in CHAPTERS if name[0].isdigit()])
def test_each_name_has_its_parts(name: str) -> None:
    page = (names.THEORY / name).read_text(encoding="utf-8")
    for section in re.split(r"^##+ ", page, flags=re.M)[1:]:
        title = section.partition("\n")[0]
        for part in PARTS.get(title.split()[0], ()):
            assert re.search(rf"^\*\*{part}\.\*\*\s+\S", section, re.M), f"{title}: no {part}"
