"""Late messages that nothing overtakes: no tag of the receiver comes before they are there."""

from __future__ import annotations

from ddsrta.base.components import reached
from ddsrta.lf.bounds.logical_time.activation import timer_root
from ddsrta.lf.bounds.logical_time.certain import shares_tag
from ddsrta.lf.bounds.logical_time.moments import Moment, before, can_meet
from ddsrta.lf.bounds.offsets.links import Link, Network
from ddsrta.lf.bounds.offsets.waits import Known
from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.tags import SAME


def undisturbed(network: Network, found: Known) -> dict[int, int]:
    """By how much messages can be later than a given maxwait though none can be tardy, by the
    index of their connection (lemma ticks-between).

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.offsets.links import network
    >>> from ddsrta.lf.bounds.offsets.waits import waits
    >>> all = network(two_federates())
    >>> undisturbed(all, waits(all))
    {}
    """
    late = {}
    for name, links in network.inputs.items():
        federate = network.federation.federates[name]
        if len(links) != 1 or name in network.alone or not isinstance(federate.maxwait, int):
            continue
        (link,) = links
        start, weight = found.values[link.connection.source], link.weight
        if start is None or weight is None or start + weight <= federate.maxwait:
            continue
        later = start + weight - federate.maxwait
        if _only_timers(network, federate, link) and not _overtaken(network, federate, link, later):
            late[link.index] = later
    return late


def _only_timers(network: Network, federate: Federate, link: Link) -> bool:
    """Whether all tags of a federate are those of its timers and of one connection's messages."""
    federation = network.federation
    triggers = {name for reaction in federate.reactions.values() for name in reaction.triggers}
    return not (
        federate.actions
        or federate.enclaves
        or triggers & {"startup", "shutdown", "reset"}
        or any(inner.shift != SAME for inner in federate.connections)
        or any(c.physical and c.target == federate.name for c in federation.connections)
        or federate.name in network.found.dense
        or shares_tag(network.found, link.connection)
        or _goes_round(network, federate.name)
    )


def _goes_round(network: Network, name: str) -> bool:
    """Whether its messages can come back to it."""
    sent_by = network.federation.sent_by

    def targets(one: str) -> list[str]:
        return [connection.target for connection in sent_by.get(one, ())]

    return name in reached(targets(name), targets)


def _overtaken(network: Network, federate: Federate, link: Link, late: int) -> bool:
    """Whether a tick can be at the time of a message, or less than `late` after it."""
    ticks = [Moment(timer_root(federate.name, timer)) for timer in federate.timers.values()]
    messages = network.found.places.get((federate.name, link.connection.input), {})
    for message in messages:
        for tag in (*ticks, *messages):
            distance = before(message, tag)
            if distance is not None and distance < late:
                return True
        if any(can_meet(message._replace(microstep=0), tick) for tick in ticks):
            return True
    return False
