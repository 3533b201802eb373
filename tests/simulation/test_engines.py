"""The engine sees the same compiled and interpreted, and does not mind being interrupted."""

from __future__ import annotations

from random import Random

import pytest

from ddsrta.examples import two_threads
from ddsrta.policies import POLICIES
from ddsrta.ros2 import KINDS
from ddsrta.simulation import Run, program_of, random_choices, worst_choices
from ddsrta_simulator import simulator
from tests.effort import draws
from tests.soundness.barging import barging_system
from tests.soundness.focused import focused_system
from tests.soundness.generator import random_system
from tests.soundness.limited import limited_system
from tests.soundness.linked import linked_system
from tests.soundness.middleware import fastdds_system
from tests.soundness.offsets import with_offsets
from tests.soundness.pools import pool_system
from tests.soundness.registered import with_kind, with_policy
from tests.soundness.ros2 import mixed_system, ros2_system
from tests.soundness.spinning import spinning_system
from tests.soundness.synchronized import synchronized_system
from tests.soundness.timers import timers_system

compiled = pytest.importorskip("ddsrta_simulator.compiled", reason="the engine was not compiled")
HORIZON = 1500
ENOUGH = 10**6


ENGINES = [compiled.Engine, simulator.Engine]
OTHERS = (barging_system, limited_system, mixed_system, pool_system, spinning_system, timers_system)


def drawn(seed):
    """All that the engine knows, links and kinds by their registries."""
    if seed % 11 == 4:
        return OTHERS[seed // 11 % len(OTHERS)](seed)
    if seed % 13 == 7:
        return linked_system(seed)
    if seed % 13 == 8:
        return with_kind(ros2_system(seed), list(KINDS)[seed // 13 % len(KINDS)])
    if seed % 13 == 9:
        return with_policy(focused_system(seed), list(POLICIES)[seed // 13 % len(POLICIES)])
    if seed % 7 == 3:
        return fastdds_system(seed)
    if seed % 3 == 2:
        return synchronized_system(seed) if seed % 2 else ros2_system(seed)
    system = random_system(seed) if seed % 2 else focused_system(seed)
    return with_offsets(system, Random(seed)) if seed % 4 < 2 else system


def choices_of(program, seed):
    """All worst, at random, or at random and then changed here and there, as an attack does."""
    if seed % 5 == 0:
        return worst_choices(program)
    choices = random_choices(program, seed, HORIZON)
    random = Random(seed)
    for name, values in vars(choices).items():
        for i in range(len(values) if seed % 3 == 0 and not isinstance(values, int) else 0):
            if random.random() < 0.2:
                values[i] = entry(name, random)
    for _ in range(seed % 4 * 20):
        set_apart(program, choices, random)
    return choices


def set_apart(program, choices, random):
    """Something that a single instance takes by itself."""
    last = 2 * len(program.sources)
    choices.apart_of.append(random.randrange(-last, len(program.decisions)))
    choices.apart_number.append(random.randrange(6))
    choices.apart_value.append(random.randrange(-2, random.choice((4, HORIZON))))
    choices.aparts += 1


def entry(name, random):
    """Any number that an entry of the choices may be."""
    most = {"habit": 6, "kind": 3, "jitter": 2}.get(name.split("_")[1])
    return random.randrange(most) if most else random.randrange(-100, HORIZON)


def everything(engine, program):
    """All that an engine can say."""
    return {
        "worst": engine.worst(),
        "worst_at": engine.worst_at(),
        "counts": engine.counts(),
        "histograms": [engine.histogram(i) for i in range(len(program.measures))],
        "events": engine.events,
        "state": engine.state(),
        "messages": engine.messages,
        "records": engine.take_records(),
        "trace": engine.take_trace(),
    }


EACH = draws(10, of=30)  # of five blocks


@pytest.mark.parametrize("block", range(5))
def test_compiled_and_interpreted_see_the_same(block):
    events = []
    for seed in range(EACH * block, EACH * (block + 1)):
        program = program_of(drawn(seed))
        choices = choices_of(program, seed)
        both = []
        for engine in ENGINES:
            simulated = engine(program, choices, ENOUGH, ENOUGH)
            simulated.advance(HORIZON)
            both.append(everything(simulated, program))
        events.append(both[0]["events"])
        for what, value in both[0].items():
            assert value == both[1][what], f"system {seed}: {what}"
    assert sum(count > 0 for count in events) > 0.8 * EACH  # periods may be longer than the horizon


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_may_be_split_anywhere(engine):
    for seed in range(draws(15, of=40)):
        random = Random(seed)
        program = program_of(drawn(seed))
        choices = choices_of(program, seed)
        whole = engine(program, choices, ENOUGH, ENOUGH)
        whole.advance(HORIZON)
        parts = engine(program, choices, random.choice((1, 7, 100)), random.choice((1, 7, 100)))
        records, trace = parts.take_records(), parts.take_trace()
        goal = 0
        while goal < HORIZON:
            goal = min(HORIZON, goal + random.choice((1, 17, 400)))
            while parts.advance(goal) < goal:
                records += parts.take_records()
                trace += parts.take_trace()
        records += parts.take_records()
        trace += parts.take_trace()
        expected = everything(whole, program)
        found = {**everything(parts, program), "records": records, "trace": trace}
        assert found == expected, seed


@pytest.mark.parametrize("engine", ENGINES)
def test_a_restored_run_goes_on_as_if_nothing_had_been(engine):
    for seed in range(draws(20, of=60)):
        program = program_of(drawn(seed))
        choices = choices_of(program, seed)
        middle = Random(seed).randrange(HORIZON)
        whole = engine(program, choices, ENOUGH, ENOUGH)
        whole.advance(middle)
        state = whole.state()
        whole.take_records(), whole.take_trace()
        whole.advance(HORIZON)
        restored = engine(program, choices, ENOUGH, ENOUGH)
        restored.restore(state)
        restored.advance(HORIZON)
        assert everything(restored, program) == everything(whole, program), seed


def test_a_state_of_something_else_is_refused():
    program = program_of(drawn(1))
    choices = random_choices(program, 1, HORIZON)
    run = Run(program, choices)
    run.advance(HORIZON // 2)
    state = run.state()
    other = program_of(drawn(3))
    with pytest.raises(ValueError, match="none of this program"):
        Run.restored(other, random_choices(other, 1, HORIZON), state)
    for changed in (random_choices(program, 2, HORIZON), worst_choices(program)):
        with pytest.raises(ValueError, match="none of this program"):
            Run.restored(program, changed, state)
    for spoilt in (
        b"",
        state[:-8],
        state + state,
        state[:20] + b"!" + state[21:],
        state[:-1] + b"!",
    ):
        with pytest.raises(ValueError, match="state"):
            Run.restored(program, choices, spoilt)


def test_memory_does_not_grow_with_the_time():
    looked_at = 0
    for seed in range(draws(20, of=60)):
        system = drawn(seed)
        if any(thread.activation == "and" for thread in system.threads.values()):
            continue  # tokens that find no partner have to be kept
        program = program_of(system)
        run = Run(program, random_choices(program, seed, HORIZON), histograms=False)
        run.advance(40_000)
        backlog, size = backlog_of(run), len(run.state())
        run.advance(80_000)
        if backlog_of(run) == backlog:  # not overloaded
            assert len(run.state()) <= size + 1000
            looked_at += 1
    assert looked_at > 6


def backlog_of(run):
    """The most that was ever pending, of each kind."""
    pairs = zip(run.program.measures, run.worst, strict=True)
    return [worst for measure, worst in pairs if measure.kind == "pending"]


def test_a_decision_can_be_changed_by_itself():
    program = program_of(random_system(3))
    choices = random_choices(program, 3, HORIZON)
    copy = choices.copy()
    assert copy == choices
    copy.decision_seed[0] += 1
    assert copy != choices
    assert copy.decision_seed[1:] == choices.decision_seed[1:]


def test_choices_of_another_program_are_refused():
    program = program_of(random_system(3))
    with pytest.raises(ValueError, match="another program"):
        Run(program, worst_choices(program_of(two_threads())))
