"""What is on its way: jobs with their causes, messages, and the news of completed jobs."""

from __future__ import annotations

from collections import deque

from tests.soundness.processor import Unit


class Job(Unit):
    """A job; `causes` say for each input (a hop) the job behind it and when its token came."""

    __slots__ = ("causes", "index", "last_came", "thread")


class Stream:
    """Messages of a publication on their way to one reader; they keep their order."""

    __slots__ = (
        "best",
        "hop",
        "last",
        "listener",
        "name",
        "reading",
        "stage",
        "travelling",
        "worst",
    )

    def __init__(self, system, publisher, topic, reader, listener):
        self.name = (publisher.name, topic, reader.name)
        self.stage = ("message", *self.name)
        self.hop = (publisher.name, topic, reader.name)
        net = system.network(system.machine_of(publisher.core), system.machine_of(reader.core))
        self.best, self.worst = min(net.best, net.worst), net.worst
        self.reading = system.listening_cost(reader.subscribes, topic)
        self.listener = listener
        self.last = 0
        self.travelling = deque()


class Link:
    """Completed jobs on their way to a follower; they keep their order."""

    __slots__ = ("best", "hop", "last", "travelling", "worst")

    def __init__(self, hop, following):
        self.hop = hop
        self.best, self.worst = following.best, following.delay
        self.last = 0
        self.travelling = deque()
