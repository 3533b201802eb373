"""What every certificate of a federation begins with, and what comparing figures comes to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from ddsrta.checker.budget import Budget
from ddsrta.checker.lf.assumptions import assumed
from ddsrta.checker.lf.document import read_federation
from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.things import Federation
from ddsrta.checker.reading import (
    array,
    digest,
    integer,
    mapping,
    names,
    of_version,
    one_of,
    record,
    shown,
    text,
)
from ddsrta.checker.sums import RefutedError

LEAST = -(2**60)
_HEAD = ("ddsrta_certificate", "profile", "federation", "digest", "assumptions", "verdict")
VERDICTS = ("met", "missed", "unbounded", "error")


class Head(NamedTuple):
    """A certificate of which the federation is read."""

    raw: dict[str, Any]
    federation: Federation
    assuming: tuple[str, ...]
    verdict: str


def read_head(certificate: object, keys: Collection[str]) -> Head:
    """The federation, its digest and what is assumed of it."""
    if isinstance(certificate, dict) and "ddsrta_certificate" in certificate:
        of_version(certificate["ddsrta_certificate"], 1)
    raw = record(certificate, "certificate", (*_HEAD, *keys))
    if text(raw["digest"], "digest") != digest(raw["federation"]):
        raise RefutedError("the federation was changed: its digest differs from the claimed one")
    federation = read_federation(raw["federation"])
    assuming = names(raw["assumptions"], "assumptions")
    for rule in sorted(assumed(federation) - set(assuming)):
        raise RefutedError(f"the figures rest on {shown(rule)}, which is not said to be assumed")
    return Head(raw, federation, assuming, one_of(raw["verdict"], "verdict", VERDICTS))


def figure(value: object, where: str, least: int = 0) -> int | None:
    """A figure, or none."""
    return None if value is None else integer(value, where, least)


class Tally:
    """Counts what holds; refutes what does not."""

    def __init__(self, work: int | None = None) -> None:
        self.budget = Budget(work)
        self.confirmed = 0
        self.at = "certificate"

    def holds(self, what: str, good: bool, because: str) -> None:
        """One relation."""
        if not good:
            raise RefutedError(f"{what}: {because}")
        self.confirmed += 1

    def at_least(self, what: str, claimed: int | None, least: Callable[[], int]) -> None:
        """A claimed bound, if there is one, is no less than what can be."""
        self.at = what
        if claimed is None:
            return
        try:
            found = least()
        except NoBoundError as error:
            raise RefutedError(f"{what}: {claimed} is claimed, but {error}") from None
        self.holds(what, claimed >= found, f"{claimed} is claimed, but it may be {found}")

    def equal(self, what: str, claimed: object, found: object) -> None:
        """A figure that follows from others."""
        self.at = what
        good = claimed == found and isinstance(claimed, bool) == isinstance(found, bool)
        self.holds(what, good, f"{shown(claimed)} is claimed, but it is {shown(found)}")


def listed(
    value: object, where: str, keys: Collection[str], expected: Collection[object], by: Any
) -> dict[Any, dict[str, Any]]:
    """Records by what they speak of: each that is expected, once, and no other."""
    found: dict[Any, dict[str, Any]] = {}
    for index, item in enumerate(array(value, where)):
        raw = record(item, f"{where}.{index}", keys)
        try:
            key = by(raw)
            new = key not in found and key in expected
        except TypeError:
            new = False
        if not new:
            raise RefutedError(f"{where}.{index}: is claimed twice, or of nothing that is there")
        found[key] = raw
    if len(found) < len(expected):
        raise RefutedError(f"{where}: something is not claimed")
    return found


def by_name(
    value: object, where: str, keys: Collection[str], expected: Mapping[str, object]
) -> dict[str, dict[str, Any]]:
    """Records by name: each that is expected, and no other."""
    raw = mapping(value, where)
    if set(raw) != set(expected):
        raise RefutedError(f"{where}: something is not claimed, or not there")
    return {name: record(raw[name], f"{where}.{name}", keys) for name in expected}
