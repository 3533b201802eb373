"""The model of an RTI and its federates from the start on: all ask for (0, 0) when it comes.

As in reactor-c: who waits for (0, 0) and gets something of a later tag tells its next event, and
waits for that.
"""

from __future__ import annotations

from functools import partial

from tests.lf.bounds.rti.rti_model import HEAD, Run, Tag

ZERO: Tag = (0, 0)


class FromStart(Run):
    """Each federate has the tag (0, 0), empty or not. `disturbed`: those that asked for another
    tag while they waited for it; `tardy`: those that got a message of a tag that they had begun."""

    def begin(self) -> None:
        self.net = dict.fromkeys(self.system.federates, ZERO)  # so is who has told nothing yet
        self.silent = set(self.system.federates)
        self.reached: dict[str, Tag] = {}
        self.tardy: set[str] = set()
        self.filled = {name for name, tags in self.queue.items() if ZERO in tags}
        self.waiting: set[str] = set()
        self.disturbed: set[str] = set()
        self.messaged: set[str] = set()
        for name in self.system.federates:
            self.queue[name].add(ZERO)
            self.at(0, partial(self.ask, name))

    def ask(self, name: str) -> None:
        if self.direct[name]:
            self.waiting.add(name)
        self.tell(name)
        self.wake(name)

    def wake(self, name: str) -> None:
        if self.now >= 0:
            super().wake(name)
        if self.busy[name]:
            self.waiting.discard(name)

    def work(self, name: str, tag: Tag) -> int:
        self.reached[name] = max(tag, self.reached.get(name, tag))
        return 0 if self.is_empty(name, tag) else super().work(name, tag)

    def is_empty(self, name: str, tag: Tag) -> bool:
        return tag == ZERO and name not in self.filled

    def take(self, name: str, tag: Tag) -> None:
        if tag <= self.reached.get(name, HEAD):
            self.tardy.add(name)
        if tag == ZERO:
            self.filled.add(name)
            self.messaged.add(name)
        super().take(name, tag)
        # A message at (0, 0) is an event that it has, unlike a timer's tick there.
        if tag != ZERO and name in self.waiting - self.messaged:
            self.disturbed.add(name)
            later = min(other for other in self.queue[name] if other != ZERO)
            self.told[name] = later
            self.send(name, True, partial(self.hear_net, name, later))
