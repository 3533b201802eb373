"""Files as they are, and as they were in a revision of git."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError, shown
from ddsrta.cli.streams import read_system

if TYPE_CHECKING:
    from ddsrta.models.system import System

_PATIENCE = 60  # seconds for git


def read_version(name: str) -> System:
    """The system in a file, on stdin ('-'), or in a file of a revision ('HEAD~1:system.yaml')."""
    revision, colon, path = name.partition(":")
    if not colon or not revision or name == "-" or os.path.exists(name):
        return read_system(name)
    from ddsrta.models.reader import loads

    return loads(_of_git(name, revision, path), name, beside=path)


def is_revision(name: str) -> bool:
    """Whether a name is that of a file in a revision, and not that of a file."""
    revision, colon, path = name.partition(":")
    return bool(colon and revision and path) and not os.path.exists(name)


def _of_git(name: str, revision: str, path: str) -> bytes:
    """What a file said in a revision; its path counts from here, as those of other files do."""
    import subprocess

    folder, file = os.path.split(path)
    if revision.startswith("-"):
        raise InputError([Diagnostic(None, f"{shown(revision)} is no revision")])
    command = ["git", "-C", folder or ".", "show", f"{revision}:./{file}"]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=_PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError([Diagnostic(None, f"cannot read '{name}': {error}")]) from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = said[-1] if said else "git ended without a word"
        advice = "write REVISION:FILE, such as HEAD~1:system.yaml"
        raise InputError([Diagnostic(None, f"cannot read '{name}': {reason}", advice)])
    return done.stdout
