"""What the RTI's messages take: hops, its service, and round trips for grants and for DNETs."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.components import reached
from ddsrta.lf.bounds.launch.lags import UnknownLagError
from ddsrta.lf.bounds.logical_time.activation import Activation
from ddsrta.lf.bounds.unbounded import NO_HOP, NO_SERVICE
from ddsrta.lf.program.federation import Connection, Federation
from ddsrta.lf.program.tags import Shift


class Control:
    """Who is upstream of whom at the RTI, and how long it takes to ask and to be told.

    Physical connections do not count: the RTI does not see them.
    """

    def __init__(self, federation: Federation, found: Activation) -> None:
        self.federation = federation
        self.found = found
        self.upstream: dict[str, list[Connection]] = {name: [] for name in federation.federates}
        self._sent: dict[str, list[Connection]] = {name: [] for name in federation.federates}
        for connection in federation.connections:
            if not connection.physical:
                self.upstream[connection.target].append(connection)
                self._sent[connection.source].append(connection)

    def hop(self, name: str) -> int:
        """One way between a federate and the RTI, at the longest."""
        federation, federate = self.federation, self.federation.federates[name]
        hop = federate.rti_hop or federation.rti.hop
        if hop is not None:
            return hop.worst
        place = federation.rti.host
        if place is not None:
            up = federation.network.get((federate.host, place))
            down = federation.network.get((place, federate.host))
            if up is not None and down is not None:
                return max(up.worst, down.worst)
        raise UnknownLagError(NO_HOP.of(federate=name))

    @property
    def service(self) -> int:
        """What the RTI takes for a message."""
        if self.federation.rti.service is None:
            raise UnknownLagError(NO_SERVICE.of())
        return self.federation.rti.service

    def way(self, source: str, target: str) -> int:
        """From what one federate tells the RTI to what that tells another."""
        return self.hop(source) + self.service + self.hop(target)

    def query(self, name: str) -> int:
        """How long the RTI takes to ask everyone upstream for what DNETs have kept them from
        telling."""
        if not self.federation.rti.dnet:
            return 0
        return max((2 * self.hop(k) for k in self.ancestors(name)), default=0) + self.service

    def between(self, name: str) -> int:
        """From telling the RTI of the next tag to its grant, if nobody upstream is late."""
        return self.way(name, name) + self.query(name) if self.upstream[name] else 0

    def late_query(self, name: str, vouches: bool = False, behind: bool = False) -> int:
        """What asking adds after a message has come.

        A sender keeps its next tag back if the last DNET lets it, which the RTI may have sent
        before it had the message: then it asks anew. Where a federate tells its tags only as far
        as its clock `vouches` for them, the RTI may know too early a one to ask for the message's:
        until the federate has the message, and tells. So it is `behind` a zero-delay cycle, too.
        """
        if not self.federation.rti.dnet and not behind:
            return 0
        return self.query(name) + (self.way(name, name) if vouches else 0)

    def ancestors(self, name: str) -> dict[str, None]:
        """All others from whom something can come, over any number of federates."""
        found = reached([name], lambda one: [c.source for c in self.upstream[one]])
        del found[name]
        return found

    def neighbours(self, name: str) -> Iterator[tuple[str, int, Shift]]:
        """Those that send to a federate or get something from it, and the shift: added (1) or taken
        off (-1)."""
        for connection in self.upstream[name]:
            yield connection.source, -1, connection.shift
        for connection in self._sent[name]:
            yield connection.target, 1, connection.shift
