"""Links that several messages share, as the engine's flat arrays.

Each is a server on a core of its own, with a queue for each urgency; what it sends beside messages
are jobs there. A frame that it may have begun before a message came is a job of a second server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ddsrta.base.priorities import ALIKE
from ddsrta.models.arrivals import Periodic
from ddsrta.models.crossing import crossings, frames_of, said
from ddsrta.models.media import Medium
from ddsrta.models.system import Publication, System, Thread
from ddsrta_simulator import Program
from ddsrta_simulator.program import TIMED

LINK, BEGUN = "media", "begun"
Key = tuple[str, ...]
Decision = Callable[[Key, bool], int]


class Beside(NamedTuple):
    """What a link sends beside messages; without an arrival, what may have begun when it was
    idle."""

    stage: Key
    medium: Medium
    server: tuple[str, str]
    queue: Key
    best: int
    worst: int
    arrival: Periodic | None


def beside(system: System) -> Iterator[Beside]:
    """Of all links: the jobs that come behind those of threads."""
    for medium in system.media.values():
        rules, settings = medium.rules, medium.settings
        for frame in medium.frames.values():
            ((best, worst),) = rules.frames(settings, frame.size, True)
            key, queue = ("frame", medium.name, frame.name), _queue(medium, frame.settings)
            yield Beside(key, medium, (LINK, medium.name), queue, best, worst, frame.arrival)
        if longest := rules.begun(settings):
            begun = (BEGUN, medium.name)
            yield Beside(begun, medium, begun, begun, 0, longest, None)


def servers_of(system: System) -> Iterator[tuple[str, Medium, str, int]]:
    """Of all links: each with its key, name and priority."""
    for medium in system.media.values():
        yield LINK, medium, medium.name, 0
        if medium.rules.begun(medium.settings):
            yield BEGUN, medium, f"begun on {medium.name}", 1


def source_name(medium: Medium, frame: str) -> str:
    """What releases a frame; no thread has such a name."""
    return f"{medium.core}/{frame}"


def queues_on(system: System, medium: Medium) -> list[Key]:
    """The queues of a link, the most urgent first."""
    used = {
        medium.urgency(said(system, c.publication)) for c in crossings(system) if c.medium == medium
    }
    used |= {medium.urgency(frame.settings) for frame in medium.frames.values()}
    return [(LINK, medium.name, str(each)) for each in sorted(used) or [ALIKE]]


def _queue(medium: Medium, settings: Mapping[str, int]) -> Key:
    return LINK, medium.name, str(medium.urgency(settings))


class Over(NamedTuple):
    """A copy on a link: its stage, and where it waits."""

    stage: Key
    medium: Medium
    queue: Key


def transfer(
    system: System, thread: Thread, publication: Publication, reader: Thread
) -> Over | None:
    """The stage of a copy on the link that it takes, if it does."""
    medium = system.medium(thread, reader)
    if medium is None:
        return None
    key = ("transfer", thread.name, publication.topic, reader.name, medium.name)
    return Over(key, medium, _queue(medium, said(system, publication)))


def add_transfer(
    program: Program, system: System, over: Over, number: int, decision: Decision
) -> None:
    """A stream over a link."""
    stage, medium, _ = over
    program.transfer_stream.append(len(program.streams) - 1)
    program.transfer_stage.append(number)
    program.transfer_frame.append(len(program.frame_worst))
    found = frames_of(system, medium, stage[2])
    for best, worst in found:
        program.frame_best.append(best)
        program.frame_worst.append(worst)
    is_open = any(best < worst for best, worst in found)
    program.transfer_decision.append(decision(stage, is_open))
    tail = medium.rules.soonest(medium.settings)
    program.transfer_tail.append(tail)
    program.transfer_late.append(decision(("late", *stage), tail > 0))


def add_beside(
    program: Program, system: System, server: dict[tuple[str, str], int], decision: Decision
) -> None:
    """What links send beside messages, as jobs behind those of threads."""
    p = program
    for number, each in enumerate(beside(system), len(system.threads)):
        p.thread_activation.append(TIMED)
        p.thread_best.append(each.best)
        p.thread_worst.append(each.worst)
        p.thread_decision.append(decision(each.stage, each.best < each.worst))
        for zeros in (p.thread_inline, p.thread_origins, p.thread_room, p.thread_datagrams):
            zeros.append(0)
        for none in (p.thread_caller, p.thread_point, p.thread_taken, p.thread_fires,
                     p.thread_disparity, p.thread_gap, p.thread_send):  # fmt: skip
            none.append(-1)
        for start in (p.thread_step, p.thread_hop, p.thread_link, p.thread_end):
            start.append(start[-1])
        if each.arrival is None:
            p.server_begun[server[LINK, each.medium.name]] = number
