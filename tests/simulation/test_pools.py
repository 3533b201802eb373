"""Executors on several cores in the engine: groups and threads."""

import pytest

from ddsrta.simulation import Run, program_of, random_choices
from ddsrta_simulator import Engine
from ddsrta_simulator.orders import POOL
from ddsrta_simulator.program import COMPLETED, PREEMPTED, RUNS, TRACE
from tests.soundness.pools import fair_pool_system, joined_pool_system, pool_system

SEEDS = range(24)


def engine_of(program, choices):
    return Engine(program, choices, 0, 100_000, True)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_goes_on_from_its_state(seed):
    program = program_of(pool_system(seed))
    choices = random_choices(program, seed, 2500)
    whole, first = (engine_of(program, choices) for _ in range(2))
    whole.advance(2500)
    first.advance(900)
    second = engine_of(program, choices)
    second.restore(first.state())
    second.advance(2500)
    assert second.worst() == whole.worst() and second.events == whole.events


@pytest.mark.parametrize("draw", (pool_system, fair_pool_system))
@pytest.mark.parametrize("seed", SEEDS)
def test_one_of_a_group_at_a_time_and_one_on_a_thread(seed, draw):
    system = draw(seed)
    program = program_of(system)
    run = Run(program, random_choices(program, seed, 2500), trace=200_000)
    run.advance(4000)
    rows = run.take_trace()
    begun = {}  # units in progress, with the core that each began on
    seen = 0
    for _, kind, stage, number, core in zip(*(rows[i::TRACE] for i in range(TRACE)), strict=True):
        if kind not in (RUNS, PREEMPTED, COMPLETED):
            continue
        if program.server_order[program.stage_server[stage]] != POOL:
            continue
        if kind == COMPLETED:
            begun.pop((stage, number), None)
        elif kind == RUNS:
            assert begun.setdefault((stage, number), core) == core, "it moved"
            seen += 1
            groups = [program.queue_group[program.stage_queue[s]] for s, _ in begun]
            known = [group for group in groups if group >= 0]
            assert len(known) == len(set(known))
            servers = [(program.stage_server[s], c) for (s, _), c in begun.items()]
            assert len(servers) == len(set(servers)), "two in one thread"
    assert seen


@pytest.mark.parametrize("seed", (11, 16, 18, 32, 36, 41, 42, 44))
def test_an_inline_callback_is_what_its_thread_goes_on_with(seed):
    system = joined_pool_system(seed)
    program = program_of(system)
    run = Run(program, random_choices(program, seed, 4000), trace=200_000)
    run.advance(4000)
    rows = run.take_trace()
    last = {}  # what each group did last, and where
    seen = 0
    for _, kind, stage, _, core in zip(*(rows[i::TRACE] for i in range(TRACE)), strict=True):
        if kind != COMPLETED or (group := program.queue_group[program.stage_queue[stage]]) < 0:
            continue
        before, last[group] = last.get(group), (stage, core)
        if program.thread_inline[stage]:
            thread = system.threads[program.stages[stage][1]]
            assert program.stages[before[0]][1] in (*thread.follows.threads, thread.name)
            assert system.executors[thread.executor].moves or before[1] == core
            seen += 1
    assert seen
