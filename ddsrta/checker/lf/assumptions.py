"""What claims rest on: a certificate that does not say so claims too much."""

from __future__ import annotations

from ddsrta.checker.lf.things import Federation


def assumed(federation: Federation) -> set[str]:
    """The assumptions that a certificate has to state."""
    found = set()
    for name, host in federation.hosts.items():
        members = sum(federate.host == name for federate in federation.federates.values())
        if members > 1 and not host.shared_clock and host.clock_error is None:
            found.add("shared-clock")
    for federate in federation.federates.values():
        effects = {e for reaction in federate.reactions.values() for e in reaction.effects}
        if any(not action.free for key, action in federate.actions.items() if key in effects):
            found.add("scheduled-once")
    return found
