"""What an evaluator says of a candidate is what `analyze` says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

import ddsrta
from ddsrta.base.diagnostics import InputError
from ddsrta.base.yaml_changes import Step
from ddsrta.bounds.assemble import present
from ddsrta.bounds.figures import ARROW
from ddsrta.bounds.present import FIGURES
from ddsrta.bounds.result import Result
from ddsrta.bounds.solve import solve
from ddsrta.examples import two_threads
from ddsrta.exploration.edits import Edit, edited
from ddsrta.exploration.evaluation import Evaluator, Measure, Refused
from ddsrta.exploration.parameters import parameters
from ddsrta.models.system import System, Thread
from tests.soundness.generator import random_system
from tests.soundness.yaml_text import to_yaml

SYSTEMS = 8

MEASURES = (
    Measure("latency", "control loop"),
    Measure("ddl", "sensor → speed → control"),
    Measure("wcrt", "sensor"),
    Measure("backlog", "F"),
    Measure("verdict", "met"),
)


def test_all_kinds_of_measures() -> None:
    result = ddsrta.analyze(two_threads(), check=False)
    with Evaluator(two_threads(), [("threads", "sensor", "wcet")], MEASURES) as evaluate:
        (same,) = evaluate([["1ms"]])
    assert same == (
        result.chains["control loop"].latency,
        result.messages[0].ddl,
        result.threads["sensor"].wcrt,
        result.queues["F"].backlog,
        1,
    )


@pytest.mark.parametrize("value", ["-1ms", "soon", "1kB"])
def test_what_cannot_be_is_refused(value: str) -> None:
    with Evaluator(two_threads(), [("threads", "sensor", "wcet")], MEASURES) as evaluate:
        first, refused, last = evaluate([["1ms"], [value], ["1ms"]])
    assert isinstance(refused, Refused) and refused.reason
    assert first == last and not isinstance(first, Refused)


def test_what_no_result_has_is_told_at_once() -> None:
    with pytest.raises(LookupError):
        Evaluator(two_threads(), [], [Measure("latency", "nowhere")])
    with pytest.raises(LookupError):
        Evaluator(two_threads(), [], [Measure("beauty", "control loop")])


Place = tuple[tuple[Step, ...], int]  # with the number that stands there


def places_of(system: System, rnd: Random) -> list[Place]:
    """Some values of a system, and where a thread is."""
    known = [(each.path, each.value) for each in parameters(system)]
    cores: list[Place] = [(("threads", name, "core"), 0) for name in system.threads]
    return rnd.sample(known, min(3, len(known))) + rnd.sample(cores, 1)


def value_of(system: System, place: Place, rnd: Random) -> object:
    """Some value that may stand there, and now and then one that may not."""
    path, value = place
    if rnd.random() < 0.05:
        return rnd.choice(("nowhere", -1, None))
    if path[-1] == "core":
        return system.threads[str(path[1])].core if rnd.random() < 0.7 else next(iter(system.cores))
    if path[-1] == "priority":
        return rnd.randint(max(1, value - 2), value + 2)
    return f"{value + rnd.randint(0, 2) * max(1, value // 8)}ns"


def measures_of(result: Result) -> list[Measure]:
    """All that a result has."""
    return [
        *(Measure(kind, name) for name in result.chains for kind in FIGURES),
        *(Measure("wcrt", name) for name in (*result.threads, *result.callbacks)),
        *(
            Measure("ddl", ARROW.join((m.publisher, m.topic, m.subscriber)))
            for m in result.messages
        ),
        *(Measure("backlog", name) for name in result.queues),
        *(Measure("verdict", name) for name in ("met", "missed", "unbounded", "error")),
    ]


def numbers(result: Result) -> tuple[int | None, ...]:
    """The same of a result."""
    return (
        *(getattr(chain, kind) for chain in result.chains.values() for kind in FIGURES),
        *(each.wcrt for each in (*result.threads.values(), *result.callbacks.values())),
        *(message.ddl for message in result.messages),
        *(queue.backlog for queue in result.queues.values()),
        *(int(result.verdict == name) for name in ("met", "missed", "unbounded", "error")),
    )


def walked(system: System) -> Result:
    """What `analyze` says of a system, without what it lets the kernel say by itself."""
    return present(solve(system))


def one_by_one(
    system: System, places: Sequence[tuple[Step, ...]], row: Sequence[object]
) -> tuple[int | None, ...] | str:
    """What `analyze` says of a row, or why it cannot be."""
    try:
        edits = [Edit(path, value) for path, value in zip(places, row, strict=True)]
        return numbers(walked(edited(system, edits)))
    except InputError as error:
        return error.diagnostics[0].message


def held(system: System, seed: int, count: int, threads: int | None = 1) -> int:
    """Holds drawn rows against one by one; how many of them were refused."""
    rnd = Random(seed)
    places = places_of(system, rnd)
    rows = [[value_of(system, place, rnd) for place in places] for _ in range(count)]
    paths = [path for path, _ in places]
    measures = measures_of(ddsrta.analyze(system, check=False))
    known = [one_by_one(system, paths, row) for row in rows]
    order = rnd.sample(range(count), count)
    with Evaluator(system, paths, measures, threads=threads) as evaluate:
        for some in (range(count), order):
            found = evaluate([rows[number] for number in some])
            said = [one.reason if isinstance(one, Refused) else one for one in found]
            assert said == [known[number] for number in some]
    return sum(isinstance(one, str) for one in known)


def test_drawn_rows_of_drawn_systems_are_as_one_by_one() -> None:
    refused = [held(drawn(seed), seed, 4) for seed in range(SYSTEMS)]
    assert 0 < sum(refused) < 3 * SYSTEMS


def drawn(seed: int) -> System:
    """A system of a file, drawn. Of most, messages of several publishers are taken as they come:
    others the kernel does not lay out."""
    system = random_system(seed)
    if seed % 8:
        system = replace(
            system, threads={name: _as_it_comes(one) for name, one in system.threads.items()}
        )
    return ddsrta.loads(to_yaml(system), f"{seed}.yaml")


def _as_it_comes(thread: Thread) -> Thread:
    reads = thread.subscribes
    if reads is None or thread.arrival is not None or thread.activation == "and":
        return thread
    return replace(thread, subscribes=replace(reads, order="arrival"))
