"""What a thread of SCHED_DEADLINE takes of its core: budgets, and no more than its stages have to
do (lemma reserved-work)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.placement import Placement
from ddsrta.bounds.stages import Server, Stage
from ddsrta.models.system import EPSILON
from ddsrta_kernel.problem import PERIODIC, SUM, UNBOUNDED

Row = tuple[int, ...]
_NO_PACE = 0, 0, UNBOUNDED  # and no sets
_NOT_SPACED = 0, 0, 1, 0, 0  # nor thinned


def use_work(stages: Sequence[Stage], placement: Placement) -> None:
    """Has its stages bound what a thread takes of its core: a unit of its load is then 1 ns."""
    of: defaultdict[Server, list[int]] = defaultdict(list)
    for number, stage in enumerate(stages):
        of[stage.server].append(number)
    for unit, server in placement.loaded_by.items():
        placement.done_by[unit] = of[server]


def add_loads(compiled: Compiled, rows: list[Row], entries: list[Row]) -> None:
    """The node of each load: what comes from a moment on before which its thread could not run. The
    one behind it: what it does in any time, in which a budget that is late may count, too."""
    placement = compiled.placement
    for unit, load in placement.load_of.items():
        placement.load_node[unit] = budgets = len(rows)
        for late in (load.period - load.budget, 2 * load.period - load.budget):
            rows.append((PERIODIC, load.period, late, 0, 0, *_NO_PACE, 0))
        if unit in placement.done_by:
            placement.load_node[unit] = len(rows)
            for node in (budgets, budgets + 1):
                _add_work(compiled, rows, entries, unit, node)


def _add_work(
    compiled: Compiled, rows: list[Row], entries: list[Row], unit: int, budgets: int
) -> None:
    """A node whose events are nanoseconds: of work that may be there, and no more than budgets."""
    own, number = compiled.placement.done_by[unit], len(rows)
    rows.append((SUM, 0, 0, len(entries), len(own), *_NO_PACE, 1))
    for stage in own:
        stream, cost = compiled.streams.of[stage], compiled.stages[stage].cost
        entries.append((number, stream.node, stream.multiplicity * cost, *_NOT_SPACED))
    entries.append((number, budgets, compiled.placement.load_of[unit].budget, *_NOT_SPACED))


def load_edges(compiled: Compiled) -> Iterator[tuple[int, int, int, int, int]]:
    """What tells these entries how long a unit of each stage may be there."""
    placement, streams = compiled.placement, compiled.streams
    for unit, own in placement.done_by.items():
        for node in (placement.load_node[unit], placement.load_node[unit] + 1):
            for entry, stage in enumerate(own, compiled.problem.node_c[node]):
                done = _done(compiled.stages[stage].cost)
                yield compiled.unit_of[stage], -1, entry, -done, streams.of[stage].best


def _done(cost: int) -> int:
    """How long before a time a unit has to be done that is not there then; of ε, at that time: else
    all that counts may be done as the next one comes, and the thread has not slept."""
    return min(EPSILON, cost - EPSILON)
