"""Timers that may be called when their next release is due, and so leave it out (lemma
timer-skips)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ddsrta.checker.arrivals import Source
from ddsrta.checker.reading import CertificateError, shown
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.sums import Claim, RefutedError
from ddsrta.checker.things import System
from ddsrta.checker.words import duration


def with_skips(
    system: System,
    stages: Mapping[Key, Stage],
    claims: Mapping[Key, Claim],
    named: Collection[str],
) -> dict[Key, Stage]:
    """The stages with what timers release at the least; those that may skip must be named."""
    found = dict(stages)
    timers = _timers(system)
    for name in named:
        if name not in timers:
            raise CertificateError(f"skips: {shown(name)} is no timer of an executor")
    for name, source in timers.items():
        key: Key = ("job", name)
        late = _late(source, stages[key], claims[key])
        period = source.period if source.kind == "periodic" else source.least(2)
        if name in named:
            found[key] = stages[key]._replace(arrival=_sparse(source, late))
        elif late is None or late >= period:
            much = "any time" if late is None else duration(late)
            raise RefutedError(
                f"{stages[key].label}: may be called {much} late, and then skips releases, "
                "which is not said (lemma timer-skips)"
            )
    return found


def _timers(system: System) -> dict[str, Source]:
    return {
        name: thread.arrival
        for name, thread in system.threads.items()
        if thread.entity == "timer" and thread.arrival
    }


def _late(source: Source, stage: Stage, claim: Claim) -> int | None:
    """A job begins no later than its cost before it must be done."""
    return None if claim.response is None else source.jitter + claim.response - stage.cost


def _sparse(source: Source, late: int | None) -> Source:
    """As dense as before; the next release is the first one after the call. One that is named skips
    one at least: so its first release is within the gap, too, whatever its offset."""
    if source.kind != "periodic":
        return source._replace(gap=None)
    gap = None
    if late is not None:
        gap = (max(1, late // source.period) + 1) * source.period + source.jitter
    return source._replace(kind="sporadic", gap=gap)
