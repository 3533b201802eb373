"""Ways of messages worked out by hand and drawn: the simulator must reproduce every column."""

from __future__ import annotations

from ddsrta_simulator.program import BEST, DELIVERED, WORST_THEN_BEST
from tests.simulation.drawings import Scene, check

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
