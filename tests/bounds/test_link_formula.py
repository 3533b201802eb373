"""Bounds of a CAN bus are those of R. I. Davis, A. Burns, R. J. Bril, J. J. Lukkien, "Controller Area
Network (CAN) schedulability analysis: Refuted, revisited and revised", Real-Time Systems 35 (2007).

They count jitter into a response; here it counts from when a frame is queued.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import ddsrta

from .link_runs import BIT, Frame, drawn, text


def fixed(start: int, step: Callable[[int], int]) -> int:
    while (found := step(start)) != start:
        start = found
    return start


def sent(frames: list[Frame], window: int) -> int:
    return sum(-(-(window + f.jitter) // f.period) * f.time for f in frames)


def published(frame: Frame, frames: list[Frame]) -> int | None:
    """Each instance of the busy period, behind the longest less urgent frame."""
    above = [f for f in frames if f.identifier < frame.identifier]
    up_to = [*above, frame]
    blocking = max((f.time for f in frames if f not in up_to), default=0)
    if sum(f.time / f.period for f in up_to) >= 1:
        return None
    busy = fixed(frame.time, lambda t: blocking + sent(up_to, t))
    worst = 0
    for q in range(-(-(busy + frame.jitter) // frame.period)):
        base = blocking + q * frame.time
        wait = fixed(base, lambda w, base=base: base + sent(above, w + BIT))
        worst = max(worst, wait + frame.time - max(0, q * frame.period - frame.jitter))
    return worst


def test_bounds_are_those_of_the_published_analysis():
    bounded = 0
    for seed in range(1000, 1030):
        frames = drawn(Random(seed))
        found = ddsrta.analyze(ddsrta.loads(text(frames)), check=False).links["bus"].messages
        for frame in frames:
            expected = published(frame, frames)
            assert found[f"f{frame.identifier}"].wcrt == expected
            bounded += expected is not None
    assert bounded > 60
