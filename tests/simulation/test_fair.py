"""Threads of SCHED_OTHER under EEVDF: schedules worked out by hand."""

from __future__ import annotations

from tests.simulation.drawings import Scene, check


def threads(**said):
    lines = [
        f"  {name}: {{core: m/c0, policy: other, period: 100ns, {more}}}\n"
        for name, more in said.items()
    ]
    return "threads:\n" + "".join(lines)


def test_equals_take_turns_of_a_slice():
    # a is due at 2, b at 2; after its slice, a is ahead of the mean, and b due first
    text = threads(a="wcet: 6ns, slice: 2ns", b="wcet: 4ns, slice: 2ns")
    check(
        Scene(text, {"a": [0], "b": [0]}),
        """
a    |##==##==##   |
b    |..##==##     |
""",
    )


def test_a_thread_of_thrice_the_weight_has_thrice_as_much():
    # nice -5 is 3121 to 1024: a is ahead of the mean after 1, 4 and 7 of its own
    text = threads(a="wcet: 9ns, slice: 1ns, nice: -5", b="wcet: 3ns, slice: 1ns")
    check(
        Scene(text, {"a": [0], "b": [0]}),
        """
a    |#=###=###=##  |
b    |.#===#===#    |
""",
    )


def test_what_wakes_waits_for_the_slice_and_what_was_preempted_is_picked_anew():
    # f ends the slice of a, which is ahead of b by then
    text = threads(a="wcet: 6ns, slice: 4ns", b="wcet: 2ns, slice: 4ns")
    text += "  f: {core: m/c0, priority: 1, wcet: 1ns, period: 100ns}\n"
    check(
        Scene(text, {"a": [0], "b": [1], "f": [3]}),
        """
f    |   #          |
a    |###===###     |
b    | ...##        |
""",
    )


def test_who_sleeps_ahead_of_its_share_comes_back_behind():
    # a had 3 and is 1 ahead of the mean: b has its slice, though a wakes in it, even by then
    text = threads(a="wcet: 3ns, slice: 3ns", b="wcet: 8ns, slice: 3ns")
    check(
        Scene(text, {"a": [0, 5], "b": [1]}),
        """
a    |###  .###       |
b    | ..###===#####  |
""",
    )
