"""Closed windows where flow controllers sleep for their limits of bytes (lemma limit-windows)."""

from __future__ import annotations

import copy

import pytest

import ddsrta
from ddsrta.bounds.assemble import present
from ddsrta.bounds.evidence.certificate import certificate, claims
from ddsrta.bounds.solve import solve
from ddsrta.checker import check
from ddsrta.simulation import program_of
from tests.soundness.limited import limited_system
from tests.soundness.test_middleware import exceeded

pytestmark = pytest.mark.usefixtures("soon_over")

US, MS = 1000, 1_000_000
ALONE = ddsrta.Refinements(limit_windows=False)


def to_and_fro(limit: str, more: str = "", fastdds: str = "") -> str:
    """Two chains on two cores with delays in a circle; one sends through a flow controller."""
    rows = []
    for name, first, second in (("p", "a", "b"), ("q", "b", "a")):
        for n in range(6):
            after = "period: 15ms" if n == 0 else f"follows: {{threads: [{name}{n - 1}]}}"
            if (name, n) == ("p", 3):
                after = "subscribes: {topics: [x], listener: L}"
            sends = ", publishes: [{topic: x, flow_controller: F}]" if (name, n) == ("p", 2) else ""
            core = (first, second)[n % 2]
            rows.append(
                f"  {name}{n}: {{core: m/{core}, priority: {n + 1}, wcet: 1ms, {after}{sends}}}"
            )
    return "\n".join([
        f"ddsrta: 1\n{fastdds}machines: {{m: {{cores: [a, b, c]}}}}",
        "delays: {flow_controller: {1kB: 100us}, listener: {1kB: 100us}}",
        "topics: {x: {size: 1kB}, y: {size: 1kB}}",
        f"flow_controllers: {{F: {{core: m/c, priority: 5{limit}}}}}",
        "listeners: {L: {core: m/c, priority: 9}}",
        "threads:",
        *rows,
        more,
    ])  # fmt: skip


ONE = ", limit: {bytes: 1300B, period: 500us}"  # a message of 1256 bytes each 500 us


def test_a_circle_of_delays_with_a_limit_has_a_bound():
    system = ddsrta.loads(to_and_fro(ONE))
    assert ddsrta.analyze(system, refinements=ALONE).threads["p0"].wcrt is None
    result = ddsrta.analyze(system)
    assert result.threads["p0"].wcrt == 11 * MS
    assert result.check.status == "confirmed"


def window(text: str, name: str = "p0"):
    solution = solve(ddsrta.loads(text))
    return solution.closed_windows.of(solution.number(("job", name)))


@pytest.mark.parametrize(
    ("limit", "sleeps"),
    [
        (ONE, 1),  # it may sleep before its only message, not behind it
        (", limit: {bytes: 2600B, period: 500us}", 0),  # which it never reaches
        (", limit: {bytes: 1300B, period: 100us}", 1),
    ],
)
def test_it_sleeps_once_and_for_what_it_sends(limit: str, sleeps: int):
    found = window(to_and_fro(limit))
    period = 100 * US if "100us" in limit else 500 * US
    assert found.asleep == sleeps * period
    assert found.length == 12 * MS + 200 * US + sleeps * period


def test_what_is_slept_is_slept_for_all_that_the_flow_controller_sends():
    other = "  r: {core: m/c, priority: 1, wcet: 1ms, period: 15ms, publishes: [{topic: y, flow_controller: F}]}\n"
    reader = "  s: {core: m/c, priority: 2, wcet: 1us, subscribes: {topics: [y], listener: L}}\n"
    found = window(to_and_fro(ONE, other + reader))
    assert found.asleep == 2 * 500 * US


def test_where_it_would_sleep_most_of_the_time_there_is_none():
    solution = solve(ddsrta.loads(to_and_fro(", limit: {bytes: 1300B, period: 3ms}")))
    number = solution.number(("job", "p0"))
    assert solution.closed_windows.of(number) is None
    assert "one by one, it takes 101 %" in solution.closed_windows.because[number]


def test_not_beside_reservations_without_lemma_limit_gaps():
    text = to_and_fro(ONE, fastdds='middleware: {fastdds: "2.9"}\n')
    assert window(text) is not None
    beside = (
        "  d: {core: m/b, wcet: 1us, period: 15ms, reservation: {budget: 10us, period: 15ms}}\n"
    )
    assert window(text + beside) is not None
    solution = solve(ddsrta.loads(text + beside), ddsrta.Refinements(limit_gaps=False))
    number = solution.number(("job", "p0"))
    assert solution.closed_windows.of(number) is None
    assert solution.closed_windows.because[number] == "a limit is beside a reservation there"


def test_a_certificate_that_sleeps_too_little_is_refuted():
    claimed = certificate(ddsrta.loads(to_and_fro(ONE)))
    assert check(claimed).ok
    changed = copy.deepcopy(claimed)
    for stage in changed["stages"]:
        if stage["stage"] == ["job", "p5"]:
            assert stage["latency"] == 12 * MS + 700 * US
            stage["latency"] -= 1
    assert not check(changed).ok


def test_drawn_systems_end_above_all_runs_and_are_confirmed():
    counted = 0
    for seed in range(40, 80):
        system = limited_system(seed)
        solution = solve(system, most_steps=3000)  # as many as these have bounds with
        closed = [one for one in solution.ceilings.values() if one.asleep]
        if not closed:
            continue
        counted += len(closed)
        assert check(claims(solution, present(solution))).ok, f"seed {seed}"
        over, _ = exceeded(program_of(system), present(solution), seed)
        assert not over, f"seed {seed}"
    assert counted > 10
