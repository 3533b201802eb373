"""Units that repeat what others took (lemma repeated-units): none takes longer than the first ones."""

from __future__ import annotations

import random

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check, points, repeated
from ddsrta.checker.members import Supply
from ddsrta.checker.windows import FEW, Origin, Pace
from ddsrta.examples import TWO_THREADS
from tests.checker.tampered import accepted, changed
from tests.effort import draws

FULL = TWO_THREADS.replace("period: 10ms", "period: 2224026ns")  # but for 26 ns of each
PERIODS = (600, 900, 1200, 1800)


def crowded(seed):
    """Threads on one core, which have 1 or more in 10,000 less to do than it serves. Of half of the
    systems the least urgent follows one of another core, and comes no closer than that takes; in a
    third a thread of SCHED_DEADLINE comes first."""
    rnd = random.Random(seed)
    threads, left = [], 1.0 - rnd.choice((0.0, 0.0002, 0.001, 0.01))
    if seed % 3 == 0:
        left -= 0.1
        server = "reservation: {budget: 70us, period: 700us}, wcet: 75us, period: 7ms"
        threads.append(f"  server: {{core: m/a, {server}}}\n")
    count = rnd.randint(2, 4)
    for number in range(count):
        period = 1000 * rnd.choice(PERIODS)
        part = left if number == count - 1 else left * rnd.uniform(0.2, 0.6)
        wcet, jitter = max(1, int(part * period)), rnd.choice((0, 0, 7, period // 3, 2 * period))
        left -= wcet / period
        comes = f"arrival: {{period: {period}ns, jitter: {jitter}ns}}"
        if number == count - 1 and seed % 2:
            spaced = int(rnd.uniform(0.5, 0.95) * period)
            times = f"wcet: {spaced}ns, bcet: {spaced}ns"
            threads.append(f"  before: {{core: m/b, priority: 1, {times}, {comes}}}\n")
            comes = "follows: {threads: [before]}"
        threads.append(
            f"  t{number}: {{core: m/a, priority: {9 - number}, wcet: {wcet}ns, {comes}}}\n"
        )
    return f"ddsrta: 1\nmachines: {{m: {{cores: [a, b]}}}}\nthreads:\n{''.join(threads)}"


def windows_of(claims, monkeypatch):
    """The windows of a check, before anything of them is confirmed."""
    seen = []
    kept = points.Points.add

    def add(self, key, window):
        seen.append(window)
        return kept(self, key, window)

    def at_once(self, key, make):
        waits(self, key, make)
        self.look([key])

    waits = points.Points.later
    monkeypatch.setattr(points.Points, "add", add)
    monkeypatch.setattr(points.Points, "later", at_once)
    verdict = check(claims)
    monkeypatch.undo()
    return seen, verdict


def origins(window):
    stream = window.stream
    yield Origin(stream, 1)
    yield Origin(stream.base, stream.times)
    yield Origin(Pace(stream.base.pace), stream.times)


def takes(window, origin, last):
    """The most of the first units, each looked at by itself."""
    units = range(1, last + 1)
    return max(window.finish((0, 0), unit, 0)[1] - origin.left(unit) for unit in units)


def test_no_unit_takes_longer_than_the_first_ones(monkeypatch):
    """In windows that are taken for longer ones: the lemma does not ask whether they are over."""
    shorter = 0
    for seed in range(draws(8, of=24)):
        seen, _ = windows_of(certificate(ddsrta.loads(crowded(seed))), monkeypatch)
        for window in seen:
            window.total = 40
            for origin in origins(window):
                last = repeated.enough(window, origin)
                assert takes(window, origin, last) == takes(window, origin, 40), seed
                shorter += last < 30
    assert shorter > 15


def test_of_what_reservations_take_no_rates_are_known(monkeypatch):
    seen, _ = windows_of(certificate(ddsrta.loads(crowded(0))), monkeypatch)
    late = [window for window in seen if window.relations.loads]
    assert len(late) > 1
    assert all(one.rates() is None for window in late for one in window.sums)
    seen, _ = windows_of(certificate(ddsrta.loads(FULL)), monkeypatch)
    level = seen[-1].sums[-1].rates.__self__
    assert level.rates()
    level.loads = late[0].relations.loads
    assert level.rates() is None


def test_they_are_few(monkeypatch):
    seen, verdict = windows_of(certificate(ddsrta.loads(FULL)), monkeypatch)
    (long,) = [window for window in seen if window.total > FEW]
    assert long.total > 40_000
    assert [repeated.enough(long, origin) for origin in origins(long)] == [2, 1, 1]
    assert verdict.ok and verdict.work < 50_000


def test_a_nanosecond_less_is_refuted():
    claims = certificate(ddsrta.loads(FULL))
    assert accepted(claims)
    (number,) = [n for n, one in enumerate(claims["stages"]) if one["stage"] == ["job", "control"]]
    for figure in ("response", "latency"):
        change = ("stages", number, figure), claims["stages"][number][figure] - 1
        assert not accepted(changed(claims, change))


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("cost", lambda window: [one._replace(own=one.own + 9) for one in window.sums]),
        ("rates", lambda window: [one._replace(rates=lambda: None) for one in window.sums]),
        ("work", lambda window: [one._replace(rates=lambda: [(9, 9)]) for one in window.sums]),
        ("long", lambda window: [one._replace(rates=lambda: [(2**89 - 1, 1)]) for one in window.sums]),
    ],
)  # fmt: skip
def test_all_are_looked_at_where_they_may_not_repeat(what, value, monkeypatch):
    seen, _ = windows_of(certificate(ddsrta.loads(FULL)), monkeypatch)
    (long,) = [window for window in seen if window.total > FEW]
    long.sums = value(long)
    if what == "cost":  # 26 ns are left of each period
        assert repeated.enough(long, Origin(long.stream, 1)) < long.total
        long.sums = [one._replace(own=one.own + 18) for one in long.sums]
    assert repeated.enough(long, Origin(long.stream, 1)) == long.total


@pytest.mark.parametrize(
    ("what", "value"),
    [("own", Supply(1, 2, 2)), ("alternates", [1]), ("precedes", [1]), ("moves", True), ("threads", 2)],
)  # fmt: skip
def test_only_what_preempts_on_a_whole_core_repeats(what, value, monkeypatch):
    seen, _ = windows_of(certificate(ddsrta.loads(FULL)), monkeypatch)
    (long,) = [window for window in seen if window.total > FEW]
    setattr(long.relations, what, value)
    assert repeated.enough(long, Origin(long.stream, 1)) == long.total


def test_rounds_of_one_message_do_not_repeat(monkeypatch):
    seen, _ = windows_of(certificate(ddsrta.loads(FULL)), monkeypatch)
    (long,) = [window for window in seen if window.total > FEW]
    long.rounds = 1
    assert repeated.enough(long, Origin(long.stream, 1)) == long.total


def test_of_many_units_one_that_closes_is_soon_found():
    """Nobody claims where windows end: not each unit is looked at until one is done in time."""
    systems = [FULL, *map(crowded, range(draws(4, of=12)))]
    found = [check(certificate(ddsrta.loads(text))) for text in systems]
    assert all(verdict.ok for verdict in found)
    assert max(verdict.work for verdict in found) < 400_000
    assert found[0].work < 30_000  # with a step from unit to unit it was 510,000
