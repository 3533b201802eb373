"""Reservations and partitions worked out by hand and drawn."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta_simulator.program import BEST, WORST
from tests.simulation.drawings import Scene, check


def test_core_reservation_leaves_the_longest_gap():
    # budget 3 in 10, early before 0 and late from then on: the gap ends at 14
    machines = "machines: {m: {cores: {c0: {reservation: {budget: 3ns, period: 10ns}}}}}\n"
    text = "threads:\n  t: {core: m/c0, priority: 2, wcet: 4ns, period: 1us}\n"
    check(Scene(text, machines=machines), "t |..............###=======# |")
    early = Scene(text, machines=machines).reserve(phase=0, habit=BEST)
    check(early, "t |###=======# |")


def test_deadline_thread_runs_before_fifo_threads_while_it_has_budget():
    check(
        Scene(
            """
threads:
  d: {core: m/c0, reservation: {budget: 4ns, period: 10ns}, wcet: 6ns, period: 1us}
  t: {core: m/c0, priority: 99, wcet: 10ns, period: 1us}
"""
        ).reserve(phase=0, habit=BEST),
        """
d |####======##     |
t |....######==#### |
""",
    )


def test_partitions_take_turns():
    # A has the first 4 of each 10, B the last 4
    machines = (
        "machines: {m: {cores: {c0: {partitions: {A: {budget: 4ns, period: 10ns}, "
        "B: {budget: 4ns, period: 10ns}}}}}}\n"
    )
    scene = Scene(
        """
threads:
  a: {core: m/c0, partition: A, priority: 2, wcet: 6ns, period: 1us}
  b: {core: m/c0, partition: B, priority: 1, wcet: 5ns, period: 1us}
""",
        machines=machines,
    ).reserve(phase=0, habit=BEST)
    scene.choices.supply_habit[1] = WORST
    check(
        scene,
        """
a |####======##      |
b |......####======# |
""",
    )


@pytest.mark.parametrize("seed", [0, 1])
def test_reservations_that_promise_too_much_are_all_served_late(seed: int) -> None:
    """One that always came last would be waited for without end, and without a bound on memory."""
    text = "ddsrta: 1\nmachines: {m: {cores: [c]}}\nthreads:\n"
    for name, budget in (("a", 13), ("b", 10), ("d", 8)):
        text += (
            f"  {name}: {{core: m/c, reservation: {{budget: {budget}ms, period: 13ms}}, "
            "wcet: 2ms, arrival: {period: 50ms}}\n"
        )
    found = ddsrta.simulate(ddsrta.loads(text), horizon="1s", seeds=1, seed=seed)
    assert all(thread.response.count for thread in found.threads.values())


SERVERS = """
threads:
  d: {core: m/c0, reservation: {budget: 4ns, period: 10ns}, wcet: 4ns, period: 1us}
  e: {core: m/c0, reservation: {budget: 5ns, period: 12ns}, wcet: 5ns, period: 1us}
  t: {core: m/c0, priority: 99, wcet: 3ns, period: 1us}
"""


def test_of_servers_the_one_that_is_due_first_runs():
    # d is due at 10, 26 and e at 13, 25
    releases = {"d": [0, 16], "e": [1, 13], "t": [0]}
    check(
        Scene(SERVERS, releases),
        """
d |####            ..####    |
e | ...#####    #####        |
t |.........###              |
""",
    )


def test_a_server_waits_for_its_deadline_when_its_budget_is_used_up():
    # e wakes at 6 with 2 of its budget up to 12, which is no more than its share, and keeps it
    text = SERVERS.replace("wcet: 5ns", "wcet: 3ns").replace("wcet: 4ns", "wcet: 2ns")
    check(
        Scene(text, {"d": [4], "e": [0, 6], "t": [0]}),
        """
d |    ##         |
e |###   ##====#  |
t |...#====##     |
""",
    )


def test_a_server_that_wakes_with_more_than_its_share_begins_anew():
    # e has 4 left up to 12 when it wakes at 6: it is due at 18, and d at 16
    text = SERVERS.replace("wcet: 5ns", "wcet: 1ns").replace("wcet: 4ns", "wcet: 2ns")
    check(
        Scene(text, {"d": [6], "e": [0, 6], "t": [0]}),
        """
d |      ##   |
e |#     ..#  |
t |.###       |
""",
    )


def test_a_budget_that_is_used_up_at_its_deadline_is_followed_by_the_next_and_no_more():
    # e has its budget from 5 to 10, due by 10, and the next at once: t is next, at 15, up to 20
    text = """
threads:
  d: {core: m/c0, reservation: {budget: 5ns, period: 10ns}, wcet: 5ns, period: 1us}
  e: {core: m/c0, reservation: {budget: 5ns, period: 10ns}, wcet: 12ns, period: 1us}
  t: {core: m/c0, priority: 99, wcet: 3ns, period: 1us}
"""
    check(
        Scene(text, {"d": [0], "e": [0], "t": [0]}),
        """
d |#####                  |
e |.....##########=====## |
t |...............###     |
""",
    )
