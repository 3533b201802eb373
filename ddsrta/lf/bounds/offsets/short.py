"""Short waits for inputs that do not come, which the runtime makes longer."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.lf.bounds.offsets.links import Network, network, with_short
from ddsrta.lf.bounds.offsets.maxplus import solve
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.shapes import FOREVER


def short_inputs(links: Network, known: Mapping[str, int | None]) -> frozenset[int]:
    """The connections (by index) whose `known` wait and absence are short together.

    Longer waits make none of them: one look is enough.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> short_inputs(network(two_federates()), {"source": 0, "sink": 1000})
    frozenset({0})
    """
    longest, found = links.federation.short_wait, set()
    for index, connection in enumerate(links.federation.connections):
        name, absent = connection.target, links.federation.absent_after(connection)
        wait = known[name]
        waiting = not connection.physical and name not in links.alone
        if waiting and wait is not None and absent != FOREVER and wait + absent < longest:
            found.add(index)
    return frozenset(found)


def least_network(federation: Federation) -> Network:
    """The network in which each federate waits the least, whatever maxwait is given."""
    links = network(federation)
    values = solve(len(links.numbers), links.edges()).values
    known = {name: values[number] for name, number in links.numbers.items()}
    return with_short(links, short_inputs(links, known))
