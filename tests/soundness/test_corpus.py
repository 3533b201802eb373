"""What ever fell does not fall again: the kept systems at all stations.

The first line of a file says what fell; each line `# seen: PATH TIME` what a run has shown, so that no
claim is below it; a line `# without: REFINEMENT` asks for the bounds without it, too.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ddsrta
from tests.soundness.pipeline.stations import through

FILES = sorted((Path(__file__).parent / "corpus").glob("*.yaml"))
WITHOUT = re.compile(r"^# without: (\w+)$", re.MULTILINE)
SEEN = re.compile(r"^# seen: (\S.*) (\d+)$", re.MULTILINE)


def claimed(result, path):
    """The figure of a result with a dotted name."""
    kind, rest = path.split(".", 1)
    name, figure = rest.rsplit(".", 1)
    return getattr(getattr(result, kind)[name], figure)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_fell_holds(file):
    text = file.read_text(encoding="utf-8")
    without = WITHOUT.search(text)
    seen = through(ddsrta.load(file), 1, without and without[1], runs=12)
    assert not seen.failures, seen.failures[0]
    assert text.startswith("# ")
    for path, least in SEEN.findall(text):
        bound = claimed(seen.result, path)
        assert bound is None or bound >= int(least), path
