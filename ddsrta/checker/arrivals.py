"""Arrival models of the document, read anew: least distances, their inverse, the largest gap."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import NamedTuple

from ddsrta.checker.reading import (
    CertificateError,
    array,
    integer,
    mapping,
    one_of,
    optional_integer,
    record,
    truth,
)

_KEYS = {
    "periodic": ("kind", "period", "jitter", "min_distance"),
    "sporadic": ("kind", "distance", "jitter"),
    "burst": ("kind", "count", "distance", "period"),
    "curve": ("kind", "distances", "repeat", "period", "gap"),
}

_OPTIONAL = (("periodic", "offset"), ("periodic", "rounded"), ("sporadic", "gap"), ("burst", "gap"))


class Source(NamedTuple):
    """Least distances: n releases of `first` and on, `turn` of them recur every `period`.

    The distance of n releases is the largest of `prefix`, and of (n-1)·period − jitter, and of
    (n-1)·apart; a source of which the prefix alone counts has `linear` False.
    """

    kind: str
    period: int
    jitter: int = 0
    apart: int = 0
    many: int = 1
    distances: tuple[int, ...] = ()
    repeat: int = 1
    gap: int | None = None
    offset: int | None = None
    rounded: bool = False  # the period of a rate, which is a little longer

    @property
    def is_plain(self) -> bool:
        """Whether η is one fraction, rounded."""
        return self.kind in ("periodic", "sporadic") and not self.apart

    @property
    def rate(self) -> tuple[int, int]:
        """So many releases in so many nanoseconds, in the long run."""
        return {"burst": self.many, "curve": self.repeat}.get(self.kind, 1), self.period

    def least(self, count: int) -> int:
        """The least time that `count` consecutive releases span, δ⁻(count)."""
        before = max(count, 1) - 1
        if self.kind == "burst":
            return before // self.many * self.period + before % self.many * self.apart
        if self.kind == "curve":
            beyond = before - len(self.distances) + 1
            turns = max(0, -(-beyond // self.repeat))
            return self.distances[before - turns * self.repeat] + turns * self.period
        return max(0, before * self.period - self.jitter, before * self.apart)

    def most(self, length: int) -> int:
        """η(length) = the largest count with δ⁻(count) < length, 0 for no length.

        >>> [Source("periodic", 10, jitter=4).most(length) for length in (0, 1, 6, 7)]
        [0, 1, 1, 2]
        >>> [Source("burst", 10, apart=2, many=3).most(length) for length in (2, 3, 5, 10, 11)]
        [1, 2, 3, 3, 4]
        """
        if length <= 0:
            return 0
        if self.kind in ("periodic", "sporadic"):
            most = (length + self.jitter - 1) // self.period + 1
            return min(most, (length - 1) // self.apart + 1) if self.apart else most
        span = length - 1  # what releases may span
        if self.kind == "burst":
            bursts, rest = divmod(span, self.period)
            last = min(self.many - 1, rest // self.apart) if self.apart else self.many - 1
            return bursts * self.many + last + 1
        turns = max(0, span - self.distances[-self.repeat]) // self.period
        return bisect_right(self.distances, span - turns * self.period) + turns * self.repeat


def read_arrival(value: object, where: str) -> Source:
    """The arrival of a thread."""
    kind = one_of(mapping(value, where).get("kind"), f"{where}.kind", _KEYS)
    keys = _KEYS[kind]
    for known, key in _OPTIONAL:
        if kind == known and key in mapping(value, where):
            keys = (*keys, key)
    raw = record(value, where, keys)
    source = _source(kind, raw, where)
    if source.kind != "periodic" and source.gap is not None and source.gap < _pause(source):
        raise CertificateError(f"{where}: the largest gap is below what the least distances ask")
    return source


def _pause(source: Source) -> int:
    """The longest step of δ⁻, which the densest releases take before they recur."""
    last = {"curve": len(source.distances) + 1, "burst": source.many + 1}.get(source.kind, 1)
    if source.kind == "sporadic":
        return source.period
    return max(source.least(n + 1) - source.least(n) for n in range(1, last))


def _source(kind: str, raw: dict[str, object], where: str) -> Source:
    if kind == "curve":
        return _curve(raw, where)
    if kind == "burst":
        burst = Source(
            kind,
            integer(raw["period"], where, 1),
            apart=integer(raw["distance"], where),
            many=integer(raw["count"], where, 1),
            gap=optional_integer(raw.get("gap"), where),
        )
        if burst.many * burst.apart > burst.period:
            raise CertificateError(f"{where}: the burst does not fit into its period")
        return burst
    jitter = integer(raw["jitter"], where)
    if kind == "sporadic":
        gap = optional_integer(raw.get("gap"), where)
        return Source(kind, integer(raw["distance"], where, 1), jitter, gap=gap)
    period = integer(raw["period"], where, 1)
    apart = integer(raw["min_distance"], where)
    if apart > period:
        raise CertificateError(f"{where}: min_distance exceeds the period")
    offset = optional_integer(raw.get("offset"), where)
    if offset is not None and offset >= period:
        raise CertificateError(f"{where}: the offset is not within the period")
    rounded = truth(raw.get("rounded", False), f"{where}.rounded")
    gap = period + jitter
    return Source(kind, period, jitter, apart, gap=gap, offset=offset, rounded=rounded)


def _curve(raw: dict[str, object], where: str) -> Source:
    distances = tuple(integer(item, where) for item in array(raw["distances"], where))
    repeat, period = integer(raw["repeat"], where, 1), integer(raw["period"], where, 1)
    if not distances or distances[0] != 0 or any(a > b for a, b in pairwise(distances)):
        raise CertificateError(f"{where}: distances start with 0 and do not decrease")
    if repeat > len(distances):
        raise CertificateError(f"{where}: repeats more distances than there are")
    if distances[-repeat] + period < distances[-1]:
        raise CertificateError(f"{where}: the period is shorter than what recurs with it")
    gap = optional_integer(raw["gap"], where)
    return Source("curve", period, distances=distances, repeat=repeat, gap=gap)
