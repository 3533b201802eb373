"""The parts of a system that delay or release nothing of each other, and which are crowded."""

from __future__ import annotations

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.load import node_rates
from ddsrta.bounds.stages import comes_from
from ddsrta_kernel import Solver

CROWD = 4  # events of a base that may be there at a time: where more are, parts are crowded


def crowded_parts(compiled: Compiled, solver: Solver) -> list[list[int]]:
    """The stages of each part in which an event may still be there when the fourth one of its base
    after it comes, or for ever.

    >>> from ddsrta.bounds.compile import compile_system
    >>> from ddsrta.examples import two_threads
    >>> compiled = compile_system(two_threads())
    >>> solver = Solver(compiled.problem)
    >>> windows = solver.solve()
    >>> crowded_parts(compiled, solver)
    []
    """
    rates, latency = node_rates(compiled, "none"), solver.latency
    placed = zip(compiled.unit_of, compiled.streams.of, strict=True)
    crowded = {n for n, (u, s) in enumerate(placed) if latency[u] * rates[s.node] > CROWD}
    return [p for p in parts(compiled) if not crowded.isdisjoint(p)] if crowded else []


def parts(compiled: Compiled) -> list[list[int]]:
    """The stages of each part, in order: of one supply, or of what goes from one to another."""
    placement, unit_of, streams = compiled.placement, compiled.unit_of, compiled.streams
    near: dict[int, int] = {}

    def root(supply: int) -> int:
        while (above := near.get(supply, supply)) != supply:
            near[supply] = supply = near.get(above, above)
        return supply

    supplies = [placement.supply_of[unit] for unit in unit_of]
    of_node: dict[int, int] = {}
    pairs = [(of_node.setdefault(s.node, n), n) for n, s in enumerate(streams.of)]
    pairs += ((edge.source, n) for n, s in enumerate(compiled.stages) for edge in comes_from(s))
    for one, other in pairs:
        near[root(supplies[one])] = root(supplies[other])
    for unit, stage in (*placement.shadow_of.items(), *placement.mirror_of.items()):
        near[root(placement.supply_of[unit])] = root(supplies[stage])
    for unit, done_by in placement.done_by.items():
        near[root(placement.supply_of[unit])] = root(supplies[done_by[0]])
    found: dict[int, list[int]] = {}
    for number, supply in enumerate(supplies):
        found.setdefault(root(supply), []).append(number)
    return list(found.values())
