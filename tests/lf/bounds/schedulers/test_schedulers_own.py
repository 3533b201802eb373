"""Starts under NP and GEDF_NP: known orders, and no run of a plain simulation is later."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from ddsrta.lf.bounds.schedulers.judge import schedule
from ddsrta.lf.bounds.schedulers.within import NEVER, inherited_deadlines
from ddsrta.lf.program.federation import Host
from ddsrta.lf.program.levels import levels
from ddsrta.lf.program.reader import loads
from tests.lf.bounds.launch.test_launch_runs import draw
from tests.lf.bounds.schedulers.campaign import ORDERS, column, of_workers, with_deadlines
from tests.lf.bounds.schedulers.plain_runs import Choices, run_workers

ONE = """\
federation: 1
coordination: decentralized
hosts: {{h: }}
federates:
  f:
    host: h
    timers: {{t: {{period: 100ms}}}}
    outputs: [a, b]
    workers: {workers}
    reactions:
      srca: {{reactor: x, triggers: [t], effects: [a], wcet: 10ms, always: true}}
      srcb: {{reactor: y, triggers: [t], effects: [b], wcet: 20ms, always: true}}
      sinka: {{reactor: z, triggers: [a], wcet: 1ms, deadline: 50ms}}
      sinkb: {{reactor: w, triggers: [b], wcet: 2ms, deadline: 40ms}}
"""


def one(scheduler: str, workers: int = 1) -> dict[str, int | None]:
    report = schedule(loads(ONE.format(workers=workers)), [scheduler])  # type: ignore[list-item]
    return {name: found.lag for (_, name), found in report.columns[0].latest.items()}


def test_deadlines_are_inherited_through_ports_and_the_order_of_a_reactor() -> None:
    federate = loads(ONE.format(workers=1)).federates["f"]
    ms = 1_000_000
    assert inherited_deadlines(federate) == {
        "srca": 50 * ms, "srcb": 40 * ms, "sinka": 50 * ms, "sinkb": 40 * ms,
    }  # fmt: skip
    assert inherited_deadlines(draw(Random(1))).keys() == draw(Random(1)).reactions.keys()
    assert set(inherited_deadlines(draw(Random(1))).values()) == {NEVER}


def test_np_may_take_any_order_in_a_level() -> None:
    # Either sink may also run at once after its source.
    assert one("np") == {"sinka": 32_000_000, "sinkb": 31_000_000}


def test_gedf_np_counts_levels_before_deadlines_and_deadlines_before_levels() -> None:
    # srcb, srca, sinkb, sinka, or srcb, sinkb, srca, sinka; srca may run sinka at once.
    assert one("gedf-np") == {"sinka": 32_000_000, "sinkb": 31_000_000}


def test_more_workers_share_a_level() -> None:
    assert one("np", 4) == {"sinka": 24_500_000, "sinkb": 22_750_000}


@pytest.mark.parametrize("scheduler", ["np", "gedf-np"])
def test_no_run_starts_a_reaction_later(scheduler: str) -> None:
    compared = reached = exact = 0
    for seed in range(60):
        for key, (latest, late) in of_workers(scheduler, seed).items():
            if latest.lag is None:
                assert "more time than there is" in (latest.because or "")
                continue
            assert late <= latest.lag, (seed, key)
            compared += 1
            exact += latest.exact
            reached += latest.exact and late == latest.lag
    assert compared > 90
    assert exact > 30
    assert reached > 0.6 * exact, (reached, exact)


def test_without_choices_an_exact_start_is_that_of_the_run() -> None:
    """One reaction a level and nothing left to chance: the run of longest times is the bound."""
    for seed in range(100):
        random = Random(seed)
        federation = with_deadlines(draw(random), random)
        federate = federation.federates["f"]
        level = levels(federate)
        ordered = sorted(federate.reactions, key=level.__getitem__)
        chain = {
            name: replace(federate.reactions[name], always=True, after=tuple(ordered[:index]))
            for index, name in enumerate(ordered)
        }
        federate = replace(federate, reactions=chain, workers=1)
        federation = replace(federation, federates={"f": federate})
        latest = column(federation, "np").latest
        run = run_workers(federate, "NP", Choices(random, longest=True, chaining=False), 700)
        for (_, name), found in latest.items():
            if found.lag is not None:
                assert found.exact
                assert found.lag == run.get(name, 0), (seed, name)


@pytest.mark.parametrize("scheduler", ["np", "gedf-np", "fifo", "deadline-monotonic", "edf"])
def test_tags_that_are_not_followed_have_bounds_that_hold(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same federates where there are too many tags to follow: no figure is lower."""
    for seed in range(60):
        random = Random(seed)
        federation = with_deadlines(draw(random), random)
        host = {"h": Host("h", 1)} if scheduler not in ORDERS else federation.hosts
        one_worker = replace(federation.federates["f"], workers=1)
        federation = replace(federation, hosts=host, federates={"f": one_worker})
        followed = column(federation, scheduler).latest
        with monkeypatch.context() as patch:
            patch.setattr("ddsrta.lf.bounds.logical_time.calendar.MOST_TAGS", 0)
            bounds = column(federation, scheduler).latest
        for key, bound in bounds.items():
            lag = followed[key].lag
            assert not bound.exact
            if bound.lag is not None:
                assert lag is not None
                assert 0 <= lag <= bound.lag, (seed, key)
