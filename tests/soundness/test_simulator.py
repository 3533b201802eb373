"""Schedules worked out by hand, which the simulator must reproduce to the nanosecond."""

from __future__ import annotations

import ddsrta
from tests.soundness.choices import Choices, RandomChoices
from tests.soundness.simulator import Simulator, simulate


class Script(Choices):
    """All worst, except what the test says; lists are used up from the left."""

    def __init__(self, releases=None, costs=None, points=None, delays=None, reservations=None):
        self.plan = releases or {}
        self.costs = costs or {}
        self.points = points or {}
        self.delays = delays or {}
        self.budgets = reservations

    def releases(self, thread, arrival, horizon):
        return self.plan.get(thread, [0])

    def cost(self, what, best, worst, now):
        return self.costs[what].pop(0) if self.costs.get(what) else worst

    def point(self, thread, low, high, now):
        return max(low, self.points[thread].pop(0)) if self.points.get(thread) else high

    def delay(self, what, best, worst, now):
        return self.delays[what].pop(0) if self.delays.get(what) else worst

    def reservations(self, core, budgets):
        return self.budgets or super().reservations(core, budgets)


def schedule(text, script=None, horizon=10_000):
    """[(stage, arrival, completion)] in order of completion, and the observations."""
    machines = "machines: {m: {cores: [c0, c1, c2]}, n: {cores: [c0]}}\n" * ("machines" not in text)
    delays = "delays: {flow_controller: {1B: 10ns}, listener: {1B: 1ns}, publisher: {1B: 10ns}}\n"
    network = "network: [{from: m, to: n, delay: 20ns, best: 5ns}, {from: n, to: m, delay: 1ns}]\n"
    network *= "machines" not in text
    system = ddsrta.loads("ddsrta: 1\n" + machines + network + delays + text)
    simulator = Simulator(system, horizon, script or Script())
    simulator.log = []
    return simulator, simulator.run()


def jobs(simulator, *names):
    """(thread, arrival, completion) of jobs, in order of completion."""
    rows = [(s[1], a, c) for s, a, c in simulator.log if s[0] == "job"]
    return [row for row in rows if not names or row[0] in names]


def samples(simulator):
    """(topic, arrival, completion) of samples, in order of completion."""
    return [(s[2], a, c) for s, a, c in simulator.log if s[0] == "sample"]


def test_the_more_urgent_thread_preempts():
    # high       ....##......##
    # low    ####......####..##       low: 10 from 0, preempted at 4 and at 12
    run, seen = schedule(
        """
threads:
  low: {core: m/c0, priority: 1, wcet: 10ns, period: 100ns}
  high: {core: m/c0, priority: 2, wcet: 2ns, period: 8ns}
""",
        Script({"low": [0], "high": [4, 12]}),
    )
    assert jobs(run) == [("high", 4, 6), ("low", 0, 12), ("high", 12, 14)]
    assert seen.response[("job", "low")] == 12


def test_what_arrives_at_the_finish_does_not_delay():
    # low    ##########               high arrives at 10, when low is done
    run, _ = schedule(
        """
threads:
  low: {core: m/c0, priority: 1, wcet: 10ns, period: 100ns}
  high: {core: m/c0, priority: 2, wcet: 2ns, period: 8ns}
""",
        Script({"low": [0], "high": [10]}),
    )
    assert jobs(run) == [("low", 0, 10), ("high", 10, 12)]


def test_a_thread_with_work_does_not_yield_to_its_peer():
    # x  0-10, then 10-20 of its job that arrived at 5, before y's that arrived at 1
    # x's third job arrives at 20, as y waits and x has just run out: still x, then y 30-40
    text = """
threads:
  x: {core: m/c0, priority: 1, wcet: 10ns, period: 100ns}
  y: {core: m/c0, priority: 1, wcet: 10ns, period: 100ns}
"""
    run, _ = schedule(text, Script({"x": [0, 5, 20], "y": [1]}))
    assert jobs(run) == [("x", 0, 10), ("x", 5, 20), ("x", 20, 30), ("y", 1, 40)]
    run, _ = schedule(text, Script({"x": [0, 5, 21], "y": [1]}))
    assert jobs(run) == [("x", 0, 10), ("x", 5, 20), ("y", 1, 30), ("x", 21, 40)]


def test_a_preempted_thread_stays_at_the_head_of_its_priority():
    # x runs 0-5, high 5-8, x 8-13, y 13-23 although y waits since 1
    run, _ = schedule(
        """
threads:
  x: {core: m/c0, priority: 1, wcet: 10ns, period: 100ns}
  y: {core: m/c0, priority: 1, wcet: 10ns, period: 100ns}
  high: {core: m/c0, priority: 9, wcet: 3ns, period: 100ns}
""",
        Script({"x": [0], "y": [1], "high": [5]}),
    )
    assert jobs(run) == [("high", 5, 8), ("x", 0, 13), ("y", 1, 23)]


THREE_TOPICS = """
machines: {m: {cores: [c0, c1, c2, c3, c4]}}
topics: {A: {size: 1B, priority: 0}, B: {size: 1B, priority: 1}, C: {size: 1B, priority: 2}}
flow_controllers: {F: {core: m/c1, priority: 5, policy: POLICY}}
listeners: {L: {core: m/c2, priority: 9}}
threads:
  a: {core: m/c0, priority: 1, wcet: 1ns, period: 1us, publishes: [{topic: A, flow_controller: F, delay: 10ns}]}
  b: {core: m/c3, priority: 2, wcet: 1ns, period: 1us, publishes: [{topic: B, flow_controller: F, delay: 100ns}]}
  c: {core: m/c4, priority: 3, wcet: 1ns, period: 1us, publishes: [{topic: C, flow_controller: F, delay: 10ns}]}
  s: {core: m/c2, priority: 1, wcet: 1ns, subscribes: {topics: [A, B, C], listener: L}}
"""


def three_topics(policy, **releases):
    run, seen = schedule(
        THREE_TOPICS.replace("POLICY", policy), Script({"a": [], "b": [], "c": [], **releases})
    )
    return samples(run), seen


def test_fifo_controller_serves_in_order_of_arrival():
    # C at 1 .. 11, B at 3 .. 111, A at 4 .. 121 (a job of 1 ns comes before each)
    done, _ = three_topics("FIFO", c=[0], b=[2], a=[3])
    assert done == [("C", 1, 11), ("B", 3, 111), ("A", 4, 121)]


def test_high_priority_controller_is_blocked_by_the_sample_being_sent():
    # B is sent 1-101; A arrives at 2 and waits for it, C at 5 waits for A too
    done, seen = three_topics("HIGH_PRIORITY", b=[0], a=[1], c=[4])
    assert done == [("B", 1, 101), ("A", 2, 111), ("C", 5, 121)]
    assert seen.response[("sample", "a", "A")] == 109


def test_high_priority_controller_takes_the_most_urgent_of_what_waits():
    # C and A both arrive while B is sent: A first. Of samples at one instant none has begun yet.
    done, _ = three_topics("HIGH_PRIORITY", b=[0], c=[1], a=[50])
    assert done == [("B", 1, 101), ("A", 51, 111), ("C", 2, 121)]


def test_round_robin_cursor_stays_while_idle():
    # one topic alone, a long pause, then all three at one instant
    done, _ = three_topics("ROUND_ROBIN", a=[0, 300], b=[300], c=[300])
    assert done == [("A", 1, 11), ("B", 301, 401), ("C", 301, 411), ("A", 301, 421)]
    done, _ = three_topics("ROUND_ROBIN", b=[0, 300], a=[300], c=[300])
    assert done == [("B", 1, 101), ("C", 301, 311), ("A", 301, 321), ("B", 301, 421)]
    done, _ = three_topics("ROUND_ROBIN", a=[300], b=[300], c=[300])
    assert done == [("A", 301, 311), ("B", 301, 411), ("C", 301, 421)]


def test_round_robin_serves_one_sample_a_turn():
    # b sends two before a sends one: B (being sent), then A, then the second B
    done, _ = three_topics("ROUND_ROBIN", b=[0, 1], a=[2])
    assert done == [("B", 1, 101), ("A", 3, 111), ("B", 2, 211)]


def test_sync_copies_leave_one_by_one_in_program_order():
    # p: executes 4, sends T to r1 4-14 and to r2 14-24, executes 6, sends U to r1 30-40
    run, seen = schedule(
        """
topics: {T: {size: 1B}, U: {size: 1B}}
listeners: {L: {core: m/c2, priority: 9}}
threads:
  p: {core: m/c0, priority: 1, wcet: 10ns, period: 1us, publishes: [{topic: T}, {topic: U}]}
  r1: {core: m/c1, priority: 2, wcet: 1ns, subscribes: {topics: [T, U], listener: L}}
  r2: {core: m/c1, priority: 1, wcet: 1ns, subscribes: {topics: [T], listener: L}}
""",
        Script(points={"p": [4, 10]}),
    )
    messages = [(s[2], s[3], a, c) for s, a, c in run.log if s[0] == "message"]
    assert messages == [("T", "r1", 14, 15), ("T", "r2", 24, 25), ("U", "r1", 40, 41)]
    assert jobs(run, "p") == [("p", 0, 40)]
    assert seen.ddl == {("p", "T", "r1"): 15, ("p", "T", "r2"): 25, ("p", "U", "r1"): 41}


def test_copies_of_a_sample_keep_together_but_the_thread_is_preempted():
    # sample T: copy to r1 1-11, but the thread "high" has the core 5-8: 14; copy to r2 14-24; then U 24-44
    run, _ = schedule(
        """
topics: {T: {size: 1B, priority: 5}, U: {size: 1B, priority: 0}}
flow_controllers: {F: {core: m/c1, priority: 5, policy: HIGH_PRIORITY}}
listeners: {L: {core: m/c2, priority: 9}}
threads:
  p: {core: m/c0, priority: 2, wcet: 1ns, period: 1us, publishes: [{topic: T, flow_controller: F}]}
  q: {core: m/c0, priority: 1, wcet: 1ns, period: 1us, publishes: [{topic: U, flow_controller: F}]}
  high: {core: m/c1, priority: 9, wcet: 3ns, period: 1us}
  r1: {core: m/c2, priority: 2, wcet: 1ns, subscribes: {topics: [T, U], listener: L}}
  r2: {core: m/c2, priority: 1, wcet: 1ns, subscribes: {topics: [T, U], listener: L}}
""",
        Script({"high": [5]}),
    )
    messages = [(s[2], s[3], a) for s, a, c in run.log if s[0] == "message"]
    assert messages == [("T", "r1", 14), ("T", "r2", 24), ("U", "r1", 34), ("U", "r2", 44)]
    assert samples(run) == [("T", 1, 24), ("U", 2, 44)]


def test_network_keeps_the_order_of_a_stream():
    # copies leave at 11 and 21; the first needs 20, the second only 5: it arrives no earlier than 31
    run, seen = schedule(
        """
topics: {T: {size: 1B}}
listeners: {L: {core: n/c0, priority: 9}}
threads:
  p: {core: m/c0, priority: 2, wcet: 1ns, period: 1us, publishes: [{topic: T, count: 2}]}
  r: {core: n/c0, priority: 2, wcet: 5ns, subscribes: {topics: [T], listener: L}}
""",
        Script(delays={("net", ("p", "T", "r")): [20, 5]}),
    )
    messages = [(a, c) for s, a, c in run.log if s[0] == "message"]
    assert messages == [(31, 32), (31, 33)]
    # r: 33-38, 38-43 (the listener goes first)
    assert jobs(run, "r") == [("r", 32, 38), ("r", 33, 43)]
    assert seen.pending["L"] == 2
    assert seen.pending[("job", "r")] == 2


def test_listener_is_fifo_over_topics():
    # messages arrive at 11 (T, from p) and 12 (U, from q): T 11-41, U 41-71
    run, _ = schedule(
        """
topics: {T: {size: 1B}, U: {size: 1B}}
listeners: {L: {core: n/c0, priority: 9}}
threads:
  p: {core: m/c0, priority: 2, wcet: 1ns, period: 1us, publishes: [{topic: T}]}
  q: {core: m/c1, priority: 2, wcet: 2ns, period: 1us, publishes: [{topic: U}]}
  r: {core: n/c0, priority: 2, wcet: 5ns, subscribes: {topics: [U, T], listener: L, delay: 30ns}}
""",
        Script(delays={("net", ("p", "T", "r")): [5], ("net", ("q", "U", "r")): [5]}),
    )
    messages = [(s[2], a, c) for s, a, c in run.log if s[0] == "message"]
    assert messages == [("T", 16, 46), ("U", 17, 76)]


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
    # tokens of p at 1 and 11; of q at 31 and 51: jobs at 31 and 51
    run, seen = schedule(AND, Script({"p": [0, 10], "q": [30, 50]}))
    assert jobs(run, "r") == [("r", 31, 36), ("r", 51, 56)]
    assert seen.latency == {("q", "r"): 6}  # p never came last
    assert seen.data_latency == {("q", "r"): 6, ("p", "r"): 46}


def test_or_has_a_job_for_each_input():
    run, seen = schedule(AND.replace("and", "or"), Script({"p": [0], "q": [3]}))
    assert jobs(run, "r") == [("r", 1, 6), ("r", 4, 11)]
    assert seen.latency == {("p", "r"): 6, ("q", "r"): 8}


def test_register_is_sampled_when_the_job_begins():
    # p completes at 10 (released 0) and 60 (released 50); r is released at 55 and begins at 61,
    # because high has the core until then: it reads the newer value. Its job at 100 reads it again.
    run, seen = schedule(
        """
threads:
  p: {core: m/c0, priority: 2, wcet: 10ns, period: 50ns}
  high: {core: m/c1, priority: 3, wcet: 20ns, period: 1us}
  r: {core: m/c1, priority: 2, wcet: 5ns, period: 45ns, follows: {threads: [p]}}
chains:
  age: {path: [p, r]}
""",
        Script({"p": [0, 50], "high": [41], "r": [5, 20, 55, 100]}),
    )
    assert jobs(run, "r") == [("r", 5, 10), ("r", 20, 25), ("r", 55, 66), ("r", 100, 105)]
    assert seen.data_age == {("p", "r"): 105 - 50}
    # a stimulus just after 0 is known when the job of p released at 50 has been read: at 66
    assert seen.reaction_time == {("p", "r"): 66}
    assert seen.latency == {}


def test_core_reservation_leaves_the_longest_gap():
    # budget 3 in 10, first period early (before 0), then late: supply at 14-17, 24-27, ...
    text = """
machines: {m: {cores: {c0: {reservation: {budget: 3ns, period: 10ns}}}}}
threads:
  t: {core: m/c0, priority: 2, wcet: 4ns, period: 1us}
"""
    run, _ = schedule(text)
    assert jobs(run) == [("t", 0, 25)]
    run, _ = schedule(text, Script(reservations=[(0, "early", 0)]))
    assert jobs(run) == [("t", 0, 11)]


def test_deadline_thread_runs_before_fifo_threads_while_it_has_budget():
    # d has 0-4, 10-14, ...; it works 0-4 and 10-12; t gets 4-10 and 12-16
    run, _ = schedule(
        """
threads:
  d: {core: m/c0, reservation: {budget: 4ns, period: 10ns}, wcet: 6ns, period: 1us}
  t: {core: m/c0, priority: 99, wcet: 10ns, period: 1us}
""",
        Script(reservations=[(0, "early", 0)]),
    )
    assert jobs(run) == [("d", 0, 12), ("t", 0, 16)]


def test_partitions_take_turns():
    # A has 0-4 of each 10, B 6-10: b needs 6-10 and 16-17, a 0-4 and 10-12
    run, _ = schedule(
        """
machines: {m: {cores: {c0: {partitions: {A: {budget: 4ns, period: 10ns}, B: {budget: 4ns, period: 10ns}}}}}}
threads:
  a: {core: m/c0, partition: A, priority: 2, wcet: 6ns, period: 1us}
  b: {core: m/c0, partition: B, priority: 1, wcet: 5ns, period: 1us}
""",
        Script(reservations=[(0, "early", 0), (0, "late", 0)]),
    )
    assert jobs(run) == [("a", 0, 12), ("b", 0, 17)]


def test_follower_is_told_after_the_delay():
    # p done at 10; r released at 17, done at 22
    run, seen = schedule(
        """
threads:
  p: {core: m/c0, priority: 2, wcet: 10ns, period: 100ns}
  r: {core: m/c1, priority: 2, wcet: 5ns, follows: {threads: [p], delay: 9ns, best: 2ns}}
chains: {c: {from: p, to: r}}
""",
        Script(delays={("follow", ("p", None, "r")): [7]}),
    )
    assert jobs(run) == [("p", 0, 10), ("r", 17, 22)]
    assert seen.latency == {("p", "r"): 22}


def test_a_seed_repeats_its_run():
    system = ddsrta.loads(
        "ddsrta: 1\nmachines: {m: {cores: [c0, c1]}}\n" + AND.replace("m/c2", "m/c1")
    )
    first, again = (simulate(system, 5000, RandomChoices(7)) for _ in range(2))
    assert first == again
