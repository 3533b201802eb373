"""What enclaves ask of those upstream: to be done with a tag that these may not even have.

An enclave that has nothing at such a tag gets an empty one, which costs the runtime's overhead.
That is lemma empty-tags.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ddsrta.base.components import connected
from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.logical_time.activation import MOST_MOMENTS, Activation
from ddsrta.lf.bounds.logical_time.moments import Moment
from ddsrta.lf.bounds.unbounded import EARLIER_TAGS, MANY_ASKED
from ddsrta.lf.program.federates import BUILT_IN, Federate
from ddsrta.lf.program.federation import Connection, Federation
from ddsrta.lf.program.tags import SAME, Shift

# After all microsteps that a time can have.
LAST = 1 << 30


@dataclass
class Asking:
    """Of each enclave: the empty tags that it may get, with who may ask for them for a tag how much
    later; whom it may have to ask itself; why there is no bound, where that is so."""

    asked: dict[str, dict[Moment, dict[str, int]]] = field(default_factory=dict)
    asks: dict[str, dict[tuple[str, Shift], None]] = field(default_factory=dict)
    because: dict[str, Because] = field(default_factory=dict)

    def answers(self, federation: Federation) -> dict[str, int]:
        """How long idle enclaves upstream take at most to answer each enclave, which may ask them
        one after the other: an empty tag each."""
        asks = [(source, name) for name, sources in self.asks.items() for source, _ in sources]
        found = dict.fromkeys(self.asks, 0)
        for members in connected(list(self.asks), asks):
            for name in members:
                found[name] = sum(
                    federation.federates[s].overhead + found[s] for s, _ in self.asks[name]
                )
        return found


def earlier(moment: Moment, shift: Shift) -> Moment | None:
    """The tag up to which an enclave must be done for one `shift` later; None: before the start.

    >>> from ddsrta.lf.bounds.logical_time.moments import Root
    >>> tick = Moment(Root("f", "t", 10, 0), 3)
    >>> earlier(tick, SAME) == tick, earlier(tick, Shift(4)).time
    (True, 9)
    """
    root = moment.root
    time, microstep = (moment.time, moment.microstep) - shift
    if time == moment.time:
        return moment._replace(microstep=microstep)
    if root.phase is not None:
        if root.period is not None:
            time %= root.period
        elif root.phase + time < 0:
            return None
    return Moment(root, time, LAST)


def asking(federation: Federation, found: Activation) -> Asking:
    """Follow all questions upstream; nothing to follow where tags have no overhead."""
    names = federation.federates
    result = Asking({name: {} for name in names}, {name: {} for name in names})
    if all(not federate.overhead for federate in names.values()):
        return result
    return _Walk(federation, found, result).run()


class _Walk:
    """A queue of enclaves that got a tag which those upstream may not have."""

    def __init__(self, federation: Federation, found: Activation, result: Asking) -> None:
        self.federation, self.found, self.result = federation, found, result
        self.upstream: dict[str, list[Connection]] = {name: [] for name in federation.federates}
        for connection in federation.connections:
            if not connection.physical:
                self.upstream[connection.target].append(connection)
        self.physical = {c.target for c in federation.connections if c.physical}
        self.group = self._groups()
        self.sure: Mapping[str, set[Moment]] = self._sure()

    def run(self) -> Asking:
        """Until nobody asks for anything new."""
        queue: list[tuple[str, Moment, bool]] = []
        for name, federate in self.federation.federates.items():
            implied = self._implied(federate)
            queue += [(name, moment, implied) for moment in self.found.tags(federate)]
        while queue:
            name, moment, implied = queue.pop()
            for connection in () if implied else self.upstream[name]:
                queue += self._ask(name, connection, moment)
        return self.result

    def _ask(
        self, name: str, connection: Connection, moment: Moment
    ) -> list[tuple[str, Moment, bool]]:
        """One question; what it makes the other ask in turn."""
        source = connection.source
        wanted = earlier(moment, connection.shift)
        if wanted is None or wanted in self.sure[source]:
            return []
        if self.group[name] == self.group[source]:
            self.result.because.setdefault(name, EARLIER_TAGS.of(one=name, other=source))
            return []
        self.result.asks[name][source, connection.shift] = None
        known = self.result.asked[source]
        after = max(connection.shift.time, known.get(wanted, {}).get(name, 0))
        if wanted in known:
            known[wanted][name] = after
            return []
        if len(known) >= MOST_MOMENTS:
            self.result.because.setdefault(source, MANY_ASKED.of(enclave=source))
            return []
        known[wanted] = {name: after}
        return [(source, wanted, False)]

    def _implied(self, federate: Federate) -> bool:
        """Whether all its own tags are those of messages from one enclave, which has had them.

        With an `after`, it must be done with all microsteps of the time, and so is asked.
        """
        sources = {(c.source, c.shift) for c in self.upstream[federate.name]}
        triggers = {name for r in federate.reactions.values() for name in r.triggers}
        own = (
            federate.timers
            or federate.actions
            or triggers & set(BUILT_IN)
            or any(inner.shift != SAME for inner in federate.connections)
            or federate.name in self.physical
        )
        return len(sources) <= 1 and not own and not any(shift.time for _, shift in sources)

    def _groups(self) -> dict[str, int]:
        """A number for each set of enclaves that reach each other."""
        names = list(self.federation.federates)
        ways = [(c.source, name) for name, row in self.upstream.items() for c in row]
        return {name: at for at, group in enumerate(connected(names, ways)) for name in group}

    def _sure(self) -> dict[str, set[Moment]]:
        """The tags that an enclave certainly has."""
        found: dict[str, set[Moment]] = {name: set() for name in self.federation.federates}
        for (name, place), moments in self.found.places.items():
            federate = self.federation.federates[name]
            if place not in BUILT_IN and place not in federate.actions:
                found[name].update(moment for moment, sure in moments.items() if sure)
        return found
