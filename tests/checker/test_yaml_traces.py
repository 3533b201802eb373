"""Timestamps of recorded releases: the checker's reader takes what the models take, and no less."""

from __future__ import annotations

from pathlib import Path

import pytest

import ddsrta
from ddsrta.checker import CertificateError
from ddsrta.checker.yaml import read_document
from ddsrta.models.document import to_document

SYSTEM = """\
ddsrta: 1
machines: {m: {cores: [a]}}
threads:
  p: {core: m/a, priority: 9, wcet: 1ns, arrival: {trace: releases.txt, unit: us}}
"""
ACCEPTED = (
    "1.5", "+1", ".5", "5.", "5.e3", "1e-3", "3E006", "1e00000003", "1e-000000000000003",
    "0." + "0" * 2 + "1" + "0" * 50, "0" * 55 + "1", "120000000000000000000000000000e-28",
    "1" + "0" * 40 + "e-40",
)  # fmt: skip
ZEROS = ("0e-999", "-0", "0e-000000000000999", "0E5")
REFUSED = (
    ".", "1e", "e5", "1_000", "١", "0x10", "inf", "1 2", "1e-4", "0.0001", "1e999999999999999",
    "9223372036854775.809", "1e-999999999999999",
)  # fmt: skip


def written(folder: Path, *stamps: str) -> Path:
    path = folder / "system.yaml"
    path.write_text(SYSTEM)
    (folder / "releases.txt").write_text("".join(f"{stamp}\n" for stamp in stamps))
    return path


@pytest.mark.parametrize("stamps", [("0", one) for one in ACCEPTED] + [(z, "7") for z in ZEROS])
def test_both_readers_take_the_same_of_it(tmp_path: Path, stamps: tuple[str, str]) -> None:
    path = written(tmp_path, *stamps)
    assert read_document(path.read_bytes(), str(path)) == to_document(ddsrta.load(path))


@pytest.mark.parametrize("stamp", REFUSED)
def test_both_readers_refuse_it_and_say_where(tmp_path: Path, stamp: str) -> None:
    path = written(tmp_path, "0", stamp)
    with pytest.raises(ddsrta.InputError, match=r"releases\.txt:2:1: "):
        ddsrta.load(path)
    with pytest.raises(CertificateError, match=r":4:.*: line 2 of the trace 'releases\.txt': "):
        read_document(path.read_bytes(), str(path))


def test_a_time_before_the_last_one_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "# three", "5", "4")
    with pytest.raises(CertificateError, match=r"line 3 of the trace .*'4' is no later timestamp"):
        read_document(path.read_bytes(), str(path))
