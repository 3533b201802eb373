"""MAST's holistic analysis on its own published examples.

MAST measures from the external event: its figure for a task is the trigger latency of the chain up
to that task. Networks are preemptive resources like cores. Where all priorities of a system differ
on each resource, the two analyses are the same to the digit. In `example_8_3_1` 42 of 48 tasks share
their priority with others. MAST lets them preempt each other; under SCHED_FIFO none of them gets the
processor from another that has work. That lowers 45 of the 48 figures, by 3.4 % on average and by
8.4 % at most (`fox_1`: 710 instead of 775).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from ddsrta import analyze
from ddsrta.bounds.refinements import Refinements
from ddsrta.models.arrivals import Periodic
from ddsrta.models.system import System, Thread

from .shared_data import known_answers
from .small_systems import on_cores, thread

UNIT = 1_000
UNBOUNDED = 1e100
EXAMPLES = {
    example["example"]: example for example in known_answers("mast_plain_fp.json")["examples"]
}


def exact(value: float) -> int:
    """MAST prints floats; a fraction that the unit cannot hold must not be rounded away."""
    scaled = value * UNIT
    assert scaled == int(scaled), value
    return int(scaled)


def to_system(example: dict[str, Any]) -> System:
    """Every chain as threads that follow each other, and every prefix of it as a chain."""
    threads: list[Thread] = []
    paths = {}
    for name, chain in example["chains"].items():
        path: list[str] = []
        for index, task in enumerate(chain["tasks"]):
            assert task["bcet_sum_so_far"] == 0
            arrival = Periodic(exact(chain["period"]), exact(chain["jitter"]))
            threads.append(
                thread(
                    f"{name}.{index}",
                    task["resource"],
                    exact(task["priority_higher_wins"]),
                    exact(task["wcet"]),
                    arrival if index == 0 else None,
                    bcet=0,
                    after=path[-1:],
                )
            )
            path = [*path, threads[-1].name]
            paths[threads[-1].name] = path
    return on_cores(threads, paths)


def holistic(example: dict[str, Any]) -> Iterator[tuple[str, int | None]]:
    """MAST's figure for each task, by the name that it has here."""
    for name, chain in example["chains"].items():
        for index, task in enumerate(chain["tasks"]):
            figure = task["expected_global_wcrt"]["ho"]
            yield f"{name}.{index}", None if figure == UNBOUNDED else exact(figure)


def shares_a_priority(example: dict[str, Any]) -> bool:
    """Whether two tasks of one resource have one priority."""
    places = Counter(
        (task["resource"], task["priority_higher_wins"])
        for chain in example["chains"].values()
        for task in chain["tasks"]
    )
    return max(places.values()) > 1


DIFFERENT = [name for name, example in EXAMPLES.items() if not shares_a_priority(example)]
SHARED = [name for name in EXAMPLES if name not in DIFFERENT]


@pytest.mark.parametrize("name", DIFFERENT)
def test_is_mast_to_the_digit_where_priorities_differ(name: str) -> None:
    """The plain busy windows; the refinements never lift a figure, and lower some."""
    system = to_system(EXAMPLES[name])
    expected = dict(holistic(EXAMPLES[name]))
    plain = analyze(system, refinements=Refinements.none()).chains
    assert {task: plain[task].latency for task in expected} == expected
    refined = analyze(system).chains
    assert all(f is None or refined[task].latency <= f for task, f in expected.items())


def test_is_lower_than_mast_where_steps_of_a_chain_share_a_processor() -> None:
    """All of it is on one processor: the holistic figures add up what one window holds."""
    assert SHARED == ["example_8_3_1"]
    name = SHARED[0]
    chains = analyze(to_system(EXAMPLES[name])).chains
    figures = dict(holistic(EXAMPLES[name]))
    ratios = {task: Fraction(chains[task].latency, figure) for task, figure in figures.items()}
    lower = [task for task, ratio in ratios.items() if ratio < 1]
    assert max(ratios.values()) == 1
    assert (len(lower), len(ratios)) == (45, 48)
    assert min(ratios, key=ratios.__getitem__) == "alpha3_3.1"
    assert ratios["alpha3_3.1"] == Fraction(55, 704)
    assert round(1 - sum(ratios.values()) / len(ratios), 3) == Fraction(778, 1000)


def test_without_chain_windows_only_shared_priorities_make_a_difference() -> None:
    """Under SCHED_FIFO equals do not preempt each other, as they do in MAST."""
    name = SHARED[0]
    chains = analyze(to_system(EXAMPLES[name]), refinements=Refinements.none()).chains
    figures = dict(holistic(EXAMPLES[name]))
    ratios = {task: Fraction(chains[task].latency, figure) for task, figure in figures.items()}
    assert min(ratios, key=ratios.__getitem__) == "fox_1.0"
    assert ratios["fox_1.0"] == Fraction(710, 775)
    assert round(1 - sum(ratios.values()) / len(ratios), 3) == Fraction(34, 1000)
