"""How much work an analysis takes, by its size."""

import pytest

from benchmarks.systems import Task, to_system
from casestudies.ars.graph import REDUCED, text, without
from ddsrta.bounds import unaided
from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.assemble import present
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.solve import solve
from ddsrta.models.reader import loads
from ddsrta_kernel import Solver, solver, whole
from ddsrta_kernel.paths import way_finish
from ddsrta_kernel.problem import MOST_PENDING
from tests.checker.test_work import path_of
from tests.effort import calls, growth


@pytest.mark.parametrize("cores", [1, 10])
def test_a_chain_of_threads_takes_work_by_its_length(cores):
    def solving(count):
        system = path_of(count, cores, False)
        return lambda: solve(system, Refinements(pending_windows=False))

    def presenting(count):
        solution = solve(path_of(count, cores, False))
        return lambda: present(solution).verdict

    assert growth(solving, 100, 300) <= 1.4
    assert growth(presenting, 100, 300) <= 1.4


@pytest.mark.parametrize("cores", [1, 5, 10])
def test_pending_windows_look_at_few_others_of_each(cores):
    system = path_of(300, cores, False)
    without = calls(lambda: solve(system, Refinements(pending_windows=False)))
    assert calls(lambda: solve(system)) - without <= 300 * 20 * MOST_PENDING


@pytest.mark.parametrize(("topics", "small"), [(False, 250), (True, 60)])
def test_a_chain_to_and_fro_takes_few_windows(topics, small):
    some, more = (solve(path_of(count, 10, topics)).solver.solved for count in (small, 2 * small))
    assert more <= (4 if topics else 2.3) * some


@pytest.mark.parametrize("topics", [False, True])
def test_the_kernel_finds_the_same_where_it_is_interpreted(topics):
    problem = solve(path_of(30, 3, topics)).compiled.problem
    one, other = Solver(problem), solver.Solver(problem)
    assert one.solve() == other.solve()
    assert list(one.response) == list(other.response)
    assert list(one.latency) == list(other.latency)


def test_the_reference_system_takes_few_calls_and_what_nobody_asks_for_none():
    system = loads(text(without(max(REDUCED)), every_path=True), "ars.yaml")
    assert analyze(system, check=False).assumptions is not None  # what is imported is not counted
    assert calls(lambda: analyze(system, check=False).verdict) < 19_300
    assert calls(lambda: analyze(system, check=False).assumptions) < 38_600


def test_events_that_are_alone_take_few_calls_where_there_are_few_chains():
    """The kernel finds spans from each anchor by itself: they were most of 1,200,000."""
    system = loads(text(without(min(REDUCED)), every_path=True), "ars.yaml")
    assert analyze(system, check=False).verdict  # what is imported is not counted
    assert calls(lambda: analyze(system, check=False).verdict) < 16_100


def test_the_end_of_a_stretch_is_looked_at_once_whichever_way_leads_there(monkeypatch):
    """A third of all windows of whole paths, 24, had been looked for before; now those few whose
    place another bound has taken."""
    asked = []

    def finish(s, units, count, *rest):
        asked.append((*units[: 2 * count], rest[-1]))
        return way_finish(s, units, count, *rest)

    system = loads(text(without(max(REDUCED)), every_path=True), "ars.yaml")
    monkeypatch.setattr(unaided, "Solver", solver.Solver)
    monkeypatch.setattr(whole, "way_finish", finish)
    assert analyze(system, check=False).verdict == "met"
    assert len(set(asked)) > 40
    assert len(asked) - len(set(asked)) <= 4


def test_a_thread_alone_takes_few_calls():
    count = 1_000
    alone = [Task(n % 100, 1 + n // 100, 1_000, 500, 1_000_000, -1) for n in range(count)]
    system = to_system(alone)
    analyze(system, check=False)
    assert calls(lambda: solve(system)) < 85 * count
    assert calls(lambda: present(solve(system)).verdict) < 110 * count
