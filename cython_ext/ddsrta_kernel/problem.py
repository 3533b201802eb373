"""A problem as flat arrays of 64-bit integers: what the kernel reads, and all that it knows.

Units of work are numbered so that those which share a supply are neighbours, the most urgent first;
a relation is then a range of unit numbers. `docs/theory` gives the meaning of every relation
(definition delay-relations).
"""

from __future__ import annotations

from zlib import crc32

from ddsrta_kernel.outcomes import Outcome, PendingOutcome, TandemOutcome
from ddsrta_kernel.tables import Tables, column, rows, starts

UNBOUNDED = 1 << 60  # every time and every amount of work from here on is "unbounded"

LATENCY_TOO = 2  # see is_carried
MOST_STEPS = 100_000  # evaluations of one window: beyond, it is called unbounded
ALL_STEPS = 3  # times that, for all windows of a unit until the fixed point
WIDE, WIDE_STEPS = 128, 12_500  # of a window of more units than that: no more steps
HELD = 64  # rows of what feeds a tandem, up to which lemma held-back is used

# kinds of nodes: where event streams begin
PERIODIC, EXPLICIT, SUM, MAXIMUM = 0, 1, 2, 3
# kinds of relations: how one unit delays another
PREEMPTS, OVERTAKES, AHEAD, LINGERS, ALTERNATES, BLOCKS, PRECEDES = 0, 1, 2, 3, 4, 5, 6
SHARES = 7  # a group: one of it at a time is served in one of several threads (lemma pool-window)
EARLIER = 8  # comes first if it arrives before the unit in question does, and so long after
OVERLAPS = 9  # as what shares, but jobs of it are served at the same time; also its own
CONTENDS = 10  # preempts, and is preempted by it (lemma fair-threads)
# kinds of groups: opened by an event of a root, by a piece of a less urgent stage, or anyhow; and
# those whose search has given up
ROOT, PIECE, ANYHOW, LOST = 0, 1, 2, 3
# each five numbers of what a tandem is fed: where each is, and how many there are; no TIMES of what
# another thread of the first core sends (lemma silent-senders)
SOURCE, TARGET, TIMES, SLACK, COPIES, FEED = 0, 1, 2, 3, 4, 5
PER_RATE = 1024  # rates count in parts of it
# of each supply: how often a path comes there, the responses of its visits, and what of them comes
# beside units; how many of these may run meanwhile, and whether that is known
STAY_VISITS, STAY_RESPONSES, STAY_REST, STAY_UNITS, STAY_WHOLE, STAY = 0, 1, 2, 3, 4, 5
PLAIN = 1  # what runs beside a path, and is on no row
ROW_NEXT, ROW_BITS, ROW = 0, 1, 2  # of each unit; behind all, whether rows count
NEVER, ONCE, OFTEN = 0, 1, 2  # how a stage meets another: what is ahead, once a visit
ROW_LATER, ROW_DONE = 1, 2  # something is before it; done when the next one comes
MOST_ROUNDS = 200  # of the search of a path's window
# of each stage of a stretch of a path: its unit, how long it takes from the end of the one before,
# how long between the threads of a tandem and the way's part, the rows of what feeds it, the groups
# that it may close, and what bounds it from its arrival: a window from there, and a closed one; and
# the rates of the tandem, and how much sooner its units leave the first thread than they are done
ASKED_UNIT, ASKED_WORST, ASKED_TANDEM, ASKED_LINK, ASKED_FEED, ASKED_FEEDS = 0, 1, 2, 3, 4, 5
ASKED_GROUP, ASKED_GROUPS, ASKED_PENDING, ASKED_CEILING = 6, 7, 8, 9
ASKED_FIRST, ASKED_LAST, ASKED_LUMPS, ASKED_EARLY, ASKED = 10, 11, 12, 13, 14
GROUPED = 8  # numbers of each group: which it is, and all of a group but the least
# and of each stage that was walked: the unit from whose arrival windows count, what the path had
# taken by then, and between there and here; the total, when its event is due, and by which window
STEP_UNIT, STEP_ORIGIN, STEP_CARRIED, STEP_BEFORE, STEP_TOTAL, STEP_DUE = 0, 1, 2, 3, 4, 5
STEP_BY, STEP_WHICH, STEP_GROUP, STEP_ASKED, STEP = 6, 7, 8, 9, 10
BY_NOTHING, BY_WINDOW, BY_GROUP, BY_TANDEM, BY_CLOSED = 0, 1, 2, 3, 4
BY_ALL, BY_PENDING, BY_NUMBER = 5, 6, 7  # a closed window from the event of the base, and others
BY_RELEASE, BY_WHOLE = 8, 9  # of what is looked for
SET_BITS = 62  # of what is in a set, as the numbers of an array
# where a table has of each stage its node, how many units come for each event, its thread (-1: one
# that serves several at a time), what these take there, and whether it goes on with the stream of
# its inputs; the stages by their names, and where the inputs of each begin: behind, of each input
# its source, and whether it leaves only at the end of that
LEAD_NODE, LEAD_TIMES, LEAD_THREAD, LEAD_WORK, LEAD_GOES_ON, LEAD_NAMED, LEAD_INPUTS = range(7)
# and room, by stage: how many in a row are before it at most, and all in two orders; lines, or
# rows, by thread or by node the first, the next one, and a stage at an end; then sets by thread
ROOM_DEPTH, ROOM_ORDER, ROOM_SORTED, ROOM_FIRST, ROOM_NEXT, ROOM_HEAD, ROOM = range(7)
# of each unit: where its inputs stand, if its core releases it, how many they are, and whether it
# needs all; and its stage
HERE_FIRST, HERE_SIZE, HERE_ALL, HERE_STAGE, HERE = 0, 1, 2, 3, 4
MOST_DEEP = 6  # stages in a row that are looked back through
KNOWN = 1024  # bounds of windows that are kept
# of each stage: it needs all of its inputs, something brings it out of order, it may be in a closed
# set, what it waits for is no relation, it continues the stream of its inputs, its core releases it
NEEDS_ALL, ANEW, IN_CLOSED, WAITS_FIRST, CONTINUES, RELEASED_HERE = 1, 2, 4, 8, 16, 32
# of each input: it may come out of order, or not each time; it leaves only at the end of its source
LOOSE, AT_END = 1, 2
# what is used of a solution: windows of whole paths, closed ones, the ways of tokens, events alone,
# what cores release themselves, and what is pending
USES_ENDS, USES_CLOSED, USES_TOKENS, USES_ALONE, USES_HERE, USES_PENDING = 1, 2, 4, 8, 16, 32
USES_FORKS, USES_COUNTS, USES_APART = 64, 128, 256
USES_LINES, USES_LATEST, USES_MEETINGS = 512, 1024, 2048
NOT_KNOWN = -(1 << 61)  # where a time may be negative
NO_SET, NEW_SET = -1, -2  # of closed stages
# where a book has the stretches, the starts of paths by stage, and the tokens of each by stage
BOOK_STRETCHES, BOOK_STARTS, BOOK_TOKENS, BOOK = 0, 1, 2, 3
# where a layout has what does not follow from priorities: the blocks of each supply, of each block
# where its stages begin, how many there are and how it delays its peers; the stages, and of each
# its columns, the relations inside its block, its effects and later siblings there, its place and
# what comes after it, and its edges; what feeds tandems; and the supplies whose work is coupled
LAY_SUPPLIES, LAY_BLOCKS, LAY_STAGES, LAY_COLUMNS, LAY_INSIDE, LAY_EFFECTS = 0, 1, 2, 3, 4, 5
LAY_LATER, LAY_PLACES, LAY_CAUSES, LAY_EDGES, LAY_FED, LAY_COUPLED, LAY = 6, 7, 8, 9, 10, 11, 12
A_SUPPLY, A_BLOCK, A_STAGE, A_RELATION, AN_EFFECT, A_LATER = 2, 3, 7, 6, 2, 3
A_CAUSE, AN_EDGE, A_COUPLED = 2, 4, 3
# of each join with a slowest input: its node, how soon after that it may come, and where what it
# waits for stands: when it begins, whether that is paced, whether it needs all inputs, how many
# these are, and of each its stage, how long it takes from there, and where what it waits for stands
A_SLOW, A_DUE, DUE_INPUTS = 3, 3, 4
MOST_WAITS, FEW_WAITS = 24, 6  # rounds in which waits grow, and no more than is needed
A_TOKEN = 3  # numbers of each: its source, the stage before the join, and where its way stands
# where an order has how many nodes it has, that of its source, and its stage; of each node its
# stage, how many units it has, how soon they come and what they take, its thread, the nodes that
# hand it over and that send it (-1: none), how many bring it and where they stand, each with how
# long that takes; and, in two words of so many bits, what comes no later, is done when it comes, is
# served behind it, and may run beside it
ALONE_NODES, ALONE_SOURCE, ALONE_STAGE, AN_ORDER = 0, 1, 2, 3
NODE_STAGE, NODE_UNITS, NODE_BEST, NODE_COST, NODE_THREAD, NODE_FEEDER, NODE_HEAD = range(3, 10)
NODE_INPUTS, NODE_CAME, NODE_PRIOR, NODE_DONE, NODE_BEHIND, NODE_BESIDE = 10, 11, 12, 14, 16, 18
A_NODE, A_CAME, NODE_BITS = 17, 2, 40
# where a plan of what shares locks has how many stages it has, supplies with gaps, flow controllers
# that sleep, and the units, then their costs; of a supply, how many rows follow what each stage has
# to do and begins there; of a flow controller its limit, before the bytes of each stage
SHARING_MEMBERS, SHARING_GAPS, SHARING_SLEEPS, SHARING_UNITS = 0, 1, 2, 3
GAP_BUDGET, GAP_PERIOD, GAP_LOADS, GAP_OTHERS, GAP_BESIDE, GAP_WAKES, GAP_AMOUNTS = range(7)
SLEEP_PERIOD, SLEEP_BYTES, SLEEP_LARGEST, SLEEP_LEAST, SLEEP_AMOUNTS = range(5)
MOST_VISITS = 50  # of each stage, for all closed sets of a solution
MOST_LENGTHS = 5000  # that are tried for a closed window
FULL = 1.0 - 1e-9
MOST_PENDING = 150  # stages in a relation to one that is seen from its arrival
MOST_COUNTS = 2000  # of curves, for each stage, of all such windows
MOST_FLIGHT = 64  # units of a line that are looked at together
MOST_AGAIN = 3  # rounds in which bounds get lower by them
MOST_MET = 12_000  # stages that may meet a path, times its length: beyond, it is not looked how
MOST_LATEST = 6  # rounds in which latencies get lower by windows of whole paths
MOST_BACK = 24  # stages back from its end where windows of a path begin, but for the whole path
MOST_LEGS = 1000  # of all paths, and tokens behind them
MOST_TOKENS = 4000
MOST_ALONE = 80  # stages of a set in which an event may be alone, and nodes
MOST_ROWS = 128  # of such events, from which node each
MOST_PASSES = 4  # each makes arrivals earlier by what the one before found
MOST_IN_ROW = 6  # threads that are counted together
MOST_TERMS = 400_000  # of one such event
MOST_TOLD, MOST_PARTS = 1000, 15_000  # nodes that run in one window, and in all in question
MOST_OF_PATH = 1000  # units of all supplies that a path comes to, for a window of it

SWEEPS = 4  # over all units in order, before only the supplies that changed are visited
MOST_TIMES = 400  # that a unit is examined while it rises with ceilings
FEW = 8  # an eighth of the units: while a sweep examines more, another follows
CLOSE = 3  # events of a node that are looked at one by one
ASKS = 200_000  # evaluations before the owner is asked whether to go on
SLOTS = 16  # spans that are kept of a node, if there are no more
MOST_KEPT = 4096  # than so many
PART = 24  # units of a range whose work is kept by halves
LOOKS = 2  # at a group: before the last of them its kin are lined up
IN_CACHE = 8000  # units that fit there: beyond, memory is asked for ahead of time
OVERLOAD = 1.0 + 1e-9


class Problem(Tables):
    """Ranges are half open; -1 stands for none. The runs of a unit in a table are the rows numbered
    from its start to the next one's."""

    # A supply is a range of units. Budget 0 is a whole core.
    supply_first = column("supply", "its first unit")
    supply_last = column("supply", "its last unit")
    supply_budget = column("supply", "what it gives in each period", 0)
    supply_period = column("supply", "its period", 0)
    supply_late = column("supply", "how long it may give nothing to begin with", 0)
    supply_fresh = column("supply", "the same in windows of all its thread; -1: not known", -1)
    supply_threads = column("supply", "threads of an executor on so many cores", 1)
    supply_moves = column("supply", "1: so many cores, which each thread may use", 0)

    # Where event streams begin. PERIODIC: period, jitter, least distance. EXPLICIT: period, how
    # many distances recur, first distance, number of distances. SUM and MAXIMUM: -, -, first
    # entry, number of entries.
    node_kind = column("node", "its kind")
    node_a = column("node", "a, as its kind says", 0)
    node_b = column("node", "b, as its kind says", 0)
    node_c = column("node", "c, as its kind says", 0)
    node_d = column("node", "d, as its kind says", 0)
    node_pace = column("node", "the pace of its events, 0: none, -1: nor of what brings them", 0)
    node_clock = column("node", "by which its events are due (clocked-counts), -1: not known", -1)
    node_at = column("node", "when the first is", 0)
    # Of a MAXIMUM (lemma slowest-input): its events are no more than so many for each event of a
    # source in a window that is so much longer; -1: no source says so.
    node_slowest = column("node", "that source", -1)
    node_times = column("node", "so many for each of its events", 1)
    node_wait = column("node", "how much longer that window is", UNBOUNDED)
    # Of sets of a synchronizer (lemma set-counts): no more than all entries bring or, of a MAXIMUM,
    # than any one with so many more; than each with so many that are kept; and, where it is capped,
    # than what comes by one entry more.
    node_more = column("node", "above what brings most", 0)
    node_kept = column("node", "beside each", UNBOUNDED)
    node_capped = column("node", "1: by the entry behind its own", 0)
    distances = column("distance", "from the first event of an EXPLICIT node")

    # Streams that join in SUM and MAXIMUM nodes. Spacing (lemma output-spacing): they come in
    # bunches at least a distance less a slack apart; distance 0: nothing known.
    entry_owner = column("entry", "the node that it enters")
    entry_node = column("entry", "the node that it comes from")
    entry_multiplicity = column("entry", "how many come for each event")
    entry_spacing = column("entry", "between bunches", 0)
    entry_slack = column("entry", "by which they may be closer", 0)
    entry_bunch = column("entry", "how many come at once", 1)
    entry_most = column("entry", "so many events bring something", 0)
    entry_of = column("entry", "of any so many in a row; 0: each does", 0)

    cost = column("unit", "its work")
    supply = column("unit", "its supply")
    node = column("unit", "the node of its stream")
    multiplicity = column("unit", "how many come for each event")
    best = column("unit", "the least time from the node's event to the arrival")
    late = column("unit", "how much later it arrives where nothing feeds it", 0)
    reach_first = column("unit", "the first unit to which its curve matters")
    reach_last = column("unit", "the last one")
    is_load = column("unit", "it is never solved", 0)
    is_carried = column("unit", "1: its response matters to others, 2: the latency, too", 0)
    spacing = column("unit", "between bunches, as of entries", 0)
    slack = column("unit", "by which they may be closer", 0)
    bunch = column("unit", "how many come at once", 1)
    extra = column("unit", "what comes first whatever others do (sleeping-window)", 0, "waits")

    # Of what goes round (lemma rounds-in-turn).
    rounds = column("unit", "so often a message comes back, 0: it does not", 0, "rounds")
    circle = column("unit", "the node of all that comes to the first of its circle", 0, "rounds")
    around = column("unit", "the least time that a round takes", 0, "rounds")
    leaves = column("unit", "the least work of it before the next round comes of it", 0, "rounds")

    # No response is longer, and no latency (lemma closed-window).
    ceiling = column("unit", "from its arrival", UNBOUNDED, "closed")
    latest = column("unit", "from the node's event", UNBOUNDED, "closed")

    # What the job of a unit brings after it, to the same queue (lemma later-siblings).
    later_start = starts("unit", "runs of later units")
    later_unit = column("later", "such a unit")
    later_jobs = column("later", "jobs that an event of the node releases")
    later_bunch = column("later", "such units that one job brings")

    # Of what less urgent units release, how much one of them brings ahead of a unit, in whose
    # windows no other does (lemma one-opener).
    opener_start = starts("unit", "runs of what they bring", "openers")
    opener_who = column("opener", "who", None, "openers")
    opener_unit = column("opener", "what", None, "openers")
    opener_most = column("opener", "how many of it at most", None, "openers")
    opener_kind = column("opener", "in which relation that stands", None, "openers")

    # How other units delay a unit.
    relation_start = starts("unit", "runs of relations")
    relation_kind = column("relation", "its kind")
    relation_first = column("relation", "the first of the others")
    relation_last = column("relation", "the last of them")
    relation_shift = column("relation", "EARLIER: how much later they may come", 0)
    relation_weight = column("relation", "ALTERNATES: units that a turn of the others serves", 1)
    relation_own = column("relation", "ALTERNATES: units that a turn of its own serves", 1)

    # The same of one of its messages where it takes them in any order (lemma mixed-publishers):
    # they stand behind the relations of all units. And how much longer that may take than its
    # response, once that is known.
    mixed_start = starts("unit", "runs of relations", "mixed")
    excess = column("unit", "more than its response", 0, "mixed")

    # Coupled work (lemma joined-work). A level: the units of a supply up to an end.
    level_supply = column("level", "its supply", None, "coupled")
    level_end = column("level", "its end")
    level_piece = column("level", "what a less urgent unit releases to it at most")
    root_start = starts("level", "runs of roots", "coupled")
    root_unit = column("root", "a unit that brings work to the level")
    root_work = column("root", "how much it brings")
    above = column("unit", "the level above it", -1, "coupled")
    loaded = column("unit", "its cost with what one execution releases to that level", 0, "coupled")
    burden = column("unit", "how much of this may come before it completes", 0, "coupled")

    # Of the units that take turns with a unit, those that come only after it for one event (lemma
    # effects-in-turn).
    effect_start = starts("unit", "runs of effects")
    effect_unit = column("effect", "such a unit")
    effect_more = column("effect", "how many more turns it may have otherwise")

    # Groups that a unit may close.
    group_start = starts("unit", "runs of groups", "coupled")
    group_kind = column("group", "its kind")
    group_head = column("group", "the unit that opens it")
    group_level = column("group", "its level")
    group_first = column("group", "the work of the unit in question")
    group_each = column("group", "of each earlier event")
    group_later = column("group", "of each later one")
    group_least = column("group", "the least time between the arrivals at its head and its end")

    # Units have places, which are not their numbers. What comes only after a unit has completed,
    # for one event, has its place in one of its ranges (lemma phase-count).
    cause_place = column("unit", "its place", None, "coupled")
    cause_start = starts("unit", "runs of ranges", "coupled")
    cause_first = column("cause", "the first place of a range")
    cause_end = column("cause", "its end")

    # Out of units, into a unit or into an entry of a node.
    edge_start = starts("unit", "runs of edges")
    edge_unit = column("edge", "where it leads", -1)
    edge_entry = column("edge", "where it leads", -1)
    edge_worst = column("edge", "how long that takes at most")
    edge_best = column("edge", "the least time from the node's event to the arrival behind it")

    user_start = starts("node", "runs of users")
    user_unit = column("user", "a unit that stands on the node")
    dependent_start = starts("node", "runs of dependents")
    dependent_entry = column("dependent", "an entry through which another node builds on it")

    # How units go from stage to stage; all that evaluations of many systems ask of paths.
    stage_unit = column("stage", "its unit", None, "flow")
    stage_bits = column("stage", "what is special about it", 0, "flow")
    stage_server = column("stage", "the thread that does its work", 0, "flow")
    tandem_worst = column("stage", "from the end of the thread before it in tandem", 0, "flow")
    tandem_link = column("stage", "and the way's part of that", 0, "flow")
    tandem_feed = column("stage", "the first row of what feeds both", 0, "flow")
    tandem_feeds = column("stage", "and the end", 0, "flow")
    tandem_first = column("stage", "the rate of the first thread", 0, "flow")
    tandem_last = column("stage", "of the last", 0, "flow")
    tandem_lumps = column("stage", "and how much later they may come", 0, "flow")
    tandem_early = column("stage", "how much sooner it leaves the first thread", 0, "flow")
    fed = column("fed", "what feeds tandems", None, "flow")
    input_start = starts("stage", "runs of inputs", "flow")
    input_source = column("input", "the stage that it comes from", None, "flow")
    input_multiplicity = column("input", "how many units each of that brings", 1, "flow")
    input_worst = column("input", "how long that takes at most", 0, "flow")
    input_least = column("input", "and at least, from the arrival there", 0, "flow")
    input_link = column("input", "the way's part of that", 0, "flow")
    input_bits = column("input", "what is special about it", 0, "flow")
    stands_for = column("unit", "its stage; -1 none, -2 - n a copy of that", -1, "flow")
    level_last = column("unit", "where those end that are as urgent", 0, "flow")
    beside = column("unit", "where those end that it waits for; -1: not known", 0, "flow")
    supply_plain = column("supply", "1: a closed window may be there", 0, "flow")
    junction = column("node", "the stage whose inputs it takes by number, -1: none", -1, "flow")
    latest_period = column("node", "what its events keep pace with at the latest", 0, "flow")
    latest_offset = column("node", "and when the first comes then", 0, "flow")
    earliest_period = column("node", "the same at the earliest", 0, "flow")
    earliest_offset = column("node", "and when the first comes then", 0, "flow")

    units = rows(cost)
    supplies = rows(supply_first)
    nodes = rows(node_kind)
    entries = rows(entry_node)
    relations = rows(relation_kind)
    edges = rows(edge_unit)
    levels = rows(level_end)
    roots = rows(root_unit)
    groups = rows(group_kind)
    ceilings = rows(ceiling)
    stages = rows(stage_unit)
    inputs = rows(input_source)
    in_step: bool = True  # whether roots of one base count in step with each other (phase-count)
    ahead_in_step: bool = True  # and what is ahead, with a unit behind it (lemma ahead-in-step)
    held_back: bool = True  # what is still to be sent is not there yet (lemma held-back)
    at_once: bool = False  # some unit may hand something over as it begins (lemma busy-window)

    def __len__(self) -> int:
        return len(self.cost)


def _layout() -> int:
    constants = [f"{name} {value}" for name, value in globals().items() if name.isupper()]
    columns = [each.name for each in Problem.columns]
    names = (*columns, *Outcome._fields, *TandemOutcome._fields, *PendingOutcome._fields)
    return crc32(" ".join([*constants, *names]).encode())


# What a compiled kernel is built for: the values of constants, the names of columns and outcomes.
LAYOUT = _layout()
