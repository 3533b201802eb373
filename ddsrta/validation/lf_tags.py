"""The tags of a run held against what makes tags in a federation: timers and messages."""

from __future__ import annotations

from collections.abc import Iterable

from ddsrta.base.units import format_duration
from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.run.traces import RunSeen
from ddsrta.validation.contradiction import Held

_MOST_TICKS = 1_000_000


def hold_tags(federation: Federation, run: RunSeen, held: Held) -> None:
    """Each tick of a timer is a tag, and each tag a tick, or that of a message."""
    for name, seen in run.federates.items():
        federate = federation.federates.get(name)
        if federate is None or seen.enclaves or not seen.by_tag:
            continue
        times = sorted({time for time, _, _ in seen.by_tag})
        held.count("releases", len(times))
        _hold_ticks(federate, times, held)
        if not federate.actions and not seen.tardy:
            _hold_origins(federation, federate, run, times, held)


def _hold_ticks(federate: Federate, times: list[int], held: Held) -> None:
    """The first tag may not be noted, the last one is the end."""
    used = {name for one in federate.reactions.values() for name in one.triggers}
    tags = set(times)
    for name in sorted(used & set(federate.timers)):
        for tick in _ticks(federate, name, times[-1]):
            if times[0] <= tick < times[-1] and tick not in tags:
                text = f"timer {name} ticks at {format_duration(tick)}, where no tag was"
                held.contradict("releases", federate.name, text, f"tick of {name}")
                break


def _hold_origins(
    federation: Federation, federate: Federate, run: RunSeen, times: list[int], held: Held
) -> None:
    """Of what has no actions, and gets nothing but tagged messages of federates in the trace."""
    into = [one for one in federation.connections if one.target == federate.name]
    if any(one.physical or one.source not in run.federates for one in into):
        return
    if len({one.input for one in into}) < len(federate.inputs):
        return  # an input of the world outside
    known = {0, times[-1]}
    for name in federate.timers:
        known.update(_ticks(federate, name, times[-1]))
    for one in into:
        sent = {0, *(time for time, _, _ in run.federates[one.source].by_tag)}
        known.update(time + one.shift.time for time in sent)
    strange = next((time for time in times if time not in known), None)
    if strange is not None:
        text = f"no timer and no message of the model makes the tag at {format_duration(strange)}"
        held.contradict("releases", federate.name, text, "origin")


def _ticks(federate: Federate, name: str, end: int) -> Iterable[int]:
    timer = federate.timers[name]
    if timer.period is None:
        return (timer.offset,)
    most = timer.offset + timer.period * _MOST_TICKS
    return range(timer.offset, min(end, most) + 1, timer.period)
