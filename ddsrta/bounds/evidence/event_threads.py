"""What is assumed of the threads of participants that send of themselves."""

from __future__ import annotations

from ddsrta.models.fastdds import participant, senders
from ddsrta.models.system import System


def event_threads(system: System) -> str:
    """What participants are taken to do without being asked (lemma event-threads)."""
    modelled = {participant(system, one) for one in system.threads.values() if one.datagrams}
    others = {participant(system, thread) for thread, _ in senders(system)} - modelled
    said = (
        "what participants send of themselves (announcements, heartbeats, acknowledgements), and "
        "their event threads, cost nothing beyond what threads of the model stand for"
    )
    if not modelled:
        return said
    these = ", ".join(repr(name) for _, name in sorted(others))
    rest = f"; those of {these} cost nothing" if these else ""
    return (
        "event threads with 'datagrams' do what these and their wcet say, and hold no lock of a "
        f"writer that is in use (as heartbeats of reliable topics do){rest}; nor does receiving "
        "what participants send of themselves cost anything"
    )
