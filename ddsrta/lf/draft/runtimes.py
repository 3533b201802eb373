"""Which runtime a program gets, and the order in which that takes reactions."""

from __future__ import annotations

from ddsrta.lf.draft.versions import numbers
from ddsrta.lf.program.language.elaborate import Reactor
from ddsrta.lf.program.language.syntax import Program, Property, Reaction, Scalar

_NP_SINCE = (0, 10)
_LEVELS_ONLY = ("Cpp", "Rust", "TypeScript")  # these have no order by deadlines


def is_single(program: Program) -> bool:
    """Whether it runs on one thread: as it says, or on a board that has no others."""
    properties = program.properties
    if "threading" in properties:
        return _text(properties["threading"]) == "false"
    return _text(properties.get("single-threaded")) == "true" or _without_threads(properties)


def _without_threads(properties: dict[str, Property]) -> bool:
    """Of Arduino only boards of mbed have threads."""
    platform = properties.get("platform")
    said = platform if isinstance(platform, dict) else {"name": platform}
    return _text(said.get("name")) == "arduino" and "mbed" not in _text(said.get("board"))


def _text(value: Property | None) -> str:
    return value.text.lower() if isinstance(value, Scalar) else ""


def why_by_deadlines(
    program: Program, version: str | None, federate: Reactor, *, single: bool
) -> str | None:
    """Why the runtime takes reactions by deadlines though no scheduler is named; None: it does not.

    Without threads there is one queue, by inherited deadlines and then levels. Before 0.10 the
    compiler took GEDF_NP for programs with deadlines.
    """
    old = version is not None and numbers(version) < _NP_SINCE
    if program.target in _LEVELS_ONLY or not (single or old) or not _has_deadlines(federate):
        return None
    return "the runtime on one thread has deadlines first" if single else "the default before 0.10"


def _has_deadlines(federate: Reactor) -> bool:
    return any(
        reaction.deadline is not None
        for reactor in federate.all()
        for reaction in reactor.found.definition.of(Reaction)
    )
