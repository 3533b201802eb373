"""Drawn systems are valid and printable, and nothing of the model is rare among them."""

from __future__ import annotations

from collections import Counter

import ddsrta
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.load import utilization
from ddsrta.models.validate import validate
from ddsrta.simulation import Run, program_of, random_choices
from tests.effort import draws
from tests.soundness.draw import KINDS, drawn
from tests.soundness.features import features_of
from tests.soundness.focused import focused_system
from tests.soundness.generator import random_system
from tests.soundness.yaml_text import to_yaml

SEEDS = range(400)


def test_every_drawn_system_is_valid_and_reads_back():
    for seed in range(draws(5, of=15)):
        for kind in KINDS:
            system = drawn(seed, kind)
            assert validate(system) == []
            assert ddsrta.loads(to_yaml(system)) == system, seed


def test_the_seed_decides():
    assert random_system(5) == random_system(5)
    assert random_system(5) != random_system(6)
    assert focused_system(5) == focused_system(5)


# At least this part of the systems has it.
WANTED = {
    "FIFO": 0.2, "HIGH_PRIORITY": 0.2, "ROUND_ROBIN": 0.2, "async": 0.5, "sync": 0.2,
    "sync and async in one job": 0.05, "several messages a job": 0.2, "four copies or more": 0.03,
    "copies by connection": 0.04, "copies by priority": 0.04,
    "earliest publication": 0.2, "periodic": 0.5, "sporadic": 0.1, "largest distance": 0.05, "burst": 0.1, "curve": 0.05,
    "jitter": 0.3, "jitter above the period": 0.1, "core loaded above 95 %": 0.05,
    "path of 3 hops or more": 0.1, "path of more than 5 hops": 0.03,
    "several flow controllers on a core": 0.1, "flow controller with peers of equal priority": 0.1,
    "core reservation": 0.1, "partitions": 0.05, "SCHED_DEADLINE thread": 0.05, "OR": 0.3,
    "AND": 0.1, "several inputs": 0.2, "one input": 0.2, "register": 0.2, "follows": 0.2,
    "best case": 0.2, "best case 0": 0.1, "best case as the worst": 0.2, "network jitter": 0.1,
    "several machines": 0.2, "known offset": 0.08, "synchronizer of a thread": 0.05,
    "synchronizer in an executor": 0.02, "synchronizer with a queue": 0.02, "exact_time": 0.01,
    "approximate_time": 0.01, "latest": 0.01, "mtd": 0.01,
}  # fmt: skip


def test_every_feature_of_the_model_is_common_enough():
    counts = Counter()
    for seed in SEEDS:
        system = drawn(seed)
        loads = utilization(compile_system(system))
        counts.update(features_of(system, loads))
    rare = {name: counts[name] for name, part in WANTED.items() if counts[name] < part * len(SEEDS)}
    assert not rare
    assert counts.keys() == WANTED.keys(), "a feature without a least part"


def test_drawn_systems_run():
    events = 0
    for seed in range(30):
        program = program_of(drawn(seed))
        run = Run(program, random_choices(program, seed, 2000))
        run.advance(2000)
        events += run.events
    assert events > 1000
