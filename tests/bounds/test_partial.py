"""What a limit of time leaves is no less than what there is without one: the whole analysis asks
for whatever a part of it may ask for."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import ddsrta
from ddsrta.base import watch
from ddsrta.base.watch import Watch
from ddsrta.bounds.assemble import present
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.result import Result
from ddsrta.bounds.solve import solve
from ddsrta.models.system import System
from tests.bounds.test_time_limit import Clock
from tests.soundness.beside import beside_system
from tests.soundness.draw import drawn
from tests.soundness.limited import limited_system

# Of these, whole analyses once asked for no closed window of some paths, and parts did.
ONCE_MORE = [
    ("pools", 60052), ("pools", 60066), ("pools", 60190), ("pools", 60262),
    ("moving", 60011), ("moving", 60064), ("moving", 60183), ("moving", 60258),
]  # fmt: skip
KINDS = "focused", "ros2", "any", "chains", "shared", "synchronized", "timers", "sets", "joined"
SEEDS = {"chains": (*range(4), 6)}  # of others 0 to 2
CUTS = 4
BOUNDS = (
    "latency", "trigger_latency", "data_age", "reaction_time", "wcrt", "ddl", "sent", "response",
    "publisher_wcrt", "flow_controller", "listener", "network", "disparity", "gap", "backlog",
)  # fmt: skip


def bounds_in(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, int | None]]:
    """All bounds of a document, by where they stand."""
    items = enumerate(value) if isinstance(value, list) else value.items()
    for key, one in items:
        if isinstance(one, dict | list):
            yield from bounds_in(one, (*place, key))
        elif key in BOUNDS:
            yield (*place, key), one


def solved(system: System) -> Result:
    return present(solve(system, watch=Watch(1)), Refinements.all())


def parts_of(clock: Clock, system: System, seed: int) -> Iterator[tuple[Any, int, int]]:
    """Bounds that parts of an analysis have, and the whole has not, or less: where, and both."""
    clock.looks, clock.last = 0, 10**9
    whole = dict(bounds_in(solved(system).to_dict()))
    looks = clock.looks
    random = Random(f"parts {seed}")
    for last in {1, *(random.randint(1, looks) for _ in range(CUTS))}:
        clock.looks, clock.last = 0, last
        for place, part in bounds_in(solved(system).to_dict()):
            least = whole[place]
            if part is not None and (least is None or part < least):
                yield place, part, least


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(watch, "monotonic", made)
    return made


@pytest.mark.parametrize(("kind", "seed"), ONCE_MORE)
def test_where_threads_share_sets_of_cores_the_whole_asks_for_closed_windows(kind, seed, clock):
    system = drawn(seed, kind)
    assert not list(parts_of(clock, system, seed))
    check = ddsrta.analyze(system).check
    assert check is not None and (check.status, check.without) == ("confirmed", ())


@pytest.mark.usefixtures("soon_over")
@pytest.mark.parametrize("kind", KINDS)
def test_no_part_of_an_analysis_has_a_lower_bound(kind, clock):
    for seed in SEEDS.get(kind, range(3)):
        assert not list(parts_of(clock, drawn(seed, kind), seed)), seed


@pytest.mark.parametrize("system_of", [beside_system, limited_system])
def test_nor_beside_circles_and_limits(system_of, clock):
    for seed in (3, 94):
        assert not list(parts_of(clock, system_of(seed), seed)), seed
