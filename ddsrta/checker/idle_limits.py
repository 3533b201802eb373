"""Limits of bytes that no flow controller ever reaches (lemma idle-limit)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ddsrta.checker.limits import HEADERS
from ddsrta.checker.reading import CertificateError, shown
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim, RefutedError
from ddsrta.checker.things import Limit, System


def without_limits(system: System, controllers: Collection[str]) -> tuple[System, dict[str, Limit]]:
    """The system as if these flow controllers had no limit, and their limits."""
    taken: dict[str, Limit] = {}
    for name in controllers:
        limit = system.controllers[name].limit if name in system.controllers else None
        if limit is None:
            raise CertificateError(f"idle_limits: {shown(name)} is no flow controller with a limit")
        taken[name] = limit
    for writer, thread in system.threads.items():
        for publication in thread.publishes.values():
            if not system.receivers(writer, publication.topic):
                continue  # nothing is sent
            if publication.controller in taken and publication.reserved:
                what = f"idle_limits: a writer has a share of that of {publication.controller}"
                raise RefutedError(f"{what} (lemma reserved-shares)")
    left = {
        name: one._replace(limit=None) if name in taken else one
        for name, one in system.controllers.items()
    }
    resets = {name: limit.period for name, limit in taken.items()}
    return (system._replace(controllers=left, resets=resets) if taken else system), taken


def check_idle(
    system: System,
    idle: Mapping[str, Limit],
    stages: Mapping[Key, Stage],
    streams: Streams,
    claims: Mapping[Key, Claim],
) -> None:
    """What a flow controller may begin within a period, after it had to wait for its responses, is
    less than what it may send."""
    for name, limit in idle.items():
        sizes: list[int] = []
        units: list[int] = []
        for key, stage in stages.items():
            if key[0] != "sample" or stage.runner != name:
                continue
            response, stream = claims[key].response, streams[key]
            if response is None or not stream.countable:
                raise RefutedError(f"{stage.label}: nothing says that the limit is never reached")
            sizes.append(system.sizes[key[2]] + HEADERS)
            units.append(stream.most(limit.period + response))
        if not sizes:
            continue
        fits = sum(one * size for one, size in zip(units, sizes, strict=True))
        if fits + max(sizes) > limit.bytes and (sum(units) + 1) * max(sizes) > limit.bytes:
            what = f"flow controller {shown(name)}: {fits} B may be sent within {limit.period} ns"
            raise RefutedError(f"{what}, so its limit may be reached (lemma idle-limit)")
