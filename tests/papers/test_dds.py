"""The published analysis to the letter: figures derived by hand from its lemmas (ε = 1 ns)."""

from __future__ import annotations

from ddsrta.papers.dds import published_bounds
from tests.papers.dds_systems import US, controller, sender, system

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
