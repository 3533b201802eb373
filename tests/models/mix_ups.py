"""Mix-ups that mypy refuses: each line is one, and an `ignore` that is not needed is an error of
`make lint`."""

from __future__ import annotations

from ddsrta.base.priorities import Priority, Rank
from ddsrta.models.arrivals import Periodic
from ddsrta.models.media import Frame, Medium
from ddsrta.models.system import Chain
from ddsrta.models.threads import Thread
from ddsrta.models.topics import Topic


def mixed_up(thread: Thread, topic: Topic, medium: Medium, frame: Frame, chain: Chain) -> None:
    """Times with sizes, rates and priorities, and these with each other."""
    Thread("t", "m/c", Priority(1), wcet=topic.size)  # type: ignore[arg-type]
    Thread("t", "m/c", topic.priority, wcet=1)  # type: ignore[arg-type]
    Topic("t", thread.wcet, Rank(1))  # type: ignore[arg-type]
    Topic("t", topic.size, thread.priority)  # type: ignore[arg-type]
    Periodic(medium.rate)  # type: ignore[arg-type]
    print(thread.wcet + topic.size)  # type: ignore[operator]
    print(frame.period // medium.rate)  # type: ignore[operator]
    print(topic.size > thread.wcet)  # type: ignore[operator]
    print(topic.size < medium.rate)  # type: ignore[operator]
    print(topic.priority < thread.priority)  # type: ignore[operator]
    print((chain.deadline or 0) < topic.priority)  # type: ignore[operator]
