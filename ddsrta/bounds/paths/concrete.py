"""The concrete paths that the chains of a system stand for."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.base.text import as_written
from ddsrta.bounds.result import Finding
from ddsrta.models.graph import Hop, hops_of_path
from ddsrta.models.paths import paths_between
from ddsrta.models.system import Chain, System

_MOST = 4  # names in a label


class NamedPath(NamedTuple):
    """A path under the name by which results refer to it; of several between two ends, `label`
    says which one it is."""

    name: str
    chain: Chain
    start: str
    hops: tuple[Hop, ...]
    label: str | None = None

    @property
    def path(self) -> tuple[str, ...]:
        """Threads and topics, in order."""
        names = [self.start]
        for hop in self.hops:
            names += [hop.target] if hop.topic is None else [hop.topic, hop.target]
        return tuple(names)


def named_paths(system: System) -> tuple[list[NamedPath], list[Finding]]:
    """All paths, with a warning for each enumeration that had to be cut.

    >>> from ddsrta.examples import two_threads
    >>> named_paths(two_threads())[0][0].path
    ('sensor', 'speed', 'control')
    """
    paths: list[NamedPath] = []
    findings: list[Finding] = []
    for chain in system.chains.values():
        if chain.ends is None:
            hops = hops_of_path(system, chain.path)
            assert not isinstance(hops, str), hops
            paths.append(NamedPath(chain.name, chain, chain.path[0], tuple(hops)))
            continue
        found = paths_between(system, *chain.ends, limit=chain.limit)
        between = [
            NamedPath(f"{chain.name}/{number}", chain, chain.ends[0], path)
            for number, path in enumerate(found.paths, 1)
        ]
        paths += _labelled(between)
        if found.cut:
            findings.append(
                Finding(
                    "paths-cut",
                    "warning" if chain.deadline is None else "error",
                    f"chain '{chain.name}': only the first {len(found.paths)} paths from "
                    f"{chain.ends[0]} to {chain.ends[1]} were looked at, there are more: "
                    "raise its 'limit', or name the paths that matter",
                    system.where("chains", chain.name),
                )
            )
    return paths, findings


def _labelled(paths: list[NamedPath]) -> list[NamedPath]:
    """Each with what it alone, or not every other, leads over."""
    ways = [as_written(each.path) for each in paths]
    shared = set(ways[0]).intersection(*ways[1:]) if ways else set()
    return [
        each._replace(label=_label(way, [name for name in way if name not in shared], len(ways)))
        for each, way in zip(paths, ways, strict=True)
    ]


def _label(way: list[str], own: list[str], count: int) -> str:
    """
    >>> _label(["a", "x", "b"], ["x"], 2), _label(["a", "b"], [], 2), _label(["a", "b"], [], 1)
    ('a → b via x', 'a → b directly', 'a → b')
    """
    via = f" via {', '.join(own[:_MOST])}" if own else " directly" if count > 1 else ""
    return f"{way[0]} → {way[-1]}{via}" + (", …" if len(own) > _MOST else "")
