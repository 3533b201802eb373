"""What is known of inputs without waiting: messages that surely come, and tags that they make."""

from __future__ import annotations

from ddsrta.lf.bounds.logical_time.activation import Activation
from ddsrta.lf.bounds.logical_time.moments import can_share_time
from ddsrta.lf.program.federation import Connection, Federation
from ddsrta.lf.program.shapes import FOREVER
from ddsrta.lf.program.tags import SAME


def sparse_at(found: Activation, federation: Federation, connection: Connection) -> str | None:
    """A place whose tags the receiver has while nothing need come over the connection.

    None: at each of its tags a message certainly comes. Empty: its tags cannot be followed.
    """
    name = connection.target
    if name in found.dense:
        return ""
    sure = found.places.get((name, connection.input), {})
    for moment, place in found.tags(federation.federates[name]).items():
        if not sure.get(moment, False):
            return place
    return None


def only_messages(found: Activation, federation: Federation, name: str) -> Connection | None:
    """The one connection whose messages make all tags of a federate, if that is so.

    Such a federate waits for nothing, whatever its maxwait, and no message to it is tardy: once one
    has come its only input is known up to that tag (lemma sole-input). Its shutdown may wait
    longer, where nobody asks for its lag.
    """
    federate = federation.federates[name]
    incoming = [c for c in federation.connections if c.target == name]
    if len(incoming) != 1 or incoming[0].physical:
        return None
    if federate.timers or federate.actions or federate.enclaves:
        return None
    if any(inner.shift != SAME for inner in federate.connections):
        return None
    for reaction in federate.reactions.values():
        built_in = {"startup", "reset", "shutdown"} & set(reaction.triggers)
        stops = built_in == {"shutdown"} and not reaction.effects and reaction.deadline is None
        if built_in and not (stops and federate.maxwait == FOREVER):
            return None
    return None if shares_tag(found, incoming[0]) else incoming[0]


def shares_tag(found: Activation, connection: Connection) -> bool:
    """Whether two messages of a connection can get the same tag: an `after` takes microsteps off.

    The second is tardy then, however long its receiver waits.
    """
    if not connection.shift.time:
        return False
    if connection.source in found.dense:
        return True
    moments = list(found.places.get((connection.source, connection.output), ()))
    return any(
        can_share_time(one, other) for index, one in enumerate(moments) for other in moments[index:]
    )
