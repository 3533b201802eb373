"""How long flow controllers sleep for their limits of bytes, and what that delays (lemmas
byte-limit and limit-carry-in)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ddsrta.bounds.locks.beside import beside
from ddsrta.bounds.locks.wait import NO_WAIT
from ddsrta.models.bandwidth import counted, resets, sent_by, share
from ddsrta.models.middleware import Limit
from ddsrta.models.system import System
from ddsrta.policies.relation import Delay
from ddsrta_kernel import UNBOUNDED

if TYPE_CHECKING:
    from ddsrta.bounds.solution import Solution


def without_shares(system: System) -> frozenset[str]:
    """The flow controllers with a limit of which no writer has a share."""
    return frozenset(
        name
        for name, controller in system.flow_controllers.items()
        if controller.limit is not None
        and not any(share(system, publication) for _, publication in sent_by(system, name))
    )


def reached(solution: Solution, system: System, controllers: Collection[str]) -> set[str]:
    """Those of the flow controllers, solved without their limits, that may reach these."""
    found: dict[str, list[tuple[int, int]]] = {}
    for number, stage in enumerate(solution.compiled.stages):
        if stage.key[0] == "sample" and (name := stage.server[1]) in controllers:
            limit, response = system.flow_controllers[name].limit, solution.response(number)
            assert limit is not None
            window = UNBOUNDED if response is None else limit.period + response
            size = counted(system.topics[stage.key[2]].size)
            found.setdefault(name, []).append((solution.count(number, window), size))
    return {
        name
        for name, begun in found.items()
        if (limit := system.flow_controllers[name].limit) and is_reached(limit, begun)
    }


def is_reached(limit: Limit, begun: Sequence[tuple[int, int]]) -> bool:
    """Whether so many samples, of so many bytes each, may not all fit between two resets."""
    largest = max(size for _, size in begun)
    full = sum(count * size for count, size in begun) > limit.bytes - largest
    return full and sum(count for count, _ in begun) >= limit.bytes // largest


class Sleeping:
    """What the limits of a solved system add to the windows of its stages."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.stages = solution.compiled.stages
        self.controllers = {
            name: controller.limit
            for name, controller in solution.system.flow_controllers.items()
            if controller.limit is not None
        }
        self.largest: dict[str, int] = {}
        for number, stage in enumerate(self.stages):
            if self.limit(number) is not None:
                name = stage.server[1]
                self.largest[name] = max(self.largest.get(name, 0), self.bytes(number))

    def limit(self, number: int) -> Limit | None:
        """The limit of the flow controller that sends a sample; None for all else."""
        stage = self.stages[number]
        return self.controllers.get(stage.server[1]) if stage.key[0] == "sample" else None

    def bytes(self, number: int) -> int:
        """What a sample counts for at most."""
        return counted(self.solution.system.topics[self.stages[number].key[2]].size)

    def of(self, number: int) -> int:
        """What comes once in the windows of a stage; UNBOUNDED where there is no bound."""
        if not self.controllers:
            return 0
        total = self.carried(number)
        if self.limit(number) is not None:
            total += self.asleep(number)
        return min(total, UNBOUNDED)

    def related(self, number: int) -> list[tuple[Delay, int]]:
        """Which stages stand in which relation to one."""
        placement = self.solution.compiled.placement
        found = []
        for relation in placement.relations[self.solution.compiled.unit_of[number]]:
            for unit in range(relation.first, relation.last):
                other = placement.stage_of[unit]
                if other is not None and other != number:
                    found.append((relation.kind, other))
        return found

    def carried(self, number: int) -> int:
        """Work of flow controllers that come first and may be asleep when a window of the stage
        opens."""
        total = 0
        for kind, other in self.related(number):
            mine = self.stages[other].server == self.stages[number].server
            if mine or kind not in (Delay.PREEMPTS, Delay.OVERTAKES) or self.limit(other) is None:
                continue
            pending = self.solution.pending(other)
            if pending is None:
                return UNBOUNDED
            wait = self.solution.compiled.waits.get(other, NO_WAIT)
            total += pending * (self.stages[other].cost + wait.spinning)
        return total

    def asleep(self, number: int) -> int:
        """How long its own flow controller sleeps in a window of a sample."""
        limit, window = self.limit(number), self.solution.window(number)
        assert limit is not None
        if window is None:
            return UNBOUNDED
        begun = [(self.solution.count(number, window) - 1, self.bytes(number))]  # not z itself
        last = 0
        for kind, other in self.related(number):
            if self.stages[other].server != self.stages[number].server:
                continue
            if kind in (Delay.AHEAD, Delay.OVERTAKES):
                begun.append((self.solution.count(other, window), self.bytes(other)))
            elif kind in (Delay.ALTERNATES, Delay.LINGERS):
                response = self.solution.response(other)
                if response is None:
                    return UNBOUNDED
                begun.append((self.solution.count(other, window + response), self.bytes(other)))
            else:
                assert kind == Delay.BLOCKS
                last = max(last, self.bytes(other))
        if last:
            begun.append((1, last))
        largest = self.largest[self.stages[number].server[1]]
        units, sent = sum(count for count, _ in begun), sum(count * size for count, size in begun)
        times = resets(limit, largest, units, sent) + 1
        own = beside(self.solution.system, self.stages, self.stages[number].server).own
        return times * limit.period + own.waking(times)
