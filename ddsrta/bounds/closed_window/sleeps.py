"""How long flow controllers sleep for their limits of bytes in a closed window (lemma
limit-windows)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from ddsrta.base.frozen import frozen
from ddsrta.bounds.closed_window.released import Released
from ddsrta.bounds.compiled import Compiled
from ddsrta.models.bandwidth import counted, resets, resets_of
from ddsrta.models.middleware import Limit


@frozen
class Sleep:
    """Of one flow controller: the bytes of a sample of each stage, and of the largest."""

    limit: Limit
    largest: int
    bytes: Mapping[int, int]

    def inside(self, released: Released) -> Callable[[int], int]:
        """In a window, with what is released in it: one sleep may have its reset before, and one
        sample is not begun before the last."""
        sent, units = released.work(self.bytes), released.work(dict.fromkeys(self.bytes, 1))
        limit, largest, least = self.limit, self.largest, min(self.bytes.values())

        def inside(length: int) -> int:
            if not (number := units(length)):
                return 0
            return (resets(limit, largest, number - 1, sent(length) - least) + 1) * limit.period

        return inside

    def rate(self, rates: Sequence[float]) -> float:
        """In the long run."""
        sent = sum(rates[number] * size for number, size in self.bytes.items())
        units = sum(rates[number] for number in self.bytes)
        begun = sent / (self.limit.bytes - self.largest + 1)
        return self.limit.period * min(begun, units / (self.limit.bytes // self.largest))


class Sleeps:
    """Of all flow controllers of closed stages that have a limit."""

    def __init__(self, compiled: Compiled, held: Collection[int]) -> None:
        system, members = compiled.system, frozenset(held)
        sizes: dict[str, dict[int, int]] = {}
        for number, stage in enumerate(compiled.stages):
            if stage.key[0] == "sample" and system.flow_controllers[stage.server[1]].limit:
                size = counted(system.topics[stage.key[2]].size)
                sizes.setdefault(stage.server[1], {})[number] = size
        self.each: list[Sleep] = []
        of = [compiled.stages[number] for number in held]
        sends = {stage.server[1] for stage in of if stage.key[0] == "sample"}
        self.wakes = any(resets_of(system, name) for name in sends)  # with a period over
        self.is_whole = True  # whether all that these flow controllers send is among the stages
        for name, found in sizes.items():
            limit = system.flow_controllers[name].limit
            if limit is not None and not members.isdisjoint(found):
                self.is_whole = self.is_whole and members.issuperset(found)
                self.each.append(Sleep(limit, max(found.values()), found))

    def inside(self, released: Released) -> Callable[[int], int]:
        """In a window, with what is released in it."""
        each = [one.inside(released) for one in self.each]
        return lambda length: sum(one(length) for one in each)

    def rate(self, rates: Sequence[float]) -> float:
        """In the long run."""
        return sum(one.rate(rates) for one in self.each)
