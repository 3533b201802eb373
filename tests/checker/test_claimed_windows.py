"""Certificates of systems in which threads wait for locks or limits claim windows, as waits depend
on them: each is confirmed, also where bounds are by something else."""

from __future__ import annotations

import pytest

from tests.checker.tampered import accepted, certified, changed
from tests.effort import draws
from tests.mutation.corpus import DRAWS

WAITING = [
    *(("fastdds", seed) for seed in range(203, 203 + draws(2, of=6))),
    *(("barging", seed) for seed in range(draws(1, of=3))),
]
LIMITED = [
    ("limited", seed) for seed in range(200, 200 + draws(4, of=12))
]  # some waits are more than they may be


def windows_of(certificate):
    return [
        (("stages", number, "window"), stage["window"])
        for number, stage in enumerate(certificate["stages"])
        if stage.get("window") is not None
    ]


@pytest.mark.parametrize(("kind", "seed"), [*WAITING, *LIMITED])
def test_no_window_may_be_shorter(kind, seed):
    certificate = certified(DRAWS[kind][1](seed))
    assert accepted(certificate)
    for path, window in windows_of(certificate):
        for less in {1, 0} | ({window - 1, window // 2} if kind != "limited" else set()):
            if less < window:
                assert not accepted(changed(certificate, (path, less))), (path, window, less)


def test_some_are_of_stages_that_closed_windows_bound():
    """So nothing but their waits depends on them."""
    found = [certified(DRAWS[kind][1](seed)) for kind, seed in LIMITED]
    stages = [stage for one in found for stage in one["stages"] if stage.get("closed")]
    assert sum((stage["window"] or 0) > stage["response"] for stage in stages) > 5
