"""No two places of the product say the same in more than twelve lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
MOST = 12
_THIN = 3  # what a line must be longer than to count: brackets do not

Line = tuple[int, str]  # its number, and its text


def test_no_two_places_share_many_lines() -> None:
    seen: dict[tuple[str, ...], tuple[Path, int]] = {}
    shared = []
    for path in (*(ROOT / "ddsrta").rglob("*.py"), *(ROOT / "cython_ext").rglob("*.p*")):
        if path.suffix not in (".py", ".pyx", ".pxi"):
            continue
        lines = list(_lines(path.read_text("utf-8")))
        for start in range(len(lines) - MOST):
            run = tuple(text for _, text in lines[start : start + MOST + 1])
            place = path.relative_to(ROOT), lines[start][0]
            other, first = seen.setdefault(run, place)
            if (other, first) != place:
                shared.append(f"{place[0]}:{place[1]} ~ {other}:{first}")
    assert not shared


def test_what_a_line_is() -> None:
    text = (
        "import os\nfrom a import (\n    b,\n)\n\n# why\nx = [\n    1,\n]\nif x:\n    y = 2  # so\n"
    )
    assert list(_lines(text)) == [(7, "x = ["), (10, "if x:"), (11, "y = 2")]


def _lines(text: str) -> Iterator[Line]:
    """Lines that say something: no imports, comments and brackets."""
    importing = False
    for number, line in enumerate(text.splitlines(), 1):
        said = line.partition("  #")[0].strip()
        if said.startswith(("import ", "from ", "cimport ")):
            importing = said.endswith("(")
        elif importing:
            importing = said != ")"
        elif len(said) > _THIN and not said.startswith("#"):
            yield number, said
