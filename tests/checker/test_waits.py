"""How long tokens wait at a join, as the checker finds it: by hand (lemma join-wait)."""

from __future__ import annotations

import pytest

from ddsrta.checker.budget import Budget
from ddsrta.checker.document import read_system
from ddsrta.checker.stages import unfold
from ddsrta.checker.streams import Streams
from ddsrta.checker.waits import Waits
from ddsrta.checker.yaml import read_document

TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d, e]}}
threads:
  one: {core: m/a, priority: 1, wcet: 2ns, bcet: 1ns, ONE}
  two: {core: m/b, priority: 1, wcet: 9ns, bcet: 9ns, TWO}
  three: {core: m/c, priority: 1, wcet: 4ns, bcet: 3ns, THREE}
  join: {core: m/d, priority: 1, wcet: 1ns, bcet: 1ns, follows: {threads: [INPUTS], activation: and}}
  last: {core: m/e, priority: 1, wcet: 1ns, bcet: 1ns, follows: {threads: [join, three], activation: and}}
"""
TWICE = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {publisher: {1kB: 1ns}, listener: {1kB: 1ns}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
listeners: {L: {core: m/b, priority: 1}}
threads:
  p:
    {core: m/a, priority: 1, wcet: 2ns, period: 100ns,
     publishes: [{topic: x, mode: sync, count: 2}, {topic: y, mode: sync}]}
  q: {core: m/c, priority: 1, wcet: 2ns, subscribes: {topics: [x, y], listener: L, activation: and}}
"""
LATEST = {"one": 2, "two": 9, "three": 4, "join": 1, "last": 1}  # each alone, after its event
EVERY = "period: 20ns"


def wait(behind, at="join", inputs="one, two, three", latest=(), **releases):
    """Of tokens behind a thread."""
    text = TEXT.replace("INPUTS", inputs)
    for name in ("one", "two", "three"):
        text = text.replace(name.upper(), releases.get(name, EVERY))
    stages = {stage.key: stage for stage in unfold(read_system(read_document(text, "s.yaml")))}
    latencies = {("job", name): time for name, time in (LATEST | dict(latest)).items()}
    stage = stages["job", at]
    (edge,) = (edge for edge in stage.inputs if edge.source == ("job", behind))
    return Waits(stages, Streams(stages, latencies, Budget())).wait(stage, edge)


@pytest.mark.parametrize("inputs", ["one, two, three", "one, three, two", "two, one, three"])
def test_tokens_wait_for_the_latest_of_several(inputs):
    """Each source fires first within its period: tokens of the others come up to 20 ns later than
    ours, which come after 1, 9 or 3 ns at the earliest."""
    assert wait("one", inputs=inputs) == 20 + 9 - 1
    assert wait("two", inputs=inputs) == 20 + 4 - 9
    assert wait("three", inputs=inputs) == 20 + 9 - 3


def test_tokens_of_one_event_wait_for_each_other_alone():
    after = "follows: {threads: [one]}"
    found = {
        name: wait(
            name, inputs="two, three", two=after, three=after, latest={"two": 11, "three": 6}
        )
        for name in ("two", "three")
    }
    assert found == {"three": 11 - (1 + 3), "two": 0}  # two is never there first


def test_what_comes_twice_as_often_waits_ever_longer():
    """The n-th of y belongs to the n-th event, and the n-th of x to one of half that number."""
    stages = {stage.key: stage for stage in unfold(read_system(read_document(TWICE, "s.yaml")))}
    waits = Waits(stages, Streams(stages, dict.fromkeys(stages, 9), Budget()))
    join = stages["job", "q"]
    assert [waits.wait(join, edge) for edge in join.inputs] == [None, None]


def test_jitter_makes_the_one_later_and_the_other_earlier():
    late = "arrival: {period: 20ns, jitter: 5ns}"
    assert wait("one", inputs="one, two", two=late) == 20 + 5 + 9 - 1
    assert wait("one", inputs="one, two", one=late) == 20 + 9 + 5 - 1


def test_for_what_comes_more_slowly_or_when_it_likes_tokens_wait_ever_longer():
    assert wait("one", inputs="one, two", two="period: 21ns") is None
    assert wait("one", inputs="one, two", two="arrival: {sporadic: 20ns}") is None
    assert wait("one", inputs="one, two", one="period: 21ns") == 20 + 9 - 1
    assert wait("one", inputs="one, two", one="arrival: {sporadic: 20ns}") == 20 + 9 - 1


def test_nothing_bounds_the_wait_for_what_has_no_bound():
    assert wait("one", latest={"two": None}) is None
    assert wait("two", latest={"two": None}) == 20 + 4 - 9


def test_what_comes_at_most_so_far_apart_keeps_pace_with_that():
    rare = "arrival: {sporadic: 10ns, max_distance: 20ns}"
    assert wait("one", inputs="one, two", two=rare) == 20 + 9 - 1
    assert wait("one", inputs="one, two", one=rare) is None  # each of ours may come 10 ns later


def test_bursts_have_no_pace():
    burst = "arrival: {burst: {count: 2, distance: 1ns, period: 40ns}}"
    assert wait("one", inputs="one, two", one=burst) is None
    assert wait("three", at="last", inputs="one, two", one=burst) is None


def test_a_join_has_the_pace_of_the_slowest_and_the_latest_of_what_it_waits_for():
    """Its n-th job is released by the last of the n-th tokens: 20 + 9 ns and a period for each
    before at the latest, and after 9 ns at the earliest."""
    assert wait("three", at="last", inputs="one, two") == 20 + 9 + 1 - 3
    assert wait("join", at="last", inputs="one, two") == 20 + 4 - (9 + 1)
    assert wait("join", at="last", inputs="two, one") == 20 + 4 - (9 + 1)
    slow = "period: 25ns"
    assert wait("three", at="last", inputs="one, two", one=slow) is None
    assert wait("three", at="last", inputs="one, two", one=slow, three=slow) == 20 + 9 + 1 - 3
    assert wait("three", at="last", inputs="one, two", latest={"two": None}) is None
    assert wait("three", at="last", inputs="two, one") == 20 + 9 + 1 - 3
    early = "arrival: {period: 20ns, jitter: 5ns}"
    assert wait("join", at="last", inputs="one, two", two=early) == 20 + 4 - (9 - 5 + 1)


@pytest.mark.parametrize(("jitter", "offset", "early"), [(5, 10, 5), (5, 3, 3), (0, 10, 0)])
def test_a_clock_has_the_first_due_before_the_start_if_all_of_it_comes_after(jitter, offset, early):
    one = f"arrival: {{period: 20ns, offset: 0ns, jitter: {jitter}ns}}"
    two = f"arrival: {{period: 20ns, offset: {offset}ns}}"
    assert wait("one", inputs="one, three", one=one, two=two) == 20 + 4 + early - 1
    assert wait("two", inputs="two, three", one=one, two=two) == max(0, 20 + 4 + early - offset - 9)
