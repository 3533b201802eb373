"""Executors (lemma end-to-end-window): what waits for a set comes after its messages, and a whole
path has one window of what its cores do meanwhile."""

import copy
from dataclasses import replace

import pytest

import ddsrta
from ddsrta.bounds.assemble import present
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker import check
from ddsrta.models.reader import loads
from tests.checker.executors import executor_system
from tests.effort import draws
from tests.soundness.attack import attacked

# All three messages may be there at once; the listener and the executor have a core for themselves.
SET = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {listener: {1B: 3ns}, flow_controller: {1B: 1ns}}
topics: {x: {size: 1B}, y: {size: 1B}, z: {size: 1B}}
flow_controllers: {F: {core: m/a, priority: 2}}
listeners: {L: {core: m/b, priority: 2}}
executors: {E: {core: m/b, priority: 1, kind: KIND}}
threads:
  p:
    core: m/a
    priority: 1
    wcet: 1ns
    period: 100ns
    publishes:
      - {topic: x, mode: async, flow_controller: F}
      - {topic: y, mode: async, flow_controller: F}
      - {topic: z, mode: async, flow_controller: F}
callbacks:
  s: {executor: E, wcet: 5ns, subscribes: {topics: [x, y, z], listener: L, activation: and}}
"""

# The path comes to core c twice, and o runs there once. Listeners take 1 ns and have their own core.
TWICE = """\
ddsrta: 1
machines: {m: {cores: [a, b, c, l]}}
delays: {listener: {1B: 1ns}, publisher: {1B: 1ns}}
topics: {x: {size: 1B}, y: {size: 1B}}
listeners: {L: {core: m/l, priority: 3}}
executors:
  B: {core: m/b, priority: 1}
  C: {core: m/c, priority: 1}
threads:
  far: {core: m/a, priority: 1, wcet: 30ns, period: 2us}
callbacks:
  first: {executor: C, timer: 1us, wcet: 2ns, publishes: [{topic: x, mode: sync}]}
  between: {executor: B, wcet: 4ns, subscribes: {topics: [x], listener: L},
            publishes: [{topic: y, mode: sync}]}
  last: {executor: C, wcet: 6ns, subscribes: {topics: [y], listener: L}}
  o: {executor: C, timer: 2us, wcet: 70ns}
  small: {executor: C, wcet: 1ns, follows: {threads: [far]}}
chains: {way: {path: [first, x, between, y, last]}}
"""
# The path comes twice to a flow controller where z, which is due before both, may go first.
DUE = """\
ddsrta: 1
machines: {m: {cores: [a, b, f, l]}}
delays: {flow_controller: {1B: 1ns, 9B: 9ns}, listener: {1B: 1ns, 9B: 1ns}}
topics: {x: {size: 1B, deadline: 50ns}, y: {size: 1B, deadline: 50ns}, z: {size: 9B, deadline: 5ns}}
flow_controllers: {F: {core: m/f, priority: 5, policy: EARLIEST_DEADLINE_FIRST}}
listeners: {L: {core: m/l, priority: 5}}
threads:
  p: {core: m/a, priority: 2, wcet: 1ns, period: 200ns, publishes: [{topic: x, flow_controller: F}]}
  between: {core: m/b, priority: 2, wcet: 1ns, subscribes: {topics: [x], listener: L},
            publishes: [{topic: y, flow_controller: F}]}
  last: {core: m/a, priority: 1, wcet: 1ns, subscribes: {topics: [y], listener: L}}
  o: {core: m/b, priority: 3, wcet: 1ns, period: 300ns, publishes: [{topic: z, flow_controller: F}]}
  e: {core: m/b, priority: 1, wcet: 1ns, subscribes: {topics: [z], listener: L}}
chains: {way: {path: [p, x, between, y, last]}}
"""
KINDS = ("single_threaded", "events", "multi_threaded", "fixed_priority")


def of_kind(kind, text=SET):
    text = text.replace("KIND", kind)
    if kind == "fixed_priority":
        text = text.replace("{executor: E,", "{executor: E, priority: 1,")
    return loads(text, "set.yaml")


@pytest.mark.parametrize("kind", KINDS)
def test_a_callback_does_not_delay_the_messages_that_it_waits_for(kind):
    system = of_kind(kind)
    solution = solve(system, replace(Refinements.all(), pending_windows=False))
    sent, messages, takes, own = 4, 3 * 3, 3, 5
    without = solve(system, replace(Refinements.all(), effects=False, pending_windows=False))
    for topic in "xyz":
        part = ("job", f"s/{topic}")
        assert solution.latency(part) == sent + messages + takes
        assert without.latency(part) == sent + messages + takes + own
    assert solution.latency(("job", "s")) == sent + messages + takes + own


def test_in_rounds_a_callback_takes_no_turn_before_its_set_is_complete():
    text = SET.replace("listeners: {L: {core: m/b,", "listeners: {L: {core: m/a,")
    only = replace(Refinements.none(), effects=True)
    for refinements, turns in ((only, 3), (Refinements.none(), 3 + 5)):
        solution = solve(of_kind("single_threaded", text), refinements)
        assert solution.response(("job", "s/x")) == turns


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wcet", ["5ns", "60ns", "85ns"])
def test_no_run_is_longer_where_sets_follow_each_other_closely(kind, wcet):
    """The longest callback runs until after the next messages have come."""
    system = of_kind(kind, SET.replace("wcet: 5ns", f"wcet: {wcet}"))
    assert attacked(system, present(solve(system)), 16, 18) == []


def test_what_a_core_does_while_a_path_is_there_counts_once():
    system = loads(TWICE, "twice.yaml")
    (chain,) = present(solve(system)).chains.values()
    # o, small, first with its copy, and last; between with its copy; and both messages
    assert chain.latency == (70 + 1 + 3 + 6) + 5 + 1 + 1
    (without,) = present(
        solve(system, replace(Refinements.all(), end_to_end_windows=False, closed_windows=False))
    ).chains.values()
    assert without.latency > chain.latency + 60


@pytest.mark.parametrize("text", [TWICE, DUE])
def test_the_window_is_confirmed_and_a_nanosecond_less_is_not(text):
    claims = certificate(loads(text, "twice.yaml"))
    assert check(claims).ok
    lower = copy.deepcopy(claims)
    for figure in ("latency", "trigger_latency"):
        lower["chains"]["way"][figure] -= 1
    verdict = check(lower)
    assert not verdict.ok and "chain 'way'" in verdict.failure


def test_the_explanation_of_a_path_window_adds_up():
    found = explain(loads(TWICE, "twice.yaml"), "way")
    (stage,) = found.stages
    assert stage.total == found.bound == sum(term.time for term in stage.terms)
    assert "one window" in stage.note
    assert [term.time for term in stage.terms if term.label == "callback o on m/c"] == [70]


@pytest.mark.parametrize("seed", range(25, 25 + draws(10, of=30)))
def test_no_refinement_of_executors_raises_a_bound(seed):
    system = executor_system(seed)
    best = present(solve(system))
    for name in ("effects", "end_to_end_windows"):
        other = present(solve(system, replace(Refinements.all(), **{name: False})))
        for chain, found in best.chains.items():
            limit = other.chains[chain].latency
            assert limit is None or found.latency <= limit


# p1 may hear of p0's jobs out of order, 130 ns after them; q runs up to six times in all.
UNORDERED = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
threads:
  p0: {core: m/b, priority: 5, wcet: 30ns, bcet: 0ns, period: 100ns}
  p1: {core: m/a, priority: 5, wcet: 2ns,
       follows: {threads: [p0], activation: HOW, ordered: false, delay: 130ns, best: 0ns}}
  p2: {core: m/c, priority: 5, wcet: 1ns, follows: {threads: [p1]}}
  p3: {core: m/a, priority: 4, wcet: 3ns, follows: {threads: [p2]}}
  q: {core: m/a, priority: 9, wcet: 5ns, period: 30ns}
chains: {p: {path: [p0, p1, p2, p3]}}
"""


def test_what_takes_each_message_of_one_thread_waits_for_no_other():
    """Whatever its activation is called: so the window of the path goes on through it, for the
    checker as for the analysis."""
    found = [ddsrta.analyze(loads(UNORDERED.replace("HOW", how))) for how in ("and", "or")]
    assert [str(result.check.status) for result in found] == ["confirmed"] * 2
    assert [result.check.without for result in found] == [(), ()]
    assert found[0].chains["p"].latency == found[1].chains["p"].latency


def test_a_reservation_of_all_of_a_core_is_the_whole_core():
    """For the checker as for the analysis: a path that comes to it twice has one window."""
    full = "{a: {}, b: {}, c: {reservation: {budget: 5ns, period: 5ns}}, l: {}}"
    whole, all_of_it = loads(TWICE), loads(TWICE.replace("[a, b, c, l]", full))
    results = [ddsrta.analyze(system) for system in (whole, all_of_it)]
    assert [result.check.without for result in results] == [(), ()]
    assert [result.chains["way"].latency for result in results] == [87, 87]
