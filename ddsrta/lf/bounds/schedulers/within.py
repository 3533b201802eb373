"""Who may run before a reaction at a tag, under the schedulers of Lingua Franca (lemma
reactions-before)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from ddsrta.lf.bounds.launch.lags import Launch
from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.levels import followers, levels

NEVER = 1 << 62  # a deadline that is later than all others


def inherited_deadlines(federate: Federate) -> dict[str, int]:
    """The least deadline of each reaction and of all that come after it at a tag.

    >>> from ddsrta.lf.program.federates import Reaction
    >>> two = {"a": Reaction("a", "r"), "b": Reaction("b", "r", deadline=5)}
    >>> inherited_deadlines(Federate("f", "h", reactions=two))
    {'b': 5, 'a': 5}
    """
    after, level = followers(federate), levels(federate)
    found: dict[str, int] = {}
    for name in sorted(after, key=level.__getitem__, reverse=True):
        own = federate.reactions[name].deadline
        least = min((found[other] for other in after[name]), default=NEVER)
        found[name] = least if own is None else min(own, least)
    return found


class Within(Launch):
    """A federate's launch lags, with starts of reactions by what comes before each of them."""

    @cached_property
    def inherited(self) -> Mapping[str, int]:
        """What GEDF_NP orders by."""
        return inherited_deadlines(self.federate)

    @property
    def is_ordered(self) -> bool:
        """Whether levels are known."""
        return self._ordered

    @cached_property
    def overtakes(self) -> bool:
        """Whether a reaction with a deadline may have one before it that is run at once, past the
        queue: of those that one reaction enables only a single one is, so no run need show it."""
        everything = list(self.federate.reactions)
        by_level: dict[str, tuple[int, ...]] = {n: (self._levels[n],) for n in everything}
        orders = [by_level]
        if self.federate.scheduler == "GEDF_NP":
            inherited = {name: (self.inherited[name],) for name in everything}
            orders = [
                {name: by_level[name] + inherited[name] for name in everything},
                {name: inherited[name] + by_level[name] for name in everything},
            ]
        return any(
            order[other] > order[name]
            for name, reaction in self.federate.reactions.items()
            if reaction.deadline is not None
            for order, ahead in zip(orders, self._orders(everything, name), strict=False)
            for other in ahead
        )

    @property
    def sending(self) -> int:
        """What sending takes at a tag, by all connections together."""
        return sum(self._sends.values())

    def level(self, reaction: str) -> int:
        """The level of a reaction."""
        return self._levels[reaction]

    def to_start(self, reaction: str) -> int:
        """The lag until a reaction has started, at the latest, whatever the tag."""
        moments = self._activation.reactions.get((self.federate.name, reaction), {})
        if not moments:
            return max(0, super().to_start(reaction))  # nothing triggers it
        return max(
            self._left_over(moment) + self.start_at(self._present(moment), reaction)
            for moment in moments
        )

    def tag_work(self, present: Collection[str]) -> int:
        """How long a tag takes at most."""
        return self.federate.overhead + self._work(present, self._top) + self.sending

    def start_at(self, present: Collection[str], reaction: str) -> int:
        """How long after the start of a tag a reaction has started, at the latest."""
        return self.federate.overhead + self._before(present, reaction) + self.sending

    def ahead(self, present: Collection[str], reaction: str) -> list[str]:
        """Who may run before it; of GEDF_NP's two orders, that which takes longer."""
        return max(self._orders(present, reaction), key=self._sum)

    def _before(self, present: Collection[str], reaction: str) -> int:
        ahead = self._sum(self.ahead(present, reaction))
        if self._workers == 1 or not self._exact:
            return ahead
        # Levels below in full, and on its own level until a worker is free.
        level = self._levels[reaction]
        others = self._others(present, reaction)
        longest: dict[int, int] = {}
        rest: dict[str, int] = {}
        for name in sorted(others, key=self._levels.__getitem__, reverse=True):
            following = [rest[after] for after in self._chained.get(name, ()) if after in rest]
            rest[name] = self._cost(name) + max(following, default=0)
            at = self._levels[name]
            if at < level:
                longest[at] = max(longest.get(at, 0), rest[name])
        alone = sum(longest.values())
        return min(ahead, -(-(ahead + (self._workers - 1) * alone) // self._workers))

    def _orders(self, present: Collection[str], reaction: str) -> list[list[str]]:
        others = self._others(present, reaction)
        if not self._ordered:
            return [others]
        level, deadline = self._levels[reaction], self.inherited[reaction]
        if self.federate.scheduler != "GEDF_NP":
            return [self._closed([n for n in others if self._levels[n] <= level], others)]
        if self.federate.workers > 1:
            return [others]
        # Levels before deadlines, as it was, or deadlines before levels, as it is since.
        order = {name: (self._levels[name], self.inherited[name]) for name in others}
        level_first = [n for n in others if order[n] <= (level, deadline)]
        deadline_first = [n for n in others if order[n][::-1] <= (deadline, level)]
        return [self._closed(level_first, others), self._closed(deadline_first, others)]

    def _others(self, present: Iterable[str], reaction: str) -> list[str]:
        """All at the tag that do not have to wait for it themselves, or may be run at once: those
        wait for the one that enables them alone. Who that is takes levels to tell."""
        later = self._later[reaction]
        allowed = [name for name in present if name != reaction]
        if not self._ordered:
            return allowed
        return self._closed([name for name in allowed if name not in later], allowed)

    @cached_property
    def _later(self) -> dict[str, set[str]]:
        after = followers(self.federate)
        found: dict[str, set[str]] = {}
        for name in sorted(after, key=self._levels.__getitem__, reverse=True):
            found[name] = set(after[name]).union(*(found[other] for other in after[name]))
        return found

    def _sum(self, names: Iterable[str]) -> int:
        return sum(map(self._cost, names))
