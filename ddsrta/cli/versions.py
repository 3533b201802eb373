"""Files as they are, and as they were in a revision of git."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError, shown
from ddsrta.cli.streams import read_system

if TYPE_CHECKING:
    from ddsrta.bounds.result import Result
    from ddsrta.models.system import System

_PATIENCE = 60  # seconds for git
_LOOK = 1 << 16  # bytes at the beginning of a file


def read_version(name: str) -> System:
    """The system in a file, on stdin ('-'), or in a file of a revision ('HEAD~1:system.yaml')."""
    revision, colon, path = name.partition(":")
    if not colon or not revision or name == "-" or os.path.exists(name):
        if os.path.exists(name) and _begins_like_a_result(name):
            advice = "hold a model against it with 'ddsrta check MODEL --baseline RESULT'"
            raise InputError([Diagnostic(None, f"{shown(name)} is a result, no model", advice)])
        return read_system(name)
    from ddsrta.models.reader import loads

    return loads(_of_git(name, revision, path), name, beside=path)


def read_baseline(name: str, system: str) -> System | Result | None:
    """What a system is held against: a model, one of a revision, of which `REVISION:` is that of
    the same file if it has it, or the JSON result of an earlier analysis."""
    revision, colon, path = name.partition(":")
    if colon and revision and not path and not os.path.exists(name):
        return None if _is_new(revision, system) else read_version(f"{name}{system}")
    if os.path.exists(name) and _begins_like_a_result(name):
        from ddsrta.report.baseline import load_result

        return load_result(name)
    if not (colon or os.path.exists(name)) and _has(revision):
        advice = f"say {shown(f'{name}:')} for the same file as it was there"
        raise InputError([Diagnostic(None, f"{shown(name)} is a revision", advice)])
    return read_version(name)


def _begins_like_a_result(name: str) -> bool:
    """A result is JSON; so may be a system, or YAML in braces, which says so by its machines."""
    try:
        with open(name, "rb") as stream:
            begin = stream.read(_LOOK)
    except OSError:
        return False
    return begin.lstrip()[:1] == b"{" and not re.search(rb'[{,\s"]machines"?\s*:', begin)


def _is_new(revision: str, path: str) -> bool:
    """Whether git has a revision, without this file."""
    folder, file = os.path.split(path)
    has = [
        _git(folder, "cat-file", "-e", what).returncode == 0
        for what in (f"{revision}^{{commit}}", f"{revision}:./{file}")
    ]
    return has == [True, False]


def _has(revision: str) -> bool:
    return _git("", "cat-file", "-e", f"{revision}^{{commit}}").returncode == 0


def _git(folder: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    command = ["git", "-C", folder or ".", *words]
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=_PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError([Diagnostic(None, f"cannot ask git: {error}")]) from error


def _of_git(name: str, revision: str, path: str) -> bytes:
    """What a file said in a revision; its path counts from here, as those of other files do."""
    folder, file = os.path.split(path)
    if revision.startswith("-"):
        raise InputError([Diagnostic(None, f"{shown(revision)} is no revision")])
    done = _git(folder, "show", f"{revision}:./{file}")
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = said[-1].rstrip(".") if said else "git ended without a word"
        advice = "write REVISION:FILE, such as HEAD~1:system.yaml"
        if _git(folder, "rev-parse", "--is-shallow-repository").stdout.strip() == b"true":
            advice = "this clone is shallow: let CI fetch the whole history, or 'git fetch' it"
        raise InputError([Diagnostic(None, f"cannot read '{name}': {reason}", advice)])
    return done.stdout
