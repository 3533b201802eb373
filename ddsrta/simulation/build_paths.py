"""Which origins a job carries: for each beginning of a path that leads to its thread, one.

Paths that begin alike share them.
"""

from __future__ import annotations

from ddsrta.models.graph import Hop, hops_of_path
from ddsrta.models.paths import paths_between
from ddsrta.models.system import System
from ddsrta_simulator import Measure, Program

Path = tuple[str, ...]
KINDS = ("latency", "trigger_latency", "data_age", "reaction_time")


def paths_of(system: System) -> dict[Path, tuple[Hop, ...]]:
    """The paths of all chains, by the names of what they pass.

    >>> from ddsrta.examples import two_threads
    >>> list(paths_of(two_threads()))
    [('sensor', 'speed', 'control')]
    """
    paths: dict[Path, tuple[Hop, ...]] = {}
    for chain in system.chains.values():
        if chain.path:
            hops = hops_of_path(system, chain.path)
            assert not isinstance(hops, str)
            paths[_names(chain.path[0], tuple(hops))] = tuple(hops)
        elif chain.ends:
            for found in paths_between(system, *chain.ends, limit=chain.limit).paths:
                paths[_names(chain.ends[0], found)] = found
    return paths


def _names(first: str, hops: tuple[Hop, ...]) -> Path:
    names = [first]
    for hop in hops:
        names += [hop.target] if hop.topic is None else [hop.topic, hop.target]
    return tuple(names)


def add_origins(system: System, program: Program, hop_number: dict[Hop, int]) -> None:
    """What each hop copies, and which paths end where."""
    place = {name: i for i, name in enumerate(system.threads)}
    origins: dict[tuple[Hop, ...], int] = {(): -1}
    carried = [0] * len(place)
    copies: list[list[tuple[int, int]]] = [[] for _ in program.hops]
    ends: list[list[tuple[Path, tuple[Hop, ...]]]] = [[] for _ in place]
    for path, hops in paths_of(system).items():
        for length in range(1, len(hops) + 1):
            beginning = hops[:length]
            if beginning not in origins:
                target = place[beginning[-1].target]
                origins[beginning] = carried[target]
                number = hop_number[beginning[-1]]
                copies[number].append((origins[beginning[:-1]], carried[target]))
                carried[target] += 1
        ends[place[hops[-1].target if hops else path[0]]].append((path, hops))
    program.thread_origins.extend(carried)
    for copied in copies:
        program.hop_copy.append(len(program.copy_from))
        program.copy_from.extend(source for source, _ in copied)
        program.copy_to.extend(target for _, target in copied)
    program.hop_copy.append(len(program.copy_from))
    for ending in ends:
        program.thread_end.append(len(program.end_origin))
        for path, hops in ending:
            program.end_origin.append(origins[hops])
            program.end_first.append(place[path[0]])
            timed = any(system.threads[hop.target].arrival is not None for hop in hops)
            _measures(program, path, timed)
    program.thread_end.append(len(program.end_origin))


def _measures(program: Program, path: Path, timed: bool) -> None:
    numbers = []
    for kind in KINDS:
        if timed and kind.endswith("latency"):
            numbers.append(-1)
            continue
        numbers.append(len(program.measures))
        program.measures.append(Measure(kind, path))
    program.end_latency.append(numbers[0])
    program.end_trigger.append(numbers[1])
    program.end_data_age.append(numbers[2])
    program.end_reaction.append(numbers[3])
