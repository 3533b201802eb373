"""The same schedules as SimSo, an independent simulator: fixed priorities, periodic, one core."""

from __future__ import annotations

import warnings
from random import Random

import pytest

from ddsrta.models.arrivals import Periodic
from ddsrta.models.system import Core, System, Thread
from ddsrta.simulation import Run, program_of, worst_choices
from ddsrta_simulator.program import RECORD

MS = 1_000_000
HORIZON = 400

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # SimSo 0.8.5 imports the module `imp`, which is deprecated
    try:
        from simso.configuration import Configuration
        from simso.core import Model
    except ImportError as error:  # no `imp` from Python 3.12 on
        pytest.skip(f"SimSo cannot be imported here: {error}", allow_module_level=True)


def task_set(seed):
    """(offset, period, execution time, priority) in ms; about fully loaded at most."""
    random = Random(seed)
    count = random.randint(2, 6)
    priorities = random.sample(range(1, 50), count)
    tasks = []
    for priority in priorities:
        period = random.choice((5, 7, 10, 12, 20, 25, 30, 50))
        longest = max(1, int(period * random.choice((0.5, 0.8, 0.95)) / count))
        tasks.append((random.choice((0, random.randrange(period))), period, longest, priority))
    return tasks


def by_simso(tasks):
    """{(task, release): completion} in ms."""
    configuration = Configuration()
    configuration.duration = HORIZON * configuration.cycles_per_ms
    for number, (offset, period, execution, priority) in enumerate(tasks):
        configuration.add_task(
            name=f"t{number}",
            identifier=number + 1,
            period=period,
            activation_date=offset,
            wcet=execution,
            deadline=10 * period,
            abort_on_miss=False,
            data={"priority": priority},
        )
    configuration.add_processor(name="core", identifier=1)
    configuration.scheduler_info.clas = "simso.schedulers.FP"
    configuration.check_all()
    model = Model(configuration)
    model.run_model()
    return {
        (int(task.name[1:]), round(job.activation_date)): job.end_date
        // configuration.cycles_per_ms
        for task in model.task_list
        for job in task.jobs
        if job.end_date is not None and job.end_date < HORIZON * configuration.cycles_per_ms
    }


def by_ddsrta(tasks):
    """The same of our simulator."""
    threads = {
        str(number): Thread(
            str(number), "m/c", priority, execution * MS, arrival=Periodic(period * MS)
        )
        for number, (_, period, execution, priority) in enumerate(tasks)
    }
    program = program_of(System("set", {"m/c": Core("m", "c")}, threads=threads))
    choices = worst_choices(program)
    for number, (offset, *_) in enumerate(tasks):
        choices.source_moment[number] = offset * MS
    run = Run(program, choices, records=10**6)
    run.advance(HORIZON * MS)
    rows = run.take_records()
    completions = {}
    for i in range(0, len(rows), RECORD):
        measure, time, value = rows[i : i + RECORD]
        number = int(program.measures[measure].of[1])
        completions[number, (time - value) // MS] = time // MS
    return completions


@pytest.mark.parametrize("seed", range(25))
def test_every_job_completes_when_simso_says(seed):
    tasks = task_set(seed)
    expected, found = by_simso(tasks), by_ddsrta(tasks)
    assert len(expected) > 30
    assert found == expected
