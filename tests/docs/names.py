"""The names of definitions, lemmas and notes in docs/theory, and where they are cited."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.docs.console import ROOT

THEORY = ROOT / "docs" / "theory"
HEADING = re.compile(r"^### (Definition|Lemma|Note) `([a-z]+(?:-[a-z]+)+)`$", re.M)
_NAME = r"(?:\[`[a-z]+(?:-[a-z]+)+`\]\([^)]*\)|`?[a-z]+(?:-[a-z]+)+`?)"
_LIST = rf"{_NAME}(?:(?:,|,? and| to| or)\s+(?:#\s+)?{_NAME})*"
CITED = re.compile(rf"\b([Dd]efinition|[Ll]emma|[Nn]ote)s?\s+(?:#\s+)?({_LIST})")
TEXT = {".py", ".pyx", ".pxi", ".pyi", ".md", ".yaml"}


@cache
def headings() -> dict[str, tuple[str, str]]:
    """name → (kind, file): of each name that docs/theory explains."""
    found: dict[str, tuple[str, str]] = {}
    for page in sorted(THEORY.glob("*.md")):
        for kind, name in HEADING.findall(page.read_text(encoding="utf-8")):
            assert name not in found, f"{name} is explained twice"
            found[name] = kind.lower(), page.name
    return found


@cache
def files() -> tuple[Path, ...]:
    """What git knows of, and what is new."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = (ROOT / line for line in listed.splitlines())
    return tuple(path for path in paths if path.suffix in TEXT and path.is_file())


def citations(path: Path) -> Iterator[tuple[str, str]]:
    """(kind, name): whatever a file cites by name.

    >>> text = "waits (lemmas lock-waits and\\n    writer-locks), note `lost-refinements`"
    >>> list(citations_in(text))[:2]
    [('lemma', 'lock-waits'), ('lemma', 'writer-locks')]
    """
    yield from citations_in(path.read_text(encoding="utf-8"))


def citations_in(text: str) -> Iterator[tuple[str, str]]:
    """The same of a text."""
    for kind, names in CITED.findall(text):
        for name in re.findall(r"[a-z]+(?:-[a-z]+)+", re.sub(r"\]\([^)]*\)", "", names)):
            yield kind.lower(), name
