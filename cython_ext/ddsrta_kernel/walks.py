"""From stage to stage along a path (lemma path-latency): the least of all windows of each.

A stretch of a path is planned: of each stage its unit, what lies before it, the tandem and the
groups that it may close, and what else bounds it. Its first stage is told when it is reached; of
each further one that follows from the stage before.
"""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.flows import Known
from ddsrta_kernel.groups import examine_group
from ddsrta_kernel.problem import (
    ASKED,
    ASKED_CEILING,
    ASKED_EARLY,
    ASKED_FEED,
    ASKED_FEEDS,
    ASKED_FIRST,
    ASKED_GROUP,
    ASKED_GROUPS,
    ASKED_LAST,
    ASKED_LINK,
    ASKED_LUMPS,
    ASKED_PENDING,
    ASKED_TANDEM,
    ASKED_UNIT,
    ASKED_WORST,
    BY_ALL,
    BY_CLOSED,
    BY_GROUP,
    BY_NOTHING,
    BY_NUMBER,
    BY_PENDING,
    BY_TANDEM,
    BY_WINDOW,
    GROUPED,
    KNOWN,
    STEP,
    STEP_ASKED,
    STEP_BEFORE,
    STEP_BY,
    STEP_CARRIED,
    STEP_DUE,
    STEP_GROUP,
    STEP_ORIGIN,
    STEP_TOTAL,
    STEP_UNIT,
    STEP_WHICH,
    UNBOUNDED,
)
from ddsrta_kernel.shadow import address, inline
from ddsrta_kernel.structs import System, Walk
from ddsrta_kernel.windows import examine, examine_tandem
from ddsrta_kernel.works import added


def known_of(s: System, kind: Int, which: Int, origin: Int, one: Int, other: Int) -> Known:
    """Where the bound of a window is, if that was the last to be looked for of those that share a
    place; else it has none, and is to be filled."""
    place = (which * 37 + origin * 11 + kind + one + (one >> 9) + 3 * other) & (KNOWN - 1)
    found = address(s.known[place])
    same: Bool = found.which == which and found.origin == origin and found.kind == kind
    if not same or found.one != one or found.other != other:
        found.kind = kind
        found.which = which
        found.origin = origin
        found.one = one
        found.other = other
        found.bound = -1
    return found


def window_latency(s: System, unit: Int, origin: Int, before: Int) -> Int:
    """Of a unit from the arrival of the origin, so long before its own."""
    if s.state[unit].response >= UNBOUNDED or before >= UNBOUNDED:
        return UNBOUNDED
    known = known_of(s, BY_WINDOW, unit, origin, before, 0)
    if known.bound < 0:
        w = address(s.window[0])
        is_found: Bool = examine(s, unit, origin, before, s.most_steps, w)
        known.bound = min(w.latency, UNBOUNDED) if is_found else UNBOUNDED
    return known.bound


def group_bound(w: Walk, row: Int, origin: Int, before: Int, least: Int, behind: Bool) -> Int:
    """That of a group from the arrival of the origin, or from the first one of a path behind its
    head, where that is so much later."""
    s = w.system
    kind: Int = BY_ALL if behind else BY_GROUP
    known = known_of(s, kind, w.asked[row], origin, before, least)
    if known.bound < 0:
        g = address(s.group[s.problem.groups])
        found = address(s.group_window[0])
        g.kind = w.asked[row + 1]
        g.head = w.asked[row + 2]
        g.level = w.asked[row + 3]
        g.first = w.asked[row + 4]
        g.each = w.asked[row + 5]
        g.later = w.asked[row + 6]
        g.last = w.asked[row + 7]
        g.least = least
        known.bound = UNBOUNDED
        if examine_group(s, g, origin, before, s.most_steps, found):
            bound = found.response if behind else found.latency
            known.bound = min(bound, UNBOUNDED)
    return known.bound


def tandem_latency(w: Walk, place: Int) -> Int:
    """That of the threads of a stage and the one before in tandem, from its origin on."""
    s = w.system
    here = STEP * place
    asked = w.path[here + STEP_ASKED]
    unit = w.path[here + STEP_UNIT]
    source = w.path[here - STEP + STEP_UNIT]
    early = w.path[here - STEP + STEP_BEFORE]
    late = w.path[here + STEP_BEFORE]
    origin = w.path[here + STEP_ORIGIN]
    if s.response[unit] >= UNBOUNDED or s.response[source] >= UNBOUNDED:
        return UNBOUNDED  # both windows have to end
    if s.overloaded[unit] or s.overloaded[source] or early >= UNBOUNDED or late >= UNBOUNDED:
        return UNBOUNDED
    known = known_of(s, BY_TANDEM, unit, origin, early, late)
    if known.bound < 0:
        one = address(s.window[0])
        t = address(s.tandem[0])
        t.first = address(s.window[1])
        t.last = address(s.window[2])
        t.first_unit = source
        t.last_unit = unit
        t.worst = w.asked[asked + ASKED_TANDEM]
        t.link = w.asked[asked + ASKED_LINK]
        t.first_rate = w.asked[asked + ASKED_FIRST]
        t.last_rate = w.asked[asked + ASKED_LAST]
        t.lumps = w.asked[asked + ASKED_LUMPS]
        t.early = w.asked[asked + ASKED_EARLY]
        t.feed = w.feed
        t.base = w.asked[asked + ASKED_FEED]
        t.feeds = w.asked[asked + ASKED_FEEDS]
        known.bound = UNBOUNDED
        if examine_tandem(s, t, origin, early, late, one):
            known.bound = min(max(one.latency, t.first.latency), UNBOUNDED)
    return known.bound


def place_of(w: Walk, unit: Int, last: Int) -> Int:
    """The last place of a unit on a path, up to one; -1 where it is not on it."""
    while last >= 0 and w.path[STEP * last + STEP_UNIT] != unit:
        last -= 1
    return last


def is_of_path(w: Walk, place: Int) -> Bool:
    """Whether the total of a step holds for units of the path alone, and says nothing of others
    that its origin, a junction, releases."""
    here = STEP * place
    by = w.path[here + STEP_BY]
    if w.path[here + STEP_ORIGIN] == w.start:
        return False
    if by in (BY_NUMBER, BY_CLOSED, BY_ALL):
        return True
    if by != BY_GROUP:
        return False
    head = w.asked[w.path[here + STEP_GROUP] + 2]
    if head == w.path[here + STEP_UNIT]:
        return False
    first = place_of(w, head, place - 1)
    return first < 0 or w.path[STEP * first + STEP_ORIGIN] != w.path[here + STEP_ORIGIN]


@inline
def lower(w: Walk, here: Int, by: Int, which: Int, total: Int) -> None:
    """Takes a bound of a step where it is less."""
    if total < w.path[here + STEP_TOTAL]:
        w.path[here + STEP_TOTAL] = total
        w.path[here + STEP_BY] = by
        w.path[here + STEP_WHICH] = which


def through_groups(w: Walk, place: Int) -> None:
    """The groups that the path runs through, the stage being their last."""
    s = w.system
    here = STEP * place
    asked = w.path[here + STEP_ASKED]
    row = w.asked[asked + ASKED_GROUP]
    for which in range(w.asked[asked + ASKED_GROUPS]):
        unit = w.asked[row + 2]
        head = place_of(w, unit, place)
        if head < 0:  # before the path begins
            least = s.place[w.start].best - s.place[unit].best
            total = group_bound(w, row, unit, 0, least, True)
        else:
            first = STEP * head
            origin = w.path[first + STEP_ORIGIN]
            total = group_bound(w, row, origin, w.path[first + STEP_BEFORE], 0, False)
            total = added(total, w.path[first + STEP_CARRIED])
        if total < w.path[here + STEP_TOTAL]:
            lower(w, here, BY_GROUP, which, total)
            w.path[here + STEP_GROUP] = row
        row += GROUPED


def below_ceiling(w: Walk, place: Int) -> None:
    """The closed window of the stage: from the arrival there, or from where the path last waited;
    and what bounds the stage from the event of its base, whatever window that is."""
    s = w.system
    here = STEP * place
    unit = w.path[here + STEP_UNIT]
    length = w.asked[w.path[here + STEP_ASKED] + ASKED_CEILING]
    if length < UNBOUNDED:
        arrived = w.path[here + STEP_CARRIED] + w.path[here + STEP_BEFORE]
        lower(w, here, BY_CLOSED, 1, arrived + length)
        if w.first + place > w.waited:
            lower(w, here, BY_CLOSED, w.first + place - w.waited + 1, w.arrived + length)
    if w.from_base and s.latency[unit] < UNBOUNDED and w.path[here + STEP_TOTAL] < UNBOUNDED:
        total = s.latency[unit] - s.place[w.start].best
        lower(w, here, BY_ALL, w.first + place + 1, total)


def take_step(w: Walk, place: Int) -> None:
    """The least bound of a stage that is reached."""
    s = w.system
    here = STEP * place
    unit = w.path[here + STEP_UNIT]
    asked = w.path[here + STEP_ASKED]
    origin = w.path[here + STEP_ORIGIN]
    carried = w.path[here + STEP_CARRIED]
    before = w.path[here + STEP_BEFORE]
    w.path[here + STEP_TOTAL] = UNBOUNDED
    w.path[here + STEP_BY] = BY_WINDOW
    lower(w, here, BY_WINDOW, 0, added(carried, window_latency(s, unit, origin, before)))
    through_groups(w, place)
    if w.asked[asked + ASKED_FEEDS] > w.asked[asked + ASKED_FEED] and origin != unit:
        lower(w, here, BY_TANDEM, 0, added(carried, tandem_latency(w, place)))
    response = w.asked[asked + ASKED_PENDING]
    if response < UNBOUNDED:
        lower(w, here, BY_PENDING, 0, carried + before + response)
    below_ceiling(w, place)
    if w.path[here + STEP_DUE] < UNBOUNDED:
        node = s.place[unit].node
        paced = s.latency[unit]
        if s.node[node].pace > 0 and s.node[node].late < UNBOUNDED:
            paced = s.state[unit].paced
        if paced < UNBOUNDED:
            lower(w, here, BY_NUMBER, 0, w.path[here + STEP_DUE] + paced)


def reach(w: Walk, place: Int) -> None:
    """When a stage is reached that comes after another, and continues its stream."""
    here = STEP * place
    last = here - STEP
    arrived = w.path[last + STEP_TOTAL] + w.asked[w.path[here + STEP_ASKED] + ASKED_WORST]
    w.path[here + STEP_ORIGIN] = w.path[last + STEP_ORIGIN]
    w.path[here + STEP_CARRIED] = w.path[last + STEP_CARRIED]
    w.path[here + STEP_BEFORE] = arrived - w.path[last + STEP_CARRIED]
    w.path[here + STEP_DUE] = w.path[last + STEP_DUE]
    if is_of_path(w, place - 1):
        w.path[here + STEP_ORIGIN] = w.path[here + STEP_UNIT]
        w.path[here + STEP_CARRIED] = arrived
        w.path[here + STEP_BEFORE] = 0


def end_there(w: Walk, place: Int) -> None:
    """A stage that may never be reached."""
    here = STEP * place
    w.path[here + STEP_BEFORE] = 0
    w.path[here + STEP_TOTAL] = UNBOUNDED
    w.path[here + STEP_DUE] = UNBOUNDED
    w.path[here + STEP_BY] = BY_NOTHING


def walk_on(w: Walk, place: Int, last: Int) -> None:
    """A stretch from one place to another; when its first stage is reached stands there."""
    asked: Int = 0
    for at in range(place, last):
        here = STEP * at
        w.path[here + STEP_ASKED] = asked
        w.path[here + STEP_UNIT] = w.asked[asked + ASKED_UNIT]
        if at > place and w.path[here - STEP + STEP_TOTAL] >= UNBOUNDED:
            w.path[here + STEP_ORIGIN] = w.path[here - STEP + STEP_ORIGIN]
            w.path[here + STEP_CARRIED] = w.path[here - STEP + STEP_CARRIED]
            end_there(w, at)
        elif at == place and w.path[here + STEP_BY] == BY_NOTHING:
            end_there(w, at)
        else:
            if at > place:
                reach(w, at)
            if w.first + at == w.waited:
                w.arrived = w.path[here + STEP_CARRIED] + w.path[here + STEP_BEFORE]
            take_step(w, at)
        asked += ASKED
