"""The reactions of a federate: their order at a tag, and how long they keep its workers.

That is lemma tag-work.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property

from ddsrta.checker.lf.things import Connection, Federate
from ddsrta.checker.reading import CertificateError, shown


class NoBoundError(Exception):
    """The model gives none; says why."""


class Program:
    """One federate; what its tags take."""

    def __init__(self, name: str, federate: Federate, sent: Iterable[Connection], receives: bool):
        self.name, self.federate = name, federate
        self.sends: dict[str, int] = {}
        prompt = set()
        for connection in sent:
            self.sends[connection.output] = self.sends.get(connection.output, 0) + connection.send
            if connection.after is None:
                prompt.add(connection.output)
        reactions = federate.reactions
        given = all(reaction.level is not None for reaction in reactions.values())
        self.known = (given or not receives) and not federate.enclaves  # its levels
        self.strict = self.known and federate.scheduler != "GEDF_NP"
        self.early = self.strict and not receives and len(prompt) <= 1
        several = self.strict and federate.scheduler != "ADAPTIVE"
        self.workers = federate.workers if several else 1

    @property
    def sending(self) -> int:
        """What all that is sent at a tag takes."""
        return sum(self.sends.values())

    def cost(self, reaction: str) -> int:
        """Its execution time."""
        wcet = self.federate.reactions[reaction].wcet
        if wcet is None:
            raise NoBoundError(f"reaction {shown(reaction)} of {shown(self.name)} has no wcet")
        return wcet

    @cached_property
    def joined(self) -> dict[str, set[str]]:
        """The ports that inner connections without delay join to each, itself included."""
        ahead: dict[str, list[str]] = {}
        for inner in self.federate.inner:
            if inner.after is None:
                ahead.setdefault(inner.source, []).append(inner.target)
        found = {}
        for port in (*self.federate.inputs, *self.federate.outputs):
            seen, stack = {port}, [port]
            while stack:
                for target in ahead.get(stack.pop(), ()):
                    if target not in seen:
                        seen.add(target)
                        stack.append(target)
            found[port] = seen
        return found

    @cached_property
    def writes(self) -> dict[str, set[str]]:
        """The ports that have something at a tag once a reaction ran, for each reaction."""
        return {
            name: {port for effect in reaction.effects for port in self.joined.get(effect, ())}
            for name, reaction in self.federate.reactions.items()
        }

    @cached_property
    def before(self) -> dict[str, set[str]]:
        """Those that come right before each reaction at a tag."""
        reactions = self.federate.reactions
        found: dict[str, set[str]] = {name: set(r.after) for name, r in reactions.items()}
        writers: dict[str, set[str]] = {}
        for name, ports in self.writes.items():
            for port in ports:
                writers.setdefault(port, set()).add(name)
        last: dict[str, str] = {}
        for name, reaction in reactions.items():
            for port in (*reaction.triggers, *reaction.sources):
                found[name] |= writers.get(port, set())
            if reaction.reactor in last:
                found[name].add(last[reaction.reactor])
            last[reaction.reactor] = name
        return found

    @cached_property
    def levels(self) -> dict[str, int]:
        """The level of each reaction: as given, else one above those before it."""
        after: dict[str, list[str]] = {name: [] for name in self.before}
        missing = {name: len(names) for name, names in self.before.items()}
        for name, names in self.before.items():
            for other in names:
                after[other].append(name)
        found: dict[str, int] = {}
        ready = [name for name, count in missing.items() if not count]
        while ready:
            name = ready.pop()
            least = max((found[other] + 1 for other in self.before[name]), default=0)
            given = self.federate.reactions[name].level
            found[name] = least if given is None else given
            if found[name] < least:
                raise CertificateError(f"federates.{self.name}: a level is too low")
            for other in after[name]:
                missing[other] -= 1
                if not missing[other]:
                    ready.append(other)
        if len(found) < len(missing):
            raise CertificateError(f"federates.{self.name}: reactions wait for each other")
        return found

    @cached_property
    def top(self) -> int:
        """The highest level."""
        return max(self.levels.values(), default=0)

    @cached_property
    def next(self) -> dict[str, set[str]]:
        """Which reactions a worker may run at once after each: those that it alone enables, all
        others before them being on lower levels."""
        return self._ahead()

    def _ahead(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for name, names in self.before.items():
            if not names:
                continue
            highest = max(self.levels[other] for other in names)
            last = [other for other in names if self.levels[other] == highest]
            triggers = set(self.federate.reactions[name].triggers)
            if len(last) == 1 and self.writes[last[0]] & triggers:
                found.setdefault(last[0], set()).add(name)
        return found

    def written(self, output: str) -> int:
        """The level above which a message of an output leaves."""
        if not self.early:
            return self.top
        names = [name for name, ports in self.writes.items() if output in ports]
        return max((self.levels[name] for name in names), default=0) + 1

    def work(self, names: Collection[str], level: int) -> int:
        """How long the workers may be busy until levels up to this are done."""
        among = set(names)
        runs = {name for name in among if self.levels[name] <= level}
        stack = list(runs)
        while stack:
            for other in self.next.get(stack.pop(), set()) & among - runs:
                runs.add(other)
                stack.append(other)
        total = sum(self.cost(name) for name in runs)
        if self.workers == 1:
            return total
        return min(total, self._shared(runs, level, total))

    def _shared(self, runs: set[str], level: int, total: int) -> int:
        sequence: dict[str, int] = {}
        longest: dict[int, int] = {}
        for name in sorted(runs, key=self.levels.__getitem__, reverse=True):
            rest = [sequence[other] for other in self.next.get(name, ()) if other in runs]
            sequence[name] = self.cost(name) + max(rest, default=0)
            if self.levels[name] <= level:
                at = self.levels[name]
                longest[at] = max(longest.get(at, 0), sequence[name])
        alone = (self.workers - 1) * sum(longest.values())
        return -((total + alone) // -self.workers)
