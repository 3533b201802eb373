"""What two cores do at the same time, because a job has work for both (lemma fork-overlap)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.closed_window.forks import Forks
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker import check
from ddsrta.checker.document import read_system
from ddsrta.checker.forks import fork_overlap
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import unfold
from ddsrta.checker.yaml import read_document
from ddsrta.exploration.evaluation import Evaluator, Measure
from tests.bounds.forked_systems import forked
from tests.effort import draws
from tests.soundness.attack import attacked

MS = 1_000_000
WITHOUT = ddsrta.Refinements(fork_overlaps=False)
TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {flow_controller: {1kB: 1us}, listener: {1kB: 1us}}
topics: {x: {size: 1kB}}
flow_controllers: {F: {core: m/c, priority: 5}}
listeners: {L: {core: m/c, priority: 4}}
executors:
  A: {core: m/a, priority: 1}
  B: {core: m/b, priority: 1}
  C: {core: m/b, priority: 2}
callbacks:
  see: {executor: A, timer: 20ms, wcet: 1ms}
  think: {executor: B, wcet: 4ms, follows: {threads: [see]}, publishes: [{topic: x, flow_controller: F}]}
  left: {executor: A, wcet: 3ms, follows: {threads: [think]}}
  right: {executor: A, wcet: 3ms, follows: {threads: [think]}}
  show: {executor: B, wcet: 3ms, subscribes: {topics: [x], listener: L}}
  act_left: {executor: B, wcet: 4ms, follows: {threads: [left]}}
  act_right: {executor: B, wcet: 4ms, follows: {threads: [right]}}
chains: {way: {path: [see, think, right, act_right]}}
"""


def overlap(text):
    """What the dearest fork of a system saves, as the analysis has it."""
    compiled = solve(ddsrta.loads(text)).compiled
    return Forks(compiled).best(range(len(compiled.stages)))[0]


def checked_overlap(text):
    """The same as the checker finds it."""
    system = read_system(read_document(text, "system.yaml"))
    stages = {stage.key: stage for stage in unfold(system)}
    return fork_overlap(stages, stages, Neighbours(system, stages))


def test_what_is_done_side_by_side_counts_once():
    result = ddsrta.analyze(ddsrta.loads(TEXT))
    assert result.chains["way"].latency == 16_002_001  # 22 ms and a message, less 6, and a ns
    assert (result.check.status, result.check.without) == ("confirmed", ())
    without = ddsrta.analyze(ddsrta.loads(TEXT), refinements=WITHOUT)
    assert without.chains["way"].latency > 19 * MS
    explained = explain(ddsrta.loads(TEXT), "way")
    assert sum(stage.total for stage in explained.stages) == explained.bound


def test_a_nanosecond_less_is_not_confirmed():
    claims = ddsrta.analyze(ddsrta.loads(TEXT)).certificate
    assert check(claims).ok
    way = {**claims["chains"]["way"], "latency": claims["chains"]["way"]["latency"] - 1}
    assert not check({**claims, "chains": {"way": way}}).ok


@pytest.mark.parametrize(
    ("changes", "saved"),
    [
        ({}, 6),
        ({"left: {executor: A, wcet: 3ms": "left: {executor: A, wcet: 2ms"}, 5),  # all of A's
        ({"wcet: 3ms, subscribes": "wcet: 1ms, subscribes"}, 4),  # A works alone once show is done
        ({"act_left: {executor: B, wcet: 4ms": "act_left: {executor: B, wcet: 1ms"}, 4),
        ({"act_left: {executor: B": "act_left: {executor: A"}, 3),  # not beside right
        ({"act_left: {executor: B": "act_left: {executor: C"}, 3),  # while think has not ended
        ({"show: {executor: B": "show: {executor: C", "think: {executor: B": "think: {executor: A"}, 6),
        ({"show: {executor: B": "show: {executor: C"}, 0),
        ({"show: {executor: B": "show: {executor: A"}, 0),
        ({"L: {core: m/c": "L: {core: m/a"}, 0),  # to show by A's core
        ({"F: {core: m/c": "F: {core: m/b"}, 6),  # and by B's
        ({"right: {executor: A, wcet: 3ms, follows: {threads: [think]}": "right: {executor: A, wcet: 3ms, follows: {threads: [think], delay: 1us}"}, 3),
        ({"[{topic: x,": "[{topic: x, jobs: 1 of 2,"}, 0),
        ({"[{topic: x,": "[{topic: x, count: 2,"}, 0),
        ({"B: {core: m/b, priority: 1}": "B: {core: m/b, policy: other}"}, 0),
        ({"right: {executor: A": "right: {executor: C", "left: {executor: A": "left: {executor: C"}, 0),
    ],
)  # fmt: skip
def test_a_fork_is_what_it_is_said_to_be(changes, saved):
    text = TEXT
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    assert overlap(text) == saved * MS
    assert checked_overlap(text) == max(0, saved * MS - 1)


@pytest.mark.parametrize("seed", range(draws(10, of=30)))
def test_drawn_systems_are_confirmed_and_not_exceeded(seed):
    text = forked(seed)
    assert checked_overlap(text) == max(0, overlap(text) - 1)
    system = ddsrta.loads(text)
    result = ddsrta.analyze(system)
    assert (result.check.status, result.check.without) == ("confirmed", ())
    assert not attacked(system, result, 10, seed)


def test_many_drawn_systems_have_a_window_only_so():
    lower = 0
    for seed in range(30):
        found = solve(ddsrta.loads(forked(seed)))
        windows = [found.closed_windows.of(number) for number in range(len(found.compiled.stages))]
        lower += any(window is not None and window.fork is not None for window in windows)
    assert lower > 8


def test_what_a_fork_holds_has_no_window_by_it_where_its_own_set_has_none():
    # The set of `less` has a fork with `less`; that of `last`, which `less` does not delay, has not.
    text = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
executors:
  A: {core: m/a, priority: 1, kind: events}
  B: {core: m/b, priority: 2, kind: fixed_priority}
  C: {core: m/b, priority: 1, kind: single_threaded}
callbacks:
  s: {executor: A, timer: 6319us, wcet: 200us}
  k0: {executor: A, wcet: 1000us, follows: {threads: [s]}}
  k1: {executor: A, wcet: 1000us, follows: {threads: [s]}}
  k2: {executor: B, priority: 1, wcet: 2137us, follows: {threads: [k0]}}
  less: {executor: C, wcet: 39us, follows: {threads: [s]}}
  k4: {executor: B, priority: 2, wcet: 1000us, follows: {threads: [k1]}}
  last: {executor: B, priority: 1, wcet: 1000us, follows: {threads: [k1]}}
"""
    result = ddsrta.analyze(ddsrta.loads(text))
    assert (result.check.status, result.check.without) == ("confirmed", ())


def test_candidates_of_a_search_have_the_same_bounds():
    system = ddsrta.loads(TEXT)
    places = [("callbacks", "show", "wcet")]
    with Evaluator(system, places, [Measure("latency", "way")]) as evaluate:
        assert evaluate.quick is not None
        found = evaluate([["3ms"], ["2ms"], ["1us"]])
    for wcet, (latency,) in zip(("3ms", "2ms", "1us"), found, strict=True):
        text = TEXT.replace("wcet: 3ms, subscribes", f"wcet: {wcet}, subscribes")
        assert latency == ddsrta.analyze(ddsrta.loads(text)).chains["way"].latency
