"""Where messages go round, all else holds of the circles cut open (lemma circle-cut)."""

from __future__ import annotations

import pytest
import yaml

import ddsrta
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.solve import solve
from ddsrta.bounds.stages import goes_round, on_circles
from ddsrta.exploration.attacks import attack_system
from ddsrta.simulation.attack import Budget
from tests.soundness.beside import beside_system, halves
from tests.soundness.rounds import rounds_system

pytestmark = pytest.mark.usefixtures("soon_over")

TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
topics: {ping: {size: 1B}, pong: {size: 1B}}
listeners: {L: {core: m/c, priority: 80}}
threads:
  s: {core: m/a, priority: 5, wcet: 10ns, period: 100ns}
  h: {core: m/a, priority: 4, wcet: 7ns, period: 50ns}
  t: {core: m/a, priority: 3, wcet: 20ns, follows: {threads: [s]}}
  start: {core: m/b, priority: 9, wcet: 1ns, period: 400ns, publishes: [{topic: ping, delay: 0ns}]}
  wall: {core: m/b, priority: 8, wcet: 3ns, subscribes: {topics: [ping], listener: L, delay: 1ns, order: arrival}, publishes: [{topic: pong, delay: 0ns}]}
  player: {core: m/a, priority: 7, wcet: 2ns, subscribes: {topics: [pong], listener: L, delay: 1ns}, publishes: [{topic: ping, delay: 0ns, rounds: 1}]}
chains: {way: {path: [s, t]}}
"""


# `other` is in the way of a path before the circle and on it, and `slow` keeps the core of `player`
# busy for long.
THROUGH = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
topics: {ping: {size: 1B}, pong: {size: 1B}}
listeners: {L: {core: m/c, priority: 80}}
threads:
  other: {core: m/a, priority: 9, wcet: 70ns, period: 900ns}
  wall: {core: m/a, priority: 8, wcet: 3ns, subscribes: {topics: [ping], listener: L, delay: 1ns, order: arrival}, publishes: [{topic: pong, delay: 0ns}]}
  start: {core: m/a, priority: 7, wcet: 2ns, period: 900ns, publishes: [{topic: ping, delay: 0ns}]}
  slow: {core: m/b, priority: 9, wcet: 30ns, period: 100ns}
  extra: {core: m/c, priority: 90, wcet: 60ns, period: 900ns}
  player: {core: m/b, priority: 7, wcet: 2ns, subscribes: {topics: [pong], listener: L, delay: 1ns}, publishes: [{topic: ping, delay: 0ns, rounds: 1}]}
chains:
  way: {path: [start, ping, wall]}
  again: {path: [start, ping, wall, pong, player, ping, wall]}
  round: {path: [wall, pong, player, ping, wall]}
"""


def test_what_a_path_to_a_circle_and_round_it_meets_counts_once():
    """`other` and `extra` once, two jobs of `wall`, what begins it, and what the listener takes;
    where it comes to `player`, `slow` too. A run has 136, 173 and 170 ns."""
    result = ddsrta.analyze(ddsrta.loads(THROUGH))
    latency = {name: chain.latency for name, chain in result.chains.items()}
    way = 70 + 60 + 2 * 3 + 2 + 4
    assert latency == {"way": way, "again": way + 30 + 2 * 2, "round": way + 30 + 2 * 2 - 2}
    assert (result.check.status, result.check.without) == ("confirmed", ())
    plain = ddsrta.Refinements(end_to_end_windows=False)
    higher = ddsrta.analyze(ddsrta.loads(THROUGH), refinements=plain)
    assert all(higher.chains[name].latency >= 50 + latency[name] for name in latency)


def test_runs_come_near_what_is_said_of_paths_through_a_circle_and_pass_none():
    attack = attack_system(ddsrta.loads(THROUGH), ["way", "again", "round"], budget=Budget(1500))
    assert len(attack.attacked) == 3
    for each in attack.attacked:
        assert 0.9 * each.target.bound < each.worst <= each.target.bound


def document(data):
    return ddsrta.loads(yaml.safe_dump(data, sort_keys=False))


def test_what_follows_each_other_beside_a_circle_runs_once():
    """10 + 7 + 20, and two jobs of the player."""
    result = ddsrta.analyze(ddsrta.loads(TEXT))
    assert result.chains["way"].latency == 10 + 7 + 20 + 2 * 2
    assert (result.check.status, result.check.without) == ("confirmed", ())


def test_without_that_each_counts_alone():
    some = ddsrta.Refinements(cut_circles=False)
    result = ddsrta.analyze(ddsrta.loads(TEXT), refinements=some)
    assert result.chains["way"].latency > 10 + 7 + 20 + 2 * 2
    assert result.check.status == "confirmed"


def test_a_circle_takes_no_bound_from_what_is_on_its_cores():
    system = beside_system(94)
    plain = solve(system, ddsrta.Refinements(cut_circles=False))
    found = ddsrta.analyze(system)
    names = {**found.threads, **found.callbacks}
    assert sum(plain.response(("job", name)) is None for name in names) > 5
    assert all(each.wcrt is not None for each in names.values())
    assert (found.check.status, found.check.without) == ("confirmed", ())


@pytest.mark.parametrize("seed", [*range(5), 17])
def test_halves_that_have_nothing_to_do_with_each_other_keep_their_bounds(seed):
    circle, other, both = map(document, halves(seed))
    whole = solve(both)
    for half in map(solve, (circle, other)):
        for stage in half.compiled.stages:
            figures = half.response(stage.key), half.latency(stage.key), half.before(stage.key)
            assert figures == (
                whole.response(stage.key),
                whole.latency(stage.key),
                whole.before(stage.key),
            )


@pytest.mark.parametrize("seed", [2, 5, *range(8, 15)])  # most have bounds without it, too
def test_nothing_beside_a_circle_or_on_it_is_higher_for_that(seed):
    system = beside_system(seed)
    found = solve(system, most_steps=3000)
    plain = solve(system, ddsrta.Refinements(cut_circles=False), most_steps=3000)
    for stage in found.compiled.stages:
        before = plain.response(stage.key)
        response = found.response(stage.key)
        assert before is None or (response is not None and response <= before)


def test_circles_are_known_by_their_stages():
    stages = compile_system(ddsrta.loads(TEXT)).stages
    names = {stages[number].key[1] for number in on_circles(stages)}
    assert names == {"wall", "player"}
    first = next(n for n, stage in enumerate(stages) if stage.key == ("job", "wall"))
    assert goes_round(stages, [first]) and goes_round(stages, range(len(stages)))
    assert not goes_round(stages, set(range(len(stages))) - {first})


def test_what_comes_to_a_circle_has_no_pace():
    for system in (ddsrta.loads(TEXT), *map(rounds_system, range(8))):
        compiled = compile_system(system)
        for number in (n for n, stage in enumerate(compiled.stages) if stage.again):
            assert compiled.problem.node_pace[compiled.streams.of[number].node] == 0
