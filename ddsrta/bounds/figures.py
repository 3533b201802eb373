"""Single numbers of a solved system, each found when it is asked for: what its result says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from ddsrta.bounds.assemble import warnings_of
from ddsrta.bounds.paths.concrete import NamedPath, named_paths
from ddsrta.bounds.placement import LINK
from ddsrta.bounds.present import message_keys, path_figures
from ddsrta.bounds.queues.backlog import queues
from ddsrta.bounds.queues.overflow import has_rooms, losing
from ddsrta.bounds.result import Finding, Verdict, bounding, unless_errors
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.stages import Key
from ddsrta.bounds.synchronizers.set_responses import callback_response, ends_since
from ddsrta.models.system import System

ARROW = " → "  # in the name of a message: publisher → topic → subscriber


class Paths(NamedTuple):
    """The paths of a system by their names, and what was found where there are too many."""

    named: dict[str, NamedPath]
    cut: list[Finding]

    @classmethod
    def of(cls, system: System) -> Paths:
        """Those of a system."""
        paths, cut = named_paths(system)
        return cls({path.name: path for path in paths}, cut)


class Figures:
    """The numbers of a solved system; None where unbounded. What has no such name is a KeyError.

    >>> from ddsrta.bounds.solve import solve
    >>> from ddsrta.examples import two_threads
    >>> figures = Figures(solve(two_threads()))
    >>> figures.chain("control loop", "latency"), figures.wcrt("sensor"), figures.verdict()
    (3286000, 1000000, 'met')
    """

    def __init__(self, solution: Solution, paths: Paths | None = None) -> None:
        self.solution = solution
        self.paths = paths or Paths.of(solution.system)
        self._chains: dict[str, dict[str, int | None]] = {}

    def chain(self, name: str, figure: str) -> int | None:
        """One of a path."""
        if name not in self._chains:
            path = self.paths.named[name]
            self._chains[name] = path_figures(self.solution, path, self._lost)[2]
        return self._chains[name][figure]

    @cached_property
    def _lost(self) -> frozenset[Key]:
        """What full queues may lose."""
        return losing(self.solution) if has_rooms(self.solution.system) else frozenset()

    def wcrt(self, name: str) -> int | None:
        """The response of a thread or callback."""
        thread = self.solution.system.threads[name]
        if thread.executor is None:
            return self.solution.taken(("job", name))
        return callback_response(self.solution, thread)

    @cached_property
    def _messages(self) -> dict[str, list[Key]]:
        return {ARROW.join(keys[-1][1:]): keys for keys in message_keys(self.solution.compiled)}

    def ddl(self, name: str) -> int | None:
        """The data delivery latency of a message."""
        return ends_since(self.solution, self._messages[name])[-1]

    @cached_property
    def _backlogs(self) -> dict[str, int | None]:
        return {name: queue.backlog for name, queue in queues(self.solution).items()}

    def backlog(self, name: str) -> int | None:
        """The most that waits in a queue."""
        return self._backlogs[name]

    def verdict(self) -> Verdict:
        """Of all of them."""
        if None in self._bounds():
            return "unbounded"
        held = list(self._deadlines())
        if None in held:
            return "unbounded"
        if not all(held) or not self._in_order:
            return "missed"
        return unless_errors("met", warnings_of(self.solution, self.paths.cut))

    def _bounds(self) -> Iterator[int | None]:
        """What is to have a bound, beside chains."""
        solution = self.solution
        for stage in solution.compiled.stages:
            if stage.server[0] == LINK:
                yield solution.response(stage.key)
        yield from map(self.wcrt, solution.system.threads)
        yield from map(self.ddl, self._messages)

    def _deadlines(self) -> Iterator[bool | None]:
        """Whether each holds; None for each path that has no bound."""
        for name, path in self.paths.named.items():
            constraint, deadline = path.chain.constraint, path.chain.deadline
            if deadline is not None:
                figure = self.chain(name, constraint)
                yield None if figure is None else figure <= deadline
            elif all(self.chain(name, figure) is None for figure in bounding(constraint)):
                yield None

    @cached_property
    def _in_order(self) -> bool:
        """Whether all wanted orders hold."""
        if not self.solution.system.orders:
            return True
        from ddsrta.bounds.order.judge import order_results

        return all(order.met for order in order_results(self.solution).values())
