"""The claims about the stages of a path: their responses, and the latency up to each (lemma
path-latency)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from ddsrta.checker.chains import compare_with, whatever_is_least
from ddsrta.checker.paths import hops, segments
from ddsrta.checker.reading import array, mapping, optional_integer, record, shown
from ddsrta.checker.stages import Key
from ddsrta.checker.sums import Claim, RefutedError
from ddsrta.checker.things import System
from ddsrta.checker.totals import Totals
from ddsrta.checker.walks import Effort


class HopClaim(NamedTuple):
    """What is claimed of a stage of a path: alone, and from where the path began, or was cut."""

    response: int | None
    latency: int | None


def read_hops(value: object, chains: Collection[str]) -> dict[str, list[HopClaim]]:
    """What is claimed of the stages of each chain."""
    raw = mapping(value, "hops")
    for name in chains:
        if name not in raw:
            raise RefutedError(f"chain {shown(name)}: its stages are not claimed")
    found = {}
    for name, items in raw.items():
        where = f"hops.{shown(name)}"
        if name not in chains:
            raise RefutedError(f"{where}: the system has no such chain")
        hops = enumerate(array(items, where))
        found[name] = [_hop(item, f"{where}.{index}") for index, item in hops]
    return found


def _hop(value: object, where: str) -> HopClaim:
    raw = record(value, where, HopClaim._fields)
    return HopClaim(*(optional_integer(raw[key], f"{where}.{key}") for key in HopClaim._fields))


def check_hops(
    system: System,
    totals: Totals,
    claims: Mapping[Key, Claim],
    name: str,
    path: tuple[str, ...],
    claimed: Sequence[HopClaim],
) -> int:
    """Confirms what is claimed of them; how many figures they are."""
    label = f"chain {shown(name)}"
    parts = segments(system, path[0], hops(system, path, label))
    ways = [key for part in parts for key in part.stages]
    if len(ways) != len(claimed):
        raise RefutedError(f"{label}: has {len(ways)} stages, and {len(claimed)} are claimed")
    for key, hop in zip(ways, claimed, strict=True):
        compare_with(f"{label}: response of {key[0]}", hop.response, claims[key].on_paths)

    def check(effort: Effort) -> None:
        found: list[int | None] = []
        for part in parts:
            limits = [hop.latency for hop in claimed[len(found) :]]
            to_each = totals.ways(part.stages, effort, limits)
            last = to_each.pop()
            found += [*to_each, None if last is None else last + part.handover]
        for key, hop, value in zip(ways, claimed, found, strict=True):
            compare_with(f"{label}: latency to {'/'.join(key[1:])}", hop.latency, value)

    around = [key for part in parts for key in totals.around(part.stages)]
    whatever_is_least(totals, around, check)
    return sum(figure is not None for hop in claimed for figure in hop)
