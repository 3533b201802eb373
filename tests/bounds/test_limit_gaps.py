"""Closed windows of flow controllers with limits on supplies with budgets (lemma limit-gaps)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.locks.sharing import LockSharing
from ddsrta.bounds.solve import solve
from ddsrta.simulation import program_of
from tests.checker.tampered import accepted, changed
from tests.soundness.test_middleware import exceeded

MS, US = 1_000_000, 1000
TEXT = """ddsrta: 1
middleware: {fastdds: "2.9", write: 10us}
machines: {m: {cores: {a: {}, b: {reservation: {budget: 9ms, period: 10ms}}, c: {}}}}
delays: {publisher: {1kB: 1ms}, flow_controller: {1kB: 1ms}, listener: {1kB: 1ms}}
topics: {x: {size: 1kB}, y: {size: 1kB}, z: {size: 1kB}}
flow_controllers: {F: {core: m/b, priority: 3, limit: {bytes: 64kB, period: 50ms}}}
listeners: {L: {core: m/c, priority: 5}}
threads:
  up: {core: m/a, priority: 5, wcet: 1ms, period: 30ms, publishes: [{topic: x, mode: sync}]}
  low: {core: m/a, priority: 1, wcet: 1ms, period: 30ms, publishes: [{topic: x, mode: sync}, {topic: z, flow_controller: F}]}
  over: {core: m/b, priority: 5, wcet: 1ms, period: 30ms, publishes: [{topic: y, mode: sync}]}
  under: {core: m/b, priority: 1, wcet: 1ms, period: 30ms, publishes: [{topic: y, mode: sync}]}
  s: {core: m/c, priority: 1, wcet: 1ms, subscribes: {topics: [x, y, z], listener: L}}
"""
REACHED = TEXT.replace("bytes: 64kB, period: 50ms", "bytes: 1300B, period: 4ms")
SHORT = TEXT.replace("budget: 9ms, period: 10ms", "budget: 9us, period: 10us")
WITHOUT = ddsrta.Refinements(limit_gaps=False)


def system_of() -> ddsrta.System:
    return ddsrta.loads(TEXT)


def window(text: str, name: str = "low"):
    solution = solve(ddsrta.loads(text))
    return solution.closed_windows.of(solution.number(("job", name)))


@pytest.mark.parametrize(("text", "bound"), [(TEXT, 12 * MS), (REACHED, 16 * MS)])
def test_a_circle_of_waits_beside_a_limit_and_a_reservation_has_a_bound(text: str, bound: int):
    system = ddsrta.loads(text)
    without = ddsrta.analyze(system, refinements=WITHOUT)
    assert without.threads["low"].wcrt is None
    result = ddsrta.analyze(system)
    assert result.threads["low"].wcrt == bound
    assert result.check.status == "confirmed"
    over, _ = exceeded(program_of(system), result, 1)
    assert not over


def test_what_is_slept_counts_beside_what_the_supply_lacks():
    found = window(REACHED)
    assert (found.length, found.gaps, found.asleep) == (16 * MS, 3 * MS, 4 * MS)


def test_each_waking_may_find_the_budget_used_up():
    """F wakes twice in the window at most, 50 ms apart: 7 times, doubled by its tries, two gaps."""
    plain = SHORT.replace(", limit: {bytes: 64kB, period: 50ms}", "")
    before = window(SHORT)
    without = window(plain)
    oftener = window(SHORT.replace("period: 50ms", "period: 2ms"))
    assert without.gaps < before.gaps < oftener.gaps
    assert oftener.gaps - before.gaps == 4 * 14 * 2 * US


@pytest.mark.parametrize(
    ("core", "of", "wakes"),
    [
        ("b", "under", ((50 * MS, 16),)),  # of F, which is there, and may have no room
        ("c", "under", ((50 * MS, 3),)),  # by F, which is elsewhere
        ("c", "low", ()),  # of a lock that nobody there uses
    ],
)
def test_what_wakes_on_a_supply(core: str, of: str, wakes: tuple[tuple[int, int], ...]):
    text = TEXT.replace("F: {core: m/b", f"F: {{core: m/{core}")
    if of == "under":
        sends = "publishes: [{topic: y, mode: sync}, {topic: y, flow_controller: F}]}"
        text = text.replace("publishes: [{topic: y, mode: sync}]}\n  s:", sends + "\n  s:")
        sends = ", {topic: z, flow_controller: F}"
        text = text.replace(sends, "").replace("topic: y, flow", "topic: z, flow")
    solution = solve(ddsrta.loads(text))
    compiled = solution.compiled
    there = compiled.placement.supply_of[compiled.unit_of[solution.number(("job", "under"))]]
    members = [
        number
        for number in range(len(compiled.stages))
        if compiled.placement.supply_of[compiled.unit_of[number]] == there
    ]
    assert LockSharing(compiled).wakes(members) == wakes


@pytest.mark.parametrize("text", [TEXT, REACHED, SHORT])
def test_a_certificate_with_a_shorter_window_is_refused(text: str):
    claims = certificate(ddsrta.loads(text))
    assert accepted(claims)
    for number, stage in enumerate(claims["stages"]):
        if stage["stage"] == ["job", "low"]:
            less = stage["response"] - 1
            assert not accepted(changed(claims, (("stages", number, "response"), less)))
