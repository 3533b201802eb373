"""What a certificate is about, before any of its claims is looked at, and which were confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ddsrta.checker.assumptions import assumed, not_assumed
from ddsrta.checker.claimed import implied, stage_claims
from ddsrta.checker.document import read_system
from ddsrta.checker.matching import SetsClaim, read_claims
from ddsrta.checker.reading import digests, names, of_version, one_of, record, text
from ddsrta.checker.references import check_references
from ddsrta.checker.rest import KEYS
from ddsrta.checker.skips import with_skips
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.sums import Claim, RefutedError
from ddsrta.checker.things import Limit, System

VERSION = 1
_SOMETIMES = (
    "callbacks",
    "synchronizers",
    "assumptions",
    "skips",
    "mispaired",
    "idle_limits",
    *KEYS,
)
_MOST = 10_000
_CONFIRMED: dict[str, int] = {}  # with what it took
_KEYS = ("ddsrta_certificate", "profile", "system", "digest", "stages", "messages", "chains")


class Opened(NamedTuple):
    """What is claimed, of which system, what is assumed, the digest, and what flow controllers are
    said never to reach."""

    raw: dict[str, Any]
    system: System
    assuming: tuple[str, ...]
    seal: str
    idle: dict[str, Limit]


def opened(certificate: object) -> Opened:
    """A certificate that is of its system and assumes what that asks for."""
    if isinstance(certificate, dict) and "ddsrta_certificate" in certificate:
        of_version(certificate["ddsrta_certificate"], VERSION)
    raw = record(certificate, "certificate", _KEYS, _SOMETIMES)
    one_of(raw["profile"], "profile", ("busy-window",))
    inside, seal = digests(raw, "system")
    if text(raw["digest"], "digest") != inside:
        raise RefutedError("the system was changed: its digest differs from the claimed one")
    system, idle = read_system(raw["system"]), dict[str, Limit]()
    check_references(system)
    if "idle_limits" in raw:
        from ddsrta.checker.idle_limits import without_limits

        system, idle = without_limits(system, names(raw["idle_limits"], "idle_limits"))
    assuming = names(raw.get("assumptions", []), "assumptions")
    for rule in sorted(assumed(system) - set(assuming)):
        raise RefutedError(not_assumed(rule))
    return Opened(raw, system, assuming, seal, idle)


class Staged(NamedTuple):
    """What is claimed of stages and synchronizers; the stages as the system implies them, and with
    what the certificate says that timers and queues leave out."""

    claims: dict[Key, Claim]
    implied: dict[Key, Stage]
    stages: dict[Key, Stage]
    apart: tuple[str, ...]
    matched: Mapping[str, SetsClaim]


def staged(given: Opened) -> Staged:
    """The stages of a certificate, which are those of its system."""
    raw, system = given.raw, given.system
    claims = stage_claims(raw["stages"])
    plain = implied(system, claims)
    skips, apart = (names(raw.get(key, []), key) for key in ("skips", "mispaired"))
    stages = with_skips(system, plain, claims, skips)
    if apart:
        from ddsrta.checker.mispaired import with_mispaired

        stages = with_mispaired(stages, apart)
    matched = read_claims(raw.get("synchronizers", {}), system)
    return Staged(claims, plain, stages, apart, matched)


def confirmed_before(seal: str) -> bool:
    """Whether this process confirmed a certificate of this digest, and did so lately."""
    return seal in _CONFIRMED


def work_for(seal: str) -> int:
    """How many units of work that took."""
    return _CONFIRMED[seal]


def remember(seal: str, work: int) -> None:
    """That a certificate of this digest was confirmed."""
    _CONFIRMED[seal] = work
    if len(_CONFIRMED) > _MOST:
        del _CONFIRMED[next(iter(_CONFIRMED))]
