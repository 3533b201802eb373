"""What is on its way needs no core (lemma ways-apart)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.closed_window.ways import Apart
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain_path
from tests.bounds.circular_systems import circular

pytestmark = pytest.mark.usefixtures("soon_over")

MS = 1_000_000
WITHOUT = ddsrta.Refinements(ways_apart=False)
ALONE = ddsrta.Refinements(pending_windows=False)


def ring(delay="10ms", quick="1us", by=5, unit="ms"):
    """Two chains of six visits that go to and fro between two cores, with a delay before one."""

    def thread(chain, i, core):
        way = f", delay: {delay}, best: {delay}" if (chain, i) == ("p", by) else ""
        comes = f"follows: {{threads: [{chain}{i - 1}]{way}}}" if i else f"period: 14{unit}"
        return f"  {chain}{i}: {{core: m/{core}, priority: {i + 1}, wcet: 1{unit}, bcet: {quick}, {comes}}}"

    stages = [("p", i, "ab"[i % 2]) for i in range(6)] + [("q", i, "ba"[i % 2]) for i in range(6)]
    threads = "\n".join(thread(*stage) for stage in stages)
    chains = "chains: {way: {path: [p0, p1, p2, p3, p4, p5]}, last: {path: [p5]}}"
    return ddsrta.loads(
        f"ddsrta: 1\nmachines: {{m: {{cores: [a, b]}}}}\nthreads:\n{threads}\n{chains}\n"
    )


def window(system, name="p0"):
    solution = solve(system)
    return solution.closed_windows.of(solution.number(("job", name)))


def test_a_delay_takes_no_time_of_those_that_work_meanwhile():
    found = window(ring())
    assert (found.length, found.apart) == (14 * MS, True)  # 11 + ceil((2 * 14 + 10) / 14)
    assert ddsrta.analyze(ring(), refinements=WITHOUT).chains["way"].latency is None
    result = ddsrta.analyze(ring())
    assert result.chains["way"].latency is not None
    assert (result.check.status, result.check.without) == ("confirmed", ())


def test_windows_too_long_for_the_kernel_are_given_up():
    """By its spacing so much may be on the way that its work is longer than all time."""
    found = window(ring(delay="1000000000ms", unit="00000000ms"))
    assert (found.length, found.apart) == (1400000000 * MS, True)


def test_what_a_thread_cannot_have_put_on_the_way_so_quickly_is_not_there():
    found = window(ring(delay="3ms", quick="1ms", by=1))  # by (a) it takes 17/14 of the time
    # four may be on the way: 12 * 10 + 5 * 4
    assert (found.length, found.apart) == (140 * MS, True)
    assert ddsrta.analyze(ring("3ms", "1ms", 1)).check.status == "confirmed"


def test_short_ways_count_one_by_one():
    assert not window(ring(delay="1ms")).apart  # 13 of 14 ms


def test_a_path_takes_the_window_for_each_stage_and_not_once():
    result = ddsrta.analyze(ring())
    assert result.chains["way"].latency >= 6 * MS + 10 * MS


def test_an_explanation_says_that_long_ways_bring_something():
    solution = solve(ring(), ALONE)
    explained = explain_path(solution, named_paths(solution.system)[0][0])
    notes = [stage.note for stage in explained.stages]
    assert any("with all that long ways bring" in note for note in notes)


@pytest.mark.parametrize("seed", range(12))
def test_no_bound_is_higher_by_it_and_all_are_confirmed(seed):
    try:
        system = ddsrta.loads(circular(seed))
    except ddsrta.InputError:
        return
    by_it, without = ddsrta.analyze(system), ddsrta.analyze(system, refinements=WITHOUT)
    assert by_it.check.status == "confirmed" and by_it.check.without == ()
    for name, thread in (without.threads | without.callbacks).items():
        least = (by_it.threads | by_it.callbacks)[name].wcrt
        assert thread.wcrt is None or least <= thread.wcrt


def test_the_checker_refutes_a_window_without_what_was_on_the_way(monkeypatch):
    monkeypatch.setattr(Apart, "on_the_way", lambda apart, edge: 0)
    assert window(ring()).length == 12 * MS
    assert "ways apart" in ddsrta.analyze(ring(), refinements=ALONE).check.without
