"""The published analysis: supply, curves, application threads and latencies by hand (ε = 1 ns)."""

from __future__ import annotations

import pytest

from ddsrta.models.arrivals import Burst, Curve, Periodic, Sporadic
from ddsrta.models.graph import Hop
from ddsrta.models.reader import loads
from ddsrta.models.system import Reservation
from ddsrta.papers.dds import published_bounds
from ddsrta.papers.dds.curves import all_of, any_of, events, rate, source
from ddsrta.papers.dds.model import Host
from tests.papers.dds_systems import CHAIN, JOIN, US, system

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
