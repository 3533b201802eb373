"""How units go from stage to stage, as the kernel reads it: then it finds all that a path asks
for by itself. What does not follow from costs and priorities is made once for each structure."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.effects.successors import releases_at_end
from ddsrta.bounds.join_wait import is_by_number
from ddsrta.bounds.pending_window.releasing import released_here
from ddsrta.bounds.slowest_input.arrays import slowest_words
from ddsrta.bounds.solve import MOST_CLOSED
from ddsrta.bounds.stages import Stage
from ddsrta.models.arrivals import Periodic, Sporadic
from ddsrta_kernel.problem import (
    ANEW,
    AT_END,
    CONTINUES,
    IN_CLOSED,
    LOOSE,
    NEEDS_ALL,
    RELEASED_HERE,
    WAITS_FIRST,
    Problem,
)
from ddsrta_kernel.tables import columns, integers


def is_plain(compiled: Compiled) -> bool:
    """Whether the kernel knows all that a path of a system asks for, and of all systems
    that have its structure and cores.

    >>> from ddsrta.bounds.compile import compile_system
    >>> from ddsrta.examples import two_threads
    >>> is_plain(compile_system(two_threads()))
    True
    """
    system, placement = compiled.system, compiled.placement
    if (
        not compiled.structure.fits
        or len(compiled.stages) > MOST_CLOSED
        or placement.shadow_of
        or placement.mirror_of
    ):
        return False
    if any(supply.threads > 1 or supply.is_link for supply in placement.supplies):
        return False
    if any(executor.is_pool for executor in system.executors.values()):
        return False
    joined = compiled.coupling.joined if compiled.coupling else [False] * len(compiled.stages)
    return not any(map(_is_odd, compiled.stages, joined))


def _is_odd(stage: Stage, is_joined: bool) -> bool:
    if (
        stage.synchronizer
        or stage.again
        or stage.load
        or stage.mispaired
        or stage.mixes
        or stage.by_turn
    ):
        return True
    several = len(stage.inputs) > 1
    return several and (is_joined or len({e.source for e in stage.inputs}) < len(stage.inputs))


class Flow:
    """The columns of a problem that say how units go, but for those that follow from the order of
    units."""

    def __init__(self, compiled: Compiled) -> None:
        stages, streams = compiled.stages, compiled.streams
        servers = {server: n for n, server in enumerate(dict.fromkeys(s.server for s in stages))}
        self.columns: dict[str, array[int]] = {
            "stage_bits": integers([_bits(compiled, n) for n in range(len(stages))]),
            "stage_server": integers([servers[stage.server] for stage in stages]),
        }
        starts, rows = [0], list[tuple[int, ...]]()
        for number, stage in enumerate(stages):
            for edge in stage.inputs:
                loose = edge.overtakes or edge.part or stages[edge.source].reorders
                at_end = releases_at_end(stages, edge.source, number)
                bits = LOOSE * bool(loose) + AT_END * at_end
                way = edge.source, edge.multiplicity, edge.worst, edge.least, edge.link
                rows.append((*way, bits))
            starts.append(len(rows))
        self.columns["input_start"] = integers(starts)
        names = "source multiplicity worst least link bits"
        self.add("input", names, rows)
        junctions = streams.junctions()
        paces = []
        for number, node in enumerate(streams.nodes):
            junction = junctions.get(number, -1)
            if junction >= 0 and not is_by_number(stages, stages[junction]):
                junction = -1
            paces.append((junction, *_paces(node)))
        self.nodes = paces
        self.slow = slowest_words(compiled)

    def add(self, table: str, names: str, rows: Sequence[tuple[int, ...]]) -> None:
        """More columns."""
        wanted = names.split()
        for name, column in zip(wanted, columns(rows, len(wanted)), strict=True):
            self.columns[f"{table}_{name}"] = column

    def fill(self, compiled: Compiled) -> None:
        """Gives a problem of the same structure its columns."""
        p, placement = compiled.problem, compiled.placement
        for name, column in self.columns.items():
            setattr(p, name, column)
        p.stage_unit = integers(compiled.unit_of)
        _add_tandems(compiled)
        p.stands_for = integers([-1 if n is None else n for n in placement.stage_of])
        p.level_last = integers([last for _, last in placement.levels])
        p.beside = array("q", bytes(8 * len(p)))
        plain = (s.reservation is None and not s.is_link for s in placement.supplies)
        p.supply_plain = array("q", plain)
        rows = [*self.nodes, *[(-1, 0, 0, 0, 0)] * (len(p.node_kind) - len(self.nodes))]
        names = ("junction", "latest_period", "latest_offset", "earliest_period", "earliest_offset")
        vars(p).update(zip(names, columns(rows, len(names)), strict=True))


def _bits(compiled: Compiled, number: int) -> int:
    """What is special about a stage."""
    stage = compiled.stages[number]
    entries = compiled.streams.of[number].entries
    kind, name = stage.server
    reserved = kind == "threads" and compiled.system.threads[name].reservation is not None
    return (
        NEEDS_ALL * (stage.activation == "and")
        + ANEW * stage.anew
        + IN_CLOSED * (not reserved)
        + WAITS_FIRST * (stage.first_only or stage.first > 0)
        + CONTINUES * bool(entries and entries[0] is None)
        + RELEASED_HERE * released_here(compiled, stage)
    )


def _paces(node: Any) -> tuple[int, int, int, int]:
    """The paces of a source: at the latest, and at the earliest; nothing of a junction."""
    arrival = node.arrival
    if isinstance(arrival, Periodic):
        late = arrival.period + node.offset + arrival.jitter
        return arrival.period, late, arrival.period, -arrival.jitter
    gap = (arrival.largest_gap if arrival is not None else None) or 0
    if isinstance(arrival, Sporadic):
        return gap, gap, arrival.distance, -arrival.jitter
    return gap, gap, 0, 0


def _add_tandems(compiled: Compiled) -> None:
    """The tandems that end with each stage, and what feeds them."""
    p: Problem = compiled.problem
    p.fed, rows = compiled.tandems.fed, compiled.tandems.table()
    names = "worst link feed feeds first last lumps early"
    for name, column in zip(names.split(), columns(rows, 8), strict=True):
        setattr(p, f"tandem_{name}", column)
