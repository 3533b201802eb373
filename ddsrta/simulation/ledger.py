"""How far a simulation of many seeds has come: what is done, and where the rest can go on."""

from __future__ import annotations

from dataclasses import dataclass, field

from ddsrta.simulation.job import Start
from ddsrta.simulation.observations import Seen, merged
from ddsrta.simulation.plan import Plan


@dataclass
class Ledger:
    """What checkpoints keep: `done` and `seen` of complete seeds, `starts` of others.

    `reached` and `events` of seeds under way are for progress; `cut` is what they had shown when
    they were stopped, `limited` who were stopped by the limit of events.
    """

    plan: Plan
    done: set[int] = field(default_factory=set)
    seen: Seen = field(init=False)
    starts: dict[int, Start] = field(default_factory=dict)
    reached: dict[int, int] = field(default_factory=dict)
    events: dict[int, int] = field(default_factory=dict)
    cut: dict[int, Seen] = field(default_factory=dict)
    limited: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.seen = Seen.nothing(len(self.plan.program.measures))

    def remaining(self) -> list[int]:
        """The seeds that are not done, in order."""
        return [seed for seed in self.plan.seeds if seed not in self.done]

    def at(self, seed: int, reached: int, events: int) -> None:
        """A seed has come this far."""
        self.reached[seed], self.events[seed] = reached, events

    def note(self, seed: int, start: Start) -> None:
        """A seed under way could go on from here."""
        self.starts[seed] = start

    def finish(self, seed: int, seen: Seen) -> None:
        """A seed is done."""
        self._forget(seed)
        self.seen.add(seen)
        self.done.add(seed)

    def stop(self, seed: int, start: Start, seen: Seen) -> None:
        """A seed is not to go on now."""
        self._forget(seed)
        self.starts[seed], self.cut[seed] = start, seen

    def limit(self, seed: int, start: Start, seen: Seen) -> None:
        """A seed had too many events; it may go on with a larger limit."""
        self.stop(seed, start, seen)
        self.limited.add(seed)

    def _forget(self, seed: int) -> None:
        for table in (self.starts, self.reached, self.events):
            table.pop(seed, None)

    def total(self) -> Seen:
        """All that was seen, also by seeds that are not done."""
        return merged((self.seen, *self.cut.values()), len(self.plan.program.measures))

    @property
    def share(self) -> float:
        """Which part of the work is done, from 0 to 1."""
        under_way = sum(self.reached.values()) / self.plan.horizon
        return (len(self.done) + under_way) / self.plan.count

    @property
    def handled(self) -> int:
        """Events so far."""
        return self.seen.events + sum(self.events.values())
