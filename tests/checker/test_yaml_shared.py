"""Both readers agree on systems of others, where a folder with them is at hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import ddsrta
from ddsrta.checker.yaml import read_document
from ddsrta.models.document import to_document

_REPOSITORY = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("DDSRTA_SHARED") or _REPOSITORY.parent / "shared") / "data"


def test_both_readers_agree_on_systems_of_others():
    compared = 0
    for path in sorted(DATA.rglob("*.yaml")):
        try:
            document = to_document(ddsrta.load(path))
        except ddsrta.InputError:
            continue  # files of other tools, and federations
        assert read_document(path.read_bytes(), str(path)) == document, path
        compared += 1
    if not compared:
        pytest.skip("no such systems: set DDSRTA_SHARED to the folder that holds data")
