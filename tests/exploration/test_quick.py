"""What the kernel finds of a candidate by itself is what `analyze` says of it."""

from __future__ import annotations

import signal
from array import array
from pathlib import Path
from random import Random

import pytest

import ddsrta
from ddsrta.base.diagnostics import InputError
from ddsrta.bounds.candidates import Candidates
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.figures import ARROW
from ddsrta.bounds.flow import Flow, is_plain
from ddsrta.bounds.layout import Layout
from ddsrta.bounds.result import Result
from ddsrta.bounds.solve import solve
from ddsrta.examples import two_threads
from ddsrta.exploration.edits import Edit, edited
from ddsrta.exploration.evaluation import Evaluator, Measure, Refused
from ddsrta.exploration.parameters import parameters
from ddsrta.exploration.patches import Patches, is_plain_place
from ddsrta.models.system import System
from ddsrta_kernel.problem import Problem
from ddsrta_kernel.solver import Solver as Interpreted
from tests.effort import draws
from tests.exploration.test_evaluation import Place, drawn, walked

SYSTEMS = draws(10, of=24)
FITTING = (55, 64, 75, 76, 82, 110)  # drawn, without joined stages
ARS = Path(__file__).resolve().parents[2] / "casestudies" / "ars" / "F.yaml"
SMALL = 9  # threads, of what is also interpreted


def test_the_verdict_is_that_of_analyze() -> None:
    system = two_threads()
    system = system.replace("chains", "control loop", deadline="4ms")
    places = [("threads", "sensor", "wcet"), ("flow_controllers", "F", "priority")]
    verdicts = ("met", "missed", "unbounded", "error")
    rows = [["1ms", "80"], ["3ms", "80"], ["20ms", "80"], ["1ms", "90"]]
    with Evaluator(system, places, [Measure("verdict", name) for name in verdicts]) as evaluate:
        assert evaluate.quick is not None
        for row, found in zip(rows, evaluate(rows), strict=True):
            edits = [Edit(path, value) for path, value in zip(places, row, strict=True)]
            verdict = walked(edited(system, edits)).verdict
            assert found == tuple(int(verdict == name) for name in verdicts)
    assert verdict == "error"


def measures_of(result: Result) -> list[Measure]:
    """All that the kernel may find alone."""
    kinds = ("latency", "trigger_latency")
    chains = [n for n, each in result.chains.items() if each.constraint == "latency"]
    messages = (ARROW.join((m.publisher, m.topic, m.subscriber)) for m in result.messages)
    found = [Measure(kind, name) for name in chains for kind in kinds]
    found += [Measure("wcrt", name) for name in (*result.threads, *result.callbacks)]
    found += [Measure("ddl", name) for name in messages]
    ages = [each for each in result.chains.values() if each.constraint != "latency"]
    judged = all(each.deadline is None for each in ages)
    return found + [Measure("verdict", name) for name in ("met", "missed", "error") if judged]


def said(result: Result, measure: Measure) -> int | None:
    """The same of a result."""
    if measure.kind == "ddl":
        names = measure.name.split(ARROW)
        found = (m.ddl for m in result.messages if [m.publisher, m.topic, m.subscriber] == names)
        return next(found)
    if measure.kind == "verdict":
        return int(result.verdict == measure.name)
    if measure.kind == "wcrt":
        return {**result.threads, **result.callbacks}[measure.name].wcrt
    time: int | None = getattr(result.chains[measure.name], measure.kind)
    return time


def places_of(system: System, rnd: Random) -> list[Place]:
    """Some costs and priorities."""
    known = [(each.path, each.value) for each in parameters(system) if is_plain_place(each.path)]
    known += [(("topics", name, "priority"), 0) for name in system.topics]
    return rnd.sample(known, min(len(known), rnd.randint(2, 8)))


def value_of(place: Place, rnd: Random) -> str:
    path, value = place
    if path[-1] == "wcet":
        return f"{max(1, int(value * rnd.uniform(0.2, 2)))}ns"
    return str(rnd.randint(-10, 10) if path[0] == "topics" else max(1, value + rnd.randint(-4, 4)))


def held(system: System, seed: int, rows: int) -> bool:
    """Holds drawn rows against one by one; whether the kernel found some of them."""
    rnd = Random(seed)
    places = places_of(system, rnd)
    measures = measures_of(ddsrta.analyze(system, check=False))
    paths = [path for path, _ in places]
    asked = [[value_of(place, rnd) for place in places] for _ in range(rows)]
    with Evaluator(system, paths, measures) as evaluate:
        for row, found in zip(asked, evaluate(asked), strict=True):
            edits = [Edit(path, value) for path, value in zip(paths, row, strict=True)]
            try:
                result = walked(edited(system, edits))
            except InputError as error:
                assert found == Refused(error.diagnostics[0].message)
            else:
                assert found == tuple(said(result, measure) for measure in measures)
        return evaluate.quick is not None


def test_drawn_rows_of_drawn_systems_are_as_one_by_one() -> None:
    quick = [held(drawn(seed), seed, 1) for seed in range(SYSTEMS)]
    assert sum(quick) > SYSTEMS // 6


def test_interpreted_it_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ddsrta.bounds.unaided.Solver", Interpreted)
    small = [seed for seed in range(SYSTEMS) if len(drawn(seed).threads) < SMALL]
    assert sum([held(drawn(seed), seed, 1) for seed in small[:4]])


def laid_out(system: System, seed: int) -> bool:
    """Holds a problem that the kernel makes against a compiled one, if it can make it."""
    rnd, solution = Random(seed), solve(system)
    assert is_plain(solution.compiled)
    layout = Layout(solution.compiled)
    assert layout.fits
    places = [place for place in places_of(system, rnd) if place[0][0] != "topics"]
    patches = Patches(system, [path for path, _ in places])
    structure, flow = solution.compiled.structure, Flow(solution.compiled)
    numbers = patches.numbers([value_of(place, rnd) for place in places])
    if numbers is None or (patches.ranks_threads and structure.has_ordered_copies):
        return False
    candidates = Candidates(layout, flow, (array("q", [0, 0, 0]), array("q")), 0, 1)
    candidates.found(candidates.rows([numbers], candidates.columns(patches.attributes)))
    compiled = compile_system(patches.system(patches.changes(numbers)), structure=structure)
    flow.fill(compiled)
    for column in Problem.columns:
        if column.name == "node_wait":  # which is found
            continue
        expected = getattr(compiled.problem, column.name)
        found = getattr(candidates.solvers[0].problem, column.name)[: len(expected)]
        assert found == expected, (seed, column.name)
    return True


def test_the_kernel_lays_out_problems_as_they_are_compiled() -> None:
    assert sum([laid_out(drawn(seed), seed) for seed in FITTING]) > 1
    assert sum([laid_out(ddsrta.load(ARS), seed) for seed in range(3)]) > 0


def test_several_threads_find_what_one_does() -> None:
    system = ddsrta.load(ARS)
    places = [("listeners", name, "priority") for name in system.listeners]
    measures = [Measure("latency", name) for name in system.chains]
    rows = [[str(60 + (n * 5 + k) % 14) for n in range(len(places))] for k in range(9)] * 8
    found = []
    for threads in (1, 3):
        with Evaluator(system, places, measures, threads=threads) as evaluate:
            assert evaluate.quick is not None and evaluate.quick.candidates is not None
            found.append(evaluate(rows))
    assert found[0] == found[1]


def test_an_evaluator_goes_on_after_an_interrupt() -> None:
    system = ddsrta.load(ARS)
    places = [("listeners", name, "priority") for name in system.listeners]
    measures = [Measure("latency", name) for name in system.chains]
    row = [str(60 + n) for n in range(len(places))]

    def interrupted() -> None:
        raise KeyboardInterrupt

    with Evaluator(system, places, measures, threads=1) as evaluate:
        (known,) = evaluate([row])
        assert evaluate.quick is not None and evaluate.quick.candidates is not None
        solver = evaluate.quick.candidates.solvers[0]
        before = signal.signal(signal.SIGALRM, lambda *_: interrupted())
        try:
            with pytest.raises(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
                while True:
                    evaluate([row] * 50)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        assert solver is evaluate.quick.candidates.solvers[0]
        assert evaluate([row]) == [known]


def test_what_says_more_than_a_number_is_read() -> None:
    system = drawn(0)
    thread = next(iter(system.threads))
    patches = Patches(system, [("threads", thread, "wcet"), ("threads", thread, "core")])
    assert not patches.is_whole
    assert patches.numbers(["1us", "m0/c0"]) is None


@pytest.mark.parametrize("value", ["0ns", "soon", "", -1, None, True])
def test_what_may_be_refused_is_read(value: object) -> None:
    system = drawn(0)
    thread = next(iter(system.threads))
    assert Patches(system, [("threads", thread, "wcet")]).numbers([value]) is None
