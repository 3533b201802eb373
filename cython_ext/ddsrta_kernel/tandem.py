"""Two threads in tandem: a burst is paid once (lemmas tandem-window and copies-in-tandem), and what
is silent meanwhile is not paid (lemma silent-senders)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.behind import tells_apart
from ddsrta_kernel.curves import next_unit, unit_count
from ddsrta_kernel.openers import brought_at_most, by_curve, next_opener, own_by, see_openers
from ddsrta_kernel.parts import unit_work
from ddsrta_kernel.problem import (
    AHEAD,
    ALTERNATES,
    BLOCKS,
    COPIES,
    FEED,
    HELD,
    LINGERS,
    OVERTAKES,
    PER_RATE,
    PRECEDES,
    PREEMPTS,
    SLACK,
    SOURCE,
    TARGET,
    TIMES,
    UNBOUNDED,
)
from ddsrta_kernel.searches import find_finish, find_start
from ddsrta_kernel.shadow import inline, saturated_product
from ddsrta_kernel.structs import Tandem, Window
from ddsrta_kernel.values import Work
from ddsrta_kernel.works import (
    added,
    earlier_units,
    with_own,
    work_ahead,
)


def relation_to(w: Window, other: Int) -> Int:
    """The relation of another unit; -1: none."""
    relation = w.system.relation
    kind: Int = -1
    for r in range(w.first_relation, w.last_relation):
        if relation[r].first <= other < relation[r].last and (kind < 0 or relation[r].kind < kind):
            kind = relation[r].kind
    return kind


def arrived(w: Window, source: Int, arrival: Int) -> Int:
    """How many units of what is ahead may have come by A."""
    return min(by_curve(w, source, arrival), brought_at_most(w, source))


def counted(w: Window, source: Int, kind: Int, index: Int, arrival: Int, start: Int) -> Int:
    """How many units of a source the window of the first thread counts."""
    s = w.system
    if source == w.unit:
        return index
    if kind == OVERTAKES:
        return min(unit_count(s, source, start + 1), brought_at_most(w, source))
    if kind in (ALTERNATES, PRECEDES):
        count = unit_count(s, source, start + s.state[source].response)
        count = min(count, index + 1 if kind == PRECEDES else index)
        for i in range(s.problem.effect_start[w.unit], s.problem.effect_start[w.unit + 1]):
            if s.problem.effect_unit[i] == source:
                count = min(count, earlier_units(w, source, index))
        return count
    return arrived(w, source, arrival) if kind == AHEAD else 0


@inline
def in_time(work: Int, rate: Int) -> Int:
    """How much earlier a window is over without some work, in the long run."""
    return saturated_product(work, rate, UNBOUNDED) // PER_RATE


@inline
def remove_work(t: Tandem, unit: Int, count: Int) -> None:
    """So many units do not reach the last thread."""
    s = t.last.system
    t.less = added(t.less, unit_work(s, unit, count, False))
    if t.last.above >= 0:
        t.less_loaded = added(t.less_loaded, unit_work(s, unit, count, True))


def block(x: Window, first: Int, last: Int, reach: Int) -> None:
    """Of all units that block at the first thread, one comes."""
    t = x.tandem
    z = t.last
    s = x.system
    plain: Int = 0
    loaded: Int = 0
    for row in range(first, last):
        i = FEED * row
        target = t.feed[i + TARGET]
        if target != z.unit and (t.feed[i + SLACK] >= 0 or relation_to(z, target) != AHEAD):
            continue
        arriving = arrived(z, target, reach - 1)
        remove_work(t, target, arriving)
        if arriving:
            plain = added(plain, unit_work(s, target, t.feed[i + TIMES], False))
            if z.above >= 0:
                loaded = added(loaded, unit_work(s, target, t.feed[i + TIMES], True))
    t.blockers = max(t.blockers, plain)
    t.blockers_loaded = max(t.blockers_loaded, loaded)


@inline
def is_beside(t: Tandem, row: Int) -> Bool:
    """Whether another thread of the first core brings it (lemma silent-senders)."""
    return t.feed[FEED * row + TIMES] == 0


def silence(x: Window, first: Int, last: Int, reach: Int) -> None:
    """What never runs while ours is at the first thread comes before that, or behind ours."""
    t = x.tandem
    if x.overlaps or x.mixes or tells_apart(x.system, x.unit):
        return
    for row in range(first, last):
        target = t.feed[FEED * row + TARGET]
        if relation_to(t.last, target) == AHEAD:
            remove_work(t, target, arrived(t.last, target, reach - 1))


def come_last(t: Tandem, cost: Int, last: Int, units: Int) -> None:
    """Our own unit comes behind all others. Rates are rounded down."""
    rate = t.last_rate + 1 if t.last_rate > PER_RATE else t.last_rate
    longer = saturated_product(cost, t.first_rate, UNBOUNDED)
    longer -= saturated_product(last, rate, UNBOUNDED)
    t.behind = max(0, cost - last)
    t.behind_rated = max(0, longer) // PER_RATE
    if units > 0:
        t.before -= last
        t.before_rated -= in_time(last, t.last_rate)


def share(x: Window, first: Int, last: Int, reach: Int, have: Int, kind: Int, finish: Int) -> None:
    """Adds up what the feeds of one source save, and what at most by one unit, once for each of its
    copies (lemma copies-in-tandem) and once for all together."""
    t = x.tandem
    z = t.last
    s = x.system
    source = t.feed[FEED * first + SOURCE]
    units: Int = -1
    cost: Int = 0
    keeps: Bool = True
    apart = t.feed[FEED * first + COPIES]
    for row in range(first, last):
        i = FEED * row
        target = t.feed[i + TARGET]
        times = t.feed[i + TIMES]
        own: Bool = target == z.unit
        in_order: Bool = own or t.feed[i + SLACK] < 0
        in_turn: Bool = kind in (ALTERNATES, PRECEDES)
        if (not own and relation_to(z, target) != AHEAD) or (in_turn and not in_order):
            apart = 0
            continue
        arriving = unit_count(s, target, reach) if own else arrived(z, target, reach - 1)
        extra: Int = 0
        if not in_order:
            keeps = False
            extra = max(0, unit_count(s, source, finish + t.feed[i + SLACK] + 1) - have)
        most = min(saturated_product(times, added(have, extra), UNBOUNDED), arriving)
        if own:
            t.units = most
        else:
            remove_work(t, target, arriving - most)
        paid = max(0, most // times - extra)
        if units < 0 or paid < units:
            units = paid
        cost = added(cost, unit_work(s, target, times, False))
    whole = s.unit[source].cost
    if source == x.unit:
        come_last(t, whole, cost, units)
        t.apart = apart if units > 0 else 0
    if units <= 0:
        return
    rated = min(in_time(cost, t.last_rate), in_time(whole, t.first_rate))
    t.rated += units * rated
    t.longest = max(t.longest, rated)
    if keeps or source == x.unit:
        t.before += units * cost
        t.before_rated += units * in_time(cost, t.last_rate)
    else:  # one may come out of order, and be on the last thread alone
        t.before += units * min(cost, whole)
        t.before_rated += units * rated
    cost = min(cost, whole)
    t.saved += units * cost
    t.one = max(t.one, cost)
    t.one_apart = max(t.one_apart, cost - apart)


def share_all(x: Window, reach: Int, index: Int, arrival: Int, start: Int, finish: Int) -> None:
    """What both threads share, source by source."""
    t = x.tandem
    first = t.base
    t.saved = t.rated = t.longest = t.one = t.one_apart = t.apart = 0
    t.before = t.before_rated = t.behind = t.behind_rated = 0
    t.units = 1
    t.less = t.less_loaded = t.blockers = t.blockers_loaded = 0
    while first < t.feeds:
        source = t.feed[FEED * first + SOURCE]
        last = first + 1
        while last < t.feeds and t.feed[FEED * last + SOURCE] == source:
            last += 1
        kind = AHEAD if source == x.unit else relation_to(x, source)
        if is_beside(t, first):
            if kind < 0:
                silence(x, first, last, reach)
        elif kind == BLOCKS:
            block(x, first, last, reach)
        elif kind >= 0 and kind not in (PREEMPTS, LINGERS):
            have = counted(x, source, kind, index, arrival, start)
            share(x, first, last, reach, have, kind, finish)
        first = last
    # what blocks is served before all others
    plain = t.saved - max(0, t.one - t.blockers)
    apart = t.saved - max(0, t.one_apart - t.blockers)
    rated = t.rated - t.lumps - max(0, t.longest - t.blockers)
    if t.early >= 0:
        before = t.before + t.blockers
        plain = min(plain + t.behind, before + t.early)
        apart = min(apart + t.behind, before + t.apart)
        before = t.before_rated + t.blockers - t.lumps
        rated = min(rated + t.behind_rated, before + t.early)
    t.saved = max(plain, apart, rated)


def finished_at_last(t: Tandem, reach: Int) -> Int:
    """The same of one window of the last thread."""
    z = t.last
    plain: Int = 0
    loaded: Int = 0
    begun: Int = 0
    if not z.is_own:
        plain = work_ahead(z, reach - 1, False)
        if plain < UNBOUNDED:
            plain += t.blockers - t.less
        if z.above >= 0:
            loaded = work_ahead(z, reach - 1, True)
            if loaded < UNBOUNDED:
                loaded += t.blockers_loaded - t.less_loaded
    ahead = with_own(z, Work(plain, loaded), t.units - 1)
    if z.asks_start:
        begun = find_start(z, ahead, t.units, 0)
    return begun if begun < 0 else find_finish(z, ahead, t.units, begun, begun + z.cost)


def finished_last(x: Window, index: Int, arrival: Int, start: Int, finish: Int) -> Int:
    """When the last thread is done after its window opened, or -1; sets what both share."""
    t = x.tandem
    z = t.last
    latest: Int = 0
    reach = max(1, finish + t.worst - arrival - t.link)
    share_all(x, reach, index, arrival, start, finish)
    see_openers(z)
    steps = z.steps
    while True:  # whoever opened the window of the last
        z.steps = steps
        found = finished_at_last(t, reach)
        latest = max(latest, found)
        t.failed = t.failed or found < 0
        if t.failed:
            return -1
        if not next_opener(z):
            return latest


def let_by(t: Tandem, row: Int) -> Int:
    """How many units of a feed may come to the last thread between ours coming to the first and to
    the last (lemma held-back); but for the one that blocks."""
    x = t.first
    s = x.system
    i = FEED * row
    source = t.feed[i + SOURCE]
    in_order: Bool = t.feed[i + SLACK] < 0 or t.feed[i + TARGET] == t.last_unit
    kind = AHEAD if source == x.unit else relation_to(x, source)
    window = s.state[source].response
    if is_beside(t, row):
        return 0 if kind < 0 else UNBOUNDED
    if not in_order or kind not in (AHEAD, OVERTAKES, ALTERNATES, PRECEDES, BLOCKS):
        kind = -1
        window = added(window, t.worst - t.link + max(0, t.feed[i + SLACK]))
    if kind == BLOCKS:
        return 0
    if kind != AHEAD:
        window = added(window, s.state[x.unit].response)
    if window >= UNBOUNDED:
        return UNBOUNDED
    count = unit_count(s, source, window)
    if kind in (ALTERNATES, PRECEDES):
        count = min(count, unit_count(s, x.unit, s.state[x.unit].response) + 1)
    return saturated_product(t.feed[i + TIMES], count, UNBOUNDED)


def are_held(w: Window) -> Bool:
    """Whether a window of the last thread counts less of what the first still has."""
    t = w.tandem
    x = t.first
    if not w.system.problem.held_back or t.keeps_open or w.is_own or w.overlaps or w.mixes:
        return False
    if x.overlaps or x.mixes or tells_apart(w.system, x.unit) or tells_apart(w.system, w.unit):
        return False
    return t.feeds - t.base <= HELD and w.system.state[x.unit].response < UNBOUNDED


def there_before(w: Window, row: Int, arrival: Int) -> Int:
    """How many units of a feed came before ours came to the first thread, if it comes at A."""
    since = max(0, arrival - w.floor)
    return unit_count(w.system, w.tandem.feed[FEED * row + TARGET], since + 1)


def own_there(w: Window, arrival: Int) -> Int:
    """How many of its own may have come by A."""
    most = own_by(w, arrival)
    if not w.held:
        return most
    t = w.tandem
    for row in range(t.base, t.feeds):
        if t.feed[FEED * row + TARGET] == w.unit:
            most = min(most, added(there_before(w, row, arrival), let_by(t, row)))
    return most


def held_back(w: Window, arrival: Int, loaded: Bool) -> Int:
    """The work that curves let come by A, but that comes after ours."""
    t = w.tandem
    s = w.system
    total: Int = 0
    blocked: Int = 0
    once: Int = 0
    one: Int = 0
    last: Int = -1
    for row in range(t.base, t.feeds):
        i = FEED * row
        source = t.feed[i + SOURCE]
        target = t.feed[i + TARGET]
        if target == w.unit or relation_to(w, target) != AHEAD:
            continue
        before = added(there_before(w, row, arrival), let_by(t, row))
        more = max(0, arrived(w, target, arrival) - before)
        work = unit_work(s, target, more, loaded)
        if (
            t.feed[i + SLACK] < 0
            and source != t.first_unit
            and relation_to(t.first, source) == BLOCKS
        ):
            one = 0 if source != last else one
            last = source
            one = added(one, unit_work(s, target, t.feed[i + TIMES], loaded))
            once = max(once, one)
            blocked = added(blocked, work)
        else:
            total = added(total, work)
    return added(total, max(0, blocked - once))


def next_held(w: Window, arrival: Int) -> Int:
    """The next step of what came before ours came to the first thread."""
    t = w.tandem
    soonest: Int = UNBOUNDED
    since = max(0, arrival - w.floor)
    for row in range(t.base, t.feeds):
        soonest = min(soonest, next_unit(w.system, t.feed[FEED * row + TARGET], since))
    return added(soonest, w.floor)
