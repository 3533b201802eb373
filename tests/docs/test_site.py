"""The site of `make docs` builds without a warning: each link, anchor and picture leads somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.console import ROOT


@pytest.fixture(autouse=True)
def _sphinx() -> None:
    for name in ("sphinx", "furo", "myst_parser"):
        pytest.importorskip(name, reason="the docs extra is not installed")


def built(pages: Path, place: Path, builder: str, *some: Path) -> subprocess.CompletedProcess[str]:
    """All pages read and their links followed; `html` writes them, or some."""
    command = ["-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "-b", builder]
    places = ["-c", ROOT / "docs" / "site", "-d", place / "read", pages, place / "site"]
    return subprocess.run(
        [sys.executable, *command, *map(str, [*places, *some])],
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    followed = built(ROOT, tmp_path, "dummy")
    assert followed.returncode == 0, followed.stderr
    some = [
        ROOT / name for name in ("README.md", "docs/tutorial/robot.md", "docs/theory/README.md")
    ]
    done = built(ROOT, tmp_path, "html", *some)  # all look alike, and take long
    said = [line for line in done.stderr.splitlines() if "not all documents" not in line]
    assert not said
    site = tmp_path / "site"
    assert (site / "index.html").read_text() == (site / "README.html").read_text()
    assert "docs/theory/README.html" in (site / "index.html").read_text()
    assert (site / "docs/tutorial/robot.html").exists() and (site / "_images/react.svg").exists()


def test_what_leads_nowhere_is_said(tmp_path: Path) -> None:
    links = ["[2](two.md)", "[2](docs/two.md)", "[2](#my-two)", "![2](two.svg)", "[2](two.md#one)"]
    (tmp_path / "two.md").write_text("# Two\n")
    (tmp_path / "README.md").write_text("# One\n\n" + "\n\n".join(links) + "\n")
    done = built(tmp_path, tmp_path, "dummy")
    assert done.returncode == 1
    said = {int(line) for line in re.findall(r"README\.md:(\d+): WARNING.*two\b(?!-)", done.stderr)}
    assert said == {5, 7, 9, 11}  # all but the first
