"""Federations of few nanoseconds, so much slower that SCHED_DEADLINE takes them."""

from __future__ import annotations

from dataclasses import replace

from ddsrta.lf.program.federates import Action, Federate, Reaction, Timer
from ddsrta.lf.program.federation import Federation
from ddsrta.models.supplies import SHORTEST_PERIOD


def unit(policy: str) -> int:
    """What a nanosecond becomes."""
    return SHORTEST_PERIOD if policy == "edf" else 1


def stretched(federation: Federation, factor: int) -> Federation:
    """The same with all times longer: timers, actions, reactions and overheads."""
    federates = {name: _federate(one, factor) for name, one in federation.federates.items()}
    return replace(federation, federates=federates)


def _federate(federate: Federate, factor: int) -> Federate:
    return replace(
        federate,
        overhead=federate.overhead * factor,
        timers={name: _timer(one, factor) for name, one in federate.timers.items()},
        actions={name: _action(one, factor) for name, one in federate.actions.items()},
        reactions={name: _reaction(one, factor) for name, one in federate.reactions.items()},
    )


def _timer(timer: Timer, factor: int) -> Timer:
    period = timer.period and timer.period * factor
    return replace(timer, offset=timer.offset * factor, period=period)


def _action(action: Action, factor: int) -> Action:
    spacing = action.min_spacing and action.min_spacing * factor
    return replace(action, min_delay=action.min_delay * factor, min_spacing=spacing)


def _reaction(reaction: Reaction, factor: int) -> Reaction:
    wcet, deadline = (
        None if value is None else value * factor for value in (reaction.wcet, reaction.deadline)
    )
    return replace(reaction, wcet=wcet, deadline=deadline)
