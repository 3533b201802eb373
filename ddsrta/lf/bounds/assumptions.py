"""What figures of a federation rest on, and no file can show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ddsrta.bounds.result import Finding
from ddsrta.lf.program.federation import Federation


class Assumption(NamedTuple):
    """A rule, and what it says of a federation."""

    rule: str
    message: str


def assumptions(federation: Federation) -> tuple[Assumption, ...]:
    """Those that a federation needs.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> assumptions(two_federates())
    ()
    """
    return tuple(_assumptions(federation))


def with_an_rti(
    federation: Federation, together: Iterable[tuple[str, ...]]
) -> tuple[Assumption, ...]:
    """Those that it needs with an RTI; `together` are the zero-delay cycles that have bounds."""
    found = (*assumptions(federation), *told_nets(federation))
    names = "; ".join(", ".join(members) for members in together)
    if names:
        message = f"assumed: the compiler gives the reactions of all members one order: {names}"
        found = (*found, Assumption("one-order", message))
    return found


def first_grants(federation: Federation) -> Iterator[Assumption]:
    """Who needs grants asks for the tag (0, 0) when it comes, whether or not anything is at it, and
    only after that for a tag of its own."""
    receivers = {c.target for c in federation.connections if not c.physical}
    names = [name for name in federation.federates if name in receivers]
    if names:
        message = (
            "assumed: the tag (0, 0), which is granted late, leaves time for others: "
            f"{_some(names)}"
        )
        yield Assumption("first-grant", message)


def told_nets(federation: Federation) -> Iterator[Assumption]:
    """Who decides to keep a NET back while a DNET comes that asks for it may not tell it: reactor-c
    has no lock there."""
    senders = dict.fromkeys(c.source for c in federation.connections if not c.physical)
    if federation.rti.dnet and senders:
        names = [name for name in federation.federates if name in senders]
        message = f"assumed: no NET is kept back just as a DNET asks for it: {_some(names)}"
        yield Assumption("net-told", message)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (", …" if names[3:] else "")


def assumption_findings(found: tuple[Assumption, ...]) -> Iterator[Finding]:
    """A line for each."""
    for rule, message in found:
        yield Finding(rule, "note", message)


def _assumptions(federation: Federation) -> Iterator[Assumption]:
    for host in federation.hosts.values():
        members = [f.name for f in federation.federates.values() if f.host == host.name]
        if host.clock_error is None and not host.shared_clock and len(members) > 1:
            message = (
                f"assumed: all federates of {host.name} have one clock (it has no clock_error)"
            )
            yield Assumption("shared-clock", message)
    names = [
        f"{name}.{effect}"
        for name, federate in federation.federates.items()
        for effect in dict.fromkeys(e for r in federate.reactions.values() for e in r.effects)
        if effect in federate.actions and not federate.actions[effect].is_free
    ]
    if names:
        message = f"assumed: an invocation schedules a logical action at most once: {_some(names)}"
        yield Assumption("scheduled-once", message)
