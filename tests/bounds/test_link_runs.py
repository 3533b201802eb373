"""No run of a CAN bus is above its bounds, and what a bound forgets is noticed."""

from __future__ import annotations

from random import Random

import pytest

import ddsrta
from ddsrta.policies.links.can import Can
from ddsrta.policies.relation import Delay

from .link_runs import Frame, drawn, text, worst

SYSTEMS, RUNS = 25, 40


def compared() -> tuple[int, int, int]:
    """Of all frames: how many runs are above a bound, how many bounds are reached, how many there
    are."""
    above = reached = bounds = 0
    for seed in range(SYSTEMS):
        random = Random(seed)
        frames = drawn(random)
        result = ddsrta.analyze(ddsrta.loads(text(frames)), check=False)
        runs = [worst(frames, random) for _ in range(RUNS)]
        for frame in frames:
            bound = result.links["bus"].messages[f"f{frame.identifier}"].wcrt
            longest = max(run.get(frame.identifier, 0) for run in runs)
            if bound is not None:
                above += longest > bound
                reached += longest == bound
                bounds += 1
    return above, reached, bounds


def test_no_run_is_above_a_bound_and_many_reach_it():
    above, reached, bounds = compared()
    assert above == 0 and reached * 5 > bounds > 60


def _nothing_has_begun(self, settings, below):
    return self.early(settings)


def _first_come(self, sent):
    return [[r._replace(kind=Delay.AHEAD) for r in found] for found in relate(self, sent)]


relate = Can.relate


@pytest.mark.parametrize(
    ("name", "fault"), [("first", _nothing_has_begun), ("relate", _first_come)]
)
def test_runs_notice_what_a_bound_forgets(monkeypatch, name, fault):
    monkeypatch.setattr(Can, name, fault)
    assert compared()[0] > 0


def test_runs_notice_that_a_bit_is_forgotten(monkeypatch):
    """The second A comes 7 us after B could have begun, and wins."""
    frames = [Frame(1, 7, 1_007_000, 0), Frame(2, 7, 10**9, 0)]
    longest = max(worst(frames, Random(seed)).get(2, 0) for seed in range(RUNS))

    def bound():
        result = ddsrta.analyze(ddsrta.loads(text(frames)), check=False)
        return result.links["bus"].messages["f2"].wcrt

    assert longest == bound() == 3_000_000
    monkeypatch.setattr(Can, "early", lambda self, settings: 0)
    assert bound() < longest
