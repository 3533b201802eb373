"""Records of integers: C structs, where a name refers to the first."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Flags, Floats, Int, Ints, Owner, Struct
from ddsrta_kernel.flows import Flow, Kin, Known, Visits
from ddsrta_kernel.problem import Problem as Columns


class Unit(Struct):
    """What the inner loop reads."""

    cost: Int
    multiplicity: Int
    period: Int  # of a unit that divides by it: its node is PERIODIC and says no more; else 0
    offset: Int  # jitter of that node and shift of the unit
    loaded: Int  # the cost with all that one execution releases to the level above
    spacing: Int  # 0: none
    slack: Int
    bunch: Int


class Place(Struct):
    """Where a unit stands; its latest arrival: `before` from its event, `paced` from its pace."""

    node: Int
    best: Int
    before: Int
    paced: Int
    supply: Int
    first_relation: Int
    last_relation: Int
    reach_first: Int
    reach_last: Int


class Node(Struct):
    """Where an event stream begins; a … d as its kind says."""

    kind: Int
    pace: Int  # of its events (lemma bursts-once), 0: none, -1: nor of what brings them
    late: Int  # how much later than it comes one may come at that pace
    a: Int
    b: Int
    c: Int
    d: Int
    clock: Int  # by which its events are due, -1: not known
    at: Int  # when the first is
    slowest: Int  # a node that says how many events come at most (lemma slowest-input), -1: none
    times: Int  # so many for each of its events
    wait: Int  # in a window that is so much longer
    more: Int  # events than any one of its entries brings (lemma set-counts)
    kept: Int  # so many are there beside what each of them brings, UNBOUNDED: any number
    capped: Int  # 1: no more than by the entry behind its own
    filled: Int  # how many of its Kept hold, since what it joins has changed
    slot: Int  # the one that was taken last, -1: none
    hit: Int  # the one that was asked for last
    near: Int  # a distance that was looked for
    asked: Int  # the count whose distance was found last, since what it joins has changed; 0: none
    apart: Int  # that distance


class Kept(Struct):
    """A span that holds as long as what joins has not changed."""

    least: Int
    most: Int
    count: Int


class Relation(Struct):
    """How a range of units delays one."""

    kind: Int
    first: Int
    last: Int
    shift: Int
    weight: Int
    own: Int


class Share(Struct):
    """What may keep a thread of a pool busy; see `keep`."""

    count: Int
    most: Int
    each: Int


class State(Struct):
    """What is known of a unit so far, and how many steps are left for it."""

    response: Int
    latency: Int
    paced: Int  # the latency from when the event would come at its pace
    window: Int
    times: Int
    steps: Int
    group_steps: Int
    is_cut: Bool  # its windows find more than its ceiling
    is_plain: Bool  # its windows look at too much by a pace that several share


class Edge(Struct):
    """What a unit feeds: a unit, or an entry of a node."""

    unit: Int
    entry: Int
    worst: Int
    best: Int


class Level(Struct):
    """The units of a supply up to an end; `found` is its window so far, which only grows."""

    supply: Int
    piece: Int
    first_root: Int
    last_root: Int
    found: Int
    overloaded: Bool


class Root(Struct):
    """A unit that brings work to a level."""

    unit: Int
    work: Int


class Group(Struct):
    """Stages that share a window, from a head to the last."""

    kind: Int
    head: Int
    level: Int
    first: Int
    each: Int
    later: Int
    least: Int
    last: Int


class System(Struct):
    """A problem, and what is known of it so far."""

    problem: Columns
    most_steps: Int
    in_step: Bool
    is_calm: Bool  # what was counted last is likely to hold for the next window
    owner: Owner
    effort: Int  # evaluations so far
    asks_at: Int  # how many of them before the owner is asked again
    stopped: Bool  # what is due has no bound from here on
    kept: list[Kept]
    slots: Int  # so many for each node
    entry_shift: Ints
    entry_paced: Ints  # the same from when events would come at their pace
    node: list[Node]
    unit: list[Unit]
    met: list[Kept]  # of units, what was counted last where that is not done at once
    place: list[Place]
    relation: list[Relation]
    share: list[Share]
    gain: Ints  # the largest of them, of what was pending before
    state: list[State]
    edge: list[Edge]
    level: list[Level]
    root: list[Root]
    group: list[Group]  # one more than there are
    rate: Floats  # of nodes
    load: Floats  # of all units before each
    dirty: Flags  # units
    overloaded: Flags
    queued: Flags  # supplies
    queue: Ints
    head: Int
    waiting: Int
    order: Ints  # of units
    path: Ints
    step: Ints
    solved: Int
    response: Ints  # as found
    latency: Ints
    length: Ints
    window: list[Window]
    group_window: list[GroupWindow]
    tandem: list[Tandem]
    pending: list[Pending]
    walk: list[Walk]
    known: list[Known]  # of paths, by what was asked
    flow: list[Flow]
    counted: Ints  # units of others, as last asked for
    flight: Ints  # of a line: its units; up to each the least work, since which, how many
    visits: list[Visits]  # of a path, as last asked for
    passed: Ints  # the work of each unit that meets it
    once: Ints  # the costs of all units before each that come in every window
    summed: list[Kept]  # of levels, the work that was summed up last
    part: list[Kept]  # the work of ranges of units, by halves (see `parts`)
    akin: Ints  # by unit, the next of its supply on its node, round and round
    entered: Ints  # by unit, the first level of its supply that it is in; all behind that have it
    kin: Ints  # by root, the next of its level on its node, where counts are kept; -1: none
    met_root: Ints  # by node, the last that was met on it
    latest: Ints  # units by their circles, the latest first as last looked at
    latest_first: Ints  # by unit, where its circle begins there
    latest_last: Ints  # and ends
    marked: Ints  # by unit, the root that it is of those that are lined up, from 1 on
    lined: list[Kin]


class Window(Struct):
    """The busy window of one unit, seen from an origin of its stream (-1: its node)."""

    system: System
    tandem: Tandem
    opened: Int  # the rows of its opener, and the end of those of all
    opened_end: Int
    opened_last: Int
    opened_by: Int  # the first row of that of the instance
    in_tandem: Bool  # whether it is the first thread of that (lemma tandem-window)
    floor: Int  # it left its origin no earlier than so long after the window opened
    held: Bool  # less is there than comes by curves (lemma held-back)
    rounds: Int  # of its own that may have come before it, one after the other (rounds-in-turn)
    unit: Int
    origin: Int
    ratio: Int
    before: Int
    cost: Int
    begun: Int  # of its own work, what is ahead of the part that is not preempted
    above: Int
    burden: Int
    budget: Int
    period: Int
    late: Int  # how long its supply may give nothing to begin with
    more: Int  # than its work takes, until its supply is as fresh as in the beginning
    threads: Int
    shares: Int
    gains: Int
    overlaps: Bool  # its own jobs run at the same time
    mixes: Bool  # or in any order
    first_relation: Int
    last_relation: Int
    kinds: Int  # of its relations, a bit for each
    is_own: Bool
    asks_start: Bool
    has_ahead: Bool
    has_earlier: Bool
    contends: Bool  # others of its level may preempt it (lemma fair-threads)
    now: Int  # A, of the unit that is looked at
    width: Int  # of its relations
    steps: Int
    left_over: Int
    response: Int
    latency: Int
    high_response: Int  # some unit has it, if not yet seen
    high_latency: Int
    pace: Int  # of the node, 0: none
    paced: Int  # the most from when a unit is due at that pace to its finish
    high_paced: Int
    length: Int
    index: Int
    arrival: Int
    start: Int
    finish: Int


class GroupWindow(Struct):
    """The window of a group."""

    system: System
    group: Group
    origin: Int
    ratio: Int
    node: Int
    before: Int
    budget: Int
    period: Int
    late: Int
    width: Int  # of its level
    own: Int  # the root that is its head, -1: none
    kin: Int  # the first root on the node of that, -1: none
    looks: Int  # at what these bring
    lined: Int  # how many of these are lined up; 0: none
    steps: Int
    left_over: Int
    response: Int
    latency: Int
    length: Int
    index: Int
    phase: Int  # of the event in question; UNBOUNDED where it is not looked at
    arrival: Int
    finish: Int


class Tandem(Struct):
    """Two threads in tandem. Rows of `feed`: source, target, its units for each, slack, saved."""

    first_unit: Int
    last_unit: Int
    first: Window
    last: Window
    feed: Ints  # slack below 0: what is served later comes later; saved, as copies leave one by one
    base: Int  # their first row, and the end
    feeds: Int
    worst: Int
    link: Int
    units: Int  # of the last stage that its window counts, the one in question included
    saved: Int  # what is paid on one of both threads only
    keeps_open: Bool  # both are on one supply, where what is last is more urgent
    first_rate: Int  # time that each of so much work takes in the long run; 0: as there
    last_rate: Int
    lumps: Int  # so much later than that
    early: Int  # how much sooner a unit leaves the first thread than it is done; -1: not asked
    rated: Int  # what is saved by these rates
    longest: Int  # of one unit
    one: Int  # the most that one unit saves
    one_apart: Int  # the same without what it saves all the same, copy by copy
    apart: Int  # what our unit saves so
    before: Int  # what the last thread takes for all that comes before ours
    before_rated: Int  # the same by these rates
    behind: Int  # what the first thread takes longer for our unit
    behind_rated: Int
    first_finish: Int
    last_finish: Int
    failed: Bool
    less: Int  # work that does not reach the last thread
    less_loaded: Int
    blockers: Int  # work that comes once
    blockers_loaded: Int


class Walk(Struct):
    """Along a path."""

    system: System
    asked: Ints  # of a stretch
    feed: Ints  # of all tandems
    path: Ints  # what was found, from the first stage that matters to the stretch
    first: Int  # the place of that
    start: Int  # the first unit of all
    waited: Int  # the place where the path last waited
    arrived: Int  # and when it came there
    from_base: Bool  # it comes from the source of all that follows, without a junction


class Pending(Struct):
    """A window from the arrival of a unit. `leading` has bits by stage: what leads to it, and which
    of that is done when it arrives, `words` each; and by stage, those beside it on its line. `here`
    says what cores release themselves; of what is `barred`, nothing is in progress. `of_message`:
    the window is that of one that others may be taken before (lemma turns-in-order)."""

    system: System
    leading: Ints
    stages: Int
    words: Int
    here: Ints
    barred: Ints
    bars: Int
    most: Ints  # that are there of each unit (lemma closed-counts)
    has_most: Bool
    copied: Ints  # by unit, what it is: itself, or what it stands for (-1: a reservation)
    has_copies: Bool
    lines: Int  # where the lines of stages begin; -1: they do not count
    unit_of: Ints  # by stage
    length: Int  # of the line that was looked at last
    rest: Int  # where it goes on; -1: nowhere
    unit: Int
    of_message: Bool
    first_relation: Int
    last_relation: Int
    below: Int  # it has to be done sooner than that
    is_released: Bool  # by its own core, in one of the ways that say something
    end: Int  # of what is as urgent, where only others release it; -1: not so
    own_here: Int  # units of its own that come at the same time before it
    own: Int  # earlier units of its own that are pending then; all that may go before it, if
    mixed: Bool  # they are served in any order
    blocker: Int  # what may be in progress, and what is left of it
    blocked: Int
    others: Int  # that were counted
    left: Int  # evaluations of all such windows, before there are no more
