"""What a closed window takes in: a stage with all that delays or releases what it takes in
(definition closed-stages)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.stages import Stage, comes_from
from ddsrta.bounds.supply import overcommitted

if TYPE_CHECKING:
    from ddsrta.bounds.locks.sharing import LockSharing
    from ddsrta.bounds.placement import Worker

MOST_VISITS = 50  # of each stage, for all that is asked of one solution


def _locks(compiled: Compiled) -> LockSharing:
    from ddsrta.bounds.locks.sharing import LockSharing

    return LockSharing(compiled)


class Closures:
    """The closed sets of a system's stages, as they are asked for."""

    def __init__(self, compiled: Compiled, with_inputs: bool = True) -> None:
        self.compiled, self.with_inputs = compiled, with_inputs
        self.left = MOST_VISITS * max(200, len(compiled.stages))
        self.because = ""  # why the last that was asked for has none
        self.locks = _locks(compiled) if compiled.system.fastdds else None
        self.overcommitted = overcommitted(compiled.system)

    def of(self, stage: int) -> Iterator[int | None]:
        """All stages of the least closed set with one; None where something has no closed window:
        it runs in a reservation, beside one (where there are locks, these count: lemma
        gaps-of-supplies), or on a link, its sets are not counted by number, or flow controllers may
        try for ever.
        """
        placement, stages = self.compiled.placement, self.compiled.stages
        unit_of = self.compiled.unit_of
        ahead = [unit_of[stage]]
        for unit in self._units(ahead):
            number = placement.stage_of[unit]
            if number is None:
                copied = placement.copied(unit)
                if copied is None and self.locks is not None:
                    continue  # its budget counts (lemma gaps-of-supplies)
                if copied is None:
                    yield self._none("some of it runs beside a SCHED_DEADLINE thread")
                    return
                ahead.append(unit_of[copied])
                continue
            found = stages[number]
            if self._is_reserved(found) and self.locks is None:
                yield self._none(f"thread {found.key[1]} runs by its deadlines")
                return
            if found.makes_sets and not self.compiled.closed_sets:
                yield self._none(f"the sets of {found.key[1]} are not counted by number")
                return
            if self.locks is not None:
                if self._core_of(found) in self.overcommitted:
                    yield self._none("some of it is on a core with more reservations than it has")
                    return
                if number in self.locks.endless:
                    name = found.server[1]
                    yield self._none(f"flow controller {name} may try for a lock without end")
                    return
                ahead += [unit_of[other] for other in self.locks.beside(number)]
            yield number
            ahead += [relation.last - 1 for relation in placement.relations[unit]]
            if self.with_inputs:
                ahead += [unit_of[edge.source] for edge in comes_from(found)]
        if ahead:
            yield self._none(self.because)

    def _none(self, because: str) -> int | None:
        self.because = because
        return None

    def _core_of(self, stage: Stage) -> str:
        kind, name = stage.server
        thread: Worker = getattr(self.compiled.system, kind)[name]
        return thread.core

    def _is_reserved(self, stage: Stage) -> bool:
        """Whether it runs by its deadlines (lemma deadline-servers)."""
        kind, name = stage.server
        return kind == "threads" and self.compiled.system.threads[name].reservation is not None

    def _units(self, ahead: list[int]) -> Iterator[int]:
        """The units that are ahead, each once, with all that is before them on their supplies: what
        is more urgent. It ends early where a supply is no whole core."""
        placement = self.compiled.placement
        ends: dict[int, int] = {}
        while ahead:
            last = ahead[-1]
            supply = placement.supply_of[last]
            found = placement.supplies[supply]
            first = ends.get(supply, found.first)
            self.left -= max(0, last + 1 - first)
            if found.is_link:
                self.because = "some of it is on a shared link"
                return
            if found.reservation is not None and self.locks is None:
                self.because = "some of it runs by a reservation"
                return
            if self.left < 0:
                self.because = "it is too much to look at"
                return
            ahead.pop()
            if last >= first:
                ends[supply] = last + 1
                yield from range(first, last + 1)
