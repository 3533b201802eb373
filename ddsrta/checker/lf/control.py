"""What telling the RTI and being told takes (lemma grant-lag)."""

from __future__ import annotations

from functools import cached_property

from ddsrta.checker.budget import Budget
from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.things import Federation
from ddsrta.checker.lf.times import Times
from ddsrta.checker.reading import shown


class Control:
    """Hops, the service, and asking for what DNETs have kept back."""

    def __init__(self, federation: Federation, times: Times, budget: Budget) -> None:
        self.federation, self.times, self.budget = federation, times, budget
        self.upstream = {name: federation.into(name) for name in federation.federates}
        self._ancestors: dict[str, set[str]] = {}

    def hop(self, name: str) -> int:
        """The longest way between a federate and the RTI, in either direction."""
        federate, rti = self.federation.federates[name], self.federation.rti
        for given in (federate.hop, rti.hop):
            if given is not None:
                return given
        if rti.host is not None:
            network = self.federation.network
            ways = [network.get((federate.host, rti.host)), network.get((rti.host, federate.host))]
            known = [way for way in ways if way is not None]
            if len(known) == len(ways):
                return max(known)
        raise NoBoundError(f"no hop between {shown(name)} and the RTI is known")

    @property
    def service(self) -> int:
        """What the RTI takes for a message."""
        service = self.federation.rti.service
        if service is None:
            raise NoBoundError("no service of the RTI is known")
        return service

    def way(self, source: str, target: str) -> int:
        """From telling the RTI until another is told."""
        return self.hop(source) + self.service + self.hop(target)

    def ancestors(self, name: str) -> set[str]:
        """All others upstream, over any number of federates."""
        if name not in self._ancestors:
            found, stack = {name}, [name]
            while stack:
                for connection in self.upstream[stack.pop()]:
                    self.budget.curve()
                    if connection.source not in found:
                        found.add(connection.source)
                        stack.append(connection.source)
            self._ancestors[name] = found - {name}
        return self._ancestors[name]

    def query(self, name: str) -> int:
        """Asking all upstream."""
        if not self.federation.rti.dnet:
            return 0
        return max((2 * self.hop(one) for one in self.ancestors(name)), default=0) + self.service

    def between(self, name: str) -> int:
        """From completing a tag to the grant of the next, if nobody is late."""
        return self.way(name, name) + self.query(name) if self.upstream[name] else 0

    @cached_property
    def advancing(self) -> set[str]:
        """Those that can have physical events."""
        federates = self.federation.federates.items()
        own = {n for n, f in federates if any(a.physical for a in f.actions.values())}
        return own | {c.target for c in self.federation.connections if c.physical}
