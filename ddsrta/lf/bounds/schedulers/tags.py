"""When an environment has tags, and which of them are certain."""

from __future__ import annotations

from collections.abc import Collection

from ddsrta.lf.bounds.launch.lags import UnknownLagError
from ddsrta.lf.bounds.logical_time.activation import Activation
from ddsrta.lf.bounds.logical_time.calendar import horizon, instants
from ddsrta.lf.bounds.logical_time.moments import Moment, is_exact
from ddsrta.lf.bounds.schedulers.environments import Environment
from ddsrta.lf.bounds.unbounded import MANY_MOMENTS
from ddsrta.lf.program.federation import Federation


def tags_of(
    federation: Federation, member: Environment, found: Activation, *, wakes: bool = False
) -> dict[Moment, list[str]]:
    """The reactions of each moment. A tag that brings none may take `overhead` all the same, and
    where it counts what `wakes` a thread, it does so whatever it takes."""
    if member.part.name in found.dense:
        raise UnknownLagError(MANY_MOMENTS.of(federate=member.part.name))
    moments = found.of(member.part)
    if member.part.overhead or wakes:
        for moment in _others(federation, member, found):
            moments.setdefault(moment, [])
    return moments


def early(federation: Federation, member: Environment) -> set[str]:
    """Whose events wake an environment when they come, and have a later tag."""
    own = member.part.actions.values()
    found = {action.name for action in own if action.is_physical and action.min_delay}
    return found | {
        link.input
        for link in federation.connections
        if link.target == member.part.name and link.physical and link.shift.time
    }


def certain(member: Environment, found: Activation) -> set[Moment]:
    """The moments that certainly bring reactions: nobody may leave them out."""
    return {
        moment
        for name in member.part.reactions
        for moment, sure in found.reactions.get((member.part.name, name), {}).items()
        if sure
    }


def is_steady(federation: Federation, member: Environment, found: Activation) -> bool:
    """Whether there is a certain tag at each time at which the environment can have one.

    An action that nobody has to schedule and a port that nobody has to write make tags that need
    not come; nor is a tag certain that triggers no reaction.
    """
    sure = certain(member, found)
    everything = {*found.of(member.part), *_others(federation, member, found)}
    if everything == sure:
        return True
    seen = horizon([everything]) if all(map(is_exact, everything)) else None
    if seen is None:
        return False
    times = {instant.time for instant in instants(dict.fromkeys(sure, ()), seen.end)}
    return all(tag.time in times for tag in instants(dict.fromkeys(everything, ()), seen.end))


def is_run(member: Environment, moments: Collection[Moment], found: Activation) -> bool:
    """Whether some run has all of the moments from the first on.

    One that is folded into its timer's period has no event in the first of them. It recurs, so that
    this plays no part, unless there is something that happens only once. Moments of events that
    are moved may have none at all.
    """
    if member.part.name in found.loose:
        return False
    once = any(moment.root.once for moment in moments)
    return not once or certain(member, found) >= {*moments}


def _others(federation: Federation, member: Environment, found: Activation) -> Collection[Moment]:
    """The moments of places that are none of another environment of the federate."""
    whole = federation.federates[member.part.name]
    elsewhere = {
        place
        for name, reaction in whole.reactions.items()
        if name not in member.part.reactions
        for place in (*reaction.triggers, *reaction.sources, *reaction.effects)
    }
    size = -1
    while size != len(elsewhere):
        size = len(elsewhere)
        for inner in whole.connections:
            if inner.source in elsewhere or inner.target in elsewhere:
                elsewhere |= {inner.source, inner.target}
    return found.tags(member.part, elsewhere)
