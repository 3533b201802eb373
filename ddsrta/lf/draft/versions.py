"""What versions of Lingua Franca do that a program does not say."""

from __future__ import annotations

from ddsrta.lf.program.language.elaborate import Reactor

_KNOWN_SINCE = (0, 9)


def numbers(version: str) -> tuple[int, ...]:
    """What versions are compared by.

    >>> numbers("0.13.0") >= numbers("0.9")
    True
    """
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def refuse_old(version: str | None, top: Reactor) -> None:
    """Federates of old versions wait at each tag, known or not: bounds of waits would be wrong."""
    if version is not None and numbers(version) < _KNOWN_SINCE:
        definition = top.found.definition
        message = f"federates of version {version} wait at each tag, known or not: not modelled"
        advice = "import it with a version from 0.9 on, if it is compiled with that"
        raise top.found.source.error(definition.at, message, advice)
