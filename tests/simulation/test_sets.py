"""Threads that move between cores in the engine, held against the definitions, and against their
bounds."""

from __future__ import annotations

import pytest

from ddsrta.exploration.attacks import attack_system
from ddsrta.simulation import Run, program_of, random_choices
from ddsrta.simulation.attack import Budget
from ddsrta_simulator import Engine
from ddsrta_simulator.orders import POOL
from ddsrta_simulator.program import ARRIVED, COMPLETED, PREEMPTED, RUNS, TRACE
from tests.effort import draws
from tests.simulation.oracle.compare import differs
from tests.simulation.test_engines import choices_of
from tests.soundness.sets import moving_pool_system, set_system

SEEDS = range(draws(15, of=40))
HORIZON = 1500


@pytest.mark.parametrize("seed", SEEDS)
def test_the_engine_does_what_the_definitions_say(seed):
    system = set_system(seed)
    program = program_of(system)
    assert not differs(system, program, choices_of(program, seed), HORIZON)


@pytest.mark.parametrize("seed", range(draws(4, of=8)))
def test_a_run_goes_on_from_its_state(seed):
    program = program_of(set_system(seed))
    choices = random_choices(program, seed, HORIZON)
    whole, first = (Engine(program, choices, 0, 100_000, True) for _ in range(2))
    whole.advance(HORIZON)
    first.advance(HORIZON // 3)
    second = Engine(program, choices, 0, 100_000, True)
    second.restore(first.state())
    second.advance(HORIZON)
    assert second.worst() == whole.worst() and second.events == whole.events


def test_no_core_of_its_set_is_at_less_urgent_work_while_a_thread_waits():
    waits = moved = 0
    for seed in SEEDS:
        system = set_system(seed)
        program = program_of(system)
        run = Run(program, random_choices(program, seed, HORIZON), trace=200_000)
        run.advance(HORIZON)
        rows = run.take_trace()
        pending, running, ran_on, last = {}, {}, {}, 0
        for time, kind, stage, number, core in zip(
            *(rows[i::TRACE] for i in range(TRACE)), strict=True
        ):
            if time > last:
                at_work = {program.stages[one] for one in running.values()}
                for name in (n for n, count in pending.items() if count):
                    if ("job", name) in at_work:
                        continue
                    thread = system.threads[name]
                    waits += 1
                    for place in map(program.cores.index, thread.cores):
                        assert place in running, (seed, time, name)
                        urgency = program.server_priority[program.stage_server[running[place]]]
                        assert urgency >= thread.priority, (seed, time, name)
                last = time
            own = program.stages[stage] if kind in (ARRIVED, RUNS, PREEMPTED, COMPLETED) else ("",)
            moves = own[0] == "job" and system.threads[own[1]].cores
            if kind == ARRIVED and moves:
                pending[own[1]] = pending.get(own[1], 0) + 1
            elif kind == RUNS:
                running[core] = stage
                moved += bool(moves) and ran_on.setdefault((stage, number), core) != core
            elif kind in (PREEMPTED, COMPLETED) and own[0]:
                running.pop(core, None)
                if kind == COMPLETED and moves:
                    pending[own[1]] -= 1
    assert waits > 100 and moved > 3


@pytest.mark.parametrize("seed", range(draws(5, of=12)))
def test_of_a_moving_pool_no_more_callbacks_are_begun_than_threads(seed):
    system = moving_pool_system(seed)
    program = program_of(system)
    run = Run(program, random_choices(program, seed, HORIZON), trace=200_000)
    run.advance(HORIZON)
    rows = run.take_trace()
    begun = set()
    for _, kind, stage, number, _ in zip(*(rows[i::TRACE] for i in range(TRACE)), strict=True):
        if kind == RUNS and program.server_order[program.stage_server[stage]] == POOL:
            begun.add((stage, number))
        elif kind == COMPLETED:
            begun.discard((stage, number))
        for name, executor in system.executors.items():
            mine = [s for s, _ in begun if system.threads[program.stages[s][1]].executor == name]
            groups = [program.queue_group[program.stage_queue[s]] for s in mine]
            exclusive = [group for group in groups if group >= 0]
            assert len(mine) <= executor.threads and len(set(exclusive)) == len(exclusive)


def test_no_search_finds_more_than_the_bounds_of_moving_pools():
    for seed in range(draws(10, of=30)):
        attack = attack_system(moving_pool_system(seed), budget=Budget(runs=8))
        assert attack.result.check.status == "confirmed", seed
        assert not any(one.broken for one in attack.attacked), seed


def test_no_search_finds_more_than_a_bound_and_some_reach_it():
    exact = 0
    for seed in SEEDS:
        attack = attack_system(set_system(seed), budget=Budget(runs=12))
        assert attack.result.check.status == "confirmed", seed
        assert not any(one.broken for one in attack.attacked), seed
        exact += sum(one.tightness == 1 for one in attack.attacked)
    assert exact > 20
