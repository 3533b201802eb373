"""Schedules worked out by hand and drawn: the simulator must reproduce every column."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta_simulator.program import ALWAYS, BEST, DELIVERED, SHUFFLED, WORST, WORST_THEN_BEST
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


THREE_TOPICS = """
topics: {A: {size: 1B, priority: 0}, B: {size: 1B, priority: 1}, C: {size: 1B, priority: 2}}
flow_controllers: {F: {core: m/c1, priority: 5, policy: POLICY}}
listeners: {L: {core: m/c2, priority: 9}}
threads:
  a: {core: m/c0, priority: 1, wcet: 1ns, period: 1us, publishes: [{topic: A, flow_controller: F, delay: 2ns}]}
  b: {core: m/c3, priority: 2, wcet: 1ns, period: 1us, publishes: [{topic: B, flow_controller: F, delay: 6ns}]}
  c: {core: m/c4, priority: 3, wcet: 1ns, period: 1us, publishes: [{topic: C, flow_controller: F, delay: 3ns}]}
  s: {core: m/c2, priority: 1, wcet: 1ns, subscribes: {topics: [A, B, C], listener: L}}
"""


def three_topics(policy, **releases):
    return Scene(THREE_TOPICS.replace("POLICY", policy), {"a": [], "b": [], "c": [], **releases})


def test_fifo_controller_serves_in_order_of_arrival():
    # C 1-4, B 4-10, A 10-12: each message is read for one unit, then s runs for one
    check(
        three_topics("FIFO", c=[0], b=[2], a=[3]),
        """
a |   #           |
b |  #            |
c |#              |
F | ###########   |
L |    #     # #  |
s |     #     # # |
""",
    )


def test_high_priority_controller_is_blocked_by_the_sample_being_sent():
    # B 1-7; C arrives at 3, A at 6: A 7-9, C 9-12
    check(
        three_topics("HIGH_PRIORITY", b=[0], c=[2], a=[5]),
        """
a |     #         |
b |#              |
c |  #            |
F | ###########   |
L |       # #  #  |
s |        # #  # |
""",
    )


def test_round_robin_cursor_stays_while_idle():
    # A alone; at 21 all three arrive together: B 21-27, C 27-30, A 30-32
    scene = three_topics("ROUND_ROBIN", a=[0, 20], b=[20], c=[20])
    check(
        scene,
        """
a |#                   #              |
b |                    #              |
c |                    #              |
F | ##                  ###########   |
L |   #                       #  # #  |
s |    #                       #  # # |
""",
    )
    assert order_of_delivery(scene) == ["A", "B", "C", "A"]
    assert order_of_delivery(three_topics("ROUND_ROBIN", b=[0, 20], a=[20], c=[20])) == list("BCAB")
    assert order_of_delivery(three_topics("ROUND_ROBIN", a=[20], b=[20], c=[20])) == list("ABC")


def test_round_robin_serves_one_sample_a_turn():
    assert order_of_delivery(three_topics("ROUND_ROBIN", b=[0, 1], a=[2])) == list("BAB")
    assert order_of_delivery(three_topics("FIFO", b=[0, 1], a=[2])) == list("BBA")


def order_of_delivery(scene):
    streams = scene.program.streams
    return [streams[what][1] for _, kind, what, _, _ in scene.trace(90) if kind == DELIVERED]


SYNC = """
topics: {T: {size: 1B}, U: {size: 1B}}
listeners: {L: {core: m/c2, priority: 9}}
threads:
  p: {core: m/c0, priority: 1, wcet: 6ns, period: 1us, publishes: [{topic: T, delay: 3ns}, {topic: U, delay: 4ns}]}
  r1: {core: m/c1, priority: 2, wcet: 1ns, subscribes: {topics: [T, U], listener: L}}
  r2: {core: m/c1, priority: 1, wcet: 1ns, subscribes: {topics: [T], listener: L}}
"""


def test_sync_copies_leave_one_by_one_in_program_order():
    # executes 6, sends T to r1 until 9 and to r2 until 12, then U to r1 until 16
    scene = Scene(SYNC)
    check(
        scene,
        """
p  |################   |
L  |         #  #   #  |
r1 |          #      # |
r2 |             #     |
""",
    )
    assert scene.seen("ddl") == {("p", "T", "r1"): 10, ("p", "T", "r2"): 13, ("p", "U", "r1"): 17}


def test_messages_are_handed_over_as_early_as_they_may_be():
    # the first after 1 of execution: T 1-4, 4-7, U 7-11, then the other 5 of execution
    scene = Scene(SYNC).decide(("point", "p"), habit=BEST)
    check(
        scene,
        """
p  |################ |
L  |    #  #   #     |
r1 |     #      #    |
r2 |        #        |
""",
    )


def test_copies_may_be_sent_in_another_order():
    scene = Scene(SYNC).decide(("readers", "sync", "p", "T"), habit=BEST)
    check(
        scene,
        """
p  |################   |
r1 |             #   # |
r2 |          #        |
""",
    )


def test_copies_of_a_sample_keep_together_but_the_thread_is_preempted():
    # T: copy to r1 1-4 and 7-8 (high has the core 4-7), copy to r2 8-12, though U is more urgent
    check(
        Scene(
            """
topics: {T: {size: 1B, priority: 5}, U: {size: 1B, priority: 0}}
flow_controllers: {F: {core: m/c1, priority: 5, policy: HIGH_PRIORITY}}
listeners: {L: {core: m/c2, priority: 9}}
threads:
  p: {core: m/c0, priority: 2, wcet: 1ns, period: 1us, publishes: [{topic: T, flow_controller: F, delay: 4ns}]}
  q: {core: m/c0, priority: 1, wcet: 1ns, period: 1us, publishes: [{topic: U, flow_controller: F, delay: 2ns}]}
  high: {core: m/c1, priority: 9, wcet: 3ns, period: 1us}
  r1: {core: m/c3, priority: 2, wcet: 1ns, subscribes: {topics: [T, U], listener: L}}
  r2: {core: m/c4, priority: 1, wcet: 1ns, subscribes: {topics: [T, U], listener: L}}
""",
            {"high": [4]},
        ),
        """
p    |#                  |
q    |.#                 |
high |    ###            |
F    | ###===#########   |
L    |        #   # # #  |
r1   |         #     #   |
r2   |             #   # |
""",
    )


def test_network_keeps_the_order_of_a_stream():
    # copies leave at 3 and 5; the first needs 20, the second only 5 and waits for it: both at 23
    scene = Scene(
        """
topics: {T: {size: 1B}}
listeners: {L: {core: n/c0, priority: 9}}
threads:
  p: {core: m/c0, priority: 2, wcet: 1ns, period: 1us, publishes: [{topic: T, count: 2, delay: 2ns}]}
  r: {core: n/c0, priority: 2, wcet: 3ns, subscribes: {topics: [T], listener: L}}
"""
    ).decide(("net", "p", "T", "r"), habit=WORST_THEN_BEST, turn=4)
    check(
        scene,
        """
p |#####                           |
L |                       ##       |
r |                        .###### |
""",
    )
    assert scene.seen("pending")["L"] == 2
    assert scene.seen("pending")["job", "r"] == 2


def test_listener_is_fifo_over_topics():
    # T arrives at 8, U at 9: in this order, though U comes first in the subscription
    scene = Scene(
        """
topics: {T: {size: 1B}, U: {size: 1B}}
listeners: {L: {core: n/c0, priority: 9}}
threads:
  p: {core: m/c0, priority: 2, wcet: 1ns, period: 1us, publishes: [{topic: T, delay: 2ns}]}
  q: {core: m/c1, priority: 2, wcet: 2ns, period: 1us, publishes: [{topic: U, delay: 2ns}]}
  r: {core: n/c0, priority: 2, wcet: 3ns, subscribes: {topics: [U, T], listener: L, delay: 4ns}}
"""
    )
    for what in (("net", "p", "T", "r"), ("net", "q", "U", "r")):
        scene.decide(what, habit=BEST)
    check(
        scene,
        """
p |###                     |
q |####                    |
L |        ########        |
r |            ....######  |
""",
    )
    assert order_of_delivery(scene) == ["T", "U"]


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
