"""Which kind of document a file is, by what stands at its top, for who was given another."""

from __future__ import annotations

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.base.yaml_tree import Tree

# By a key that each of a kind has, and no other kind.
_KINDS = {
    "verdict": ("a result", "'ddsrta check SYSTEM --baseline RESULT' holds a system against it"),
    "study": ("a study", "use 'ddsrta explore'; its 'base' names the system"),
    "federation": ("a federation", "use 'ddsrta lf'"),
    "machines": ("a system", "use 'ddsrta analyze'"),
}


def refuse_other_kinds(tree: Tree, key: str) -> None:
    """Raise InputError where a document without the key of its kind has that of another.

    >>> from ddsrta.base.yaml_reader import read_text
    >>> refuse_other_kinds(read_text("federation: {}", "f"), "machines")
    Traceback (most recent call last):
    ...
    ddsrta.base.diagnostics.InputError: f:1:1: this is a federation, not a system; use 'ddsrta lf'
    """
    found = key if tree.has((key,)) else next((k for k in _KINDS if tree.has((k,))), key)
    if found != key:
        what, advice = _KINDS[found]
        message = f"this is {what}, not {_KINDS[key][0]}"
        raise InputError([Diagnostic(tree.find((found,)), message, advice)])
