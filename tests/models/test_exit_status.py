"""The program ends with 2 and a position where a file is wrong, whatever is wrong with it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

INVALID = sorted((Path(__file__).parent / "invalid").glob("*.yaml"))
GARBAGE = {
    "nothing": b"",
    "noise": bytes(range(256)) * 1000,
    "brackets": b"[" * 10_000_000,
    "a line": b"a" * 10_000_000,
    "too much": b"a: \n" * (17 << 20),
    "laughs": b"a: &a [x, x]\nb: &b [*a, *a]\n"
    + b"".join(b"k%d: &b [%s]\n" % (i, b", ".join([b"*b"] * 10)) for i in range(20)),
    "code": b"ddsrta: !!python/object/apply:os.system ['exit 7']\n",
    "escapes": b'ddsrta: 1\n"\\e[31m\\u202e": 1\n',
    "a document more": b"ddsrta: 1\n---\nddsrta: 1\n",
}


def analyze(path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "ddsrta", "analyze", str(path)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (result.returncode, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr
    assert re.search(rf"{re.escape(str(path))}:\d+:\d+: ", result.stderr)
    assert result.stderr.replace("\n", "").isprintable()


@pytest.mark.parametrize("path", INVALID[::9], ids=lambda path: path.stem)
def test_files_with_mistakes(path: Path) -> None:
    analyze(path)


@pytest.mark.parametrize("kind", GARBAGE)
def test_garbage(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "garbage.yaml"
    path.write_bytes(GARBAGE[kind])
    analyze(path)
    path.unlink()
