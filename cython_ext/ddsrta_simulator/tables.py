"""The numbers of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddsrta_simulator.layout import Counts
from ddsrta_simulator.program import NEVER
from ddsrta_simulator.program import Choices as Chosen
from ddsrta_simulator.program import Program as Code
from ddsrta_simulator.structs import (
    Bool,
    Int,
    Ints,
    Placement,
    Progress,
    Reservation,
    Rows,
    Source,
    Unit,
)


class Table:
    """A number for each of a kind, which `Counts` counts; what they are at first."""

    def __init__(self, of: str, first: int = 0) -> None:
        self.of, self.first = of, first


if TYPE_CHECKING:

    def table(of: str, first: int = 0) -> Ints: ...
else:
    table = Table


class Tables:
    """What is a table is part of the state of a run; so is what `progress` and the records say."""

    p: Code
    c: Chosen
    layout: Counts
    s: Progress
    unit: list[Unit]
    source: list[Source]
    reservation: list[Reservation]
    intervals: list[Rows]  # of each reservation
    placement: list[Placement]  # of each core
    taken: Rows
    free_time: Rows
    records: Rows
    traced: Rows
    records_size: Int
    traced_size: Int
    noted: Rows
    noting: Bool
    buckets: Ints  # of all measures, if any are kept
    dirty_count: Int
    settled_count: Int
    touched_count: Int
    asked: Int  # when what makes a set came
    failed: Bool

    # events: time, tie and version of each; a tournament of who comes first
    time = table("leaves", NEVER)
    tie = table("leaves")
    version = table("leaves")
    winner = table("nodes")
    # supplies and cores
    is_open = table("supplies")
    supply_end = table("supplies")
    supply_ready = table("supplies", -1)
    reservation_of = table("supplies")
    in_slice = table("supplies", -1)  # of SCHED_OTHER, whose slice it is
    running = table("cores", -1)
    core_since = table("cores")
    core_end = table("cores", NEVER)
    shown = table("cores", -1)
    is_dirty = table("cores")
    is_settled = table("cores")
    dirty = table("cores")
    settled = table("cores")
    # servers; `in_turn`: units that the queue at the cursor has been served in its turn
    supply_of = table("servers")
    current = table("servers", -1)
    cursor = table("servers")
    in_turn = table("servers")
    finished = table("servers")
    awake = table("servers")
    next_ready = table("servers")
    looks_again = table("servers")
    # of SCHED_OTHER: what it has had and when it is due, in virtual time; its lag when it left
    queued = table("servers")
    had = table("servers")
    due = table("servers")
    lag = table("servers")
    # of pools: of its first thread, who may look for work; of each, what it goes on with; of the
    # first queue of a group, whether it is busy; `picks`: how often one of those was chosen, or a
    # core
    holder = table("servers")
    inline_next = table("servers", -1)
    picks = table("servers")
    is_busy = table("queues")
    # for which lock they sleep, since when in order; what they send together with the unit that
    # they are at: the first, the last, and the one that is next; from which queue they have chosen
    # what comes then, or of which writer they have the lock, though there is no room for its sample
    waits = table("servers", -1)
    asleep = table("servers")
    batch_head = table("servers", -1)
    batch_tail = table("servers")
    batch_at = table("servers")
    in_hand = table("servers", -1)
    refused = table("servers", -1)
    # of limited ones: when the period began, bytes in it, whether idle, whether it is over, whether
    # they have to sleep until it is, and how often they have still to take the lock of their queue
    began = table("servers")
    used = table("servers")
    is_idle = table("servers", 1)
    is_over = table("servers")
    is_held = table("servers")
    looks = table("servers")
    # queues; `spent`: the bytes that went first
    queue_head = table("queues", -1)
    queue_tail = table("queues")
    turn_order = table("queues")
    in_round = table("queues")
    spent = table("queues")
    owner = table("locks", -1)
    way_last = table("ways")
    way_head = table("ways", -1)
    way_tail = table("ways")
    # what threads did; of timers: whether they wait to be called, and when they were last
    released = table("threads")
    first_release = table("threads", -1)
    is_due = table("threads")
    called_at = table("threads", -NEVER)
    samples = table("publications")
    sampled_at = table("publications", -NEVER)
    sent = table("streams")
    sent_at = table("streams", -NEVER)
    told = table("links")
    handed = table("hops")
    handed_at = table("hops", -NEVER)
    # what they wait for: the last job of a hop, or a list of tokens
    register = table("hops", -1)
    token_head = table("hops", -1)
    token_tail = table("hops")
    # what synchronizers keep: the first of a list that was not passed by, how many it has, how many
    # came, whether some were lost, or came since the last set; its member in a set, and a place for
    # what is ahead
    token_ahead = table("hops", -1)
    held = table("hops")
    heard = table("hops")
    lost = table("hops")
    is_new = table("hops")
    member = table("hops")
    ahead_before = table("hops")
    last_set = table("threads", -1)
    pivot = table("threads", -1)  # -1: there is no candidate
    pivot_time = table("threads")
    known = table("ends")
    known_arrival = table("ends")
    # measures
    worst_seen = table("measures", -1)
    seen_at = table("measures", -1)
    number_seen = table("measures")
    pending = table("measures")
    is_touched = table("measures")
    touched = table("measures")
    # rings of sources
    times = table("history", -NEVER)
    tails = table("history", -NEVER)
