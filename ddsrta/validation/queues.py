"""How much waits in the queues of a trace of the harness, held against their places and bounds."""

from __future__ import annotations

from ddsrta.models.system import System
from ddsrta.validation.contradiction import Held
from ddsrta.validation.harness_file import HarnessEvent, Head


class QueueCheck:
    """Samples that were handed over and not taken up, by flow controller and by writer, and
    messages that were delivered and not taken, by subscriber and topic.

    What is in service is not counted as waiting: none is seen that was not there.
    """

    def __init__(self, system: System, head: Head, held: Held) -> None:
        self.system = system
        self.head = head
        self.held = held
        self.waiting: dict[str, set[tuple[int, int]]] = {}
        self.taken_up: set[tuple[int, int]] = set()
        self.most: dict[str, int] = {}
        self.room: dict[str, int] = {}
        self.by_time = {name for name, t in system.threads.items() if t.arrival is not None}

    def see(self, event: HarnessEvent) -> None:
        """One more event."""
        sample = event.writer, event.number
        if event.kind == "enqueue":
            if sample in self.taken_up:
                self.taken_up.discard(sample)
                return
            self._put(self._controller(event), sample, None)
            self._put(self._writer(event), sample, self._depth(event))
        elif event.kind == "send":
            found = self.waiting.get(self._controller(event), set())
            if sample not in found:
                self._early(event)
            found.discard(sample)
            self.waiting.get(self._writer(event), set()).discard(sample)
        elif event.kind == "delivered":
            if reader := self._reader(self.head.readers.get(event.reader, (-1, -1))[0], event):
                self._put(reader, sample, self._depth(event))
        elif event.kind == "take" and (reader := self._reader(event.who, event)):
            self.waiting.get(reader, set()).discard(sample)

    def end(self) -> None:
        """Hold what was seen against the places that there are."""
        for name, most in self.most.items():
            self.held.count("queues")
            room = self.room.get(name)
            made = self.system.flow_controllers.get(name)
            if made is not None and made.queue is not None:
                room = made.queue
            if room is not None and most > room:
                text = f"{most} were waiting at once, and it has room for {room} in the model"
                self.held.contradict("queues", name, text)

    def _put(self, name: str, sample: tuple[int, int], room: int | None) -> None:
        if not name:
            return
        found = self.waiting.setdefault(name, set())
        found.add(sample)
        self.most[name] = max(self.most.get(name, 0), len(found))
        if room is not None:
            self.room[name] = room

    def _early(self, event: HarnessEvent) -> None:
        """It is taken up before its write has returned."""
        writer = self.head.writers.get(event.writer)
        if writer is not None and writer[2] == "async":
            self.taken_up.add((event.writer, event.number))

    def _controller(self, event: HarnessEvent) -> str:
        kind, name = self.head.who.get(self.head.sends.get(event.writer, -1), ("", ""))
        return name if kind == "controller" else ""

    def _writer(self, event: HarnessEvent) -> str:
        writer = self.head.writers.get(event.writer)
        if writer is None or writer[2] != "async":
            return ""
        publisher = self.head.who.get(writer[0], ("", ""))[1]
        return f"{publisher} > {self.head.topics.get(event.topic, '')}"

    def _reader(self, who: int, event: HarnessEvent) -> str:
        """Queues of threads that messages release; the others read the newest."""
        name = self.head.who.get(who, ("", ""))[1]
        if name in self.by_time:
            return ""
        return f"{name} < {self.head.topics.get(event.topic, '')}"

    def _depth(self, event: HarnessEvent) -> int | None:
        topic = self.system.topics.get(self.head.topics.get(event.topic, ""))
        return None if topic is None else topic.history
