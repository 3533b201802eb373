"""The published analysis to the letter: figures derived by hand from its lemmas (ε = 1 ns)."""

from __future__ import annotations

import pytest

from ddsrta.bounds.analyze import analyze
from ddsrta.models.arrivals import Burst, Curve, Periodic, Sporadic
from ddsrta.models.graph import Hop
from ddsrta.models.reader import loads
from ddsrta.models.system import Reservation
from ddsrta.papers.dds import published_bounds, unsound_rows
from ddsrta.papers.dds.curves import all_of, any_of, events, rate, source
from ddsrta.papers.dds.model import Host, model
from tests.effort import ends

US = 1000


def system(text: str):
    head = "ddsrta: 1\nmachines: {m: {cores: [a, b, c, d]}, n: {cores: [a]}}\n"
    return loads(head + "network: [{from: m, to: n, delay: 5us}]\n" + text)


def controller(policy: str, topics: str, queue: str = "") -> str:
    """A flow controller alone on m/b, and a listener and reader (costs 1 us) alone on theirs."""
    return f"""
topics: {{A: {{size: 1B, priority: -1}}, B: {{size: 1B, priority: 0}}, C: {{size: 1B, priority: 0}}}}
flow_controllers: {{F: {{core: m/b, priority: 90, policy: {policy}{queue}}}}}
listeners: {{L: {{core: m/c, priority: 90}}}}
delays: {{listener: {{1B: 1us}}}}
threads:
  R: {{core: m/d, priority: 1, wcet: 1us, subscribes: {{topics: [{topics}], listener: L}}}}
"""


def sender(name: str, topic: str, cost: str, period: str = "1s", count: int = 1):
    """A publisher on m/a. Priorities fall in the order A, B, C, so response times are 1, 2, 3 us."""
    return f"""
  {name}: {{core: m/a, priority: {99 - ord(name[-1])}, wcet: 1us, arrival: {{sporadic: {period}}},
     publishes: [{{topic: {topic}, flow_controller: F, delay: {cost}, count: {count}}}]}}"""


# --- the paper's own example (section 6.2)


def three_topics(policy: str, mode: str = "async"):
    by = "mode: sync" if mode == "sync" else "flow_controller: F"
    return system(f"""
delays: {{flow_controller: {{1kB: 62us}}, listener: {{1kB: 224us}}, publisher: {{1kB: 98us}}}}
topics: {{t1: {{size: 1kB, priority: 1}}, t2: {{size: 1kB, priority: 2}}, t3: {{size: 1kB, priority: 3}}}}
flow_controllers: {{F: {{core: m/a, priority: 90, policy: {policy}}}}}
listeners: {{L: {{core: m/b, priority: 90}}}}
threads:
  P: {{core: m/a, priority: 85, wcet: 1ms, period: 2ms,
      publishes: [{{topic: t1, {by}}}, {{topic: t2, {by}}}, {{topic: t3, {by}}}]}}
  S: {{core: m/c, priority: 90, wcet: 1us, subscribes: {{topics: [t1, t2, t3], listener: L}}}}
""")


def test_configuration_1_of_the_paper():
    """In ε = 1 us, R is 1372, 187 and 2017 us; in nanoseconds one ε is 1 ns instead.

    R_p: 1 ms + 3·62 us·η_p(R_p + R_f + R_p - 2ε); with R_p = 1372: 1372 + 186 + 1372 = 2930 us holds
    two releases, so 1000 + 6·62 = 1372.
    R_f: one release, so the other two messages: ε + 2·62 + 62 = 186 us + ε.
    R_l: S = 8·224 + ε; 1792 + 2016 + 186 + 1372 = 5366 us holds three releases, so 9 messages
    pending, less the one itself: ε + 8·224 + 224 = 2016 us + ε.
    """
    bounds = published_bounds(three_topics("FIFO"))
    assert bounds.threads["P"] == 1372 * US
    assert set(bounds.samples.values()) == {186 * US + 1}
    assert set(bounds.listeners.values()) == {2016 * US + 1}
    assert set(bounds.messages.values()) == {2202 * US + 2}


def test_configuration_2_orders_by_priority_and_its_last_is_fifo():
    """Lemma 8 adds 62 us of one lower message to t1: ε + 62 + 62; t2 and t3: ε + 62 + 62 + 62."""
    bounds = published_bounds(three_topics("HIGH_PRIORITY"))
    fifo = published_bounds(three_topics("FIFO"))
    assert bounds.samples["P", "t1"] == 124 * US + 1
    assert bounds.samples["P", "t2"] == 186 * US + 1
    assert bounds.samples["P", "t3"] == 186 * US + 1 == fifo.samples["P", "t3"]
    assert bounds.messages["P", "t3", "S"] == fifo.messages["P", "t3", "S"]


def test_configuration_3_favours_the_urgent():
    """Lemma 10: one instance of each more urgent topic, none (1 - x*) of the others."""
    bounds = published_bounds(three_topics("ROUND_ROBIN"))
    assert [bounds.samples["P", t] for t in ("t1", "t2", "t3")] == [
        62 * US + 1,
        124 * US + 1,
        186 * US + 1,
    ]


def test_configuration_4_sends_in_the_publisher():
    """e^sync = 1294 us; R_l: S = 5·224 + ε, as 1120 + 1344 + 1294 us hold two releases: 6 messages.

    DDL by Eq. 2 = 1294 + 1344 us + ε, above the 2202 us of Conf. 1 because Eq. 1 leaves R_p out.
    """
    bounds = published_bounds(three_topics("FIFO", "sync"))
    assert bounds.threads["P"] == 1294 * US
    assert set(bounds.listeners.values()) == {1344 * US + 1}
    assert set(bounds.messages.values()) == {2638 * US + 1}
    assert bounds.samples == {}


# --- lemmas one by one


def test_lemmas_1_and_5_count_pending_instances_of_the_message_itself():
    """w = 3 messages of 10 us at once: two of z's own, ε + 2·10 + 10."""
    found = published_bounds(system(controller("FIFO", "A") + sender("A", "A", "10us", count=3)))
    assert found.samples["A", "A"] == 30 * US + 1


def test_lemma_2_counts_releases_of_more_urgent_application_threads():
    """S = ε + 3 us·η_H(S) = 3 us + ε; R = ε + 10 us + η_H(R)·3 us with T = 5 us: 25 us hold five.

    25.001 us hold six: 1e-3 + 10 + 18 = 28.001; η(28.001) = 6. So 28 us + ε.
    """
    found = published_bounds(
        system(
            controller("FIFO", "A")
            + sender("A", "A", "10us")
            + "\n  H: {core: m/b, priority: 95, wcet: 3us, period: 5us}"
            + "\n  low: {core: m/b, priority: 5, wcet: 1us, period: 1s}"
        )
    )
    assert found.samples["A", "A"] == 28 * US + 1


def test_lemma_3_charges_every_copy_of_a_sample():
    """Two subscribers: 2·10 us in the flow controller, δl once each in their listeners."""
    found = published_bounds(
        system(
            controller("FIFO", "A")
            + sender("A", "A", "10us")
            + "\n  R2: {core: m/d, priority: 2, wcet: 1us, subscribes: {topics: [A], listener: L}}"
        )
    )
    assert found.samples["A", "A"] == 20 * US + 1
    # The other copy is in the same listener: ε + 1 + 1 us.
    assert found.listeners["A", "A", "R"] == found.listeners["A", "A", "R2"] == 2 * US + 1


INTER = """
topics: {A: {size: 1B}}
flow_controllers: {F: {core: m/a, priority: 90}}
listeners: {L: {core: m/b, priority: 90}}
delays: {listener: {1B: 1us}}
threads:
  P: {core: m/a, priority: 50, wcet: 100us, period: 150us,
      publishes: [{topic: A, flow_controller: F, delay: 10us}]}
  R: {core: m/c, priority: 1, wcet: 1us, subscribes: {topics: [A], listener: L}}
"""


def test_lemma_4_counts_what_is_pending_in_more_urgent_middleware_threads():
    """R_F: 10 us + ε + self-interference: with R_p = 120, 10 + 10 + 120 us hold one release: none.

    R_p = 100 us + 10 us·η_f(R_p + R_F - ε), η_f = η_p(· + R_p - ε): 120 + 10 + 120 us = 250 us hold
    two releases: 120 us. (A plain carry-in free analysis of the same window would say 110 us.)
    """
    found = published_bounds(system(INTER))
    assert found.samples["P", "A"] == 10 * US + 1
    assert found.threads["P"] == 120 * US


def test_middleware_threads_delay_each_other_by_lemma_4():
    """Listener and controller on one core: the sample waits for the pending message below 1 s."""
    text = (
        controller("FIFO", "A")
        .replace("m/c", "m/b")
        .replace("L: {core: m/b, priority: 90}", "L: {core: m/b, priority: 91}")
    )
    found = published_bounds(system(text + sender("A", "A", "10us")))
    assert found.samples["A", "A"] == 11 * US + 1
    assert found.listeners["A", "A", "R"] == 1 * US + 1


def test_lemma_7_adds_the_costliest_that_fit_the_queue():
    """Pending besides z (A): 2 of B (20 us), 1 of C (5 us), 1 of A (10 us). Room for M - 1."""
    senders = (
        sender("A", "A", "10us", count=2)
        + sender("B", "B", "20us", count=2)
        + sender("C", "C", "5us")
    )

    def bound(queue: str) -> int | None:
        text = controller("FIFO", "A, B, C", queue) + senders
        return published_bounds(system(text)).samples["A", "A"]

    assert bound("") == bound(", queue: 5") == (40 + 5 + 10 + 10) * US + 1
    assert bound(", queue: 4") == (40 + 10 + 10) * US + 1
    assert bound(", queue: 3") == (40 + 10) * US + 1
    assert bound(", queue: 2") == (20 + 10) * US + 1
    assert bound(", queue: 1") == 10 * US + 1


def test_lemmas_7_to_9_for_high_priority():
    """A (-1): lower B, C block once, 20 us. B (0): A overtakes, C is of equal priority; no lower."""
    senders = sender("A", "A", "10us", count=2) + sender("B", "B", "20us") + sender("C", "C", "5us")
    found = published_bounds(system(controller("HIGH_PRIORITY", "A, B, C") + senders)).samples
    assert found["A", "A"] == (10 + 20 + 10) * US + 1
    assert found["B", "B"] == (20 + 5 + 20) * US + 1
    # M = 1 for each priority: no other of the same priority, but more urgent ones all the same.
    senders = system(controller("HIGH_PRIORITY", "A, B, C", ", queue: 1") + senders)
    found = published_bounds(senders).samples
    assert found["A", "A"] == (20 + 10) * US + 1
    assert found["B", "B"] == (20 + 20) * US + 1


def test_lemma_10_leaves_one_instance_out_up_to_its_own_priority():
    """The counterexample: B of 100 us being sent delays A of 10 us, the lemma says 10 us + ε."""
    senders = sender("A", "A", "10us") + sender("B", "B", "100us")
    one = system(controller("ROUND_ROBIN", "A, B") + senders)
    assert published_bounds(one).samples["A", "A"] == 10 * US + 1
    assert published_bounds(one).samples["B", "B"] == 110 * US + 1
    # Three of B: two of them count, unless the queue holds two: M - x* = 1.
    senders = sender("A", "A", "10us") + sender("B", "B", "100us", count=3)
    many = system(controller("ROUND_ROBIN", "A, B") + senders)
    assert published_bounds(many).samples["A", "A"] == 210 * US + 1
    full = system(controller("ROUND_ROBIN", "A, B", ", queue: 2") + senders)
    assert published_bounds(full).samples["A", "A"] == 110 * US + 1


def test_lemma_10_takes_what_is_pending_by_the_analysed_message():
    """z = B (100 us), k = A (10 us each 100 us), more urgent. R̄(A) = 10 us + ε.

    With R̄(B) = 120 us: 20 + 120 + 1 us hold two of A, so ε + 20 + 100 us. Lemma 1 would look at
    10 + 10 + 1 us, which hold one.
    """
    senders = sender("A", "A", "10us", period="100us") + sender("B", "B", "100us")
    found = published_bounds(system(controller("ROUND_ROBIN", "A, B") + senders)).samples
    assert found["A", "A"] == 10 * US + 1
    assert found["B", "B"] == 120 * US + 1


def test_a_round_robin_queue_is_a_topic_whoever_publishes():
    """Two publishers of A: the other's sample is ahead in z's own queue."""
    senders = sender("A", "A", "10us") + sender("B", "A", "10us")
    found = published_bounds(system(controller("ROUND_ROBIN", "A") + senders)).samples
    assert found == {("A", "A"): 20 * US + 1, ("B", "A"): 20 * US + 1}


# --- supply, section 5.6


def test_time_is_the_inverse_of_the_supply_bound_function():
    """sbf of 3 in 10: nothing for 14, then 3 units up to 17, pause to 24."""
    host = Host("threads", "t", (), Reservation(3, 10), 1)
    assert [host.time(work) for work in range(6)] == [0, 15, 16, 17, 25, 26]
    assert Host("threads", "t", (), None, 1).time(6) == 6


def test_a_reserved_thread_is_isolated():
    """10 us of work in 5 us each 20 us: 2·15 + 20 + 5 = 55 us, whatever else runs on the core."""
    found = published_bounds(
        system("""
threads:
  D: {core: m/a, reservation: {budget: 5us, period: 20us}, wcet: 10us, period: 100us}
  H: {core: m/a, priority: 99, wcet: 10us, period: 20us}
""")
    )
    assert found.threads == {"D": 55 * US, "H": 10 * US}


def test_a_partition_knows_its_own_threads_only():
    found = published_bounds(
        loads("""
ddsrta: 1
machines: {m: {cores: {a: {partitions: {x: {budget: 5us, period: 10us}, y: {budget: 5us, period: 10us}}}}}}
threads:
  low: {core: m/a, partition: x, priority: 1, wcet: 5us, period: 1ms}
  high: {core: m/a, partition: x, priority: 2, wcet: 5us, period: 1ms}
  other: {core: m/a, partition: y, priority: 3, wcet: 5us, period: 1ms}
""")
    )
    # 5 us of a budget of 5 us: 2·5 + 5 = 15 us; 10 us: one period more.
    assert found.threads == {"low": 25 * US, "high": 15 * US, "other": 15 * US}


# --- curves, section 5.5


def test_eq_25_for_sync_forgets_the_count():
    """The counterexample: two messages of a job come together, the second takes 20 us."""
    found = published_bounds(
        system("""
topics: {A: {size: 1B}}
listeners: {L: {core: m/b, priority: 9}}
delays: {listener: {1B: 10us}, publisher: {1B: 1us}}
threads:
  P: {core: m/a, priority: 9, wcet: 1us, period: 1s, publishes: [{topic: A, count: 2}]}
  R: {core: m/c, priority: 9, wcet: 1us, subscribes: {topics: [A], listener: L}}
""")
    )
    assert found.threads["P"] == 3 * US
    assert found.listeners["P", "A", "R"] == 10 * US + 1
    assert found.threads["R"] == 1 * US


JOIN = """
topics: {A: {size: 1B}, B: {size: 1B}}
listeners: {L: {core: m/b, priority: 9}}
delays: {listener: {1B: 1us}, publisher: {1B: 0us}}
threads:
  P: {core: m/a, priority: 9, wcet: 1us, period: 100us, publishes: [{topic: A}]}
  Q: {core: n/a, priority: 9, wcet: 1us, period: 100us, publishes: [{topic: B}]}
  R: {core: m/c, priority: 9, wcet: 10us, subscribes: {topics: [A, B], listener: L, activation: %s}}
"""


def test_or_activation_adds_and_and_activation_takes_the_most():
    text = JOIN.replace("Q: {core: n/a", "Q: {core: m/d")
    assert published_bounds(system(text % "or")).threads["R"] == 20 * US
    assert published_bounds(system(text % "and")).threads["R"] == 10 * US


def test_curves_of_sums_and_maxima():
    tick, burst = source(Periodic(10)), source(Burst(3, 1, 100))
    both, most = any_of([tick, burst]), all_of([tick, burst])
    assert both is not None and most is not None
    assert [both.events(w) for w in (0, 1, 2, 3, 11, 101)] == [0, 2, 3, 4, 5, 15]
    assert [most.events(w) for w in (0, 1, 2, 3, 31, 101)] == [0, 1, 2, 3, 4, 11]
    assert both.rate() == rate(Periodic(10)) + rate(Burst(3, 1, 100))
    assert most.rate() == rate(Periodic(10))
    assert both.next_step(0) == 1 and both.next_step(2) == 10


@pytest.mark.parametrize(
    "arrival",
    [
        Periodic(10, 13),
        Periodic(10, 25, 3),
        Sporadic(7, 9),
        Burst(3, 2, 20),
        Curve((0, 1, 10), 2, 10),
    ],
)
def test_events_are_the_inverse_of_least_distances(arrival):
    for window in range(1, 120):
        count = events(arrival, window)
        assert arrival.least_distance(count) < window <= arrival.least_distance(count + 1)


# --- application threads


@pytest.mark.parametrize(
    ("tasks", "expected"),
    [
        ([(1, 4), (1, 5), (3, 9), (3, 18)], [1, 2, 7, 18]),
        # Lehoczky 1990: the largest response is not that of the first job in the window.
        ([(52, 100), (52, 140)], [52, 156]),
        ([(26, 70), (62, 100)], [26, 118]),
    ],
)
def test_threads_by_the_busy_window(tasks, expected):
    lines = "".join(
        f"\n  t{i}: {{core: m/a, priority: {90 - i}, wcet: {cost}us, period: {period}us}}"
        for i, (cost, period) in enumerate(tasks)
    )
    found = published_bounds(system("threads:" + lines)).threads
    assert list(found.values()) == [us * US for us in expected]


def test_a_register_keeps_its_own_arrival():
    text = JOIN.replace("Q: {core: n/a", "Q: {core: m/d") % "or"
    text = text.replace(", activation: or}}", "}, period: 50us}")
    found = published_bounds(system(text))
    assert found.threads["R"] == 10 * US
    assert found.chain_latency([Hop("P", "A", "R")]) is None


# --- latencies, section 5.4


def test_delivery_crosses_the_network():
    """P on m sends to R on n: R(P) = 1 us, 5 us on the way, and the listener there."""
    text = JOIN % "or"
    text = text.replace("core: m/c", "core: n/a").replace("L: {core: m/b", "L: {core: n/a")
    text = text.replace("Q: {core: n/a", "Q: {core: m/b")
    text = text.replace("R: {core: n/a, priority: 9", "R: {core: n/a, priority: 8")
    found = published_bounds(system(text))
    listener = found.listeners["P", "A", "R"]
    assert listener is not None
    assert found.messages["P", "A", "R"] == 1 * US + 5 * US + listener


CHAIN = """
topics: {A: {size: 1B}, slow: {size: 1B}, B: {size: 1B}}
flow_controllers: {F: {core: m/b, priority: 99}}
listeners: {L: {core: m/c, priority: 99}}
delays: {listener: {1B: 1us}, publisher: {1B: 0us}}
threads:
  P: {core: m/a, priority: 9, wcet: 1us, period: 1s, publishes: [
      {topic: A, flow_controller: F, delay: 2us}, {topic: slow, flow_controller: G, delay: 50us}]}
  M: {core: m/a, priority: 8, wcet: 3us, subscribes: {topics: [A], listener: L}, publishes: [{topic: B}]}
  Z: {core: m/d, priority: 7, wcet: 10us, subscribes: {topics: [B], listener: L}}
  other: {core: m/d, priority: 6, wcet: 1us, subscribes: {topics: [slow], listener: L}}
  W: {core: m/d, priority: 8, wcet: 1us, follows: {threads: [Z], delay: 7us}}
""".replace("{F:", "{G: {core: n/a, priority: 9}, F:").replace("core: n/a", "core: m/c")


def test_end_to_end_takes_the_worst_topic_of_each_publisher():
    """Eqs. 21-23: R(P) + DDL of `slow`, which the chain does not use, + R(M) + DDL(B) + R(Z) - R(M)."""
    found = published_bounds(system(CHAIN))
    slow, fast = found.messages["P", "slow", "other"], found.messages["P", "A", "M"]
    last = found.messages["M", "B", "Z"]
    assert slow is not None and fast is not None and last is not None
    assert slow > fast
    r = found.threads
    first = r["P"] + slow + r["M"]
    second = last + r["Z"]
    path = [Hop("P", "A", "M"), Hop("M", "B", "Z")]
    assert found.chain_latency(path) == first + second - r["M"]
    assert found.chain_latency(path[:1]) == first
    # Our extension: a direct successor comes after its delay.
    assert (
        found.chain_latency([*path, Hop("Z", None, "W")])
        == first + second - r["M"] + 7 * US + r["W"]
    )
    with pytest.raises(ValueError, match="at least one hop"):
        found.chain_latency([])


# --- no number where there is none, and an end in any case


def test_what_an_overloaded_thread_feeds_is_unbounded():
    text = CHAIN.replace("wcet: 3us", "wcet: 2s")
    found = published_bounds(system(text))
    assert found.threads["P"] is not None and found.samples["P", "A"] is not None
    # The listener is shared with what the overloaded thread sends.
    assert found.listeners["P", "A", "M"] is None
    assert found.threads["M"] is None and found.threads["Z"] is None
    assert found.messages["M", "B", "Z"] is None
    assert found.chain_latency([Hop("P", "A", "M"), Hop("M", "B", "Z")]) is None


def test_a_full_core_has_a_bound_where_the_window_closes():
    text = """
threads:
  a: {core: m/a, priority: 2, wcet: 5us, period: 10us}
  b: {core: m/a, priority: 1, wcet: 10us, period: 20us}
  c: {core: m/b, priority: 2, wcet: 5us, period: 10us}
  d: {core: m/b, priority: 1, wcet: 10001ns, period: 20us}
"""
    assert published_bounds(system(text)).threads == {
        "a": 5 * US,
        "b": 20 * US,
        "c": 5 * US,
        "d": None,
    }


def test_middleware_above_half_load_diverges_and_says_so():
    """Lemma 1 counts R̄ again in its own window: at more than 50 % it grows for ever."""
    found = published_bounds(
        system(
            controller("FIFO", "A, B")
            + sender("A", "A", "40us", "100us")
            + sender("B", "B", "20us", "100us")
        )
    )
    assert found.samples == {("A", "A"): None, ("B", "B"): None}
    assert found.threads["A"] == 1 * US  # what it does not touch keeps its bound
    assert found.threads["R"] is None


@pytest.mark.parametrize("cost", ["499999ns", "500000ns", "500001ns"])
def test_slow_convergence_ends(cost):
    text = (
        controller("FIFO", "A")
        + sender("A", "A", cost, "1ms")
        + "\n  x: {core: n/a, priority: 1, wcet: 1us, period: 7us}"
    )
    with ends():
        found = published_bounds(system(text))
    assert found.threads["x"] == 1 * US


def test_many_diamonds_of_paths_end():
    """2^24 paths of different jitter: too many terms to follow, so unbounded."""
    threads = "  t0: {core: m/a, priority: 1, wcet: 1us, period: 1s}\n"
    for i in range(24):
        threads += f"  a{i}: {{core: m/a, priority: {2 + i}, wcet: 1us, follows: {{threads: [t{i}], delay: {i}us}}}}\n"
        threads += f"  b{i}: {{core: m/b, priority: {2 + i}, wcet: 2us, follows: {{threads: [t{i}], delay: {3 * i}us}}}}\n"
        threads += f"  t{i + 1}: {{core: m/c, priority: {2 + i}, wcet: 1us, follows: {{threads: [a{i}, b{i}]}}}}\n"
    with ends():
        found = published_bounds(system("threads:\n" + threads))
    assert found.threads["t24"] is None


def test_a_cycle_without_a_source_is_unbounded():
    """The reader refuses such a file; a system changed in Python may still hold one."""
    fine = system(CHAIN)
    broken = fine.altered("threads", "P", arrival=None, subscribes=fine.threads["Z"].subscribes)
    broken = broken.altered("threads", "Z", publishes=fine.threads["P"].publishes[:1])
    assert set(published_bounds(broken).threads.values()) == {None}


# --- what is known to be wrong with it


def rules(of) -> list[str]:
    return [finding.rule for finding in unsound_rows(of)]


def test_unsound_rows_name_what_concerns_the_system():
    senders = sender("A", "A", "10us") + sender("B", "B", "100us")
    assert rules(system(controller("FIFO", "A, B") + senders)) == []
    assert rules(system(controller("HIGH_PRIORITY", "A, B") + senders)) == []
    assert rules(system(controller("ROUND_ROBIN", "A") + sender("A", "A", "1us"))) == []
    round_robin = unsound_rows(system(controller("ROUND_ROBIN", "A, B") + senders))
    assert [f.rule for f in round_robin] == ["published-lemma-10", "published-lemma-10-pending"]
    assert all(f.severity == "error" for f in round_robin)
    assert "'B'" in round_robin[0].message and "'A'" in round_robin[0].message
    assert round_robin[0].position is not None and round_robin[0].position.line == 6


def test_unsound_rows_of_curves_and_chains():
    both = JOIN.replace("Q: {core: n/a", "Q: {core: m/d")
    assert rules(system(both % "or")) == []
    assert rules(system(both % "and")) == ["published-and-wait"]
    assert rules(system(both.replace("{topic: A}", "{topic: A, count: 2}") % "or")) == [
        "published-eq-25"
    ]


INSTANT = """
threads:
  P: {core: m/a, priority: 2, wcet: 5us, %s, period: 10us}
  F: {core: m/b, priority: 2, wcet: 3us, follows: {threads: [P]}}
  low: {core: m/b, priority: 1, wcet: 2001ns, period: 1ms}
"""


def test_unsound_rows_of_what_takes_no_time():
    assert rules(system(INSTANT % "bcet: 1ns")) == []
    assert rules(system(INSTANT % "bcet: 0us")) == ["published-instant"]
    sending = controller("FIFO", "A") + sender("A", "A", "{worst: 5us, best: %s}")
    assert rules(system(sending % "1ns")) == []
    assert rules(system(sending % "0us")) == ["published-instant"]


def test_what_takes_no_time_completes_a_nanosecond_too_late_for_the_curves():
    # P completes at 5 and, released at 10, at once: F's jobs are 5 us apart, the curve says 5.001
    published, default = (
        analyze(system(INSTANT % "bcet: 0us"), profile=p) for p in ("published", "busy-window")
    )
    assert published.threads["low"].wcrt == 5001
    assert default.threads["low"].wcrt == 8001


def test_unsound_rows_of_priorities_and_reservations():
    text = """
threads:
  a: {core: m/a, priority: 2, wcet: 5us, period: 1ms}
  b: {core: m/a, priority: %s, wcet: 5us, period: 1ms}
  c: {core: m/b, priority: 2, wcet: 5us, period: 1ms}
"""
    assert rules(system(text % "1")) == []
    assert rules(system(text % "2")) == ["published-equal-priorities"]
    reserved = (text % "1").replace("priority: 1,", "reservation: {budget: 1us, period: 2us},")
    assert rules(system(reserved)) == ["published-reservations"]


SOCKET = """
ddsrta: 1
machines: {m: {cores: [c0, c1, c2, c3]}}
topics: {a: {size: 1kB, priority: 0}, b: {size: 1kB, priority: 1}}
listeners: {L: {core: m/c2, priority: 50, queue: %s}}
threads:
  A: {core: m/c0, priority: 42, wcet: 1us, period: 1ms, publishes: [{topic: a, mode: sync, delay: 1us}]}
  B: {core: m/c3, priority: 41, wcet: 1us, period: 1ms, publishes: [{topic: b, mode: sync, delay: 1us}]}
  R: {core: m/c1, priority: 40, wcet: 1us, subscribes: {topics: [a, b], listener: L, delay: 100us}}
"""


@pytest.mark.parametrize(("queue", "warned"), [(1, True), (2, False), (500, False)])
def test_a_full_queue_does_not_bound_what_is_before_a_message(queue: int, warned: bool) -> None:
    """Two samples at once: one is served, so that a queue of one holds the other."""
    result = analyze(loads(SOCKET % queue), profile="published")
    assert ("published-queues" in {finding.rule for finding in result.warnings}) == warned


def test_things_of_one_name_are_not_one_thing():
    text = controller("FIFO", "A").replace("m/c", "m/b")
    flat = model(system(text + sender("A", "A", "10us")))
    assert [len(units) for units in flat.units_of.values()] == [1, 1, 1, 1]
