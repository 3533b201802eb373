"""What the kernel finds of a candidate by itself is what `analyze` says of it."""

from __future__ import annotations

from random import Random

import pytest

import ddsrta
from ddsrta.base.diagnostics import InputError
from ddsrta.bounds.figures import ARROW
from ddsrta.bounds.result import Result
from ddsrta.exploration.edits import Edit, edited
from ddsrta.exploration.evaluation import Evaluator, Measure, Refused
from ddsrta.exploration.parameters import parameters
from ddsrta.exploration.patches import Patches, is_plain_place
from ddsrta.models.system import System
from ddsrta_kernel.solver import Solver as Interpreted
from tests.exploration.test_evaluation import Place, drawn

SYSTEMS = 24
SMALL = 9  # threads, of what is also interpreted


def measures_of(result: Result) -> list[Measure]:
    """All that the kernel may find alone."""
    kinds = ("latency", "trigger_latency")
    chains = [n for n, each in result.chains.items() if each.constraint == "latency"]
    messages = (ARROW.join((m.publisher, m.topic, m.subscriber)) for m in result.messages)
    found = [Measure(kind, name) for name in chains for kind in kinds]
    found += [Measure("wcrt", name) for name in (*result.threads, *result.callbacks)]
    return found + [Measure("ddl", name) for name in messages]


def said(result: Result, measure: Measure) -> int | None:
    """The same of a result."""
    if measure.kind == "ddl":
        names = measure.name.split(ARROW)
        found = (m.ddl for m in result.messages if [m.publisher, m.topic, m.subscriber] == names)
        return next(found)
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
                result = ddsrta.analyze(edited(system, edits), check=False)
            except InputError as error:
                assert found == Refused(error.diagnostics[0].message)
            else:
                assert found == tuple(said(result, measure) for measure in measures)
        return evaluate.quick is not None


def test_drawn_rows_of_drawn_systems_are_as_one_by_one() -> None:
    quick = [held(drawn(seed), seed, 2) for seed in range(SYSTEMS)]
    assert sum(quick) > SYSTEMS // 6


def test_interpreted_it_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ddsrta.bounds.quick.Solver", Interpreted)
    small = [seed for seed in range(SYSTEMS) if len(drawn(seed).threads) < SMALL]
    assert sum([held(drawn(seed), seed, 1) for seed in small[:4]])


def test_what_says_more_than_a_number_is_read() -> None:
    system = drawn(0)
    thread = next(iter(system.threads))
    patches = Patches(system, [("threads", thread, "wcet"), ("threads", thread, "core")])
    assert not patches.is_whole
    assert patches.system(["1us", "m0/c0"]) is None


@pytest.mark.parametrize("value", ["0ns", "soon", "", -1, None, True])
def test_what_may_be_refused_is_read(value: object) -> None:
    system = drawn(0)
    thread = next(iter(system.threads))
    assert Patches(system, [("threads", thread, "wcet")]).system([value]) is None
