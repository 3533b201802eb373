"""What a run reports: maxima, counts, histograms, records and the flow of messages in the trace."""

from __future__ import annotations

import pickle

from ddsrta.simulation import Run, program_of, random_choices
from ddsrta_simulator.program import (
    ARRIVED,
    COMPLETED,
    DELIVERED,
    HANDED,
    PREEMPTED,
    RECEIVED,
    RECORD,
    RUNS,
    SENT,
    bucket,
    bucket_least,
)
from tests.soundness.generator import random_system
from tests.soundness.ros2 import mixed_system

HORIZON = 3000


def runs(count=25, **options):
    for seed in range(count):
        program = program_of(mixed_system(seed))
        run = Run(program, random_choices(program, seed, HORIZON), **options)
        run.advance(HORIZON)
        yield program, run


def test_buckets_are_at_most_a_sixteenth_wide():
    values = [*range(2000), 10**6, 10**9, 10**12, (1 << 62) - 1]
    for value in values:
        least = bucket_least(bucket(value))
        assert least <= value < bucket_least(bucket(value) + 1)
        assert value - least <= value // 16
    assert [bucket_least(bucket(v)) for v in range(32)] == list(range(32))


def test_records_maxima_and_histograms_say_the_same():
    for program, run in runs(records=10**6):
        rows = run.take_records()
        values = {}
        for i in range(0, len(rows), RECORD):
            assert 0 <= rows[i + 1] < HORIZON
            values.setdefault(rows[i], []).append(rows[i + 2])
        assert values
        for number, measure in enumerate(program.measures):
            assert sum(run.histogram(number).values()) == run.counts[number]
            if measure.kind != "pending":
                seen = values.get(number, [])
                assert run.worst[number] == max(seen, default=-1)
                assert run.counts[number] == len(seen)
                assert set(run.histogram(number)) == {bucket_least(bucket(v)) for v in seen}


def test_every_message_is_sent_received_and_delivered_once_and_in_order():
    delivered = 0
    for _, run in runs(trace=10**6):
        rows = run.take_trace()
        steps = {SENT: {}, RECEIVED: {}, DELIVERED: {}}
        for i in range(0, len(rows), 5):
            time, kind, what, number, job = rows[i : i + 5]
            if kind in steps:
                assert number == len([key for key in steps[kind] if key[0] == what])
                steps[kind][what, number] = (time, job)
        for key, (time, job) in steps[DELIVERED].items():
            sent, received = steps[SENT][key], steps[RECEIVED][key]
            assert sent[0] <= received[0] <= time
            assert sent[1] == received[1] == job
        delivered += len(steps[DELIVERED])
        directly = sum(kind == HANDED for kind in rows[1::5])
        assert len(steps[DELIVERED]) + directly == run.messages
    assert delivered > 1000


def test_a_core_runs_one_unit_at_a_time_and_only_what_has_arrived():
    for program, run in runs(trace=10**6):
        rows = run.take_trace()
        arrived, began, running = set(), set(), {}
        for i in range(0, len(rows), 5):
            _, kind, stage, number, core = rows[i : i + 5]
            if kind == ARRIVED:
                arrived.add((stage, number))
            elif kind == RUNS:
                assert (stage, number) in arrived
                assert core not in running
                running[core] = (stage, number)
                began.add((stage, number))
            elif kind == PREEMPTED:
                assert running.pop(core) == (stage, number)
            elif kind == COMPLETED:
                arrived.remove((stage, number))
                if (stage, number) in began:  # what takes no time never runs
                    assert running.pop(core, (stage, number)) == (stage, number)
        assert len(program.cores) >= len(running)


def test_without_buffers_and_histograms_the_maxima_are_the_same():
    for (_, full), (_, bare) in zip(
        runs(records=10**6, trace=10**6), runs(histograms=False), strict=True
    ):
        assert full.worst == bare.worst
        assert full.counts == bare.counts
        assert full.events == bare.events
        assert not bare.take_records()
        assert not bare.take_trace()


def test_a_seed_repeats_its_run_in_another_process_too():
    system = random_system(7)
    traces = set()
    for seed in (1, 1, 2):
        program = program_of(system)
        choices = random_choices(program, seed, HORIZON)
        Run(program, choices).advance(10)
        program, choices = pickle.loads(pickle.dumps((program, choices)))
        run = Run(program, choices, trace=10**6)
        run.advance(HORIZON)
        traces.add(tuple(run.take_trace()))
    assert len(traces) == 2
