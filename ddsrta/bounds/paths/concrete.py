"""The concrete paths that the chains of a system stand for."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.bounds.result import Finding
from ddsrta.models.graph import Hop, hops_of_path
from ddsrta.models.paths import paths_between
from ddsrta.models.system import Chain, System


class NamedPath(NamedTuple):
    """A path under the name by which results refer to it."""

    name: str
    chain: Chain
    start: str
    hops: tuple[Hop, ...]

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
        for number, path in enumerate(found.paths, 1):
            paths.append(NamedPath(f"{chain.name}/{number}", chain, chain.ends[0], path))
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
