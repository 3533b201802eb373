"""Short waits for inputs that do not come, which the runtime makes longer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ddsrta.lf.federation import FOREVER, Federation
from ddsrta.lf.links import Network

SHORT = 50_000


def lengthened(network: Network, waits: Mapping[str, int | None]) -> tuple[Federation, list[str]]:
    """The federation with 50 us more `absent_after` wherever wait and absence are less than that,
    and the federates that have such. All wait as in `waits`: that is what the programs are given.

    >>> from ddsrta.lf.examples import two_federates
    >>> from ddsrta.lf.links import network
    >>> lengthened(network(two_federates()), {"source": 0, "sink": 1000})[1]
    ['sink']
    """
    federation, connections, names = network.federation, [], list[str]()
    for connection in federation.connections:
        name, absent = connection.target, federation.absent_after(connection)
        given = federation.federates[name].maxwait
        wait = waits[name] if given is None else given
        waiting = not connection.physical and name not in network.alone
        if waiting and isinstance(wait, int) and absent != FOREVER and wait + absent < SHORT:
            names.append(name)
            connections.append(replace(connection, absent_after=absent + SHORT))
        else:
            connections.append(connection)
    federates = {
        name: replace(federate, maxwait=waits[name]) if federate.maxwait is None else federate
        for name, federate in federation.federates.items()
    }
    longer = replace(federation, federates=federates, connections=tuple(connections))
    return longer, list(dict.fromkeys(names))
