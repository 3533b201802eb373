"""Drafts of programs, read back as federations."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.formats.yaml_writer import write
from ddsrta.lf.draft import read
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads

MS = 1_000_000
CENTRALIZED = "target C {coordination: centralized}\n"
DECENTRALIZED = "target C {coordination: decentralized}\n"
SOURCE = "reactor Source(period: time = 5 ms) { output out: int  timer t(0, period)  reaction(t) -> out {= =} }\n"
SINK = "reactor Sink { input in: int  reaction(in) {= =} }\n"


def save(folder: Path, text: str, name: str = "Program.lf") -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


def federation(folder: Path, text: str, **options: str | None) -> Federation:
    """The federation that the draft of a program is."""
    draft = read([save(folder, text)], **options)
    return loads(write(draft), "draft")


def refused(folder: Path, text: str, **options: str) -> str:
    """What is said of a program that is no federation."""
    with pytest.raises(InputError) as caught:
        read([save(folder, text)], **options)
    return str(caught.value).replace(str(folder) + "/", "")
