"""Every link, anchor and picture of the pages leads somewhere, and the site shows every page.

The same is checked by `make docs`, which builds the site; this needs nothing but the pages.
"""

from __future__ import annotations

import json
import re
import runpy
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.docs.console import ROOT
from tests.docs.names import files

LINK = re.compile(
    r"""\]\(([^)\s]+)[^)]*\)|<(?:img|a|source)\s[^>]*(?:src|href|srcset)="([^"\s]+)"""
)
SITE = runpy.run_path(str(ROOT / "docs" / "site" / "conf.py"))
PARTS = {"page.md", "reference_text.md"}  # of pages that are made of them
PAGES = [p.relative_to(ROOT) for p in files() if p.suffix == ".md" and p.name not in PARTS]
SHOWN = [p.with_suffix("").as_posix() for p in PAGES if p.parts[0] not in ("ddsrta", "tests")]


def anchors(page: Path) -> set[str]:
    """Where links into a page can point, as a forge names headings: `One, two` is #one-two.

    The second heading of a name gets -1, the third -2.
    """
    found: Counter[str] = Counter()
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    for line in re.findall(r"^#+ (.*)$", text, re.M):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line).strip().lower()
        found[re.sub(r"[^\w\- ]", "", words).replace(" ", "-")] += 1
    return {f"{a}-{n}" if n else a for a, times in found.items() for n in range(times)}


def links(text: str) -> list[str]:
    """Where a text leads, but for other hosts.

    >>> links('![a](b.svg "two words"), [c](https://d.example), [e](f.md#g), `[no](link)`')
    ['b.svg', 'f.md#g']
    """
    prose = re.sub(r"^```.*?^```|`[^`\n]+`", "", text, flags=re.S | re.M)
    found = [markdown or html for markdown, html in LINK.findall(prose)]
    return [link for link in found if not re.match(r"[a-z]+:", link)]


def check(link: str, page: Path) -> None:
    place, _, anchor = link.partition("#")
    target = page.parent / place if place else page
    assert target.exists(), f"{page}: {link}"
    if anchor and target.suffix == ".md":
        assert anchor in anchors(target), f"{page}: {link}"


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_somewhere(page: Path) -> None:
    for link in links((ROOT / page).read_text(encoding="utf-8")):
        check(link, ROOT / page)


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_links_of_notebooks_lead_somewhere(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for cell in cells:
        if cell["cell_type"] == "markdown":
            for link in links("".join(cell["source"])):
                check(link, path)


def test_the_navigation_of_the_site_reaches_every_page() -> None:
    patterns = [p for below in SITE["NAVIGATION"].values() for ps in below.values() for p in ps]
    listed = {page for page in SHOWN if any(fnmatch(page, pattern) for pattern in patterns)}
    left_out = {"docs/theory"}  # leads to the chapters, for links to where they once were
    assert set(SHOWN) - listed == {SITE["root_doc"], *left_out}
    assert set(SITE["NAVIGATION"]) <= listed | {SITE["root_doc"]}


def test_the_list_of_notebooks_has_all_of_them() -> None:
    listed = links((ROOT / "notebooks" / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(p.name for p in (ROOT / "notebooks").glob("*.ipynb"))


def test_pages_of_the_site_load_nothing_from_elsewhere() -> None:
    for page in SHOWN:
        text = (ROOT / f"{page}.md").read_text(encoding="utf-8")
        assert not re.search(
            r"!\[[^]]*\]\(https?:|<(?:img|script|link|iframe)[^>]*https?:", text
        ), page
    style = (ROOT / "docs" / "site" / "static" / "site.css").read_text(encoding="utf-8")
    assert "//" not in style
