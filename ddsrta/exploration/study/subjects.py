"""Which kinds of files studies are about, told apart by their first word."""

from __future__ import annotations

from pathlib import Path

from ddsrta.base.yaml_reader import read_bytes, read_text
from ddsrta.exploration.study.subject import Subject, SystemSubject
from ddsrta.lf.program.federation import Federation
from ddsrta.models.reader import load, loads
from ddsrta.models.system import System

Thing = System | Federation


def subject_of(thing: Thing, text: str | bytes | None = None) -> Subject:
    """What was read from a file or a text."""
    if isinstance(thing, System):
        return SystemSubject.of(thing)
    from ddsrta.exploration.study.federations import FederationSubject

    return FederationSubject.of(thing, text)


def subject_in(path: str | Path) -> Subject:
    """What is in a file."""
    text = read_bytes(path)
    if not _is_federation(text, str(path)):
        return subject_of(load(path))
    return subject_of(read_again(text, str(path)), text)


def read_again(text: str | bytes, path: str) -> Thing:
    """What a text describes, beside the file that it was in."""
    if not _is_federation(text, path):
        return loads(text, path, beside=path)
    from ddsrta.lf.program.reader import loads as federation

    return federation(text, path)


def _is_federation(text: str | bytes, path: str) -> bool:
    root = read_text(text, path).root
    return isinstance(root.value, dict) and "federation" in root.value
