"""More workers than cores: what enclaves lose to the others on their host (lemma shared-cores).

The cores are taken for work-conserving: none idles while a worker is ready. Who gets one is open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.enclaves.lags import EnclaveLags, Program
from ddsrta.lf.bounds.enclaves.streams import busy_period, streams, within
from ddsrta.lf.bounds.unbounded import TOO_FEW_CORES
from ddsrta.lf.program.federation import Federation

# Steps on the way to a bound: cheap ones, and those that look at all enclaves in full.
_MOST_ROUNDS, _MOST_LONG_ROUNDS = 1000, 100
Extra = dict[str, int]


@dataclass(frozen=True)
class Way:
    """One of the bounds, and what it rests on: what comes on top of each enclave, the time in which
    one core has all done, or the burst that comes on top of `slowed` lags."""

    kind: Literal["in step", "long run", "one core"]
    extra: Extra
    figures: Mapping[str, int]
    slowed: EnclaveLags | None = None


@dataclass(frozen=True)
class Shared:
    """Lags on the cores that there are: `lags` are those of enclaves that run alone, and `extra`
    comes on top where others have the cores. `because`: why there is no bound."""

    lags: EnclaveLags
    extra: Mapping[str, int | None]
    because: Mapping[str, Because]
    ways: tuple[Way, ...] = ()

    @property
    def values(self) -> Mapping[str, int | None]:
        """How late a tag starts, with what its enclave can lose to others until it is done."""
        return {name: self._with_extra(name, value) for name, value in self.lags.values.items()}

    @property
    def done(self) -> Mapping[str, int | None]:
        """How late a tag is done."""
        return {name: self._with_extra(name, value) for name, value in self.lags.done.items()}

    def _with_extra(self, name: str, value: int | None) -> int | None:
        extra = self.extra[name]
        return None if value is None or extra is None else value + extra


def shared(program: Program) -> Shared:
    """The lags of all enclaves.

    >>> from ddsrta.lf.bounds.enclaves.split import split
    >>> from ddsrta.lf.program.examples import two_federates
    >>> shared(Program(split(two_federates()))).done["source"]
    500000
    """
    crowded = program.crowded
    alone = program.lags(_on_cores(program.federation, crowded))
    because = dict(alone.because)
    nothing: Extra = dict.fromkeys(program.federation.federates, 0)
    if not crowded:
        return Shared(alone, nothing, because)
    known = all(done is not None for done in alone.done.values())
    ways = (_in_step, _in_the_long_run, _on_one_core) if known else ()
    found = [result for way in ways if (result := way(program, alone)) is not None]
    least: dict[str, int | None] = dict(nothing)
    for name, federate in program.federation.federates.items():
        if federate.host in crowded:
            least[name] = min((way.extra[name] for way in found), default=None)
            if not found:
                because.setdefault(name, TOO_FEW_CORES.of(host=federate.host))
    return Shared(alone, least, because, tuple(found))


def _on_cores(federation: Federation, crowded: Mapping[str, int]) -> Federation:
    """No enclave runs on more workers than there are cores."""
    federates = {
        name: replace(f, workers=min(f.workers, crowded.get(f.host, f.workers)))
        for name, f in federation.federates.items()
    }
    return replace(federation, federates=federates)


def _in_step(program: Program, alone: EnclaveLags) -> Way | None:
    """A bound where each enclave is done with a tag before its next one: then a tag waits for own
    earlier ones nowhere, and what others do in the time that it takes is counted step by step."""
    if _is_asked(alone):
        return None
    federates = program.federation.federates
    inside = [name for name, federate in federates.items() if federate.host in program.crowded]
    if (spans := _spans(alone)) is None:
        return None
    gaps = {name: alone.works[name].gap() for name in inside}
    extra = dict.fromkeys(federates, 0)
    for _ in range(_MOST_LONG_ROUNDS):
        done = {name: (alone.done[name] or 0) + extra[name] for name in federates}
        if any(done[name] > gaps[name] for name in inside):
            return None
        news = dict(extra)
        for host, cores in program.crowded.items():
            members = [name for name in inside if federates[name].host == host]
            brought = {name: streams(alone.works[name], done[name]) for name in members}
            everything = Counter(stream for row in brought.values() for stream in row)
            for name in members:
                own = Counter(brought[name])
                # Of its own, earlier tags are done and later ones not begun, if none is earlier.
                rest = everything if spans[name] else everything - own
                tags = {(stream.phase, stream.period) for stream in own}
                work = (within(rest, -spans[name], done[name], tag) for tag in tags)
                news[name] = -(-max(work, default=0) // cores)
        if news == extra:
            return Way("in step", extra, {name: extra[name] for name in inside})
        extra = news
    return None


def _is_asked(found: EnclaveLags) -> bool:
    return any(found.asking.asked.values())


def _spans(found: EnclaveLags) -> dict[str, int] | None:
    """How much earlier than a tag one can be, at most, for which it waits upstream; None where
    enclaves are in a circle."""
    federation = found.network.federation
    spans = dict.fromkeys(federation.federates, 0)
    lengths = dict.fromkeys(federation.federates, 0)
    changed = True
    while changed:
        changed = False
        for connection in federation.connections:
            source, target = connection.source, connection.target
            span = max(spans[target], spans[source] + connection.shift.time)
            length = max(lengths[target], lengths[source] + 1)
            if not connection.physical and (span, length) != (spans[target], lengths[target]):
                spans[target], lengths[target], changed = span, length, True
                if length > len(spans):
                    return None
    return spans


def _shares(program: Program, alone: EnclaveLags) -> dict[str, Fraction]:
    """The share of all cores of each crowded host that work takes in the long run."""
    shares = dict.fromkeys(program.crowded, Fraction(0))
    for name, work in alone.works.items():
        host = program.federation.federates[name].host
        if host in shares:
            for cost, moment in work.demand():
                if moment.root.period:
                    shares[host] += Fraction(cost, moment.root.period * program.crowded[host])
    return shares


def _slowed(program: Program, factors: Mapping[str, Fraction]) -> Federation:
    """All work as it is on cores of which the others have their share."""
    federates = {}
    for name, federate in _on_cores(program.federation, program.crowded).federates.items():
        factor = factors.get(federate.host, Fraction(1))
        reactions = {
            key: r if r.wcet is None else replace(r, wcet=_times(r.wcet, factor))
            for key, r in federate.reactions.items()
        }
        overhead = _times(federate.overhead, factor)
        federates[name] = replace(federate, overhead=overhead, reactions=reactions)
    sending = {name: factors.get(f.host, Fraction(1)) for name, f in federates.items()}
    connections = tuple(
        replace(c, send=_times(c.send, sending[c.source])) for c in program.federation.connections
    )
    return replace(program.federation, federates=federates, connections=connections)


def _times(cost: int, factor: Fraction) -> int:
    return -(-cost * factor.numerator // factor.denominator)


def _in_the_long_run(program: Program, alone: EnclaveLags) -> Way | None:
    """A bound from the share of the cores that others take in the long run, and one burst."""
    shares = _shares(program, alone)
    if any(share >= Fraction(1, 2) for share in shares.values()):
        return None
    federates = program.federation.federates
    slowed = _slowed(program, {host: 1 / (1 - share) for host, share in shares.items()})
    burst = dict.fromkeys(shares, 0)
    lags = program.lags(slowed)
    if any(done is None for done in lags.done.values()):
        return None
    for _ in range(_MOST_LONG_ROUNDS if _is_asked(lags) else _MOST_ROUNDS):
        later = {name: burst.get(federate.host, 0) for name, federate in federates.items()}
        if _is_asked(lags):
            lags = program.lags(slowed, later)
        news = dict.fromkeys(shares, Fraction(0))
        for name, federate in federates.items():
            done = lags.done[name]
            if done is None:
                return None
            if federate.host not in shares:
                continue
            for cost, moment in alone.works[name].demand():
                late = done + burst[federate.host] + lags.works[name].late(moment)
                period = moment.root.period
                news[federate.host] += cost * (1 + Fraction(late, period) if period else 1)
        found = {
            host: _times(1, total / (program.crowded[host] * (1 - shares[host])))
            for host, total in news.items()
        }
        if found == burst:
            extra = {name: _more(name, alone, lags) + more for name, more in later.items()}
            return Way("long run", extra, burst, lags)
        burst = found
    return None


def _more(name: str, alone: EnclaveLags, slowed: EnclaveLags) -> int:
    """How much later an enclave is in any of its results when slowed down."""
    work, other = alone.works[name], slowed.works[name]
    start = (slowed.values[name] or 0) - (alone.values[name] or 0)
    rows = [start, (slowed.done[name] or 0) - (alone.done[name] or 0)]
    for reaction in work.federate.reactions:
        rows.append(start + other.to_end(reaction) - work.to_end(reaction))
        rows.append(start + other.to_start(reaction) - work.to_start(reaction))
    return max(rows)


def _on_one_core(program: Program, alone: EnclaveLags) -> Way | None:
    """A bound where one core would be enough: the longest time in which it never idles."""
    federates = program.federation.federates
    if _is_asked(alone):
        return None
    extra = dict.fromkeys(federates, 0)
    times: Extra = {}
    for host in program.crowded:
        members = [name for name, federate in federates.items() if federate.host == host]
        demand = [row for name in members for row in alone.works[name].demand()]
        busy = busy_period([(cost, moment.root.period) for cost, moment in demand])
        if busy is None:
            return None
        times[host] = busy
        for name in members:
            work = alone.works[name]
            starts = [work.to_start(reaction) for reaction in federates[name].reactions]
            extra[name] = max(0, busy - (alone.values[name] or 0) - min(starts, default=0))
    return Way("one core", extra, times)
