"""A system to be simulated, and what was chosen for it, as flat arrays of 64-bit integers.

All that the engine knows. Things are numbered from 0; -1 is none; a range of thing i is
`start[i] … start[i + 1] - 1`. All times are in ns. Threads (also callbacks, which are served by the
thread of their executor) and the stages of their jobs have the same numbers.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from zlib import crc32

NEVER = 1 << 62  # a time that does not come
FOR_TIME = 1 << 40  # in place of a lock: it sleeps until a period is over

ANYWHERE = -1  # the turn of a queue that may come before and after any other
# what releases a thread: time, each input, one of all inputs, or a set of a synchronizer (NEAREST:
# mtd), for which the numbers are from EXACT on
TIMED, EACH, ALL, EXACT, APPROXIMATE, LATEST, NEAREST = range(7)
SYNC, ASYNC = 0, 1
# arrival models: nominal times and a jitter; bursts; explicit distances
ANCHORED, BURST, CURVE = 0, 1, 2

# habits of a decision between a best and a worst case (of a reservation: early and late)
WORST, BEST, RANDOM, EITHER, WORST_THEN_BEST, BEST_THEN_WORST = 0, 1, 2, 3, 4, 5
# kinds of sources: the first release at the moment, or as many as the model allows just then
DENSE, ALIGNED, WILD = 0, 1, 2
# how the jitters of a wild source are drawn: any of them, or one of the two extremes
ANY_JITTER, EXTREME_JITTER = 0, 1
# simultaneous events: in the order of their numbers, or at random
CALM, SHUFFLED = 0, 1
ALWAYS = 1 << 16  # the probability of an eager yield is in units of 1 / ALWAYS

# SCHED_OTHER: parts of a virtual nanosecond; the tick where none is said; whether a thread counts
# in the mean, also as it sleeps
SCALE, TICK_OF_LAG = 1 << 20, 1_000_000
GONE, READY, STAYS = 0, 1, 2

# Rows of records: measure, time of completion, value. Pending measures are not recorded.
RECORD = 3
NOTED = 6  # rows of what was decided: what, number, time, least, most, value
TRACE = 5  # rows of the trace: time, kind, what, number, other
# ARRIVED: stage, number of the unit, the hop that released it (jobs; -1: time).
# RUNS, PREEMPTED, COMPLETED: stage, number of the unit, core.
# PUBLISHED: a job hands over a sample: its stage, its number, the number of the job.
# SENT, RECEIVED, DELIVERED: stream, number of the message in it, the number of the publisher's job.
# OPENED, CLOSED: supply, -1, core.
# HANDED: hop, number of the message in it, the number of the job that hands it to its reader.
# TAKEN: hop, number of the message in it, the number of the job that arrives next and has it: of
# synchronizers, one for each hop.
(
    ARRIVED, RUNS, PREEMPTED, COMPLETED, PUBLISHED, SENT, RECEIVED, DELIVERED, OPENED, CLOSED,
    HANDED, TAKEN,
) = range(12)  # fmt: skip

BUCKETS = 16 * 60  # of histograms: each value below 16, then 16 for each power of two


class Measure(NamedTuple):
    """Something measured, and of what: see `ddsrta.simulation.build`."""

    kind: str
    of: Any


def bucket(value: int) -> int:
    """The bucket of a value in a histogram.

    >>> [bucket(v) for v in (0, 15, 16, 17, 31, 32, 33, 34)]
    [0, 15, 16, 17, 31, 32, 32, 33]
    """
    power = value.bit_length() - 1
    return value if power < 4 else 16 * (power - 3) + (value >> (power - 4) & 15)


def bucket_least(index: int) -> int:
    """The least value of a bucket.

    >>> [bucket_least(i) for i in (0, 15, 16, 31, 32, 33)]
    [0, 15, 16, 31, 32, 34]
    """
    return index if index < 16 else (16 + index % 16) << (index // 16 - 1)


def integers() -> array[int]:
    """An empty array of 64-bit integers."""
    return array("q")


@dataclass
class Program:
    """See the comment at each group of arrays. Ranges are half open."""

    # Supplies, those of a core together in the order of their claim on it; budget 0: all the rest.
    core_supply: array[int] = field(default_factory=integers)  # start, for each core and one more
    supply_core: array[int] = field(default_factory=integers)
    supply_budget: array[int] = field(default_factory=integers)
    supply_period: array[int] = field(default_factory=integers)
    # 1: a constant-bandwidth server, which has its budget when it asks for it
    supply_serves: array[int] = field(default_factory=integers)

    # Servers (threads): on which supply, how urgent (the larger), which queues in which order.
    # `server_pending`: the measure of all that is pending there.
    server_supply: array[int] = field(default_factory=integers)
    server_priority: array[int] = field(default_factory=integers)
    # Of SCHED_OTHER: its weight, the time of a slice, and the tick at which that ends; or 0.
    server_weight: array[int] = field(default_factory=integers)
    server_slice: array[int] = field(default_factory=integers)
    server_tick: array[int] = field(default_factory=integers)
    server_order: array[int] = field(default_factory=integers)
    server_queue: array[int] = field(default_factory=integers)  # start
    server_pending: array[int] = field(default_factory=integers)
    # Of those that move: the supplies that they may use, one on each core, of which the first is
    # `server_supply`, and the decision to which of several they go.
    server_set: array[int] = field(default_factory=integers)  # start
    set_supply: array[int] = field(default_factory=integers)
    server_place: array[int] = field(default_factory=integers)
    # Of executors, whose first queue is that of inline callbacks, which are served before all else.
    # Decisions: which of equal turns comes first; whether a round begins at once or sees all that
    # comes at that time; whether late queues are looked at again in their turn; which is next.
    server_turns: array[int] = field(default_factory=integers)
    server_poll: array[int] = field(default_factory=integers)
    server_late: array[int] = field(default_factory=integers)
    server_pick: array[int] = field(default_factory=integers)
    # Of a pool, whose threads follow each other: the first thread, which has the queues of all, and
    # the decision which idle thread may look for work next. Of a queue: the first queue of its
    # mutually exclusive group, -1 where it excludes nothing.
    server_pool: array[int] = field(default_factory=integers)
    server_baton: array[int] = field(default_factory=integers)
    # Of flow controllers: bytes of a period (0: any), after which they sleep; its length; when it
    # began (decision); the lock of its queue (-1: none), taken so often as it wakes. Of queues:
    # bytes for which they go first. Of links: the thread a job of which began at an idle one (-1).
    server_limit: array[int] = field(default_factory=integers)
    server_period: array[int] = field(default_factory=integers)
    server_phase: array[int] = field(default_factory=integers)
    server_look: array[int] = field(default_factory=integers)
    server_looks: array[int] = field(default_factory=integers)
    queue_share: array[int] = field(default_factory=integers)
    server_begun: array[int] = field(default_factory=integers)
    # Of a queue: how long after its arrival a unit is due, and how many a turn serves.
    queue_due: array[int] = field(default_factory=integers)
    queue_weight: array[int] = field(default_factory=integers)
    queue_turn: array[int] = field(default_factory=integers)
    queue_late: array[int] = field(default_factory=integers)
    queue_group: array[int] = field(default_factory=integers)

    # Stages: kinds of units of work, each served by one thread from one of its queues.
    stage_server: array[int] = field(default_factory=integers)
    stage_queue: array[int] = field(default_factory=integers)
    stage_response: array[int] = field(default_factory=integers)  # measure
    stage_pending: array[int] = field(default_factory=integers)  # measure

    # Application threads: execution time, what decides it and the points of publication.
    # `thread_origins`: how many origins a job carries.
    thread_activation: array[int] = field(default_factory=integers)
    # Of a timer, the server that calls it: what was due until then is skipped. -1: no timer.
    thread_caller: array[int] = field(default_factory=integers)
    thread_inline: array[int] = field(default_factory=integers)  # behind its subscriptions
    thread_best: array[int] = field(default_factory=integers)
    thread_worst: array[int] = field(default_factory=integers)
    thread_decision: array[int] = field(default_factory=integers)
    thread_point: array[int] = field(default_factory=integers)  # decision
    thread_taken: array[int] = field(default_factory=integers)  # decision: which message is next
    thread_step: array[int] = field(default_factory=integers)  # start: messages of a job
    thread_hop: array[int] = field(default_factory=integers)  # start: inputs
    thread_link: array[int] = field(default_factory=integers)  # start: followers
    thread_end: array[int] = field(default_factory=integers)  # start: paths that end here
    thread_origins: array[int] = field(default_factory=integers)
    # Event threads of a middleware: the lock under which all of a job is done, and in how many
    # parts (0: it is none).
    thread_send: array[int] = field(default_factory=integers)
    thread_datagrams: array[int] = field(default_factory=integers)
    # Synchronizers: how many messages of each input are kept (of EXACT: how many sets; 0: without
    # limit), which decides whether an arrival makes a set (of LATEST), measures of the sets.
    thread_room: array[int] = field(default_factory=integers)
    thread_fires: array[int] = field(default_factory=integers)
    thread_disparity: array[int] = field(default_factory=integers)
    thread_gap: array[int] = field(default_factory=integers)

    # Steps of a job: the messages that it publishes, in program order, by their publication.
    step_publication: array[int] = field(default_factory=integers)

    # Publications: cost of one copy; `publication_stage` is the stage at the flow controller, none
    # where no copy is sent; `publication_readers` decides the order of the copies, -1: that of its
    # streams; `publication_first` whether readers in the same process get the message before them.
    publication_thread: array[int] = field(default_factory=integers)
    publication_mode: array[int] = field(default_factory=integers)
    publication_earliest: array[int] = field(default_factory=integers)
    publication_best: array[int] = field(default_factory=integers)
    publication_worst: array[int] = field(default_factory=integers)
    publication_decision: array[int] = field(default_factory=integers)
    publication_readers: array[int] = field(default_factory=integers)
    publication_stage: array[int] = field(default_factory=integers)
    publication_stream: array[int] = field(default_factory=integers)  # start
    publication_direct: array[int] = field(default_factory=integers)  # start
    publication_first: array[int] = field(default_factory=integers)
    # Of any `of` jobs in a row at most `most` send it (of 0: each does); what decides which.
    publication_most: array[int] = field(default_factory=integers)
    publication_of: array[int] = field(default_factory=integers)
    publication_leaves: array[int] = field(default_factory=integers)
    # Alternatives: what decides which of them a job sends, its place there, and that of the last.
    publication_choice: array[int] = field(default_factory=integers)
    publication_place: array[int] = field(default_factory=integers)
    publication_others: array[int] = field(default_factory=integers)
    publication_apart: array[int] = field(default_factory=integers)  # when they leave the job
    publication_rounds: array[int] = field(default_factory=integers)  # 0: it closes no circle
    direct_hop: array[int] = field(default_factory=integers)  # to a reader in the same process
    # Readers of the same process whose work a job does before copies leave; what decides the order.
    publication_local: array[int] = field(default_factory=integers)  # start
    publication_turns: array[int] = field(default_factory=integers)
    local_hop: array[int] = field(default_factory=integers)
    local_best: array[int] = field(default_factory=integers)
    local_worst: array[int] = field(default_factory=integers)
    local_decision: array[int] = field(default_factory=integers)
    # With a middleware that has them (-1: none): the lock under which its copies are sent, and that
    # of the writer, which its flow controller keeps while it sends; how many samples that wait are
    # sent as one (0: each by itself, copy by copy).
    publication_send: array[int] = field(default_factory=integers)
    publication_writer: array[int] = field(default_factory=integers)
    publication_batch: array[int] = field(default_factory=integers)
    # The lock of the queue, for which publisher and flow controller need a moment; how long write()
    # keeps the writer's lock at most; what decides how long it does, how much of that is before the
    # sample is in the queue, and whether a flow controller looks into its queue when it has sent.
    publication_queue: array[int] = field(default_factory=integers)
    publication_write: array[int] = field(default_factory=integers)
    publication_length: array[int] = field(default_factory=integers)
    publication_split: array[int] = field(default_factory=integers)
    publication_look: array[int] = field(default_factory=integers)
    publication_bytes: array[int] = field(default_factory=integers)  # that a sample counts for
    lock_none: array[int] = field(default_factory=integers)  # -1 for each lock: nobody has it
    lock_wake: array[int] = field(default_factory=integers)  # decides who is woken by a release

    # Streams: a publication on its way to one reader; `net` is the way, `read` the listener's cost.
    stream_hop: array[int] = field(default_factory=integers)
    stream_stage: array[int] = field(default_factory=integers)
    stream_ddl: array[int] = field(default_factory=integers)  # measure
    net_best: array[int] = field(default_factory=integers)
    net_worst: array[int] = field(default_factory=integers)
    net_decision: array[int] = field(default_factory=integers)
    net_loose: array[int] = field(default_factory=integers)  # 1: what takes less time comes first
    read_best: array[int] = field(default_factory=integers)
    read_worst: array[int] = field(default_factory=integers)
    read_decision: array[int] = field(default_factory=integers)

    # Transfers: streams over links that send one frame at a time, one behind the other. `tail`: how
    # long before the end of its last frame a copy may be received; `late` decides that.
    stream_transfer: array[int] = field(default_factory=integers)  # start
    transfer_stream: array[int] = field(default_factory=integers)
    transfer_stage: array[int] = field(default_factory=integers)
    transfer_frame: array[int] = field(default_factory=integers)  # start
    transfer_decision: array[int] = field(default_factory=integers)
    transfer_tail: array[int] = field(default_factory=integers)
    transfer_late: array[int] = field(default_factory=integers)
    frame_best: array[int] = field(default_factory=integers)
    frame_worst: array[int] = field(default_factory=integers)

    # Links: the news of completed jobs on its way to a follower.
    link_hop: array[int] = field(default_factory=integers)
    link_best: array[int] = field(default_factory=integers)
    link_worst: array[int] = field(default_factory=integers)
    link_decision: array[int] = field(default_factory=integers)
    link_loose: array[int] = field(default_factory=integers)

    # Hops, those into one thread together. `hop_reader`: the measure of what is pending with the
    # reader; `hop_queue`: where the jobs that it releases wait; `hop_wait`: the measure of how long
    # a message waits for its set. What a hop brings: origin `copy_from` of the job behind it (-1:
    # that job itself) becomes origin `copy_to` of the job that it releases.
    hop_target: array[int] = field(default_factory=integers)
    hop_reader: array[int] = field(default_factory=integers)
    # 1: it closes a circle; -1: it leads into one from outside
    hop_round: array[int] = field(default_factory=integers)
    hop_queue: array[int] = field(default_factory=integers)
    hop_wait: array[int] = field(default_factory=integers)
    hop_copy: array[int] = field(default_factory=integers)  # start
    copy_from: array[int] = field(default_factory=integers)
    copy_to: array[int] = field(default_factory=integers)

    # Ends of paths: the origin in the last job (-1: that job itself), the first thread, measures;
    # a path with a thread released by time has no latency.
    end_origin: array[int] = field(default_factory=integers)
    end_first: array[int] = field(default_factory=integers)
    end_latency: array[int] = field(default_factory=integers)
    end_trigger: array[int] = field(default_factory=integers)
    end_data_age: array[int] = field(default_factory=integers)
    end_reaction: array[int] = field(default_factory=integers)

    # Sources. ANCHORED: period, jitter, least distance. BURST: period, number, distance.
    # CURVE: period, how many distances recur, -. For choices: `source_gap` is the least distance of
    # two releases, `source_pause` the longest pause that makes sense, 0 where none is allowed, and
    # `source_most` the longest time to the first release and from one to the next, 0 where any is.
    source_thread: array[int] = field(default_factory=integers)
    source_model: array[int] = field(default_factory=integers)
    source_period: array[int] = field(default_factory=integers)
    source_b: array[int] = field(default_factory=integers)
    source_c: array[int] = field(default_factory=integers)
    source_gap: array[int] = field(default_factory=integers)
    source_pause: array[int] = field(default_factory=integers)
    source_most: array[int] = field(default_factory=integers)
    source_distance: array[int] = field(default_factory=integers)  # start
    # ANCHORED ones that share a clock: they begin at its time 0 and their offset. The moment of the
    # leader decides about time 0, which is within the span from the start, or before it where all
    # that is due first may come after it. -1: none is shared.
    source_leader: array[int] = field(default_factory=integers)
    source_offset: array[int] = field(default_factory=integers)
    source_span: array[int] = field(default_factory=integers)
    source_early: array[int] = field(default_factory=integers)  # how long before, at most
    distances: array[int] = field(default_factory=integers)

    # Names, for people: the engine does not look at them.
    cores: list[str] = field(default_factory=list)
    supplies: list[Any] = field(default_factory=list)
    servers: list[str] = field(default_factory=list)
    stages: list[tuple[str, ...]] = field(default_factory=list)
    streams: list[tuple[str, str, str]] = field(default_factory=list)
    hops: list[Any] = field(default_factory=list)
    locks: list[tuple[str, ...]] = field(default_factory=list)
    measures: list[Measure] = field(default_factory=list)
    decisions: list[tuple[Any, ...]] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)

    # Kept by the engine, which takes a program as it is at its first run: it must not change then.
    layout: Any = field(default=None, init=False, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """What another process needs."""
        return {**vars(self), "layout": None}


@dataclass
class Choices:
    """What the model leaves open, decided. Every decision is a function of its own entry, of its
    instance number and of the time; to change an entry leaves all others as they were.

    Each entry may be replaced by any other number of its group of constants; a time may be any.
    """

    decision_habit: array[int] = field(default_factory=integers)
    decision_turn: array[int] = field(default_factory=integers)
    decision_seed: array[int] = field(default_factory=integers)

    # Sources: `pause` is the longest pause of a wild one, besides what the model demands.
    source_kind: array[int] = field(default_factory=integers)
    source_moment: array[int] = field(default_factory=integers)
    source_seed: array[int] = field(default_factory=integers)
    source_jitter: array[int] = field(default_factory=integers)
    source_pause: array[int] = field(default_factory=integers)

    # Supplies with a budget: periods begin at the phase; WORST is late in the period, BEST early,
    # BEST_THEN_WORST early in periods that begin before the turn, then late.
    supply_phase: array[int] = field(default_factory=integers)
    supply_habit: array[int] = field(default_factory=integers)
    supply_turn: array[int] = field(default_factory=integers)
    supply_seed: array[int] = field(default_factory=integers)

    # What single instances take apart from that: of a decision, or of a source (-1 - 2 i: how late
    # a release is; -2 - 2 i: the pause before the next one). `aparts` are so many.
    apart_of: array[int] = field(default_factory=integers)
    apart_number: array[int] = field(default_factory=integers)
    apart_value: array[int] = field(default_factory=integers)

    aparts: int = 0
    tie_mode: int = CALM
    tie_seed: int = 0
    eager: int = 0  # how often a thread that has run out of work sleeps before it sees more
    eager_seed: int = 0

    def copy(self) -> Choices:
        """The same choices, to be changed."""
        new = object.__new__(Choices)
        new.__dict__ = {
            name: value[:] if isinstance(value, array) else value
            for name, value in vars(self).items()
        }
        return new

    def check(self, program: Program) -> None:
        """Whether there is an entry for everything; a ValueError says if not."""
        counts = {
            "decision": len(program.decisions),
            "source": len(program.sources),
            "supply": len(program.supplies),
            "apart": self.aparts,
        }
        for group, count in counts.items():
            entries = [each for name, each in vars(self).items() if name.startswith(f"{group}_")]
            if set(map(len, entries)) != {count}:
                raise ValueError(f"the choices of the {group} group are for another program")


def _layout() -> int:
    constants = [f"{name} {value}" for name, value in globals().items() if name.isupper()]
    names = (*Program.__annotations__, *Choices.__annotations__, *Measure._fields)
    return crc32(" ".join([*constants, *names]).encode())


# What a compiled engine is built for: the values of constants, the names of columns and choices.
LAYOUT = _layout()
