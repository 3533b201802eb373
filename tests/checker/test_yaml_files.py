"""The checker's reader of system.yaml says of every system in the repository what the models say."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

import ddsrta
from ddsrta.checker.yaml import read_document
from ddsrta.models.document import to_document

ROOT = Path(__file__).resolve().parents[2]
WRITTEN = (
    "casestudies",
    "harness",
    "tests/models",
    "docs",
    "notebooks",
    "ddsrta",
    "tests",
    "README.md",
)
_BLOCK = re.compile(r"^ *```yaml\n(.*?)^ *```", re.M | re.S)


def files(*patterns: str) -> list[Path]:
    """Files of the repository, but for what was built in it."""
    found = []
    for folder in WRITTEN:
        path = ROOT / folder
        found += [path] if path.is_file() else [f for p in patterns for f in path.rglob(p)]
    return sorted({f for f in found if ".venv" not in f.parts})


def systems_in(path: Path) -> list[str]:
    """The texts in a file that look like systems."""
    text = path.read_text("utf-8")
    if "ddsrta: 1" not in text:
        return []
    if path.suffix == ".yaml":
        return [text]
    if path.suffix == ".md":
        return [block[1] for block in _BLOCK.finditer(text)]
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        return ["".join(cell["source"]) for cell in cells]
    nodes = ast.walk(ast.parse(text))
    return [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def known(text: str, path: Path) -> object:
    """What the models say of a text; None where it is no system."""
    try:
        return to_document(ddsrta.load(path) if path.suffix == ".yaml" else ddsrta.loads(text))
    except ddsrta.InputError:
        return None


@pytest.mark.parametrize("suffix", ["yaml", "md", "py", "ipynb"])
def test_both_readers_agree_on_what_the_repository_holds(suffix):
    compared = 0
    for path in files(f"*.{suffix}"):
        if path.suffix != f".{suffix}":
            continue
        for text in systems_in(path):
            if "ddsrta: 1" not in text or (document := known(text, path)) is None:
                continue
            beside = str(path) if suffix == "yaml" else "<text>"
            assert read_document(text, beside) == document, path
            compared += 1
    assert compared >= {"yaml": 40, "md": 1, "py": 20, "ipynb": 0}[suffix]
