"""Runs of a shared link by the definitions alone: nothing of the analysis is in them."""

from __future__ import annotations

from heapq import heappop, heappush
from random import Random
from typing import NamedTuple

BIT = 8_000  # ns, of 125 kbit/s


class Frame(NamedTuple):
    """A frame on a CAN bus: the least identifier first."""

    identifier: int
    size: int
    period: int
    jitter: int

    @property
    def time(self) -> int:
        """34 + 8 s bits of which each fifth may be stuffed, and 13 that are not."""
        bits = 34 + 8 * self.size
        return (bits + (bits - 1) // 4 + 13) * BIT


def drawn(random: Random) -> list[Frame]:
    """A few frames that load a bus well."""
    identifiers = random.sample(range(100), random.randint(2, 5))
    periods = [random.choice((2_500, 3_500, 5_000, 7_000)) * 1_000 for _ in identifiers]
    return [
        Frame(each, random.randint(0, 8), period, random.choice((0, 0, random.randrange(period))))
        for each, period in zip(identifiers, periods, strict=True)
    ]


def text(frames: list[Frame]) -> str:
    """The same as system.yaml."""
    lines = [
        f"f{f.identifier}: {{size: {f.size}B, period: {f.period}ns, jitter: {f.jitter}ns, "
        f"can_id: {f.identifier}}}"
        for f in frames
    ]
    link = "links: {bus: {kind: can, rate: 125 kbit/s, frames: {" + ", ".join(lines) + "}}}"
    return f"ddsrta: 1\nmachines: {{}}\n{link}\n"


def releases(frame: Frame, moment: int, until: int, random: Random) -> list[int]:
    """As late as may be up to a moment, and then at once."""
    time = (moment - frame.jitter) % frame.period - frame.period - frame.jitter
    time += random.choice((0, 0, 0, random.randrange(frame.period)))
    found: list[int] = []
    while time < until:
        late = min(time + frame.jitter, moment) if time <= moment else time
        found.append(max(time, late, *found[-1:]))
        time += frame.period
    return [one for one in found if one >= 0]


def worst(frames: list[Frame], random: Random, until: int = 40_000_000) -> dict[int, int]:
    """The longest that a frame of each takes in a run. Nodes see the start of an arbitration up to
    a bit apart: what comes within that may win it, or not."""
    moment = random.randrange(until // 2)
    off = {f: moment + random.choice((0, 0, 1, -1, random.randrange(2 * BIT))) for f in frames}
    coming = [(t, f) for f in frames for t in releases(f, off[f], until, random)]
    coming.sort(key=lambda each: (each[0], random.random()))
    found: dict[int, int] = {}
    waiting: list[tuple[int, int, Frame]] = []
    now = 0
    while coming or waiting:
        if not waiting:
            now = max(now, coming[0][0])
        while coming and (coming[0][0] < now or (coming[0][0] == now and not waiting)):
            time, frame = coming.pop(0)
            heappush(waiting, (frame.identifier, time, frame))
        for late in [each for each in coming[:8] if each[0] < now + BIT]:
            if random.random() < 0.7:
                coming.remove(late)
                heappush(waiting, (late[1].identifier, *late))
        identifier, time, frame = heappop(waiting)
        now += frame.time
        found[identifier] = max(found.get(identifier, 0), now - time)
    return found
