"""What does not follow from the costs of jobs, nor from priorities: it is found once for all
systems that differ in these alone."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from copy import copy
from functools import cached_property

from ddsrta.bounds.effects.successors import Successors, completions
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.stages import Key, Stage, unfold
from ddsrta.bounds.streams import Streams, follow
from ddsrta.models.arrivals import Periodic
from ddsrta.models.bandwidth import limited
from ddsrta.models.reservations import served
from ddsrta.models.system import System
from ddsrta_kernel import Solver
from ddsrta_kernel.problem import ROW

_RANKED = ("sample", "message", "transfer")  # stages that have the priority of a topic


class Structure:
    """The stages of a system but for costs and priorities, and what follows from them alone. The
    refinements are those that hold for the system."""

    def __init__(self, system: System, refinements: Refinements) -> None:
        self.system, self.refinements = system, refinements
        self.led: array[int] | None = None  # see `leading`
        self.stages = unfold(system, refinements)
        sets = [one for one in self.stages if one.synchronizer is not None and one.makes_sets]
        if refinements.equal_stamps and sets:
            from ddsrta.bounds.synchronizers.equal_stamps import find_equal_stamps

            find_equal_stamps(self.stages)
        self.number: dict[Key, int] = {one.key: number for number, one in enumerate(self.stages)}

    @cached_property
    def streams(self) -> Streams:
        """Which stream each stage belongs to; asked for when all is known that is allowed for."""
        return follow(self.system, self.stages, self.refinements.offsets)

    @cached_property
    def successors(self) -> Successors:
        """Which stages come only after others."""
        return completions(self.stages, self.streams, self.refinements.effects)

    @cached_property
    def bends(self) -> frozenset[int]:
        """The stages that do not only go on with what comes by one input."""
        stages, every = self.stages, enumerate(self.stages)
        return frozenset(
            [
                number
                for number, one in every
                if len(one.inputs) != 1 or one.anew or stages[one.inputs[0].source].by_turn
            ]
        )

    @cached_property
    def at_once(self) -> bool:
        """Whether something may come just as another unit begins, with all of that to do yet."""
        return 0 in {edge.least for stage in self.stages for edge in stage.inputs}

    def leading(self, solver: Solver) -> array[int]:
        """What leads to each stage, and what of that is done then, as the kernel finds it."""
        if self.led is None:
            from ddsrta.bounds.pending_window.leading import find_leading

            executors = self.system.executors
            pools = {("executors", name) for name, one in executors.items() if one.is_pool}
            self.led = find_leading(self.stages, self.streams, solver, pools)
        return self.led

    def rows(self, solver: Solver) -> array[int]:
        """The rows of stages at the end of that (lemma meetings-in-order)."""
        return self.leading(solver)[-ROW * len(self.stages) :]

    @cached_property
    def fits(self) -> bool:
        """Whether systems that differ in costs of threads without a reservation, and in priorities,
        have the same one; those of threads count where they order copies."""
        system = self.system
        if system.fastdds is not None or limited(system) or system.media:
            return False
        if system.circles or served(system):
            return False
        # else windows are looked at beforehand (lemma offset-windows)
        return clocked_periods(self.stages) < 2

    @property
    def has_ordered_copies(self) -> bool:
        """Whether priorities of readers say in which order they get copies."""
        return any(topic.copies == "priority" for topic in self.system.topics.values())

    def stages_of(self, system: System) -> list[Stage]:
        """Those of another system that has the same one.

        >>> from ddsrta.examples import two_threads
        >>> found = Structure(two_threads(), Refinements.all())
        >>> other = two_threads().altered("threads", "sensor", wcet=2_000_000)
        >>> found.fits, [stage.cost for stage in found.stages_of(other)][:2]
        (True, [2000000, 62000])
        """
        stages: list[Stage] = self.stages.copy()
        before = self.system
        for name, thread in system.threads.items():
            if (more := thread.wcet - before.threads[name].wcet) != 0:
                number = self.number["job", name]
                changed = stages[number] = copy(stages[number])
                changed.cost += more
        ranks = {
            name: topic.priority
            for name, topic in system.topics.items()
            if topic.priority != before.topics[name].priority
        }
        for number, stage in enumerate(stages) if ranks else ():
            if stage.key[0] in _RANKED and stage.key[2] in ranks:
                changed = stages[number] = copy(stage)
                changed.priority = ranks[stage.key[2]]
        return stages


def clocked_periods(stages: Sequence[Stage]) -> int:
    """How many periods sources with known offsets have."""
    return len({
        stage.arrival.period
        for stage in stages
        if isinstance(stage.arrival, Periodic) and stage.arrival.offset is not None
    })  # fmt: skip
