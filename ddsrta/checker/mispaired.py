"""Threads that wait for messages by number, where full queues may lose those of one input and not
of another: from then on they take others together; and synchronizers, which may never get what
belongs to what they have (lemma room-overflow)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ddsrta.checker.reading import CertificateError, shown
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import RefutedError


def with_mispaired(stages: Mapping[Key, Stage], named: Collection[str]) -> dict[Key, Stage]:
    """The stages, of which those that are named are no stream's next ones: numbers say nothing, and
    the next message that comes to a synchronizer may take any time."""
    found = dict(stages)
    for name in named:
        stage = found.get(("job", name))
        if stage is None or not _matches(stage):
            raise CertificateError(
                f"mispaired: {shown(name)} waits for nothing that belongs together"
            )
        found[stage.key] = stage._replace(anew=True, mispaired=True)
    return found


def check_mispaired(
    stages: Mapping[Key, Stage], streams: Streams, lost: Collection[Key], named: Collection[str]
) -> None:
    """Raises where one that has to be named is not."""
    for name in _mispaired(stages, streams, lost):
        if name not in named:
            raise RefutedError(
                f"job {name}: full queues may shift what it waits for, which is not said "
                "(lemma room-overflow)"
            )


def _mispaired(
    stages: Mapping[Key, Stage], streams: Streams, lost: Collection[Key]
) -> Iterator[str]:
    """The places that may have lost something of what comes to each stage, by numbers of bits."""
    places: dict[Key, int] = {}
    for key in streams.streams:  # each after its inputs
        if key not in stages:  # what a callback of a pool takes on its cores
            continue
        stage = stages[key]
        inputs = set()
        for edge in stage.inputs:
            direct = ("direct", edge.source[1], edge.within, key[1])
            if direct in lost:
                places.setdefault(direct, 1 << len(places))
            inputs.add(places[edge.source] | places.get(direct, 0))
        here = key in lost
        alike = len(inputs) == 1 and streams.continues(stage) and stage.synchronizer is None
        if _matches(stage) and any(inputs) and not alike:
            here = True
            yield key[1]
        places[key] = (1 << len(places)) if here else 0
        for one in inputs:
            places[key] |= one


def _matches(stage: Stage) -> bool:
    return stage.joins and len(stage.inputs) > 1
