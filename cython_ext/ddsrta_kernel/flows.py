"""What the kernel keeps of stages and paths: more records, as in structs.py."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta_kernel.basis import Bool, Floats, Int, Ints, Struct


class Flow(Struct):
    """How units go from stage to stage, and what is known of that."""

    rises: Bool  # with its ceilings: windows are looked at no further than to these
    words: Int  # of a set of stages
    bits: Ints  # the sets of closed windows, so many words each
    set_of: Ints  # by stage, the set that its closed window counts
    closed: Ints  # by stage, the length of its closed window; -1: none, -2: not asked for
    around: Ints  # that of a larger set with the stage, -1: none
    visits: Int  # that are left, of all closed sets
    held: Ints  # the stages of the set that is looked for, each marked
    count: Int
    sources: Int  # of these, how many that nothing releases
    top: Int  # how many units are ahead
    sums: Ints  # of the costs of all units before each
    ends: Ints  # by supply, up to where it is in the set
    ahead: Ints  # units that are yet to be looked at
    origin: Ints  # by stage, of which origin it counts units
    times: Ints  # and how many for each of those
    origins: Int
    begins: Ints  # the stage of each origin
    weight: Ints
    events: Ints
    most: Ints  # by unit, how many count in a closed window
    counted: Int  # the stage whose set that is, -1: of none
    ways: Ints  # by stage, the longest way behind it
    starts: Ints  # by stage, how long after the event of its base it may be released by time
    ceiling: Ints  # by stage, its closed window where that is its bound
    pending: Ints  # by stage, its bound from its arrival
    joint: Ints  # and that by what flow controllers send together
    instead: Ints  # its bound without the one from its arrival
    whole: Ints  # 1: windows of the path to it bound its latency
    leading: Ints  # what leads to each, as of Pending
    here: Ints
    behind: Ints  # the stage of a row behind each, by unit
    barred: Ints
    kept_pace: Ints  # by node: 0 not looked for, 1 none, 2 known; the latest, then the earliest
    period: Ints
    offset: Ints
    due_first: Int  # the stage from which events are due as is known
    due_kept: Ints  # by node: whether that was looked for
    due: Ints
    leg: list[Leg]
    legs: Int
    token: Ints  # in pairs: how much later it begins, and its leg
    tokens: Int
    row: Ints  # of all legs
    rows: Int
    asked: Ints  # of one stretch
    path: Ints  # and what is found of it
    book: Ints  # of stretches and ways
    plan: Ints  # a layout
    slow: Ints  # the joins that have a slowest input
    rate: Floats  # by node, of joins as fast as their fastest input
    cost: Ints  # by stage, as it is to be
    rank: Ints  # by block, the bigger the more urgent
    blocks: Int
    order: Ints  # of blocks
    base: Ints  # by stage, the first unit of its block
    alone: list[Alone]
    orders: Ints  # by stage, where its order of nodes stands, 0: none; and these
    knows_orders: Bool
    failed: Bool  # there is more to look at than is allowed for
    uses: Int  # which refinements are used


class Leg(Struct):
    """A path up to the end of a stretch."""

    previous: Int  # the leg before, -1: none
    stretch: Int
    waits: Bool
    edge: Int  # the input by which it comes, -1: none
    total: Int
    arrived: Int
    waited: Int
    start: Int  # the first stage of all
    place: Int
    end: Int
    joined: Bool
    from_base: Bool
    row: Int  # where what was found of its first stage stands
    size: Int  # of the stretch
    settled: Int  # the same with the windows of the whole path, -1: not asked for
    token: Int  # its first token; -1: not asked for
    tokens: Int


class Visits(Struct):
    """Those of a path, which is told from its end back, and the rows that it may meet in order."""

    rows: Ints  # of stages: how many, and which
    end: Int  # of these
    in_row: Ints  # of units, 1: on one
    stairs: Ints  # of these, the most work of an event that meets the path there or behind
    supplies: Ints  # that the path comes to
    comes: Int  # how many these are
    around: Int  # and their units
    count: Int
    stays: Ints  # by supply
    meets: Bool  # it is looked at what meets it in order


class Known(Struct):
    """The bound of a window, -1: not yet."""

    kind: Int
    which: Int
    origin: Int
    one: Int
    other: Int
    bound: Int


class Nodes(NamedTuple):
    """A set of nodes."""

    low: Int
    high: Int


class Busy(NamedTuple):
    """The longest to the end of some units: the window begins when those of its opener have come;
    so many parts are told. It is as long while what came later comes no sooner than `since`."""

    length: Int
    begun: Int
    opener: Int
    parts: Int
    since: Int


class Alone(Struct):
    """What one event brings, if it is alone: nodes in an order, of which a row says when the units
    of each have come at the latest, and when they are done."""

    order: Ints  # of these, as `problem.py` says
    at: Int  # where it begins
    nodes: Int
    row: Ints
    base: Int
    kept: Ints  # rows that are known
    key: Ints  # of each: of which order, from which node
    rows: Int
    cost: Ints  # of each node; and in threads before, as often as they are in a row
    run: Ints  # so of what may run in a window, what may come last first
    late: Ints  # all nodes in that order
    brought: Ints  # by node, what it brings from the thread before
    reads: Ints  # of each node, a set: when these come its window depends on
    since: Ints  # and if that is sooner than this
    stale: Nodes  # whose bound may be less by now
    reader: Int  # the node that is looked at
    left: Int  # terms that may still be
    asked: Int  # the node of which it is told what runs in its window, -1: none
    told: Ints  # when that begins, its opener, and by twos what runs; behind it, of other windows
    top: Int
    parts: Int


class Phases(NamedTuple):
    """All from one to another are looked at as one: what any of them counts."""

    first: Int
    last: Int


class Fixed(NamedTuple):
    """What a phase counts whatever the window."""

    work: Int
    own: Int


class Kin(Struct):
    """The roots of a level on the node of a group's head, the latest first."""

    count: Int
    root: Ints
    late: Ints  # how long after the event of the node each arrives at the latest
    best: Ints  # and at the earliest
    sums: Ints  # the work of all before each that may be in time, in windows from
    least: Int  # the least
    most: Int  # to the most
    whole: Int  # the work of all but the head
    holds: Bool  # one event brings as much
    second: Int  # the longest window with no more than one event
    soonest: Int  # the least of `best`
    in_order: Bool  # none that comes later comes sooner
