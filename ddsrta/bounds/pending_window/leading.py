"""Which stages of an event come before others of it (definition leads-to)."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from collections.abc import Collection
from itertools import pairwise

from ddsrta.bounds.effects.successors import releases_at_end
from ddsrta.bounds.stages import Server, Stage
from ddsrta.bounds.streams import Streams
from ddsrta_kernel.problem import (
    ROW,
    ROW_BITS,
    ROW_DONE,
    ROW_LATER,
    ROW_NEXT,
    WORD,
)
from ddsrta_kernel.tables import integers


class Leading:
    """What leads to each stage, and what of it is done when the stage arrives: sets of stages, each
    the bits of a number."""

    def __init__(
        self, stages: list[Stage], streams: Streams, pools: Collection[Server] = ()
    ) -> None:
        """Stages come in an order in which causes precede effects; of `pools` each serves several
        units at a time."""
        self.leads: list[int] = []
        self.done: list[int] = []
        self.depths: list[int] = []  # how many stages in a row are before each at most
        self.pools = frozenset(pools)
        self.stages, self.streams = stages, streams
        of_server: dict[Server, int] = {}
        for number, stage in enumerate(stages):
            leads = done = depth = 0
            entries = streams.of[number].entries
            for edge in stage.inputs:
                source = edge.source
                depth = max(depth, self.depths[source] + 1)
                if entries[0] is not None:
                    continue
                # What leads to an input leads further: it is done where its own thread has begun
                # with that input.
                before = self.leads[source]
                leads |= before
                done |= self.done[source] | before & of_server.get(stages[source].server, 0)
                if streams.of[source].multiplicity == 1:
                    leads |= 1 << source
                    done |= releases_at_end(stages, source, number) << source
            self.leads.append(leads)
            self.done.append(done)
            self.depths.append(depth)
            if stage.server not in pools:
                of_server[stage.server] = of_server.get(stage.server, 0) | 1 << number
        ranks = zip(self.depths, [stage.key for stage in stages], range(len(stages)), strict=True)
        self.in_order = [number for _, _, number in sorted(ranks)]

    def of(self, first: int, last: int) -> bool | None:
        """Whether the first is done when the last arrives; None where it does not lead to it."""
        return bool(self.done[last] >> first & 1) if self.leads[last] >> first & 1 else None

    def lines(self) -> list[int]:
        """For each stage the one before it on a line of its thread: stages of which each is done
        when the next one comes (definition line-of-stages); -1: none."""
        before = [-1] * len(self.stages)
        depth = self.depths.__getitem__
        found: dict[tuple[Server, int], list[list[int]]] = {}  # by thread and base
        for number in sorted(self.in_order, key=self._rank):
            server = self.stages[number].server
            if server in self.pools:
                continue
            lines = found.setdefault((server, self.streams.of[number].node), [])
            for line in lines:
                at = bisect_right(line, depth(number), key=depth)
                follows = not at or self.of(line[at - 1], number)
                if follows and (at == len(line) or self.of(number, line[at])):
                    line.insert(at, number)
                    break
            else:
                lines.append([number])
        for lines in found.values():
            for line in lines:
                for last, number in pairwise(line):
                    before[number] = last
        return before

    def rows(self) -> list[int]:
        """For each stage the one behind it on its row (definition row-of-stages), -1: none, and
        what is known of it."""
        found = [-1, 0] * len(self.stages)
        ends: dict[int, list[int]] = {}  # by base
        for number in self.in_order:
            stream, bits = self.streams.of[number], 0
            if stream.multiplicity != 1:
                continue
            rows = ends.setdefault(stream.node, [])
            for place, last in enumerate(rows):
                if self.leads[number] >> last & 1:
                    found[ROW * last + ROW_NEXT] = number
                    found[ROW * last + ROW_BITS] += ROW_DONE * (self.done[number] >> last & 1)
                    rows[place] = number
                    bits += ROW_LATER
                    break
            else:
                rows.append(number)
            found[ROW * number + ROW_BITS] = bits
        return found

    def _rank(self, number: int) -> int:
        """What takes longest comes first onto a line: what joins it there then adds nothing. Jobs
        are all alike here, as other systems with this structure have other costs of them."""
        stage = self.stages[number]
        cost = 0 if stage.key[0] == "job" else stage.cost
        return -self.streams.of[number].multiplicity * cost

    def words(self) -> array[int]:
        """All sets of what leads to stages, then of what is done, and then the stage before each on
        its line and the one behind it, then the rows, as the kernel reads them."""
        size = WORD // 8 * (len(self.leads) // WORD + 1)
        sets = [bits.to_bytes(size, "little") for bits in (*self.leads, *self.done)]
        found = array("q", b"".join(sets))
        if sys.byteorder == "big":
            found.byteswap()
        before = self.lines()
        behind = [-1] * len(before)
        for number, last in enumerate(before):
            if last >= 0:
                behind[last] = number
        return found + integers([*before, *behind, *self.rows()])
