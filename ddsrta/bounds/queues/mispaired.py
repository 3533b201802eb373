"""AND jobs that full queues may keep from what belongs together: numbers say nothing, and nothing
says when a synchronizer gets the next message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddsrta.bounds.queues.backlog import direct
from ddsrta.bounds.queues.overflow import losing
from ddsrta.bounds.stages import Stage

if TYPE_CHECKING:
    from ddsrta.bounds.solution import Solution

_MOST_ATTEMPTS = 16  # from then on, whatever waits by number


def mispaired(solution: Solution, attempt: int = 1) -> dict[str, str]:
    """The threads that wait for messages by number where what may be lost, by these bounds, is not
    the same event of each input, and synchronizers of what may be lost; each with a topic of which
    some may be."""
    stages, streams = solution.compiled.stages, solution.compiled.streams
    if not any(map(_matches, stages)) or not (losing_at := losing(solution)):
        return {}
    found: dict[str, str] = {}
    lossy: list[int] = []  # by stage, a bit for each place before its end that may lose something
    topics: list[str] = []  # by bit
    for number, stage in enumerate(stages):
        inputs = [lossy[edge.source] for edge in stage.inputs]
        for place, edge in enumerate(stage.inputs):
            if (key := direct(solution, stage, edge)) in losing_at and key is not None:
                inputs[place] |= 1 << len(topics)
                topics.append(key[2])
        behind = 0
        for one in inputs:
            behind |= one
        topic = stage.key[2] if stage.key in losing_at else None
        if _matches(stage) and behind:
            continues = streams.of[number].entries[0] is None
            shifted = len(set(inputs)) > 1 or not continues or attempt >= _MOST_ATTEMPTS
            if shifted or stage.synchronizer is not None:
                topic = topics[_lowest(behind)]
                found[stage.key[1]] = topic
        if topic is not None:
            behind |= 1 << len(topics)
            topics.append(topic)
        lossy.append(behind)
    return found


def _matches(stage: Stage) -> bool:
    """Whether it waits for messages that belong together."""
    return stage.activation == "and" and len(stage.inputs) > 1


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1
