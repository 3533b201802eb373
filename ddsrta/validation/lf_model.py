"""A federation held against traces of Lingua Franca."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from ddsrta.base.units import format_duration
from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.run.traces import FederateSeen, RunSeen
from ddsrta.lf.run.traces.federate import RECEIVER, SENDER
from ddsrta.lf.run.traces.observed import RTI
from ddsrta.validation.contradiction import Held
from ddsrta.validation.lf_tags import hold_tags

_DATA = ("P2P_TAGGED_MSG", "P2P_MSG", "TAGGED_MSG", "MSG")


def hold_federation(
    federation: Federation, run: RunSeen, clocks: Mapping[tuple[str, str], int]
) -> Held:
    """Federates, connections, timers and execution times; `clocks`: how far apart those of two
    federates are at most."""
    held = Held()
    for name in federation.federates:
        if name not in run.federates:
            held.contradict("threads", name, "this federate is in the model and not in the trace")
    for name, seen in run.federates.items():
        held.count("threads")
        federate = federation.federates.get(name)
        if federate is None:
            held.contradict("threads", name, "this federate is in the trace and not in the model")
            continue
        _hold_timer(federate, seen, held)
        _hold_executions(federate, seen, held)
    hold_tags(federation, run, held)
    _hold_connections(federation, run, held)
    _hold_coordination(federation, run, held)
    _hold_best(federation, run, clocks, held)
    _hold_clocks(run, clocks, held)
    return held


def _hold_timer(federate: Federate, seen: FederateSeen, held: Held) -> None:
    """The tags of a federate that has nothing but one timer are its periods."""
    timers = [timer for timer in federate.timers.values() if timer.period]
    times = sorted({time for time, _, _ in seen.by_tag})
    others = federate.inputs or federate.actions or len(timers) != len(federate.timers)
    if others or len(timers) != 1 or len(times) < 3:
        return
    period = timers[0].period or 0
    held.count("releases", len(times))
    for before, time in pairwise(times[1:]):  # an offset is before the second one
        if time - before != period:
            apart = f"two tags are {format_duration(time - before)} apart"
            text = f"{apart}, and timer {timers[0].name} has a period of {format_duration(period)}"
            held.contradict("releases", federate.name, text, "period")


def _hold_executions(federate: Federate, seen: FederateSeen, held: Held) -> None:
    """No reaction takes longer than the longest of the model, or less than the shortest; none ran
    that the model lacks."""
    named = {one.reactor or federate.name for one in federate.reactions.values()}
    own = [one for (reactor, _), one in seen.reactions.items() if reactor in named]
    for name in sorted(named):  # others may be reactors that the compiler makes for delays
        ran = sum(one.reactor == name for one in own)
        known_of = sum((one.reactor or federate.name) == name
                       for one in federate.reactions.values())  # fmt: skip
        if ran > known_of:
            text = f"{ran} reactions of {name} ran, and the model has {known_of}"
            held.contradict("threads", federate.name, text)
    least = min((one.durations.least for one in own if one.durations.least is not None), default=0)
    best = min((one.bcet for one in federate.reactions.values()), default=0)
    if own and least < best:
        text = f"a reaction took {format_duration(least)}, and every bcet is at least "
        held.contradict("execution times", federate.name, f"{text}{format_duration(best)}", "best")
    known = [one.wcet for one in federate.reactions.values() if one.wcet is not None]
    if not known or len(known) != len(federate.reactions):
        return
    for (reactor, number), reaction in seen.reactions.items():
        most = reaction.durations.most
        if most is None or reactor.startswith((SENDER, RECEIVER)):
            continue
        held.count("execution times", reaction.durations.count)
        if most > max(known):
            text = (
                f"reaction {number} of {reactor} took {format_duration(most)}, and every wcet of "
            )
            text += f"{federate.name} is at most {format_duration(max(known))} (the trace does not "
            text += "say whether something preempted it)"
            held.contradict("execution times", federate.name, text, f"{reactor} {number}")


def _hold_connections(federation: Federation, run: RunSeen, held: Held) -> None:
    """Who sends to whom; through the RTI, who sends at all and who receives."""
    modelled = {(one.source, one.target) for one in federation.connections}
    modelled |= {(one.source, RTI) for one in federation.connections}
    modelled |= {(RTI, one.target) for one in federation.connections}
    for hop in run.hops:
        if hop.kind not in _DATA:
            continue
        held.count("edges")
        if (hop.sender, hop.receiver) not in modelled:
            who = hop.receiver if hop.sender == RTI else hop.sender
            text = f"messages from {hop.sender} to {hop.receiver} are in the trace, and no "
            held.contradict("edges", who, f"{text}connection for them in the model")


def _hold_coordination(federation: Federation, run: RunSeen, held: Held) -> None:
    """Tagged messages go through the RTI where it coordinates, and only there."""
    central = federation.coordination == "centralized"
    wrong, how = ("P2P_TAGGED_MSG", "decentralized") if central else ("TAGGED_MSG", "centralized")
    if any(hop.kind == wrong for hop in run.hops):
        text = f"its messages are those of a {how} federation, other than in the model"
        held.contradict("edges", federation.name, text)
    for hop in run.hops:
        physical = {one.physical for one in federation.connections if one.source == hop.sender
                    and hop.receiver in (one.target, RTI)}  # fmt: skip
        tagged = hop.kind in ("P2P_TAGGED_MSG", "TAGGED_MSG")
        if physical == {tagged} and (tagged or hop.kind == "P2P_MSG"):
            sent = "with the tag of their sender" if tagged else "over a physical connection"
            text = f"messages to {hop.receiver} came {sent}, other than in the model"
            held.contradict("edges", hop.sender, text, f"kind {hop.receiver}")


def _hold_best(
    federation: Federation, run: RunSeen, clocks: Mapping[tuple[str, str], int], held: Held
) -> None:
    """No message is faster than the best case of the connections between two federates."""
    for hop in run.hops:
        ends = hop.sender, hop.receiver
        between = [one for one in federation.connections if (one.source, one.target) == ends]
        if hop.kind != "P2P_TAGGED_MSG" or not between or hop.latency.least is None:
            continue
        best = min(one.latency.best if one.latency else 0 for one in between)
        apart = clocks.get(ends, 0)
        if -apart <= hop.latency.least < best - apart:  # below, it is the clocks that differ
            text = f"a message to {hop.receiver} took {format_duration(hop.latency.least)}, less "
            text += f"than the best case of {format_duration(best)}"
            held.contradict("edges", hop.sender, text, f"best {hop.receiver}")


def _hold_clocks(run: RunSeen, clocks: Mapping[tuple[str, str], int], held: Held) -> None:
    """A message cannot come before it was sent, but for the error of clocks."""
    for hop in run.hops:
        error = clocks.get((hop.sender, hop.receiver), 0)
        least = min((one.least for one in (hop.latency, hop.network) if one.least is not None),
                    default=0)  # fmt: skip
        held.count("clocks")
        if least < -error:
            text = f"{hop.kind} to {hop.receiver} came {format_duration(-least)} before it was "
            text += "sent: the clocks of the two differ, and by more than the "
            text += f"{format_duration(error)} that are modelled"
            held.contradict("clocks", hop.sender, text, hop.receiver)
