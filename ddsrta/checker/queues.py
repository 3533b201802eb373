"""The claims about queues: what waits in each thread, and in histories of readers (lemma
backlog-bound)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ddsrta.checker.overflow import handed, until_taken
from ddsrta.checker.reading import mapping, optional_integer, record, shown
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim, RefutedError
from ddsrta.checker.things import System


class QueueClaim(NamedTuple):
    """The most that is claimed to wait, in all and of each stream inside."""

    backlog: int | None
    streams: Mapping[str, int | None]


def read_queues(value: object) -> dict[str, QueueClaim]:
    """What is claimed of each queue."""
    found = {}
    for name, item in mapping(value, "queues").items():
        where = f"queues.{shown(name)}"
        raw = record(item, where, ("backlog", "streams"))
        inside = mapping(raw["streams"], f"{where}.streams")
        streams = {key: optional_integer(inside[key], f"{where}.{shown(key)}") for key in inside}
        found[name] = QueueClaim(optional_integer(raw["backlog"], f"{where}.backlog"), streams)
    return found


def check_queues(
    claims: Mapping[str, QueueClaim],
    system: System,
    stages: Mapping[Key, Stage],
    streams: Streams,
    confirmed: Mapping[Key, Claim],
) -> int:
    """Confirms all of them, and that none is left out; how many figures they are."""
    waiting = _Waiting(system, stages, streams, confirmed)
    needed = {**dict(waiting.threads()), **dict(waiting.histories())}
    for name in needed:
        if name not in claims:
            raise RefutedError(f"queue {shown(name)}: is not claimed")
    count = 0
    for name, claim in claims.items():
        label = f"queue {shown(name)}"
        if name not in needed:
            raise RefutedError(f"{label}: the system has none such")
        parts = needed[name]
        _compare(label, claim.backlog, _sum(parts.values()))
        inside = {} if name in waiting.of_readers else parts
        if set(claim.streams) != set(inside):
            raise RefutedError(f"{label}: what is claimed to be inside is not what is")
        for stream, most in inside.items():
            _compare(f"{label}: {shown(stream)}", claim.streams[stream], most)
        figures = [claim.backlog, *claim.streams.values()]
        count += sum(figure is not None for figure in figures)
    return count


def _compare(label: str, claimed: int | None, most: int | None) -> None:
    if claimed is None:
        return
    if most is None:
        raise RefutedError(
            f"{label}: claimed to hold {claimed} at most, is unbounded (lemma backlog-bound)"
        )
    if claimed < most:
        raise RefutedError(
            f"{label}: up to {most} may wait, more than the claimed {claimed} (lemma backlog-bound)"
        )


def _sum(parts: Iterable[int | None]) -> int | None:
    total = 0
    for part in parts:
        if part is None:
            return None
        total += part
    return total


_Parts = dict[str, int | None]


def _add(parts: _Parts, name: str, most: int | None) -> None:
    """Two streams may have one name."""
    parts[name] = _sum([parts.get(name, 0), most])


class _Waiting:
    """What waits where, from confirmed claims."""

    def __init__(
        self,
        system: System,
        stages: Mapping[Key, Stage],
        streams: Streams,
        confirmed: Mapping[Key, Claim],
    ) -> None:
        self.system = system
        self.stages = stages
        self.streams = streams
        self.confirmed = confirmed
        self.of_readers: set[str] = set()

    def threads(self) -> Iterator[tuple[str, _Parts]]:
        """In the flow controllers and listeners: what is in its response time."""
        found: dict[str, _Parts] = {}
        for key, stage in self.stages.items():
            if key[0] != "job":
                name = " → ".join(key[1:])
                parts = found.setdefault(stage.runner, {})
                _add(parts, name, self._units(key, self.confirmed[key].response))
        yield from found.items()

    def histories(self) -> Iterator[tuple[str, _Parts]]:
        """In the histories of readers that messages release, one by one: what is with the listener,
        or with the job that takes it. What is read as a register, or waits for others, is not."""
        found: dict[str, _Parts] = {}
        for key, stage in self.stages.items():
            if key[0] != "message":
                for edge in stage.comes_from if not stage.joins else ():
                    if edge.within:
                        taken = until_taken(self.system, self.confirmed, key)
                        direct = self.system.is_direct(edge.source[1], key[1])
                        place = f"{edge.within}, directly" if direct else edge.within
                        parts = found.setdefault(f"{key[1]} < {place}", {})
                        most = handed(self.streams, self.confirmed, edge, taken)
                        _add(parts, edge.source[1], most)
                continue
            _, _, topic, reader = key
            thread = self.system.threads[reader]
            if thread.arrival is not None or thread.joins:
                continue
            there = self.confirmed[key].response
            taken = until_taken(self.system, self.confirmed, ("job", reader))
            both = None if there is None or taken is None else there + taken
            parts = found.setdefault(f"{reader} < {topic}", {})
            _add(parts, " → ".join(key[1:]), self._units(key, both))
        self.of_readers |= set(found)
        yield from found.items()

    def _units(self, key: Key, time: int | None) -> int | None:
        stream = self.streams[key]
        return None if time is None or not stream.countable else stream.most(time)
