"""The published analysis: no number where there is none, and an end in any case."""

from __future__ import annotations

import pytest

from ddsrta.models.graph import Hop
from ddsrta.papers.dds import published_bounds
from tests.effort import ends
from tests.papers.dds_systems import CHAIN, US, controller, sender, system


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
