"""How much processor time a system allows its threads for one job or one message."""

from __future__ import annotations

from ddsrta.models.system import System
from ddsrta.validation.harness_file import HarnessEvent, Head


class Allowed:
    """What wcet and δ allow, in the numbers of a trace's head."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.sending: dict[tuple[str, str], int] = {}
        self.listening: dict[tuple[str, str], int] = {}
        self.working: dict[str, int] = {}
        for name, thread in system.threads.items():
            work = thread.wcet + system.taking_cost(thread).worst
            for publication in thread.publishes:
                cost = system.sending_cost(publication).worst * self._copies(publication.topic)
                self.sending[name, publication.topic] = cost
                if publication.mode == "sync":
                    work += cost * publication.count
            self.working[name] = work
            if thread.subscribes is None:
                continue
            for topic in thread.subscribes.topics:
                self.listening[name, topic] = system.listening_cost(thread.subscribes, topic).worst

    def _copies(self, topic: str) -> int:
        readers = (t.subscribes for t in self.system.threads.values() if t.subscribes)
        return max(1, sum(topic in reader.topics for reader in readers))

    def of(self, event: HarnessEvent, head: Head) -> int | None:
        """For what ends with this event, since the one before of its kind in the same thread; None
        where nothing does."""
        if event.kind == "complete":
            return self.working.get(head.who.get(event.who, ("", ""))[1])
        topic = self.system.topics.get(head.topics.get(event.topic, ""))
        if topic is None:
            return None
        if event.kind == "delivered":
            subscriber = head.who.get(head.readers[event.reader][0], ("", ""))[1]
            return self.listening.get((subscriber, topic.name))
        if event.kind == "sent" and head.writers[event.writer][2] == "async":
            publisher = head.who.get(head.writers[event.writer][0], ("", ""))[1]
            return self.sending.get((publisher, topic.name))
        return None
