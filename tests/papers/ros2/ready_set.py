"""Single-threaded executors run step by step: what a bound must not be exceeded by.

- `rounds`: a ready set (one activation of every callback that has any) is worked off in order, then
  taken anew: the single-threaded executor since ROS 2 Eloquent.
- `timers first`: the same, but timers stay outside of the set and are looked at before every
  callback: that of ROS 2 Dashing and before.
- `one a poll`: the first callback of the order that has an activation: the static executor of Jazzy.
- `queue`: first in, first out: the events executor.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Style = Literal["rounds", "timers first", "one a poll", "queue"]
STYLES: tuple[Style, ...] = ("rounds", "timers first", "one a poll", "queue")


@dataclass(frozen=True)
class Work:
    """A callback in its place of the order: when it is activated, and what activations cost at most."""

    name: str
    times: Sequence[int]
    cost: int
    timer: bool = False
    then: str | None = None  # the callback that each completion activates


@dataclass
class Run:
    """The longest times so far: from its own activation, and from that of its chain."""

    order: Sequence[Work]
    chance: random.Random | None  # draws costs up to the worst; without it all are
    now: int = 0
    pending: dict[str, list[tuple[int, int]]] = field(init=False)
    response: dict[str, int] = field(init=False)
    chain: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.pending = {w.name: [(time, time) for time in sorted(w.times)] for w in self.order}
        self.response, self.chain = dict.fromkeys(self.pending, 0), dict.fromkeys(self.pending, 0)

    def ready(self) -> list[Work]:
        """In order."""
        return [w for w in self.order if self.pending[w.name] and self.since(w) <= self.now]

    def since(self, work: Work) -> int:
        """When its oldest activation came."""
        return self.pending[work.name][0][0]

    def serve(self, work: Work) -> None:
        """Its oldest activation."""
        activated, began = self.pending[work.name].pop(0)
        self.now += self.chance.randint(1, work.cost) if self.chance else work.cost
        self.response[work.name] = max(self.response[work.name], self.now - activated)
        self.chain[work.name] = max(self.chain[work.name], self.now - began)
        if work.then:
            self.pending[work.then].append((self.now, began))

    def idle(self) -> None:
        """Until something comes."""
        self.now = min(times[0][0] for times in self.pending.values() if times)


def longest_responses(
    order: Sequence[Work], until: int, style: Style, chance: random.Random | None = None
) -> Run:
    """A run from 0 on, as far as `until`."""
    run = Run(order, chance)
    while run.now < until and any(run.pending.values()):
        ready = run.ready()
        if not ready:
            run.idle()
            continue
        match style:
            case "one a poll":
                run.serve(ready[0])
            case "queue":
                run.serve(min(ready, key=run.since))
            case "rounds":
                for work in ready:
                    run.serve(work)
            case "timers first":
                polled = [work for work in ready if not work.timer]
                for work in polled or [None]:
                    while urgent := [timer for timer in run.ready() if timer.timer]:
                        run.serve(urgent[0])
                    if work:
                        run.serve(work)
    return run


def responses(
    order: Sequence[Work], until: int, style: Style, chance: random.Random | None = None
) -> Mapping[str, int]:
    """The longest response of every callback."""
    return longest_responses(order, until, style, chance).response
