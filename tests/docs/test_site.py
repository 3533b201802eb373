"""The site of `make docs` builds without a warning: each link, anchor and picture leads somewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.console import ROOT


@pytest.fixture(autouse=True)
def _sphinx() -> None:
    for name in ("sphinx", "furo", "myst_parser"):
        pytest.importorskip(name, reason="the docs extra is not installed")


def built(pages: Path, site: Path) -> subprocess.CompletedProcess[str]:
    command = ["-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "-b", "html"]
    return subprocess.run(
        [sys.executable, *command, "-c", str(ROOT / "docs" / "site"), str(pages), str(site)],
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    done = built(ROOT, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "README.html" in {page.name for page in tmp_path.iterdir()}


def test_a_link_that_leads_nowhere_is_said(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# One\n\n[two](docs/two.md)\n")
    done = built(tmp_path, tmp_path / "site")
    assert done.returncode == 1
    assert "README.md:3: WARNING" in done.stderr and "docs/two.md" in done.stderr
