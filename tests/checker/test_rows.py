"""Units of a window that need no look (lemma skipped-units): the same is found as of all of them."""

import random
from itertools import accumulate

import pytest

from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check, points
from ddsrta.checker.levels import Row
from ddsrta.checker.reading import MOST
from ddsrta.checker.windows import Origin
from tests.checker.varied import varied_system
from tests.soundness.draw import drawn


class Steps(Row):
    """Finishes and departures that grow in steps; it counts the looks."""

    def __init__(self, rnd, size, often):
        steps = (rnd.choice((0,) * often + (1, 7, 30)) for _ in range(size))
        self.ends = list(accumulate(steps, initial=rnd.randrange(40)))
        leaves = (rnd.choice((0, 1, 1, 2, 9)) for _ in range(size))
        self.leaves = list(accumulate(leaves, initial=0))
        self.first, self.last, self.looks = 0, size, 0

    def left(self, at):
        return self.leaves[at]

    def finish(self, begin, end, latest):
        self.looks += 1
        return self.ends[end]

    def took(self):
        return [end - left for end, left in zip(self.ends, self.leaves, strict=True)]


@pytest.mark.parametrize("seed", range(60))
def test_the_most_of_a_row_is_that_of_each_of_it(seed):
    rnd = random.Random(seed)
    row = Steps(rnd, rnd.choice((0, 1, 5, 60, 400)), rnd.choice((1, 3, 9)))
    most = max(row.took())
    assert row.most() == most
    assert row.above(most, most)[0] == most
    over, at = row.above(most - 1, most - 1)
    assert over == row.took()[at] == most
    assert row.above(most + 5, MOST)[0] == most + 5


def test_many_that_are_early_take_few_looks():
    row = Steps(random.Random(1), 100_000, 9)
    row.ends = [left + 3 for left in row.leaves]
    row.ends[60_000:] = [end + 20 for end in row.ends[60_000:]]
    assert row.above(5_000, 5_000) == (5_000, 0)
    assert row.looks < 200


def looked_at(window, origin, floor):
    """All arrivals and units of a window, one by one."""
    if window.relations.is_own:
        for unit in range(1, window.total + 1):
            yield window.finish((0, 0), unit, 0)[1] - max(origin.left(unit), floor)
        return
    times = {0}
    own, given = window.stream, window.sums[0]
    streams = [(one.stream, 0) for one in given.ahead] + [(own, 0)]
    streams += [(one.stream, one.ahead) for one in given.due]
    for term in given.ahead:
        if term.later:
            streams.append((term.later.job.base, term.later.shift))
    if given.crowd and given.crowd.itself:
        streams.append((own, given.crowd.itself.response - 1))
    for stream, sooner in streams:
        step = stream.least(1)
        while step - sooner < window.length:
            times.add(max(0, step - sooner))
            step = stream.least(stream.most(step + 1) + 1)
    for arrival in times:
        for unit in range(1, own.most(arrival + 1) + 1):
            finish = window.finish((0, 0), unit, arrival)[1]
            yield finish - max(arrival, origin.left(unit), floor)


@pytest.mark.parametrize(("kind", "seed"), [
    *(("varied", seed) for seed in range(6)),
    *((kind, seed) for kind in ("small", "focused", "pools") for seed in range(3)),
])  # fmt: skip
def test_a_window_takes_what_its_units_take(kind, seed, monkeypatch):
    system = varied_system(seed, 0.3) if kind == "varied" else drawn(seed, kind)
    seen = []
    kept, waits = points.Points.add, points.Points.later

    def add(self, key, window):
        looks = kept(self, key, window)
        if window.total < 60 and window.length < 10**8:
            stream = window.stream
            for origin in (Origin(stream, 1), Origin(stream.base, stream.times)):
                for floor in (0, window.length // 3):
                    seen.append(window.row(origin, floor).most())
                    assert seen[-1] == max(looked_at(window, origin, floor))
        return looks

    def at_once(self, key, make):
        waits(self, key, make)
        self.look([key])

    monkeypatch.setattr(points.Points, "add", add)
    monkeypatch.setattr(points.Points, "later", at_once)
    assert check(certificate(system)).ok
    assert seen
