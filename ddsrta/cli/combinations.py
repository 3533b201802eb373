"""Options that say nothing beside others are refused, not ignored."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable

from ddsrta.base.diagnostics import Diagnostic, InputError


def refuse(options: Namespace, names: Iterable[str], why: str, advice: str = "") -> None:
    """Refuse those of the options that were given; `why` goes on after the option's name.

    >>> refuse(Namespace(runs=None, gantt=True), ["runs", "gantt"], "needs --attack")
    Traceback (most recent call last):
    ...
    ddsrta.base.diagnostics.InputError: --gantt needs --attack
    """
    given = [name for name in names if _given(getattr(options, name, None))]
    if given:
        messages = (f"--{name.replace('_', '-')} {why}" for name in given)
        raise InputError([Diagnostic(None, message, advice) for message in messages])


def _given(value: object) -> bool:
    """A number is given also where it is 0."""
    return value is not None and value is not False and value != []
