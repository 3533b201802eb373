"""Timers of rclcpp: what a late call skips, and the thread that watches those of an events executor."""

from __future__ import annotations

import pytest

from ddsrta.models.reader import loads
from ddsrta.simulation import program_of, worst_choices
from ddsrta_simulator.program import ARRIVED, RUNS, TRACE
from ddsrta_simulator.simulator import Engine
from tests.simulation.drawings import Scene, check

WORLD = """
topics: {a: {size: 1B}}
listeners: {L: {core: m/c2, priority: 9}}
threads:
  da: {core: m/c3, priority: 1, wcet: 1ns, period: 1us, publishes: [{topic: a, delay: 0ns}]}
  peer: {core: m/c0, priority: 5, wcet: 4ns, period: 1us}
  hog: {core: m/c0, priority: 9, wcet: 3ns, period: 1us}
"""


def scene(kind, wcet=7, timer="10ns", **releases):
    """A timer of 2 and a subscription; the message of da comes 1 after its release."""
    return Scene(
        f"""{WORLD}
executors: {{ex: {{core: m/c0, priority: 5, kind: {kind}}}}}
callbacks:
  tick: {{executor: ex, wcet: 2ns, timer: {timer}}}
  sa: {{executor: ex, wcet: {wcet}ns, subscribes: {{topics: [a], listener: L, delay: 0ns}}}}
""",
        {"tick": [], "da": [], "peer": [], "hog": [], **releases},
    )


def rows_of(made, horizon, kind):
    """What happened to jobs of the executor's callbacks: when, and whose they are."""
    names = [thread[1] for thread in made.program.stages[: len(made.program.thread_worst)]]
    return [
        (row[0], names[row[2]])
        for row in made.trace(horizon)
        if row[1] == kind and row[2] < len(names) and names[row[2]] in ("tick", "sa")
    ]


@pytest.mark.parametrize("kind", ["single_threaded", "multi_threaded", "static", "events"])
def test_a_late_call_skips_what_was_due_until_then(kind):
    # sa runs from 1 to 36; due at 2, 12, 22, 32: one call at 36, and the next at 42
    made = scene(kind, 35, tick=[2, 12, 22, 32, 42], da=[0])
    begins = [time for time, name in rows_of(made, 60, RUNS) if name == "tick"]
    assert begins == [36, 42]
    assert made.seen("response")["job", "tick"] == 36


def test_what_is_due_as_it_is_called_is_skipped():
    made = scene("single_threaded", 11, tick=[2, 12, 22], da=[0])  # sa ends at 12
    assert [time for time, name in rows_of(made, 60, RUNS) if name == "tick"] == [12, 22]


def test_a_release_in_its_jitter_is_skipped_with_its_period():
    text = (
        WORLD
        + """
executors: {ex: {core: m/c0, priority: 5}}
callbacks:
  tick: {executor: ex, wcet: 2ns, timer: 10ns, arrival: {jitter: 5ns}}
"""
    )
    system = loads("ddsrta: 1\nmachines: {m: {cores: [c0, c1, c2, c3]}}\n" + text, "jitter")
    program = program_of(system)
    choices = worst_choices(program)
    timers = Engine(program, choices, 0, 1000, False)
    tick = program.stages.index(("job", "tick"))
    assert not timers.skips(tick, 10)
    timers.called_at[tick], timers.is_due[tick] = 21, False
    assert timers.skips(tick, 20)
    assert timers.skips(tick, 21)
    assert not timers.skips(tick, 30)


def test_the_timers_of_an_events_executor_wait_until_its_queue_is_empty():
    # sa at 1 … 8 and, of the message at 5, … 15; the timer was due at 2
    check(
        scene("events", tick=[2], da=[0, 4]),
        """
da   |#   #             |
ex   | ################ |
""",
    )
    assert [name for _, name in rows_of(scene("events", tick=[2], da=[0, 4]), 60, RUNS)] == [
        "sa",
        "sa",
        "tick",
    ]


def test_what_comes_while_they_wait_for_the_core_is_ahead_of_them():
    # hog has the core; the timer is due at 0, the message comes at 1: sa runs first
    made = scene("events", tick=[0], da=[0], hog=[0])
    assert [name for _, name in rows_of(made, 60, RUNS)] == ["sa", "tick"]


def test_what_comes_after_they_were_called_is_behind_them():
    # nothing else to do at 2: called at once; the message comes at 3
    made = scene("events", tick=[2], da=[2], peer=[])
    assert [name for _, name in rows_of(made, 60, RUNS)] == ["tick", "sa"]


def test_an_equal_that_woke_before_them_goes_first():
    # sa from 1 to 8, peer since 3, the timer due at 5: peer, then the timer
    made = scene("events", tick=[5], da=[0], peer=[3])
    assert rows_of(made, 60, RUNS) == [(1, "sa"), (12, "tick")]


def test_an_equal_that_woke_after_they_were_due_goes_between_them_and_the_executor():
    # sa from 1 to 8; the timer is due at 3, peer at 5: the timers thread calls at 8, then peer, then
    # the executor, which was woken at 8
    made = scene("events", tick=[3], da=[0], peer=[5])
    assert rows_of(made, 60, RUNS) == [(1, "sa"), (12, "tick")]
    late = scene("events", tick=[3, 13], da=[0], peer=[5])  # called at 8: nothing is skipped
    assert [time for time, _ in rows_of(late, 60, ARRIVED)] == [1, 3, 13]
    assert TRACE == 5
