"""Figures of the literature, restated here with their source."""

from __future__ import annotations

import pytest

from .small_systems import periodic, preemptive_responses, served_responses

US = 1_000

PREEMPTIVE = {
    # Lehoczky, "Fixed priority scheduling of periodic task sets with arbitrary deadlines",
    # RTSS 1990: the first job of the busy period is not the slowest.
    "Lehoczky 1990, example 2": ([(52, 100), (52, 140)], [52, 156]),
    "Lehoczky 1990, example 3": ([(26, 70), (62, 100)], [26, 118]),
    # Burns and Wellings, "Real-Time Systems and Programming Languages", task set D.
    "Burns and Wellings, set D": ([(3, 7), (3, 12), (5, 20)], [3, 6, 20]),
    # Buttazzo, "Hard Real-Time Computing Systems", response time analysis example.
    "Buttazzo": ([(1, 4), (1, 5), (2, 6), (1, 11)], [1, 2, 4, 10]),
    # Liu and Layland, JACM 1973: harmonic periods use the whole processor.
    "harmonic, load 1": ([(2, 4), (2, 8), (4, 16)], [2, 4, 16]),
}


@pytest.mark.parametrize("unit", [1, US])
@pytest.mark.parametrize("name", PREEMPTIVE)
def test_preemptive_tasks_of_the_literature(name: str, unit: int) -> None:
    tasks, expected = PREEMPTIVE[name]
    assert preemptive_responses(periodic(tasks, unit)) == [time * unit for time in expected]


def test_slowest_can_message_is_the_second_of_its_busy_period() -> None:
    """Davis, Burns, Bril, Lukkien, "Controller Area Network (CAN) schedulability analysis: refuted,
    revisited and revised", Real-Time Systems 35 (2007): messages A (T = 2.5 ms), B and C (3.5 ms),
    1 ms each. The first C takes 3 ms, the second 3.5 ms, which the older analysis missed.

    The paper counts the whole of a less urgent message as blocking; one that delays A or B started
    at least ε before, so ours is 1 ns lower.
    """
    tasks = periodic([(1000, 2500), (1000, 3500), (1000, 3500)], US)
    paper = [2_000 * US, 3_000 * US, 3_500 * US]
    assert served_responses("HIGH_PRIORITY", tasks) == [paper[0] - 1, paper[1] - 1, paper[2]]


def test_fifo_queue_delays_every_message_by_all_others() -> None:
    """Simultaneous arrivals on an idle server: whoever is last waits for all of them."""
    tasks = periodic([(30, 1000), (20, 1000), (10, 1000)])
    assert served_responses("FIFO", tasks) == [60, 60, 60]


def test_more_work_than_a_processor_does_is_unbounded() -> None:
    assert preemptive_responses(periodic([(3, 5), (3, 5), (1, 10)])) == [3, None, None]
