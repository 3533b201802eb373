"""The busy window of one unit (lemma busy-window): its own, or that of its level."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.curves import node_count, unit_distance
from ddsrta_kernel.openers import next_opener, opens_at_once, own_by
from ddsrta_kernel.problem import FEW, PREEMPTS, UNBOUNDED
from ddsrta_kernel.searches import (
    find_finish,
    find_length,
    find_start,
    gives_up,
    left,
    left_by,
    next_arrival,
    prepare,
    with_started,
)
from ddsrta_kernel.shadow import inline, saturated_product
from ddsrta_kernel.structs import System, Tandem, Window
from ddsrta_kernel.tandem import are_held, finished_last, held_back, next_held, own_there
from ddsrta_kernel.values import Served, Work
from ddsrta_kernel.works import (
    added,
    all_ahead,
    extra_work,
    preempting,
    service_time,
    with_own,
)


@inline
def due(w: Window, index: Int, arrival: Int) -> Int:
    """When a unit is due at the pace of its node, if the first is as the window opens; no sooner
    than it arrives."""
    time = saturated_product((index - 1) // w.ratio, w.pace, UNBOUNDED)
    return max(time, arrival)


def in_turn(w: Window) -> Int:
    """How many rounds of a message come one after the other to a window, and nothing else of its
    stage; 0: others may (lemma rounds-in-turn)."""
    s, p = w.system, w.system.problem
    most = p.rounds[w.unit] if p.rounds else 0
    if most == 0 or w.mixes:
        return 0
    window = added(added(w.length, s.place[w.unit].before), p.around[w.unit])
    if window >= UNBOUNDED or node_count(s, p.circle[w.unit], window) > most + 1:
        return 0
    return most


@inline
def gone(w: Window, index: Int) -> Int:
    """How long after the opening a unit comes, and left its origin, at least: what its rounds
    before it had done by then."""
    rounds = min(index - 1, w.rounds)
    return (rounds - 1) * w.cost + w.system.problem.leaves[w.unit] if rounds > 0 else 0


def kept_open(w: Window, index: Int, arrival: Int, start: Int, finish: Int) -> Int:
    """When all is done that the unit brings to more urgent threads of its supply, or -1 (lemma
    kept-open): what comes just when the unit is done counts, but by its root as it is counted."""
    own = w.system.unit[w.unit]
    others = Work(extra_work(w), extra_work(w)) if w.is_own else all_ahead(w, arrival)
    fixed = with_started(w, with_own(w, others, index - 1), index, start)
    brought = own.loaded - own.cost - w.burden if w.above >= 0 else 0  # as the unit is done
    while True:
        work = added(fixed.plain, preempting(w, finish + 1, False))
        if w.above >= 0:
            loaded = added(fixed.loaded, preempting(w, finish, True))
            work = min(work, added(loaded, brought))
        later = service_time(w, work)
        if gives_up(w, later):
            return -1
        if later <= finish:
            return finish
        finish = later


@inline
def later(time: Int, delay: Int) -> Int:
    """A time after a delay; what is unbounded stays so."""
    return time if time >= UNBOUNDED else added(time, delay)


@inline
def most_latency(s: System, unit: Int) -> Int:
    """No more than by its ceilings."""
    latest = later(s.place[unit].before, s.problem.ceiling[unit])
    return min(latest, s.problem.latest[unit])


def is_enough(w: Window) -> Bool:
    """Whether it is known to be more than its ceilings: while these rise, no more is asked for."""
    s, p = w.system, w.system.problem
    if not s.flow[0].rises or (p.rounds and p.rounds[w.unit] > 0):
        return False
    latest = most_latency(s, w.unit)
    enough: Bool = w.response >= p.ceiling[w.unit] and w.latency >= latest
    return enough and (w.pace == 0 or added(s.place[w.unit].paced, w.paced) >= latest)


def record(w: Window, index: Int, arrival: Int, start: Int, finish: Int, since: Int) -> None:
    alone = finish
    later: Int = 0
    if w.in_tandem and w.tandem.keeps_open:
        finish = kept_open(w, index, arrival, start, finish)
        if finish < 0:
            w.tandem.failed = True
            return
    elif w.in_tandem:
        later = finished_last(w, index, arrival, start, finish)
        if later < 0:
            return
        finish += later + w.tandem.link - w.tandem.saved
    if w.pace > 0:
        w.paced = max(w.paced, finish - due(w, index, 0 if w.is_own else arrival))
    since = max(since, w.floor, gone(w, index))
    if finish - since + w.before > w.latency:
        if w.in_tandem:
            w.tandem.first_finish = alone
            w.tandem.last_finish = later
        w.latency = finish - since + w.before
        w.index = index
        w.opened_by = w.opened
        w.arrival = arrival
        w.start = start
        w.finish = finish


def first_finish(w: Window) -> Int:
    """No more than F(1), where its search begins: the unit, and one of each that preempts it and
    comes in every window."""
    s = w.system
    finish = w.cost
    if w.above >= 0:  # where joined work may be less
        return finish
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind == PREEMPTS:
            finish += s.once[s.relation[r].last] - s.once[s.relation[r].first]
    return finish


def own_window(w: Window) -> Bool:
    """The window that opens with the unit's own first arrival; False where it gives up."""
    s = w.system
    index: Int = 1
    start: Int = 0
    finish = first_finish(w)
    while True:
        ahead = with_own(w, Work(extra_work(w), extra_work(w)), index - 1)
        if w.asks_start:
            start = find_start(w, ahead, index, start)
            if start < 0:
                return False
            finish = max(finish, start + w.cost)
        finish = find_finish(w, ahead, index, start, finish)
        if finish < 0:
            return False
        arrival = unit_distance(s, w.unit, index)
        w.response = max(w.response, finish - max(arrival, gone(w, index)))
        record(w, index, arrival, start, finish, left(w, index))
        if is_enough(w) or finish + w.more <= unit_distance(s, w.unit, index + 1):
            w.length = finish
            return True
        index += 1
        finish += 0 if w.mixes else w.cost


def served(w: Window, ahead: Work, index: Int, since: Served) -> Served:
    """S(q, A) and F(q, A), no sooner than those of a unit before; -1 where it gives up."""
    start = since.start
    if w.asks_start:
        start = find_start(w, ahead, index, start)
    if start < 0:
        return Served(-1, -1)
    finish = max(since.finish, start + w.cost)
    return Served(start, find_finish(w, ahead, index, start, finish))


@inline
def adds_nothing(w: Window, left: Int, since: Int, finish: Int) -> Bool:
    """Whether no unit that left its origin since then, was due since then, and is done by then, has
    more latency."""
    if w.in_tandem or finish < 0:
        return False
    if w.pace > 0 and finish - since > w.paced and finish - since >= w.high_paced:
        return False
    latency = finish - max(left, w.floor) + w.before
    return latency <= w.latency or latency < w.high_latency


def first_index(w: Window, arrival: Int) -> Int:
    """Of the units that may have arrived by A, the last that may have left its origin as early, and
    that may be due as early."""
    last = own_by(w, arrival)
    first = min(left_by(w, arrival), last)
    if w.pace > 0:
        events = saturated_product(arrival // w.pace + 1, w.ratio, UNBOUNDED)
        first = min(first, events)
    return max(first, 1)


def there_by(w: Window, arrival: Int) -> Work:
    """What is ahead of ours in the window, if it comes at A."""
    ahead = all_ahead(w, arrival)
    if not w.held:
        return ahead
    plain = ahead.plain
    loaded = ahead.loaded
    if plain < UNBOUNDED:
        plain -= held_back(w, arrival, False)
    if w.above >= 0 and loaded < UNBOUNDED:
        loaded -= held_back(w, arrival, True)
    return Work(plain, loaded)


def next_look(w: Window, arrival: Int) -> Int:
    """The next arrival by which more may be there."""
    soonest = next_arrival(w, arrival)
    return min(soonest, next_held(w, arrival)) if w.held else soonest


def units_window(w: Window, arrival: Int, since: Served) -> Served:
    """All units that may arrive at A; returns when the first of them is served, -1: gives up.

    Where one that is served later would add nothing, had it left as early as the next one, those
    before it need no look: twice as many are tried then, and fewer where it would.
    """
    others = there_by(w, arrival)
    last = own_there(w, arrival)
    first = min(first_index(w, arrival), last)
    index = first
    width: Int = 0
    now = since
    while index <= last:
        far = min(index + width, last)
        if far > index:
            later = served(w, with_own(w, others, far - 1), far, now)
            if adds_nothing(w, left(w, index), due(w, index, arrival), later.finish):
                now = later
                index = far + 1
                width *= 2
                continue
            width //= 4
        now = served(w, with_own(w, others, index - 1), index, now)
        if now.finish < 0:
            return now
        if index == first:
            since = now
        record(w, index, arrival, now.start, now.finish, max(left(w, index), arrival))
        index += 1
        width = max(width, 1)
    w.response = max(w.response, now.finish - max(arrival, gone(w, last)))
    return since


def last_served(w: Window, arrival: Int, since: Served) -> Int:
    """F of the last unit that may arrive by then, or -1."""
    w.now = arrival
    index = max(own_by(w, arrival), 1)
    return served(w, with_own(w, there_by(w, arrival), index - 1), index, since).finish


def look_ahead(w: Window, now: Int, since: Served) -> None:
    """What some later units have, so that those which have less need no look: in a burst each has
    more than the one before it."""
    arrival = w.length // 2
    while arrival > now:
        finish = last_served(w, arrival, since)
        index = min(first_index(w, arrival), own_there(w, arrival))  # what no unit has says nothing
        first = served(w, with_own(w, there_by(w, arrival), index - 1), index, since).finish
        if finish < 0 or first < 0:
            return
        last = max(own_by(w, arrival), 1)
        w.high_response = max(w.high_response, finish - max(arrival, gone(w, last)))
        since_then = max(left(w, index), arrival, w.floor, gone(w, index))
        w.high_latency = max(w.high_latency, first - since_then + w.before)
        if w.pace > 0:
            w.high_paced = max(w.high_paced, first - due(w, index, arrival))
        arrival //= 2


def level_window(w: Window) -> Bool:
    """The window of the unit's level: every arrival in it is a candidate, but those of which the
    last would add nothing had it come first; False: gives up."""
    if not find_length(w):
        return False
    w.rounds = in_turn(w)
    while True:  # whoever opened it
        if not all_arrivals(w):
            return False
        if is_enough(w) or not next_opener(w):
            return True
        w.steps = 0  # of each, or more of them might be given up than of all together


def all_arrivals(w: Window) -> Bool:
    """The same of one such window."""
    arrival: Int = 0
    width: Int = 0
    looks: Int = 0
    since = Served(0, 0)
    while arrival < w.length:
        far = min(arrival + width, w.length - 1)
        if far > arrival:
            finish = last_served(w, far, since)
            response = finish - arrival
            if (response <= w.response or response < w.high_response) and adds_nothing(
                w, arrival, arrival, finish
            ):
                arrival = next_look(w, far)
                width *= 2
                continue
            width //= 4
        w.now = arrival
        since = units_window(w, arrival, since)
        if since.finish < 0:
            return False
        if is_enough(w) or opens_at_once(w):
            return True
        looks += 1
        if looks == FEW:
            look_ahead(w, arrival, since)
        far = arrival
        arrival = next_look(w, arrival)
        width = max(width, arrival - far)
    return True


@inline
def search(w: Window) -> Bool:
    """Both bounds; False where it gives up."""
    if not w.is_own:
        return level_window(w)
    if not own_window(w):
        return False
    w.rounds = in_turn(w)
    if w.rounds == 0:
        return True
    w.response = w.latency = -1
    return own_window(w)


def examine(s: System, unit: Int, origin: Int, before: Int, most_steps: Int, w: Window) -> Bool:
    """Both bounds of a unit; False where it gives up."""
    prepare(s, unit, origin, before, most_steps, w)
    return search(w)


def open_before(s: System, t: Tandem, origin: Int, early: Int, late: Int, one: Window) -> Bool:
    """Where the window of the last thread opened before the unit came to the first: with what that
    has yet to serve not there (lemma held-back), if that does not take too long."""
    one.tandem = t
    for tried in range(2):
        prepare(s, t.last_unit, origin, late, s.most_steps, one)
        one.floor = max(0, late - early - t.link)
        one.held = tried == 0 and are_held(one)
        if (one.held or tried == 1) and search(one):
            if one.held:  # it is done no sooner than it comes
                one.latency = max(one.latency, late)
            return True
    return False


def examine_tandem(s: System, t: Tandem, origin: Int, early: Int, late: Int, one: Window) -> Bool:
    """Two threads in tandem (lemma tandem-window), where the window of the last opened before the
    unit came to the first, and where later; or on one supply, in one window (lemma kept-open).
    False where either gives up."""
    t.keeps_open = t.first_rate == 0
    prepare(s, t.first_unit, origin, early, s.most_steps, t.first)
    if t.keeps_open:
        prepare(s, t.last_unit, origin, late, s.most_steps, one)
        one.latency = 0  # there is no other window
    elif not open_before(s, t, origin, early, late, one):
        return False
    prepare(s, t.last_unit, origin, late, s.most_steps, t.last)
    t.first.tandem = t
    t.first.in_tandem = True
    t.failed = False
    t.first_finish = t.last_finish = 0
    if not search(t.first) or t.failed:
        return False
    return one.latency < UNBOUNDED and t.first.latency < UNBOUNDED
