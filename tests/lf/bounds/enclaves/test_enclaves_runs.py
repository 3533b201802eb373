"""Bounds of enclaves hold in runs of a model of the runtime, and many are reached."""

from __future__ import annotations

import pytest

from ddsrta.lf.bounds.enclaves.contention import Shared, shared
from ddsrta.lf.bounds.enclaves.lags import Program
from ddsrta.lf.bounds.enclaves.split import Split, split
from ddsrta.lf.run.simulation.enclaves import simulate
from ddsrta.lf.run.simulation.seen import Seen
from tests.effort import draws
from tests.lf.bounds.enclaves.random_programs import system

MS = 1_000_000
LONGEST = (1, 0.7, 0.3)
# These showed that a tag behind an `after` is asked for even by those with one enclave upstream
# (7), and that late questions, answers of busy enclaves and shared cores add up (0, 27).
REMEMBERED = (0, 7, 27)
# In these, questions go round a circle of microsteps for a very long time.
CIRCLES = (10, 118, 509)


def bounds(seed: int) -> tuple[Split, Shared]:
    cut = split(system(seed))
    return cut, shared(Program(cut))


def above(cut: Split, found: Shared, seen: Seen) -> list[tuple[str, int, int]]:
    """What a run shows above its bound."""
    over = []
    for name, done in seen.done.items():
        late, value = done.most or 0, found.done[name]
        if value is not None and late > value:
            over.append((name, late, value))
    for (_, reaction), ended in seen.ended.items():
        part = next(n for n, p in cut.federation.federates.items() if reaction in p.reactions)
        value, work = found.values[part], found.lags.works[part]
        if value is None:
            continue
        started = seen.reactions["f", reaction]
        for most, lag in ((ended, work.to_end(reaction)), (started, work.to_start(reaction))):
            if (late := most.most or 0) > value + lag:
                over.append((reaction, late, value + lag))
    return over


@pytest.mark.parametrize("seed", [*REMEMBERED, *range(200, 200 + draws(25, of=80))])
def test_no_run_is_above_the_bound(seed: int) -> None:
    cut, found = bounds(seed)
    if found.lags.zero_delay or found.lags.circles or _asks_for_ever(found):
        return
    for number, longest in enumerate(LONGEST):
        seen = simulate(system(seed), 60 * MS, number, longest)
        assert not above(cut, found, seen)


def _asks_for_ever(found: Shared) -> bool:
    return any("ask each other" in because for because in found.because.values())


def test_most_random_programs_have_bounds_and_many_are_reached() -> None:
    bounded = reached = every = 0
    for seed in range(60):
        _, found = bounds(seed)
        values = list(found.done.values())
        every += len(values)
        bounded += sum(value is not None for value in values)
        if seed in CIRCLES or None in values:
            continue
        seen = simulate(system(seed), 60 * MS, 0, 1)
        reached += sum(found.done[name] == done.most for name, done in seen.done.items())
    assert bounded > every * 6 // 10
    assert reached > bounded // 10


def test_a_run_without_answers_would_be_above(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ddsrta.lf.bounds.enclaves.asking.Asking.answers",
                        lambda self, federation: dict.fromkeys(self.asks, 0))  # fmt: skip
    cut, found = bounds(7)
    runs = [simulate(system(7), 60 * MS, number, 1) for number in range(4)]
    assert any(above(cut, found, seen) for seen in runs)


def test_the_same_seed_is_the_same_run() -> None:
    assert simulate(system(3), 60 * MS, 5) == simulate(system(3), 60 * MS, 5)
    assert simulate(system(3), 60 * MS, 5) != simulate(system(3), 60 * MS, 6)
