"""What threads of SCHED_DEADLINE have to do (lemma reserved-work)."""

from __future__ import annotations

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Stream
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Stage
from ddsrta.checker.streams import Streams


def add_work(streams: Streams, neighbours: Neighbours) -> None:
    """Tells each load what its thread may be at in some time, if that is known of all it does."""
    if neighbours.system.sleeps:
        return
    for name, load in neighbours.loaders.items():
        stages = neighbours.supplies[name]
        found = [(stage.cost, _there(streams, stage)) for stage in stages]
        known = [(cost, stream) for cost, stream in found if stream is not None]
        if len(known) == len(stages):
            load.work = tuple(known)


def _there(streams: Streams, stage: Stage) -> Stream | None:
    """The units of a stage that are there in a time, as what comes in it: they may have come before
    it, as long as they are not done; units of ε also as they are, so that as a window is over none
    comes to a thread that is still awake."""
    key = stage.key
    stream, latency = streams[key], streams.latencies[key]
    if latency is None or not stream.bounded:
        return None
    done = EPSILON if stage.cost > EPSILON else 0
    latest = max(latency - done, stream.best)
    paced = max((streams.paced.get(key) or latency) - done, stream.best)
    return Stream(stream.base, stream.times, latest, stream.best, paced=min(latest, paced))
