"""The claims about messages and chains (lemmas path-latency and register-chain)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from ddsrta.checker.budget import ExhaustedError
from ddsrta.checker.groups import least
from ddsrta.checker.paths import Hop, Segment, count_paths, hops, named, segments
from ddsrta.checker.reading import CertificateError, names, optional_integer, record, shown
from ddsrta.checker.stages import Key
from ddsrta.checker.sums import RefutedError
from ddsrta.checker.things import Chain, System
from ddsrta.checker.totals import Totals
from ddsrta.checker.walks import Effort
from ddsrta.checker.words import duration

EFFORTS: tuple[tuple[bool, Effort], ...] = (
    (False, Effort.WAY),
    (True, Effort.WAY),
    (True, Effort.WHOLE),
)  # with a glance at windows
MESSAGE = 2  # stages
FIGURES = ("latency", "trigger_latency", "data_age", "reaction_time")
_Values = dict[str, int | None]


class ChainClaim:
    """A path and what is claimed of it."""

    def __init__(self, value: object, where: str) -> None:
        raw = record(value, where, ("path", *FIGURES))
        self.path = names(raw["path"], f"{where}.path")
        self.figures = {key: optional_integer(raw[key], f"{where}.{key}") for key in FIGURES}


def check_chain(system: System, totals: Totals, name: str, claim: ChainClaim) -> None:
    """All figures of one path."""
    label = f"chain {shown(name)}"
    parts = segments(system, claim.path[0], hops(system, claim.path, label))

    def check(effort: Effort) -> None:
        _check_figures(label, claim, _figures(system, totals, parts, claim.figures, effort))

    around = [key for part in parts for key in totals.around(part.stages)]
    whatever_is_least(totals, around, check)


def whatever_is_least(totals: Totals, path: Sequence[Key], check: Callable[[Effort], None]) -> None:
    """Checks what is claimed of a path; what takes longer to look at only where it is needed: the
    way, the windows of stages that groups confirmed, those of whole paths, and those that take
    long. What one path needed is tried first for the next."""
    is_long = len(path) > MESSAGE
    for number in (-1, *range(totals.needed[is_long], len(EFFORTS))):
        looks, effort = (False, Effort.CLAIMS) if number < 0 else EFFORTS[number]
        if looks:
            totals.points.glance(path)
        try:
            check(effort)
        except RefutedError:
            continue
        totals.needed[is_long] = max(totals.needed[is_long], number)
        return
    totals.points.look(path)
    try:
        check(Effort.LEAST)
    except RefutedError:
        if totals.points.skipped.isdisjoint(map(totals.points.of, path)):
            raise
        raise ExhaustedError from None


def _check_figures(label: str, claim: ChainClaim, values: _Values) -> None:
    for figure in FIGURES:
        compare_with(f"{label}: {figure}", claim.figures[figure], values[figure])


def compare_with(what: str, claimed: int | None, value: int | None) -> None:
    """Raises where less is claimed than what was found."""
    if claimed is None:
        return
    if value is None:
        raise RefutedError(
            f"{what}: claimed to be {duration(claimed)}, is unbounded (lemma path-latency)"
        )
    if claimed < value:
        raise RefutedError(
            f"{what}: up to {duration(value)}, more than the claimed {duration(claimed)} "
            "(lemma path-latency)"
        )


def _figures(
    system: System, totals: Totals, parts: list[Segment], claimed: _Values, effort: Effort
) -> _Values:
    gaps, ways, renewals = [], [], []
    single = len(parts) == 1
    limits = claimed if single else {}
    longest, trigger = limits.get("latency"), limits.get("trigger_latency")
    for part in parts:
        arrival = totals.stages["job", part.first].arrival
        gaps.append(arrival.gap if arrival else None)
        total = totals.total(part.stages, effort, data=True, limit=longest)
        ways.append(None if total is None else total + part.handover)
        if any(totals.stages[key].synchronizer for key in part.stages):
            total = totals.total(part.stages, effort, data=True, renews=True)
        renewals.append(None if total is None else total + part.handover)
    age_gaps, reaction_gaps = [], gaps
    if not single:
        from ddsrta.checker.sampled import ages, reactions

        firsts = [totals.stages["job", part.first] for part in parts]
        age_gaps, reaction_gaps = ages(firsts, renewals, gaps), reactions(firsts, renewals, gaps)
    first = totals.total(parts[0].stages, effort, data=False, limit=trigger) if single else None
    contested = _contested(system, totals, parts)
    overflows = [_loses(totals, part) for part in parts]
    reordered = _reordered(system, totals, parts) or parts[0].rounds
    overflows = [one or part.left_out for one, part in zip(overflows, parts, strict=True)]
    return {
        "latency": ways[0] if single else None,
        "trigger_latency": least(iter((first, ways[0]))) if single else None,
        "data_age": None
        if reordered or any(overflows[:-1])
        else _sum([*renewals[:-1], ways[-1], *age_gaps]),
        "reaction_time": None
        if contested or reordered or any(overflows)
        else _sum([*renewals, *reaction_gaps]),
    }


def _loses(totals: Totals, part: Segment) -> bool:
    """Whether a queue on the way may be full, also one of messages that come directly."""
    direct = {(key[1], key[3]) for key in totals.lost if key[0] == "direct"}
    jobs = ((a[1], b[1]) for a, b in pairwise(part.stages) if b[0] == "job")
    return not totals.lost.isdisjoint(part.stages) or any(pair in direct for pair in jobs)


def _reordered(system: System, totals: Totals, parts: list[Segment]) -> bool:
    """Whether what is older may come last to a register."""
    for part, after in pairwise(parts):
        stages = [totals.stages[key] for key in part.stages]
        if any(stage.overlaps for stage in stages):
            return True
        if any(edge.loose for stage in stages for edge in stage.inputs):
            return True
        if part.register is None and system.threads[after.first].loose:
            return True
    return False


def _contested(system: System, totals: Totals, parts: list[Segment]) -> bool:
    """Whether something else may overwrite what the path brought to a register."""
    mixed = False
    for part in parts[:-1]:
        mixed = mixed or any(
            not system.threads[key[1]].joins and len(totals.stages[key].inputs) > 1
            for key in part.stages
            if key[0] == "job"
        )
        several = part.register is not None and len(system.writers[part.register]) > 1
        if mixed or several:
            return True
    return False


def _sum(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def check_names(system: System, claims: dict[str, Any]) -> dict[str, ChainClaim]:
    """Exactly the chains of the system are claimed; a chain between two ends by all its paths."""
    found: dict[str, ChainClaim] = {}
    for name, chain in system.chains.items():
        for claimed in _claimed_names(name, chain, claims):
            if claimed in found:
                raise CertificateError(f"chains: {shown(claimed)} is the name of two chains")
            if claimed not in claims:
                raise RefutedError(f"chain {shown(claimed)}: is not claimed")
            found[claimed] = ChainClaim(claims[claimed], f"chains.{shown(claimed)}")
        _check_paths(system, name, chain, found)
    for name in claims:
        if name not in found:
            raise RefutedError(f"chain {shown(name)}: the system has no such chain")
    return found


def _claimed_names(name: str, chain: Chain, claims: dict[str, Any]) -> list[str]:
    if chain.ends is None:
        return [name]
    count = 1
    while f"{name}/{count + 1}" in claims:
        count += 1
    return [f"{name}/{number + 1}" for number in range(count)]


def _check_paths(system: System, name: str, chain: Chain, found: dict[str, ChainClaim]) -> None:
    label = f"chain {shown(name)}"
    if chain.ends is None:
        if found[name].path != named(system, chain.path, label):
            raise RefutedError(f"{label}: the path is not that of the system")
        return
    claimed = {key: found[key].path for key in _claimed_names(name, chain, dict(found))}
    seen: set[tuple[Hop, ...]] = set()
    for key, path in claimed.items():
        way = tuple(hops(system, path, f"chain {shown(key)}"))
        threads = [path[0], *(hop.target for hop in way)]
        if (threads[0], threads[-1]) != chain.ends or len(set(threads)) < len(threads):
            raise RefutedError(f"chain {shown(key)}: is no path between {' and '.join(chain.ends)}")
        if way in seen:
            raise RefutedError(f"chain {shown(key)}: this path is claimed twice")
        seen.add(way)
    count = count_paths(system, chain.ends, chain.limit)
    if count is not None and count != len(claimed):
        raise RefutedError(f"{label}: has {count} paths, and {len(claimed)} are claimed")
    if len(claimed) > chain.limit:
        raise RefutedError(f"{label}: claims more than {chain.limit} paths")
