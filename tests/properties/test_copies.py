"""A declared order never raises a bound, and no run is above one."""

from __future__ import annotations

from collections import Counter

import pytest

import ddsrta
from ddsrta.bounds.assemble import present
from ddsrta.bounds.solve import solve
from ddsrta.simulation import Run, program_of, random_choices, worst_choices
from ddsrta_simulator.program import ARRIVED, PUBLISHED, SENT, TRACE
from tests.soundness.attack import span_of
from tests.soundness.declared_copies import all_declared, with_copies

UNBOUNDED = 1 << 62
STEPS = 5000  # enough for these systems, and soon over where they have no bound


def figures(system):
    """Every bound that a result has."""
    result = present(solve(system, None, STEPS))
    for name, job in {**result.threads, **result.callbacks}.items():
        yield name, job.wcrt
    for m in result.messages:
        yield (m.publisher, m.topic, m.subscriber), m.ddl
        yield (m.publisher, m.topic, m.subscriber, "sent"), m.sent
    for name, chain in result.chains.items():
        for kind in ("latency", "trigger_latency", "data_age", "reaction_time"):
            yield (name, kind), getattr(chain, kind)


@pytest.mark.parametrize(("kind", "seeds"), [("small", 120), ("any", 40), ("shared", 6)])
def test_no_bound_is_above_that_of_an_unknown_order(kind, seeds):
    lower = 0
    for system in all_declared(range(seeds), kind):
        declared, unknown = (dict(figures(s)) for s in (system, with_copies(system, "unknown")))
        for what, bound in declared.items():
            most = UNBOUNDED if unknown[what] is None else unknown[what]
            assert (UNBOUNDED if bound is None else bound) <= most, (system.name, what)
            lower += bound is not None and bound < most
    assert lower


def times_sent(program, choices, horizon):
    """(stream, time from where `sent` counts until a copy left) of one run, in order."""
    run = Run(program, choices, trace=1 << 20, histograms=False)
    run.advance(horizon)
    stages = {stage: number for number, stage in enumerate(program.stages)}
    begun, count = {}, Counter()
    for time, kind, what, number, job in zip(*[iter(run.take_trace())] * TRACE, strict=True):
        if kind in (ARRIVED, PUBLISHED):  # jobs, and samples that are handed over
            begun[what, number] = time
        elif kind == SENT:
            publisher, topic, _ = stream = program.streams[what]
            sample = stages.get(("sample", publisher, topic))
            start = (stages["job", publisher], job) if sample is None else (sample, count[what])
            count[what] += 1
            yield stream, time - begun[start]


def sends(systems, order=None):
    """(stream, time, bound) of all copies of some runs; with an order, runs have that one."""
    for seed, system in enumerate(systems):
        messages = ddsrta.analyze(system).messages
        bounds = {(m.publisher, m.topic, m.subscriber): m.sent for m in messages}
        program = program_of(with_copies(system, order) if order else system)
        horizon = span_of(system, program, (), 300)
        drawn = [random_choices(program, seed + number, horizon) for number in range(6)]
        for choices in (worst_choices(program), *drawn):
            for stream, taken in times_sent(program, choices, horizon):
                if bounds[stream] is not None:
                    yield stream, taken, bounds[stream]


@pytest.mark.parametrize("block", range(3))
def test_no_copy_leaves_after_its_bound(block):
    found = list(sends(all_declared(range(100 + 20 * block, 120 + 20 * block))))
    assert [each for each in found if each[1] > each[2]] == []
    assert len(found) > 1000
    assert any(taken == bound for _, taken, bound in found), "no bound is reached"


def test_copies_in_an_unknown_order_are_above_the_bounds_of_a_declared_one():
    found = sends(all_declared(range(100, 120)), "unknown")
    assert any(taken > bound for _, taken, bound in found)
