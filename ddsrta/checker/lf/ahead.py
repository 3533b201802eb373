"""What may run before a reaction at its tag (lemma reactions-before)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property

from ddsrta.checker.lf.environments import Environment
from ddsrta.checker.lf.program import Program
from ddsrta.checker.lf.things import Connection, Federation

NEVER = 2**63
_Rank = Callable[[str], object]


class Ahead(Program):
    """The reactions of an environment, and the order in which a scheduler may take them."""

    @cached_property
    def after(self) -> dict[str, set[str]]:
        """All that have to wait for each, at once or in the end."""
        found: dict[str, set[str]] = {name: set() for name in self.before}
        for name in sorted(self.before, key=self.levels.__getitem__, reverse=True):
            for other in self.before[name]:
                found[other] |= found[name] | {name}
        return found

    @cached_property
    def urgency(self) -> dict[str, int]:
        """The least deadline of a reaction and of all after it."""
        own = {n: NEVER if r.deadline is None else r.deadline
               for n, r in self.federate.reactions.items()}  # fmt: skip
        return {n: min([own[n], *(own[other] for other in self.after[n])]) for n in own}

    def _with_next(self, names: set[str], among: set[str]) -> set[str]:
        found, stack = set(names), list(names)
        while stack:
            for other in self.next.get(stack.pop(), set()) & among - found:
                found.add(other)
                stack.append(other)
        return found

    def _free(self, present: Collection[str], name: str) -> set[str]:
        others = set(present) - {name}
        return self._with_next(others - self.after[name], others) if self.known else others

    def _orders(self, free: set[str], name: str) -> list[set[str]]:
        if not self.known:
            return [free]
        if self.federate.scheduler == "GEDF_NP":
            if self.federate.workers > 1:
                return [free]
            level_first = lambda n: (self.levels[n], self.urgency[n])  # noqa: E731
            urgency_first = lambda n: (self.urgency[n], self.levels[n])  # noqa: E731
            ranks: list[Callable[[str], tuple[int, int]]] = [level_first, urgency_first]
            return [self._with_next({n for n in free if rank(n) <= rank(name)}, free)
                    for rank in ranks]  # fmt: skip
        level = self.levels[name]
        return [self._with_next({n for n in free if self.levels[n] <= level}, free)]

    @cached_property
    def jumps(self) -> bool:
        """Whether some come before a reaction with a deadline only if they are run at once: then
        no run need have them all."""
        everything, plain = set(self.federate.reactions), self.federate.scheduler != "GEDF_NP"
        return any(
            other in self.after[name] or (plain and self.levels[other] > self.levels[name])
            for name, reaction in self.federate.reactions.items()
            if self.known and reaction.deadline is not None
            for names in self._orders(self._free(everything, name), name)
            for other in names
        )

    def blockers(self, present: Collection[str], name: str) -> list[set[str]]:
        """Who may run before a reaction, in each order that takes the longest."""
        orders = self._orders(self._free(present, name), name)
        sums = [sum(map(self.cost, names)) for names in orders]
        return [names for names, total in zip(orders, sums, strict=True) if total == max(sums)]

    def starting(self, present: Collection[str], name: str) -> int:
        """How long after the start of a tag a reaction starts, at the latest."""
        free = self._free(present, name)
        total = max(sum(map(self.cost, names)) for names in self._orders(free, name))
        if self.workers > 1:
            alone = (self.workers - 1) * self._longest(free, self.levels[name])
            total = min(total, -((total + alone) // -self.workers))
        return self.federate.overhead + self.sending + total

    def _longest(self, free: set[str], below: int) -> int:
        """What one worker runs at once, the longest of each level below, in sum."""
        sequence: dict[str, int] = {}
        longest: dict[int, int] = {}
        for name in sorted(free, key=self.levels.__getitem__, reverse=True):
            rest = [sequence[other] for other in self.next.get(name, ()) if other in free]
            sequence[name] = self.cost(name) + max(rest, default=0)
            if (at := self.levels[name]) < below:
                longest[at] = max(longest.get(at, 0), sequence[name])
        return sum(longest.values())

    def taking(self, present: Collection[str]) -> int:
        """How long a tag takes at most."""
        return self.federate.overhead + self.sending + self.work(present, self.top)


def ahead(federation: Federation, member: Environment, scheduler: str | None = None) -> Ahead:
    """The reactions of an environment, with another scheduler if one is given."""
    part = member.part if scheduler is None else member.part._replace(scheduler=scheduler)
    written = {effect for reaction in part.reactions.values() for effect in reaction.effects}
    size = -1
    while size != len(written):
        size = len(written)
        written |= {inner.target for inner in part.inner if inner.source in written}
    sent: list[Connection] = [
        c for c in federation.outgoing[member.federate] if c.output in written
    ]
    receives = bool(federation.incoming[member.federate])
    return Ahead(member.federate, part, sent, receives)
