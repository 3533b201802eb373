"""Schedules worked out by hand and drawn: the simulator must reproduce every column."""

from __future__ import annotations

from ddsrta_simulator.program import ALWAYS, BEST, SHUFFLED
from tests.simulation.drawings import Scene, check


def test_the_more_urgent_thread_preempts():
    scene = Scene(
        """
threads:
  low: {core: m/c0, priority: 1, wcet: 10ns, period: 100ns}
  high: {core: m/c0, priority: 2, wcet: 2ns, period: 8ns}
""",
        {"low": [0], "high": [4, 12]},
    )
    check(
        scene,
        """
high |    ##      ##    |
low  |####==######      |
""",
    )
    assert scene.seen("response")["job", "low"] == 12


def test_what_arrives_at_the_finish_does_not_delay():
    scene = Scene(
        """
threads:
  low: {core: m/c0, priority: 1, wcet: 6ns, period: 100ns}
  high: {core: m/c0, priority: 2, wcet: 2ns, period: 8ns}
""",
        {"low": [0], "high": [6]},
    )
    check(
        scene,
        """
high |      ##  |
low  |######    |
""",
    )


PEERS = """
threads:
  x: {core: m/c0, priority: 1, wcet: 5ns, period: 100ns}
  y: {core: m/c0, priority: 1, wcet: 5ns, period: 100ns}
  high: {core: m/c0, priority: 9, wcet: 3ns, period: 100ns}
"""


def test_a_thread_with_work_does_not_yield_to_its_peer():
    # the job of x that arrives at 10, as its second one ends, still goes before y
    check(
        Scene(PEERS, {"x": [0, 3, 10], "y": [1], "high": []}),
        """
x    |###############       |
y    | ..............#####  |
""",
    )
    check(
        Scene(PEERS, {"x": [0, 3, 11], "y": [1], "high": []}),
        """
x    |########## ....#####  |
y    | .........#####       |
""",
    )


def test_an_eager_thread_may_sleep_before_it_sees_what_arrives_at_its_finish():
    # x ends at 5, and is released at 5: whether it then goes behind y depends on what is first
    def schedules(eager):
        scene = Scene(PEERS, {"x": [0, 5], "y": [1], "high": []})
        scene.choices.eager = eager
        scene.choices.tie_mode = SHUFFLED
        found = set()
        for scene.choices.tie_seed in range(20):
            found.add(scene.drawn(15)["x"])
        return found

    assert schedules(0) == {"##########     "}
    assert schedules(ALWAYS) == {"##########     ", "#####.....#####"}


def test_a_preempted_thread_stays_at_the_head_of_its_priority():
    check(
        Scene(PEERS, {"x": [0], "y": [1], "high": [2]}),
        """
high |  ###         |
x    |##===###      |
y    | .......##### |
""",
    )


AND = """
threads:
  p: {core: m/c0, priority: 2, wcet: 1ns, period: 100ns}
  q: {core: m/c1, priority: 2, wcet: 1ns, period: 100ns}
  r: {core: m/c2, priority: 2, wcet: 5ns, follows: {threads: [p, q], activation: and}}
chains:
  of p: {path: [p, r]}
  of q: {path: [q, r]}
"""


def test_and_takes_one_token_of_each_input():
    scene = Scene(AND, {"p": [0, 4], "q": [9, 19]})
    check(
        scene,
        """
p |#   #                     |
q |         #         #      |
r |          #####     ##### |
""",
    )
    assert scene.seen("trigger_latency") == {("q", "r"): 6}  # p never came last
    assert scene.seen("latency") == {("q", "r"): 6, ("p", "r"): 21}


def test_or_has_a_job_for_each_input():
    scene = Scene(AND.replace("and", "or"), {"p": [0], "q": [3]})
    check(
        scene,
        """
p |#           |
q |   #        |
r | ########## |
""",
    )
    assert scene.seen("trigger_latency") == {("p", "r"): 6, ("q", "r"): 8}


def test_register_is_sampled_when_the_job_begins():
    # r is released at 14 and begins at 19, because high has the core: p's second job is done then
    scene = Scene(
        """
threads:
  p: {core: m/c0, priority: 2, wcet: 4ns, period: 50ns}
  high: {core: m/c1, priority: 3, wcet: 8ns, period: 1us}
  r: {core: m/c1, priority: 2, wcet: 2ns, period: 45ns, follows: {threads: [p]}}
chains:
  age: {path: [p, r]}
""",
        {"p": [0, 14], "high": [11], "r": [1, 14, 28]},
    )
    check(
        scene,
        """
p    |####          ####            |
high |           ########           |
r    | ##           .....##       ##|
""",
    )
    assert scene.seen("data_age") == {("p", "r"): 7}  # 21 - 14; the job at 1 knows nothing yet
    check(scene, "r |" + " ##           .....##       ##  |")
    # read at 19 and again at 28: 30 - 14; a stimulus just after 0 is seen at 21
    assert scene.seen("data_age") == {("p", "r"): 16}
    assert scene.seen("reaction_time") == {("p", "r"): 21}
    assert scene.seen("trigger_latency") == {}


def test_follower_is_told_after_the_delay():
    scene = Scene(
        """
threads:
  p: {core: m/c0, priority: 2, wcet: 5ns, period: 100ns}
  r: {core: m/c1, priority: 2, wcet: 3ns, follows: {threads: [p], delay: 9ns, best: 2ns}}
chains: {c: {from: p, to: r}}
"""
    )
    check(
        scene,
        """
p |#####             |
r |              ### |
""",
    )
    check(scene.decide(("follow", "p", None, "r"), habit=BEST), "r |       ### |")
    assert scene.seen("trigger_latency") == {("p", "r"): 10}
