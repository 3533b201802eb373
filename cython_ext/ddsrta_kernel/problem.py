"""A problem as flat arrays of 64-bit integers: what the kernel reads, and all that it knows.

Units of work are numbered so that those which share a supply are neighbours, the most urgent first;
a relation is then a range of unit numbers. `docs/theory` gives the meaning of every relation
(definition delay-relations).
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import NamedTuple
from zlib import crc32

UNBOUNDED = 1 << 60  # every time and every amount of work from here on is "unbounded"

LATENCY_TOO = 2  # see is_carried
MOST_STEPS = 100_000  # evaluations of one window: beyond, it is called unbounded
ALL_STEPS = 3  # times that, for all windows of a unit until the fixed point

# kinds of nodes: where event streams begin
PERIODIC, EXPLICIT, SUM, MAXIMUM = 0, 1, 2, 3
# kinds of relations: how one unit delays another
PREEMPTS, OVERTAKES, AHEAD, LINGERS, ALTERNATES, BLOCKS, PRECEDES = 0, 1, 2, 3, 4, 5, 6
SHARES = 7  # lingers, but is served by all threads of the supply at once (lemma pool-window)
EARLIER = 8  # comes first if it arrives before the unit in question does, and so long after
# kinds of groups: opened by an event of a root, by a piece of a less urgent stage, or anyhow
ROOT, PIECE, ANYHOW = 0, 1, 2


class Outcome(NamedTuple):
    """The bounds of one unit, and the instance that has the largest latency."""

    response: int
    latency: int
    window: int
    instance: int  # q: which of its own units in the window
    arrival: int  # A: when it arrives in the window
    start: int  # S: when it starts at the latest
    finish: int  # F: when it is done at the latest


class TandemOutcome(NamedTuple):
    """Two threads in tandem (lemma tandem-window): where the window of the last opened before the
    unit came to the first, and where later; of this when the first and the last are done, each
    alone."""

    early: Outcome
    late: Outcome
    first_finish: int
    last_finish: int


def integers() -> array[int]:
    """An empty array of 64-bit integers."""
    return array("q")


@dataclass
class Problem:
    """See the comment at each group of arrays. Ranges are half open."""

    # Supplies: a range of units each; budget 0 is a whole core. More than one thread: those of an
    # executor on so many cores.
    supply_first: array[int] = field(default_factory=integers)
    supply_last: array[int] = field(default_factory=integers)
    supply_budget: array[int] = field(default_factory=integers)
    supply_period: array[int] = field(default_factory=integers)
    supply_threads: array[int] = field(default_factory=integers)

    # Nodes. PERIODIC: period, jitter, least distance. EXPLICIT: period, how many distances recur,
    # first distance, number of distances. SUM and MAXIMUM: -, -, first entry, number of entries.
    node_kind: array[int] = field(default_factory=integers)
    node_a: array[int] = field(default_factory=integers)
    node_b: array[int] = field(default_factory=integers)
    node_c: array[int] = field(default_factory=integers)
    node_d: array[int] = field(default_factory=integers)
    distances: array[int] = field(default_factory=integers)

    # Entries of SUM and MAXIMUM nodes: a stream that joins, with the node that it comes from.
    entry_owner: array[int] = field(default_factory=integers)
    entry_node: array[int] = field(default_factory=integers)
    entry_multiplicity: array[int] = field(default_factory=integers)

    # Units. `best` is the least time from the node's event to the arrival of the unit, which comes
    # up to `late` later where nothing feeds it. The curve of a unit matters to the units from
    # `reach_first` to `reach_last`. A load is never solved. The response of a carried unit matters,
    # too; and of one that is carried 2, the latency.
    cost: array[int] = field(default_factory=integers)
    supply: array[int] = field(default_factory=integers)
    node: array[int] = field(default_factory=integers)
    multiplicity: array[int] = field(default_factory=integers)
    best: array[int] = field(default_factory=integers)
    late: array[int] = field(default_factory=integers)
    reach_first: array[int] = field(default_factory=integers)
    reach_last: array[int] = field(default_factory=integers)
    is_load: array[int] = field(default_factory=integers)
    is_carried: array[int] = field(default_factory=integers)

    # Work that comes before a unit once in its window, whatever else does (lemma sleeping-window);
    # or empty.
    extra: array[int] = field(default_factory=integers)

    # Spacing (lemma output-spacing): a unit, or what enters a node, comes in bunches at least a
    # distance less a slack apart; distance 0: nothing known.
    spacing: array[int] = field(default_factory=integers)
    slack: array[int] = field(default_factory=integers)
    bunch: array[int] = field(default_factory=integers)
    entry_spacing: array[int] = field(default_factory=integers)
    entry_slack: array[int] = field(default_factory=integers)
    entry_bunch: array[int] = field(default_factory=integers)

    # Units that the job of unit u brings after it, to the same queue (lemma later-siblings): how
    # many jobs an event of the node releases, and how many such units one job brings.
    later_start: array[int] = field(default_factory=integers)
    later_unit: array[int] = field(default_factory=integers)
    later_jobs: array[int] = field(default_factory=integers)
    later_bunch: array[int] = field(default_factory=integers)

    # Relations of unit u: those numbered relation_start[u] … relation_start[u + 1] - 1. EARLIER has
    # a shift, ALTERNATES the units that a turn of the others serves (weight), and one of u (own).
    relation_start: array[int] = field(default_factory=integers)
    relation_kind: array[int] = field(default_factory=integers)
    relation_first: array[int] = field(default_factory=integers)
    relation_last: array[int] = field(default_factory=integers)
    relation_shift: array[int] = field(default_factory=integers)
    relation_weight: array[int] = field(default_factory=integers)
    relation_own: array[int] = field(default_factory=integers)

    # Coupled work (lemma joined-work), all empty where none is. A level: the units of a supply up
    # to an end; `level_piece` is what a less urgent unit releases to it at most, `root_work` what
    # a unit of a root brings. Of units: the level above it (-1: none), its cost with all that one
    # execution releases to that level, and how much of this may come before it completes.
    level_supply: array[int] = field(default_factory=integers)
    level_end: array[int] = field(default_factory=integers)
    level_piece: array[int] = field(default_factory=integers)
    root_start: array[int] = field(default_factory=integers)
    root_unit: array[int] = field(default_factory=integers)
    root_work: array[int] = field(default_factory=integers)
    above: array[int] = field(default_factory=integers)
    loaded: array[int] = field(default_factory=integers)
    burden: array[int] = field(default_factory=integers)

    # Whether roots of one base count in step with each other (lemma phase-count).
    # Units have places, which are not their numbers. Those whose places are in a range of unit z,
    # numbered as relations are, come only after z has completed, for one event.
    in_step: bool = True
    cause_place: array[int] = field(default_factory=integers)
    cause_start: array[int] = field(default_factory=integers)
    cause_first: array[int] = field(default_factory=integers)
    cause_end: array[int] = field(default_factory=integers)

    # Of the units that take turns with unit u, those that come only after it for one event (lemma
    # effects-in-turn), and how many more turns than u they may have otherwise.
    effect_start: array[int] = field(default_factory=integers)
    effect_unit: array[int] = field(default_factory=integers)
    effect_more: array[int] = field(default_factory=integers)

    # Groups that unit u may close, numbered as relations are: the unit that opens it, a level, the
    # work of the unit in question, of each earlier event and of each later one, and the least time
    # from the arrival at the head to the arrival at u.
    group_start: array[int] = field(default_factory=integers)
    group_kind: array[int] = field(default_factory=integers)
    group_head: array[int] = field(default_factory=integers)
    group_level: array[int] = field(default_factory=integers)
    group_first: array[int] = field(default_factory=integers)
    group_each: array[int] = field(default_factory=integers)
    group_later: array[int] = field(default_factory=integers)
    group_least: array[int] = field(default_factory=integers)

    # Edges out of unit u, numbered likewise: into a unit, or into an entry of a node. `edge_best`
    # is the least time from the node's event to the arrival behind the edge.
    edge_start: array[int] = field(default_factory=integers)
    edge_unit: array[int] = field(default_factory=integers)
    edge_entry: array[int] = field(default_factory=integers)
    edge_worst: array[int] = field(default_factory=integers)
    edge_best: array[int] = field(default_factory=integers)

    # Units that stand on a node, and entries through which other nodes build on it.
    user_start: array[int] = field(default_factory=integers)
    user_unit: array[int] = field(default_factory=integers)
    dependent_start: array[int] = field(default_factory=integers)
    dependent_entry: array[int] = field(default_factory=integers)

    def __len__(self) -> int:
        return len(self.cost)


def _layout() -> int:
    constants = [f"{name} {value}" for name, value in globals().items() if name.isupper()]
    names = (*Problem.__annotations__, *Outcome._fields, *TandemOutcome._fields)
    return crc32(" ".join([*constants, *names]).encode())


# What a compiled kernel is built for: the values of constants, the names of columns and outcomes.
LAYOUT = _layout()
