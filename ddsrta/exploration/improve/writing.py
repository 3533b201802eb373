"""A repair in the text of the file: comments, layout and order stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.exploration.edits import Edit
from ddsrta.exploration.improve.repairs import Repair
from ddsrta.formats.yaml_place import NotInPlaceError, in_place
from ddsrta.models.reader import loads
from ddsrta.models.system import System

_BY_HAND = "make the change by hand, or take another repair with --repair"


def repaired_text(system: System, repair: Repair) -> str:
    """What the file is to say; raises InputError where it cannot be changed in place.

    >>> import ddsrta
    >>> late = ddsrta.loads('''
    ... ddsrta: 1
    ... machines: {m: {cores: [c]}}
    ... threads:
    ...   slow: {core: m/c, priority: 9, wcet: 5ms, period: 50ms}
    ...   fast: {core: m/c, priority: 5, wcet: 1ms, period: 10ms}  # of the vendor
    ... chains: {fast: {path: [fast], deadline: 4ms}}
    ... ''')
    >>> print(repaired_text(late, ddsrta.improve(late).repairs[0]).splitlines()[5])
      fast: {core: m/c, priority: 10, wcet: 1ms, period: 10ms}  # of the vendor
    """
    return edited_text(system, repair.edits, repair.system, _BY_HAND)


def edited_text(system: System, edits: Sequence[Edit], wanted: System, advice: str) -> str:
    """What a file says after edits that make another system of it."""
    written = system.written
    assert written is not None
    return text_with(written.text, edits, lambda new: _says(new, written.path, wanted), advice)


def text_with(
    text: str | bytes, edits: Sequence[Edit], is_right: Callable[[str], bool], advice: str
) -> str:
    """A text after edits, if that is what it is to be."""
    text = text.decode("utf-8") if isinstance(text, bytes) else text
    try:
        new = in_place(text, [(edit.path, edit.value) for edit in edits])
    except NotInPlaceError as error:
        raise InputError([Diagnostic(None, str(error), advice)]) from error
    if not is_right(new):
        message = "the text cannot be changed in place: it says one thing in several places"
        raise InputError([Diagnostic(None, message, advice)])
    return new


def _says(text: str, path: str, wanted: System) -> bool:
    try:
        return loads(text, path, beside=path) == wanted
    except InputError:
        return False


def is_as_read(system: System, path: str) -> bool:
    """Whether the file still says what was read from it."""
    assert system.written is not None
    text = system.written.text
    data = text.encode("utf-8") if isinstance(text, str) else text
    return Path(path).read_bytes() == data
