"""Drafts of lingua-franca's own tests are valid, or the import says why there is none."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ddsrta.base.diagnostics import InputError
from ddsrta.formats.yaml_writer import write
from ddsrta.lf.draft import read
from ddsrta.lf.program.reader import loads
from tests.lf.checkout import programs

# Why there is no valid draft, for a part of the message: those of v0.13 and how many they are.
REASONS = {
    "there is no main or federated reactor": 60,  # libraries
    "is not there; ": 20,  # of packages and of tests that fail on purpose
    "is in the target's language, which is not read": 5,
    "reactions of the federated reactor itself are not modelled": 10,
    "'test-offset' moves the clocks of federates apart": 2,
    "with 'local-federates-on' federates of one host": 3,
    "these reactions wait for each other at a tag": 5,  # modes break the circle
}


def test_drafts_are_valid(tmp_path: Path):
    paths = []
    for path, text in programs("test"):
        place = tmp_path / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        paths.append(place)
    valid, reasons = 0, Counter[str]()
    for place in paths:
        try:
            loads(write(read([str(place)])))
            valid += 1
        except InputError as error:
            reason = next((r for r in REASONS if r in str(error)), str(error))
            reasons[reason] += 1
    assert valid > 1150
    assert all(count <= REASONS.get(reason, 0) for reason, count in reasons.items()), reasons
