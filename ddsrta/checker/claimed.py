"""What a certificate says of stages and messages: of those of its system, and of each of them; and
what that makes of paths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from ddsrta.checker.reading import (
    CertificateError,
    array,
    integer,
    names,
    optional_integer,
    record,
    shown,
    text,
    truth,
)
from ddsrta.checker.stages import Key, Stage, unfold
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import NO_WAITS, Claim, RefutedError
from ddsrta.checker.things import System
from ddsrta.checker.walks import less

_STAGE = ("stage", "response", "latency")
_MORE = ("paced", "closed", "taken")
_SEEN = ("pending", "joint", "fair", "path", "sharing")  # by which windows it may be confirmed, too


def stage_claims(value: object) -> dict[Key, Claim]:
    """What is claimed of each stage."""
    claims: dict[Key, Claim] = {}
    for index, item in enumerate(array(value, "stages")):
        where = f"stages.{index}"
        raw = record(item, where, _STAGE, ("window", "waits", *_MORE, *_SEEN))
        key = names(raw["stage"], f"{where}.stage")
        if key in claims:
            raise RefutedError(f"stage {shown('/'.join(key))}: is claimed twice")
        claims[key] = Claim(
            optional_integer(raw["response"], f"{where}.response"),
            optional_integer(raw["latency"], f"{where}.latency"),
            optional_integer(raw.get("window"), f"{where}.window"),
            _waits(raw["waits"], where) if "waits" in raw else NO_WAITS,
            truth(raw.get("closed", False), f"{where}.closed"),
            integer(raw["paced"], f"{where}.paced") if "paced" in raw else None,
            *(truth(raw.get(name, False), f"{where}.{name}") for name in _SEEN),
        )
        if "taken" in raw:
            taken = optional_integer(raw["taken"], f"{where}.taken")
            claims[key] = claims[key]._replace(taken=taken, swaps=True)
    return claims


def _waits(value: object, where: str) -> tuple[int | None, int | None, int | None]:
    found = [optional_integer(one, f"{where}.waits") for one in array(value, f"{where}.waits")]
    if len(found) != 3:
        raise CertificateError(f"{where}.waits: three times are needed")
    return found[0], found[1], found[2]


def implied(system: System, claims: dict[Key, Claim]) -> dict[Key, Stage]:
    """The stages of the system, if they are those that are claimed."""
    stages: dict[Key, Stage] = {}
    swapping = {key for key, claim in claims.items() if claim.swaps}
    for stage in unfold(system, swapping):
        if stage.key not in claims:
            raise RefutedError(f"{stage.label}: is not claimed")
        if claims[stage.key].swaps != stage.swaps:
            raise CertificateError(f"stages: {stage.label} cannot have 'taken'")
        stages[stage.key] = stage
    for key in claims:
        if key not in stages:
            raise RefutedError(f"stage {shown('/'.join(key))}: the system has no such stage")
    return stages


class MessageClaim(NamedTuple):
    """What is claimed of a message."""

    ddl: int | None
    sent: int | None


def message_claims(value: object, stages: dict[Key, Stage]) -> dict[Key, MessageClaim]:
    """What is claimed of all messages."""
    claims: dict[Key, MessageClaim] = {}
    for index, item in enumerate(array(value, "messages")):
        where = f"messages.{index}"
        raw = record(item, where, ("publisher", "topic", "subscriber", "ddl"), ("sent",))
        ends = (text(raw[k], f"{where}.{k}") for k in ("publisher", "topic", "subscriber"))
        key = ("message", *ends)
        if key in claims:
            raise RefutedError(f"message {shown('/'.join(key[1:]))}: is claimed twice")
        if key not in stages:
            raise RefutedError(f"message {shown('/'.join(key[1:]))}: the system has none such")
        ddl = optional_integer(raw["ddl"], f"{where}.ddl")
        claims[key] = MessageClaim(ddl, optional_integer(raw.get("sent"), f"{where}.sent"))
    for key in _messages(stages):
        if key not in claims:
            raise RefutedError(f"message {shown('/'.join(key[1:]))}: is not claimed")
    return claims


def _messages(stages: dict[Key, Stage]) -> Iterator[Key]:
    return (key for key in stages if key[0] == "message")


class _Known(Protocol):
    """What is known of stages."""

    stages: Mapping[Key, Stage]
    streams: Streams
    claims: Mapping[Key, Claim]


def claimed(given: _Known, path: Sequence[Key], data: bool) -> list[int | None]:
    """What the claims about its stages make of a path, up to each: the response of the first, and
    the latencies of those that continue the stream of its source."""
    found, first = [given.claims[path[0]].on_paths], given.streams[path[0]]
    continues = not given.stages[path[0]].inputs
    for key in path[1:]:
        stage = given.stages[key]
        waits = not data and len(stage.inputs) > 1
        continues = continues and not waits and given.streams[key].base is first.base
        found.append(less(given.claims[key].latency, first.best) if continues else None)
    return found
