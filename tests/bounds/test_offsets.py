"""Known offsets between the threads of one machine (lemma known-offsets)."""

from __future__ import annotations

import copy
from dataclasses import replace
from random import Random

import pytest

import ddsrta
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker.check import check
from ddsrta.models.arrivals import Periodic
from ddsrta.models.system import System
from ddsrta.simulation.attack import attack
from ddsrta_kernel import solver
from ddsrta_simulator import Measure
from tests.effort import draws
from tests.kernel.random_systems import random_system

pytestmark = pytest.mark.usefixtures("soon_over")

WITHOUT = replace(Refinements.all(), offsets=False)
MS = 1_000_000

TWO = """
ddsrta: 1
machines: {m: {cores: [c0]}}
threads:
  a: {core: m/c0, priority: 1, wcet: 4ms, arrival: {period: 10ms, offset: 0ms}}
  b: {core: m/c0, priority: PRIORITY, wcet: 4ms, arrival: {period: 10ms, offset: 5ms}}
"""

EARLY = """
ddsrta: 1
machines: {m: {cores: [a, b]}, n: {cores: [c]}}
threads:
  a: {core: m/a, priority: 1, wcet: 1ms, bcet: 1ms, arrival: {period: 20ms, offset: 0ms, jitter: %sms}}
  b: {core: m/b, priority: 1, wcet: 1ms, bcet: 1ms, arrival: {period: 20ms, offset: %sms}}
  c: {core: n/c, priority: 1, wcet: 1ms, bcet: 1ms, period: 20ms}
  both: {core: m/b, priority: 2, wcet: 1ms, bcet: 1ms, follows: {threads: [a, c], activation: and}}
chains: {way: {path: [a, both]}}
"""


def wcrts(system: System, refinements: Refinements | None = None) -> dict[str, int | None]:
    threads = ddsrta.analyze(system, refinements=refinements, check=False).threads
    return {name: thread.wcrt for name, thread in threads.items()}


@pytest.mark.parametrize("priority", [1, 2])
def test_threads_that_never_meet_do_not_delay_each_other(priority: int) -> None:
    """By hand: a runs in [0, 4) of each period, b in [5, 9)."""
    text = TWO.replace("PRIORITY", str(priority))
    assert wcrts(ddsrta.loads(text)) == {"a": 4 * MS, "b": 4 * MS}
    unknown = text.replace(", offset: 0ms", "").replace(", offset: 5ms", "")
    both = {"a": 8 * MS, "b": 4 * MS if priority > 1 else 8 * MS}
    assert wcrts(ddsrta.loads(unknown)) == both
    assert wcrts(ddsrta.loads(text), WITHOUT) == both
    one = text.replace(", offset: 5ms", "")
    assert wcrts(ddsrta.loads(one)) == both


@pytest.mark.parametrize(
    ("jitter", "wcrt"),
    [
        ("1ms", 4 * MS),  # b at 6 at the latest: done at 10, when a comes
        ("2ms", 5 * MS),  # b at 7: done at 11, a waits for 1
        ("10ms", 16 * MS),  # nothing is known: b three times, as without offsets
    ],
)
def test_jitter_counts_on_top_of_the_offset(jitter: str, wcrt: int) -> None:
    text = TWO.replace("PRIORITY", "2").replace("offset: 5ms", f"offset: 5ms, jitter: {jitter}")
    assert wcrts(ddsrta.loads(text))["a"] == wcrt


def test_offsets_that_meet_do() -> None:
    """By hand: b runs in [2, 6) of each period, so a runs in [0, 2) and [6, 8)."""
    text = TWO.replace("PRIORITY", "2").replace("offset: 5ms", "offset: 2ms")
    assert wcrts(ddsrta.loads(text)) == {"a": 8 * MS, "b": 4 * MS}
    # and where a comes at 2 while b runs in [0, 4), it is done at 8
    swapped = TWO.replace("PRIORITY", "2").replace("offset: 0ms", "offset: 7ms")
    assert wcrts(ddsrta.loads(swapped))["a"] == 6 * MS


def test_a_least_distance_that_counts_keeps_its_own_base() -> None:
    text = TWO.replace("PRIORITY", "2")
    idle = text.replace("offset: 5ms", "offset: 5ms, jitter: 1ms, min_distance: 9ms")
    assert wcrts(ddsrta.loads(idle))["a"] == 4 * MS
    counts = text.replace("offset: 5ms", "offset: 5ms, jitter: 1ms, min_distance: 9500us")
    assert wcrts(ddsrta.loads(counts))["a"] == 8 * MS


JOIN = """
ddsrta: 1
machines: {m: {cores: [c0, c1, c2, c3]}, n: {cores: [c0]}}
network: [{from: n, to: m, delay: 0us}, {from: m, to: n, delay: 0us}]
threads:
  a: {core: m/c0, priority: 1, wcet: 1ms, arrival: {period: 10ms, offset: 2ms}}
  b: {core: CORE, priority: 1, wcet: 1ms, bcet: 1ms, arrival: {period: 10ms, offset: 5ms}}
  both: {core: m/c2, priority: 1, wcet: 2ms, follows: {threads: [a, b], activation: and}}
  end: {core: m/c3, priority: 1, wcet: 1ms, follows: {threads: [both]}}
chains:
  from a: {path: [a, both, end], deadline: 30ms, constraint: data_age}
  from b: {path: [b, both, end], deadline: 30ms, constraint: data_age}
"""


def test_an_and_of_two_offsets_waits_for_their_difference() -> None:
    """By hand: a at 2, b at 5 until 6, both until 8, the end until 9."""
    system = ddsrta.loads(JOIN.replace("CORE", "m/c1"))
    ages = {name: c.latency for name, c in ddsrta.analyze(system).chains.items()}
    assert ages == {"from a": 7 * MS, "from b": 4 * MS}
    assert check(certificate(system)).ok
    explanation = explain(system, "from a")
    assert sum(stage.total for stage in explanation.stages) == explanation.bound == 7 * MS


def test_no_gain_across_machines() -> None:
    system = ddsrta.loads(JOIN.replace("CORE", "n/c0"))
    apart = {name: c.latency for name, c in ddsrta.analyze(system).chains.items()}
    plain = ddsrta.analyze(system, refinements=WITHOUT).chains
    assert apart == {name: c.latency for name, c in plain.items()}
    assert wcrts(system) == wcrts(system, WITHOUT)


@pytest.mark.parametrize(("jitter", "offset", "early"), [(5, 10, 5), (5, 3, 3), (0, 10, 0)])
def test_what_is_due_before_the_start_may_come_after_it(
    jitter: int, offset: int, early: int
) -> None:
    """A token of a waits from 15 + 1 on where its clock began 5 before the start, for c at 41."""
    system = ddsrta.loads(EARLY % (jitter, offset))
    assert ddsrta.analyze(system).chains["way"].latency == (22 + early) * MS
    claims = certificate(system)
    assert check(claims).ok
    claims["chains"]["way"]["latency"] -= 1
    assert not check(claims).ok


def test_other_periods_are_bounded_as_without_offsets() -> None:
    text = TWO.replace("PRIORITY", "2").replace(
        "period: 10ms, offset: 5ms", "period: 20ms, offset: 5ms"
    )
    assert wcrts(ddsrta.loads(text)) == wcrts(ddsrta.loads(text), WITHOUT)


# On random systems


def clocked(seed: int, jitter: bool = True, shift: int = 0) -> System:
    """A random system whose periodic threads have one period and offsets."""
    rnd = random_system(seed, 0.6)
    dice = Random(f"offsets {seed}")
    threads = dict(rnd.threads)
    for name, thread in threads.items():
        if thread.arrival is not None and dice.random() < 0.8:
            late = dice.choice((0, 0, 20)) if jitter else 0
            arrival = Periodic(400, late, offset=dice.choice((0, 40, 100, 200, 250)) + shift)
            threads[name] = replace(thread, arrival=arrival)
    return replace(rnd, threads=threads)


def shares(system: System) -> bool:
    compiled = compile_system(system)
    sources = [s.node for s, stage in zip(compiled.streams.of, compiled.stages, strict=True)
               if not stage.inputs]  # fmt: skip
    return len(set(sources)) < len(sources)


SYSTEMS = [seed for seed in range(draws(50, of=150)) if shares(clocked(seed))]


def figures(system: System, refinements: Refinements | None = None) -> dict[object, int | None]:
    solution = solve(system, refinements, 5000)
    found: dict[object, int | None] = {
        s.key: solution.response(s.key) for s in solution.compiled.stages
    }
    result = ddsrta.analyze(system, refinements=refinements)
    found.update({(m.publisher, m.topic, m.subscriber): m.ddl for m in result.messages})
    return found


def test_there_are_systems() -> None:
    assert len(SYSTEMS) > 15


def test_a_common_shift_changes_nothing() -> None:
    for seed in SYSTEMS:
        assert figures(clocked(seed)) == figures(clocked(seed, shift=130)), seed


def without_and(system: System) -> System:
    """AND jobs take inputs of one base together, and then do not see how each is spaced."""
    threads = {name: replace(t, activation="or") for name, t in system.threads.items()}
    return replace(system, threads=threads)


def test_without_jitter_no_bound_is_higher_and_many_are_lower() -> None:
    lower = 0
    for seed in SYSTEMS:
        system = without_and(clocked(seed, jitter=False))
        known, unknown = figures(system), figures(system, WITHOUT)
        for key, bound in unknown.items():
            if bound is not None:
                assert known[key] is not None and known[key] <= bound, (seed, key)  # type: ignore[operator]
                lower += known[key] != bound
    assert lower > 15


def test_what_is_compiled_equals_what_is_interpreted() -> None:
    compiled = pytest.importorskip("ddsrta_kernel.compiled", reason="no compiled kernel was built")
    for seed in SYSTEMS[:20]:
        problem = compile_system(clocked(seed)).problem
        fast, plain = compiled.Solver(problem, 500), solver.Solver(problem, 500)
        assert fast.solve() == plain.solve(), seed
        for name in ("response", "latency", "window"):
            assert getattr(fast, name) == getattr(plain, name), (seed, name)
        for unit in range(len(problem)):
            if not problem.is_load[unit]:
                assert fast.evaluate(unit, unit, 0) == plain.evaluate(unit, unit, 0), (seed, unit)


def test_certificates_are_confirmed_and_hold_nothing_lower() -> None:
    refuted = 0
    for seed in SYSTEMS[:60]:
        system = clocked(seed)
        claimed = certificate(system)
        assert check(claimed).ok, (seed, check(claimed).failure)
        for index, stage in enumerate(claimed["stages"]):
            if stage["stage"][0] == "job" and stage["response"]:
                tampered = copy.deepcopy(claimed)
                tampered["stages"][index]["response"] -= 1
                refuted += not check(tampered).ok
    assert refuted > 60


def test_a_certificate_with_other_offsets_is_refuted() -> None:
    """What holds 5 ms apart does not hold 2 ms apart."""
    claimed = certificate(ddsrta.loads(TWO.replace("PRIORITY", "2")))
    near = certificate(ddsrta.loads(TWO.replace("PRIORITY", "2").replace("5ms", "2ms")))
    forged = {**claimed, "system": near["system"], "digest": near["digest"]}
    assert check(claimed).ok
    assert not check(forged).ok


LATE = """\
ddsrta: 1
machines: {m: {cores: [c]}}
threads:
  sensor: {core: m/c, priority: 1, wcet: 1ns, period: 10ns}
  late: {core: m/c, priority: 1, wcet: 1ns, arrival: {period: 150ns, offset: 100ns},
         follows: {threads: [sensor]}}
  early: {core: m/c, priority: 1, wcet: 1ns, arrival: {period: 150ns, offset: 0ns}}
chains:
  reaction: {path: [sensor, late], constraint: reaction_time, deadline: 1us}
"""


def test_a_stimulus_at_the_start_waits_for_the_first_release_behind_an_offset():
    """Found by the campaign, seed 81188: up to a period and the offset, not a period."""
    system = ddsrta.loads(LATE)
    result = ddsrta.analyze(system)
    bound = result.chains["reaction"].reaction_time
    assert bound == (10 + 3) + (150 + 2) + 100
    measure = Measure("reaction_time", ("sensor", "late"))
    seen = attack(system, measure, 1, runs=2000).worst
    assert bound - 100 < seen <= bound
