"""Of what the response of a thread with a timer is made, in a trace of the harness."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ddsrta.validation.harness_file import HarnessEvent, HarnessFile


def jobs_of(trace: Path, name: str) -> dict[str, int]:
    """All times in ns: processor time of a job with its waking up, and of one write(); from release
    to start; and in how many jobs and writes the thread gave its CPU away of itself (a lock)."""
    file = HarnessFile(str(trace))
    used: list[int] = []
    late: list[int] = []
    writes: list[int] = []
    slept = asleep = released = 0
    ended: HarnessEvent | None = None
    started: HarnessEvent | None = None
    called: HarnessEvent | None = None
    for event in file.events():
        if file.head.who.get(event.who) != ("thread", name):
            continue
        if event.kind == "release":
            released = event.time
        elif event.kind == "start":
            started = event
            late.append(event.time - released)
        elif event.kind == "publish":
            called = event
        elif event.kind == "enqueue" and called is not None:
            writes.append(event.cpu - called.cpu)
            asleep += event.waits > called.waits
        elif event.kind == "complete" and started is not None:
            slept += event.waits > started.waits
            if ended is not None:
                used.append(event.cpu - ended.cpu)
            ended = event
    parts = {"used": used, "late": late, "write": writes}
    figures = {f"{part}_{of}": _share(times, of) for part, times in parts.items() for of in _OF}
    return {"jobs": len(late), "slept": slept, "writes": len(writes), "asleep": asleep, **figures}


_OF = {"p50": (50, 100), "p99": (99, 100), "p999": (999, 1000), "max": (1, 1)}


def _share(times: Sequence[int], of: str) -> int:
    """The least time that so large a share of them does not exceed; 0 of none."""
    share, whole = _OF[of]
    return sorted(times)[max(0, -(-len(times) * share // whole) - 1)] if times else 0
