"""In which enclave ports are, and which connections lead from one enclave to another."""

from __future__ import annotations

from collections.abc import Collection

from ddsrta.checker.lf.things import Federate, Inner
from ddsrta.checker.reading import CertificateError, shown

Crossing = tuple[str, str, str, str, int | None]  # enclave, port, enclave, port, after


class Ports:
    """Of one federate: the `home` of each port, what crosses, and what stays inside of each.

    A port is with who writes it, else with who reads it, else with what feeds it. Ports that
    nobody writes or reads pass on: what comes through them is one connection, whose last delay is
    that of the way between enclaves.
    """

    def __init__(
        self, name: str, federate: Federate, entered: Collection[str], left: Collection[str]
    ) -> None:
        self.name, self.federate = name, federate
        self._owner: dict[str, str] = {}
        for enclave, given in federate.enclaves.items():
            for reactor in given.reactors:
                if reactor in self._owner:
                    raise CertificateError(f"{shown(reactor)} is in two enclaves")
                self._owner[reactor] = enclave
        self._feeds: dict[str, Inner] = {}
        for inner in federate.inner:
            if inner.target in self._feeds:
                raise CertificateError(f"{shown(inner.target)} is the end of two connections")
            self._feeds[inner.target] = inner
        self.clocks = self._clocks()
        self.home: dict[str, str] = {}
        self._ends: set[str] = set()  # where ways through other ports begin and end
        self._settle()
        self.inside: dict[str, list[Inner]] = {}
        self.crossings: list[Crossing] = []
        self._cross(left)
        self.enclaves = self._used(entered)

    def group(self, reaction: str) -> str:
        """The enclave of a reaction."""
        return self._owner.get(self.federate.reactions[reaction].reactor, "")

    def _clocks(self) -> dict[str, set[str]]:
        """The timers and actions of each enclave; what nobody uses is in none."""
        own = {*self.federate.timers, *self.federate.actions}
        found: dict[str, set[str]] = {enclave: set() for enclave in ("", *self.federate.enclaves)}
        for name, raw in self.federate.reactions.items():
            found[self.group(name)] |= own & {*raw.triggers, *raw.sources, *raw.effects}
        found[""] |= own - set().union(*found.values())
        for action in self.federate.actions:
            if sum(action in names for names in found.values()) > 1:
                raise CertificateError(f"action {shown(action)} is in several enclaves")
        return found

    def _settle(self) -> None:
        ports = {*self.federate.inputs, *self.federate.outputs}
        reading: dict[str, str] = {}
        for name, raw in self.federate.reactions.items():
            for port in raw.effects:
                self.home.setdefault(port, self.group(name))
            for port in (*raw.triggers, *raw.sources):
                reading.setdefault(port, self.group(name))
        for port, enclave in reading.items():
            self.home.setdefault(port, enclave)
        self.home = {port: enclave for port, enclave in self.home.items() if port in ports}
        self._ends = {port for port in ports if port in self.home or port not in self._feeds}
        for port in sorted(ports - set(self.home)):
            source = self._origin(port)[0]
            self.home[port] = self.home.get(source, "") if source in self._ends else ""

    def _origin(self, port: str) -> tuple[str, list[int]]:
        """The end that a port is fed from, and the delays on the way."""
        delays: list[int] = []
        seen = {port}
        while port in self._feeds:
            inner = self._feeds[port]
            port = inner.source
            if inner.after is not None:
                delays.append(inner.after)
            if port in self._ends or port in seen:
                break
            seen.add(port)
        return port, delays[::-1]

    def _cross(self, left: Collection[str]) -> None:
        found: dict[Crossing, None] = {}
        for name, raw in self.federate.reactions.items():
            mine = self.group(name)
            for port in sorted({*raw.effects} & set(self.home)):
                if self.home[port] != mine:
                    found[mine, port, self.home[port], port, None] = None
            for port in sorted({*raw.triggers, *raw.sources} & set(self.home)):
                if self.home[port] != mine:
                    found[self.home[port], port, mine, port, None] = None
        passing = {inner.source for inner in self.federate.inner}
        for target in self._feeds:
            source, delays = self._origin(target)
            unread = bool(delays) and target not in passing
            if not (target in self._ends or target in left or unread):
                continue
            mine, at = self.home[source], source
            for number, delay in enumerate(delays[:-1]):
                step = f"{target} behind {number + 1} of {source}"
                self.inside.setdefault(mine, []).append(Inner(at, step, delay))
                at = step
            last = delays[-1] if delays else None
            if self.home[target] == mine:
                self.inside.setdefault(mine, []).append(Inner(at, target, last))
            else:
                found[mine, at, self.home[target], target, last] = None
        self.crossings = list(found)

    def _used(self, entered: Collection[str]) -> list[str]:
        used = {self.group(name) for name in self.federate.reactions} | set(self.inside)
        used |= {self.home[port] for port in entered}
        for source, _, target, _, _ in self.crossings:
            used |= {source, target}
        if self.clocks[""]:
            used.add("")
        return [enclave for enclave in ("", *self.federate.enclaves) if enclave in used]
