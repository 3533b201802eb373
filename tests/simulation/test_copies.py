"""Copies leave in the declared order, also where the engine is interpreted."""

from __future__ import annotations

from itertools import pairwise

import pytest

import ddsrta_simulator
from ddsrta.simulation import program_of, random_choices
from ddsrta_simulator import simulator
from ddsrta_simulator.program import SENT, TRACE
from tests.bounds.one_image import ASYNC, SYNC, one_image

ENGINES = [ddsrta_simulator.Engine, simulator.Engine]
HORIZON = 200_000_000


def sequences(engine, system, seed):
    """To whom the copies of each image go, in their order."""
    program = program_of(system)
    run = engine(program, random_choices(program, seed, HORIZON), 0, 1 << 20, False)
    run.advance(HORIZON)
    rows = zip(*[iter(run.take_trace())] * TRACE, strict=True)
    streams = [program.streams[what] for _, kind, what, _, _ in rows if kind == SENT]
    readers = [reader for _, topic, reader in streams if topic == "image"]
    return {"".join(readers[i : i + 3]) for i in range(0, len(readers) - 2, 3)}


@pytest.mark.parametrize("engine", ENGINES, ids=["engine", "interpreted"])
@pytest.mark.parametrize("mode", [ASYNC, SYNC])
@pytest.mark.parametrize(("copies", "order"), [("connection", "abc"), ("priority", "bca")])
def test_a_declared_order_is_that_of_every_message(engine, mode, copies, order):
    for seed in range(6):
        assert sequences(engine, one_image(copies, mode, 2), seed) == {order}


@pytest.mark.parametrize("engine", ENGINES, ids=["engine", "interpreted"])
def test_an_unknown_order_differs_from_message_to_message(engine):
    found = set()
    for seed in range(6):
        found |= sequences(engine, one_image("unknown", ASYNC), seed)
    assert len(found) > 1


def test_only_an_unknown_order_is_left_to_choose():
    decisions = {
        copies: [d for d in program_of(one_image(copies, SYNC)).decisions if d[0] == "readers"]
        for copies in ("unknown", "connection", "priority")
    }
    assert decisions["unknown"] == [("readers", "sync", "camera", "image")]
    assert decisions["connection"] == decisions["priority"] == []


def test_streams_follow_the_order_and_stages_as_well():
    program = program_of(one_image("priority", ASYNC))
    assert [reader for _, topic, reader in program.streams if topic == "image"] == ["b", "c", "a"]
    for stream, stage in zip(program.streams, program.stream_stage, strict=True):
        assert program.stages[stage] == ("message", *stream)
    assert all(a < b for a, b in pairwise(program.stream_stage))
