"""Grant lags that rest on what the runtime does not promise: assumed, and not bounded."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.rti.control import Control
from ddsrta.lf.bounds.rti.provisional import Members
from ddsrta.lf.bounds.unbounded import (
    EMPTY_EVENTS,
    KEPT_BACK,
    PHYSICAL_AND_INPUTS,
    PHYSICAL_KINDS,
    PHYSICAL_LEFT_OUT,
    PROVISIONAL_GRANTS,
)


def assumed_lags(control: Control, zero_delay: Sequence[Members]) -> dict[str, Because]:
    """Why the lag of a federate is assumed; the others are bounded.

    >>> from ddsrta.lf.bounds.logical_time.activation import activation
    >>> from ddsrta.lf.program.examples import centralized
    >>> system = centralized()
    >>> assumed_lags(Control(system, activation(system)), ())
    {}
    """
    found: dict[str, Because] = {}
    for name in control.federation.federates:
        before = list(control.ancestors(name))
        because = (
            _physical(control, before)
            or _provisional(control, [name, *before], zero_delay)
            or _kept_back(control, before)
        )
        if because is not None:
            found[name] = because
    return found


def _physical(control: Control, before: list[str]) -> Because | None:
    federates = control.federation.federates
    for name in before:
        if name not in control.federation.least_delays:
            continue
        if control.upstream[name]:
            return PHYSICAL_AND_INPUTS.of(name=name)
        physical = [a for a in federates[name].actions.values() if a.is_physical]
        if any(c.physical and c.target == name for c in control.federation.connections):
            return PHYSICAL_LEFT_OUT.of(name=name)
        if len(physical) != 1:
            return PHYSICAL_KINDS.of(name=name)
        if federates[name].overhead:
            return EMPTY_EVENTS.of(name=name)
    return None


def _provisional(
    control: Control, names: list[str], zero_delay: Sequence[Members]
) -> Because | None:
    """A PTAG looks at direct upstreams only: not at those of other members, nor at members of
    other cycles."""
    cyclic = {name for members in zero_delay for name in members}
    for members in zero_delay:
        if not set(members) & set(names):
            continue
        outside = {
            member: {c.source for c in control.upstream[member]} - set(members)
            for member in members
        }
        everyone = set().union(*outside.values())
        if everyone & cyclic or any(sources != everyone for sources in outside.values()):
            return PROVISIONAL_GRANTS.of(cycle=", ".join(members))
    return None


def _kept_back(control: Control, before: list[str]) -> Because | None:
    """On the way that is granted already a NET may be kept back though a DNET asks for it."""
    if not control.federation.rti.dnet:
        return None
    for name in before:
        if control.upstream[name]:
            return KEPT_BACK.of(name=name)
    return None
