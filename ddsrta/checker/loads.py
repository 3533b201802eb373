"""The claims about loads: long-run shares of what cores supply (lemma core-load)."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.checker.curves import Base
from ddsrta.checker.reading import CertificateError, mapping, record, shown
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import LINK, Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import RefutedError
from ddsrta.checker.things import System

_ONE = 1 << 128  # rates are counted in these parts of an event each ns, rounded down
_CLOSE = 10**9  # a share is compared to so many parts: claims are sums of binary fractions


def read_loads(value: object, what: str = "cores") -> dict[str, float | None]:
    """What is claimed of each core, or of each shared link; null is no claim."""
    found: dict[str, float | None] = {}
    for name, raw in mapping(value, what).items():
        item = record(raw, f"{what}.{shown(name)}", ("utilization",))["utilization"]
        number = isinstance(item, int | float) and not isinstance(item, bool)
        if item is not None and not (number and 0 <= item < _ONE):
            raise CertificateError(f"{what}.{shown(name)}: expected a share, not {shown(item)}")
        found[name] = item
    return found


def check_loads(
    claims: Mapping[str, float | None],
    system: System,
    neighbours: Neighbours,
    stages: Mapping[Key, Stage],
    streams: Streams,
) -> int:
    """Confirms that no core is loaded more than claimed; how many claims there are."""
    return _compared(claims, _loads(system, neighbours, stages, streams), "core")


def check_link_loads(
    claims: Mapping[str, float | None],
    system: System,
    stages: Mapping[Key, Stage],
    streams: Streams,
) -> int:
    """The same of shared links."""
    rates, loads = _Rates(), dict.fromkeys(system.media, 0)
    for key, stage in stages.items():
        if stage.kind == LINK:
            loads[stage.runner] += stage.cost * streams[key].times * rates.of(streams[key].base)
    return _compared(claims, loads, "link")


def _compared(claims: Mapping[str, float | None], loads: dict[str, int], what: str) -> int:
    for core in loads:
        if core not in claims:
            raise RefutedError(f"{what} {shown(core)}: its load is not claimed")
    for core, claimed in claims.items():
        if core not in loads:
            raise RefutedError(f"{what} {shown(core)}: the system has none such")
        if claimed is None:
            continue
        top, bottom = claimed.as_integer_ratio()
        if top * _ONE * (_CLOSE + 1) < loads[core] * bottom * _CLOSE:
            share = -(-loads[core] * 10**6 // _ONE) / 10**4
            raise RefutedError(
                f"{what} {shown(core)}: its load is {share:.4f} %, more than the claimed "
                f"{100 * claimed:.4f} % (lemma core-load)"
            )
    return sum(claimed is not None for claimed in claims.values())


def _loads(
    system: System, neighbours: Neighbours, stages: Mapping[Key, Stage], streams: Streams
) -> dict[str, int]:
    rates = _Rates()
    loads = dict.fromkeys(system.cores, 0)
    for key, stage in stages.items():
        if stage.kind == LINK:
            continue
        stream = streams[key]
        cores = neighbours.cores(stage) or (neighbours.place(stage).core,)
        work = stage.cost * stream.times * rates.of(stream.base)
        for core in cores:  # as if they had equal shares
            loads[core] += work // len(cores)
    for name, given in system.cores.items():
        if given.reservation:
            loads[name] = loads[name] * given.reservation.period // given.reservation.budget
    return loads


class _Rates:
    """Events of bases in the long run."""

    def __init__(self) -> None:
        self.known: dict[Key, int] = {}

    def of(self, base: Base) -> int:
        """Parts of an event in a nanosecond; what a junction takes from others is known first."""
        ahead = [base]
        while ahead:
            one = ahead[-1]
            before = [feed.base for feed in one.feeds] + [limit.base for limit in one.limits]
            missing = [base for base in before if base.key not in self.known]
            if missing:
                ahead += missing
                continue
            ahead.pop()
            self.known[one.key] = self._rate(one)
        return self.known[base.key]

    def _rate(self, base: Base) -> int:
        if base.source is not None:
            events, time = base.source.rate
            return events * _ONE // time
        parts = []
        for feed in base.feeds:
            most, of = feed.part or (1, 1)
            rate = feed.times * self.known[feed.base.key] * most // of
            if feed.part and feed.edge and feed.edge.distance:
                rate = min(rate, feed.edge.times * _ONE // feed.edge.distance)
            parts.append(rate)
        slow = (limit.times * self.known[limit.base.key] for limit in base.limits)
        rate = (max(parts) if base.joins else sum(parts)) if parts else 0
        if base.rule is not None and base.rule.own:
            rate = min(parts)
        return min(rate, *slow) if base.limits else rate
