"""Which stages of an event come before others of it (definition leads-to), as the kernel finds
it."""

from __future__ import annotations

from array import array
from collections.abc import Collection

from ddsrta.bounds.effects.successors import releases_at_end
from ddsrta.bounds.stages import Server, Stage
from ddsrta.bounds.streams import Streams
from ddsrta_kernel import UNBOUNDED, Solver
from ddsrta_kernel.problem import ROOM, ROW, SET_BITS
from ddsrta_kernel.tables import integers


def find_leading(
    stages: list[Stage], streams: Streams, solver: Solver, pools: Collection[Server] = ()
) -> array[int]:
    """All sets of what leads to stages, then of what of that is done when they arrive, each the
    bits of some numbers; then the stage before each on its line, the one behind it, and the rows;
    -1: none. Stages come in an order in which causes precede effects; of `pools` each serves
    several units at a time."""
    of, size = streams.of, len(stages)
    threads = dict.fromkeys([stage.server for stage in stages])
    number = {server: -1 if server in pools else n for n, server in enumerate(threads)}
    keys = [stage.key for stage in stages]
    starts, inputs = [0], list[int]()
    for target, stage in enumerate(stages):
        for edge in stage.inputs:
            inputs += edge.source, releases_at_end(stages, edge.source, target)
        starts.append(len(inputs) // 2)
    table = [
        *[one.node for one in of],
        *[one.multiplicity for one in of],
        *[number[stage.server] for stage in stages],
        *[_work(stage, one.multiplicity) for stage, one in zip(stages, of, strict=True)],
        *[bool(one.entries) and one.entries[0] is None for one in of],
        *sorted(range(size), key=keys.__getitem__),
        *starts,
        *inputs,
    ]
    words = size // SET_BITS + 1
    found = array("q", bytes(8 * size * (2 * words + 2 + ROW)))
    room = array("q", bytes(8 * (ROOM * (size + 1) + len(threads) * words)))
    solver.lead(size, integers(table), found, room)
    return found


def _work(stage: Stage, units: int) -> int:
    """What takes longest comes first onto a line: what joins it there then adds nothing. Jobs are
    all alike here, as other systems with this structure have other costs of them."""
    return 0 if stage.key[0] == "job" else min(units * stage.cost, UNBOUNDED)
