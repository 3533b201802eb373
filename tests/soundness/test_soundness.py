"""No run is worse than the bounds say; and the attack is strong enough to notice when one is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ddsrta
from ddsrta.bounds.assemble import present
from ddsrta.bounds.solve import solve
from ddsrta.models.arrivals import Periodic
from ddsrta.simulation import Run, program_of, worst_choices
from tests.effort import draws
from tests.soundness.attack import attacked
from tests.soundness.batch import MOST_STEPS, Plan
from tests.soundness.campaign import campaign
from tests.soundness.declared_copies import with_copies
from tests.soundness.draw import clocked, drawn

# Kinds of systems: how many. The short form of `make soundness`.
SHORT = {
    "focused": draws(40, of=160), "any": draws(10, of=40), "small": draws(40, of=60),
    "saturated": draws(4, of=16), "chains": draws(4, of=16), "shared": draws(4, of=12),
    "ros2": draws(10, of=40), "synchronized": draws(20, of=80), "pools": draws(12, of=50),
    "joined": draws(10, of=40), "fair": draws(10, of=40), "timers": draws(10, of=40),
    "wide": draws(10, of=40),
}  # fmt: skip


@pytest.mark.parametrize("kind", SHORT)
def test_no_run_is_worse_than_its_bound(kind, tmp_path):
    plan = Plan(runs=24, kind=kind, folder=tmp_path, size=40, shrink_seconds=20)
    tally = campaign(plan, 0, SHORT[kind], 2).tally
    kept = [file.read_text(encoding="utf-8") for file in tmp_path.iterdir()]
    assert not tally.violations, "\n".join([*map(str, tally.violations), *kept])
    assert tally.compared > 10 * SHORT[kind]


OR_BEFORE_REGISTER = """
ddsrta: 1
machines: {m: {cores: [c0, c1, c2]}}
threads:
  stimulus: {core: m/c0, priority: 2, wcet: 1ns, period: 100ns}
  other: {core: m/c0, priority: 1, wcet: 1ns, arrival: {curve: [0ns, 100ns, 200ns, 300ns, 400ns, 500ns, 600ns, 700ns, 800ns], repeat: 1, period: 1s}}
  merge: {core: m/c1, priority: 1, wcet: 1ns, follows: {threads: [stimulus, other], activation: or}}
  reader: {core: m/c2, priority: 1, wcet: 1ns, period: 100ns, follows: {threads: [merge]}}
chains:
  c: {path: [stimulus, merge, reader], deadline: 1us, constraint: reaction_time}
"""


def test_a_register_behind_an_or_thread_may_miss_the_stimulus():
    # `other` comes between the stimulus and the reader, in each of the first nine periods
    system = ddsrta.loads(OR_BEFORE_REGISTER)
    bound = ddsrta.analyze(system).chains["c"].reaction_time
    program = program_of(system)
    choices = worst_choices(program)
    for thread, first in (("stimulus", 0), ("other", 10), ("reader", 50)):
        choices.source_moment[program.sources.index(thread)] = first
    run = Run(program, choices)
    run.advance(2000)
    seen = dict(zip(program.measures, run.worst, strict=True))
    assert seen["reaction_time", ("stimulus", "merge", "reader")] == 951
    assert bound is None


def lighter(system, change):
    """The system with a change to each of its threads."""
    return replace(system, threads={name: change(t) for name, t in system.threads.items()})


def without_jitter(thread):
    if isinstance(thread.arrival, Periodic):
        return replace(thread, arrival=Periodic(thread.arrival.period))
    return thread


def one_message_a_job(thread):
    return replace(thread, publishes=tuple(replace(p, count=1) for p in thread.publishes))


def more_urgent(thread):
    """Alone on its core."""
    return replace(thread, priority=1000) if not thread.reservation else thread


def served_fifo(system):
    controllers = {n: replace(f, policy="FIFO") for n, f in system.flow_controllers.items()}
    return replace(system, flow_controllers=controllers)


def on_whole_cores(system):
    return replace(
        system, cores={path: replace(core, reservation=None) for path, core in system.cores.items()}
    )


def without_network(system):
    links = {pair: replace(link, delay=0, best=0) for pair, link in system.links.items()}
    return replace(system, links=links)


def queued(system, queue):
    """The same queue for all synchronizers that have one."""

    def change(thread):
        found = thread.synchronizer
        if found and found.policy != "latest":
            return replace(thread, synchronizer=replace(found, queue=queue))
        return thread

    return lighter(system, change)


def matched_as(system, policy, other):
    """The analysis takes one policy for another; of two topics, which all of them can match."""
    threads = {
        name: replace(thread, synchronizer=replace(thread.synchronizer, policy=other))
        for name, thread in system.threads.items()
        if thread.synchronizer
        and thread.synchronizer.policy == policy
        and len(thread.synchronized_topics) == 2
    }
    return replace(system, threads={**system.threads, **threads})


@pytest.mark.parametrize(
    ("forget", "kind"),
    [
        (lambda system: lighter(system, without_jitter), "focused"),
        (lambda system: lighter(system, one_message_a_job), "focused"),
        (lambda system: lighter(system, more_urgent), "focused"),
        (served_fifo, "focused"),
        (on_whole_cores, "focused"),
        (without_network, "any"),
        (lambda system: with_copies(system, "connection"), "small"),
        (lambda system: matched_as(system, "latest", "mtd"), "synchronized"),
        (lambda system: matched_as(system, "mtd", "approximate_time"), "synchronized"),
        (lambda system: lighter(system, without_jitter), "synchronized"),
    ],
    ids=[
        "jitter",
        "count",
        "priorities",
        "policies",
        "reservations",
        "network",
        "copies",
        "newest",
        "nearest",
        "jitter of stamps",
    ],
)
def test_bounds_that_forget_something_fall(forget, kind):
    for seed in range(200):
        system = drawn(seed, kind)
        forgetful = forget(system)
        if forgetful != system and attacked(system, ddsrta.analyze(forgetful), 12, seed):
            return
    pytest.fail("200 systems were attacked and nothing was noticed")


def test_bounds_that_forget_queues_of_synchronizers_fall():
    """With room for one message, sets are late that would not be."""
    for seed in range(200):
        system = drawn(seed, "synchronized")
        promised = ddsrta.analyze(queued(system, None))
        if attacked(queued(system, 1), promised, 12, seed):
            return
    pytest.fail("200 systems were attacked and nothing was noticed")


CLOCKED = draws(40, of=160)


def result_of(system):
    """The analysis of a system, with less patience where there is no fixed point."""
    return present(solve(system, most_steps=MOST_STEPS))


@pytest.mark.parametrize("block", range(4))
def test_no_run_that_keeps_the_offsets_is_worse_than_its_bound(block):
    compared = 0
    for seed in range(block * CLOCKED // 4, (block + 1) * CLOCKED // 4):
        system = clocked(seed)
        result = result_of(system)
        found = attacked(system, result, 12, seed)
        assert not found, (seed, [str(violation) for violation in found])
        compared += len(result.threads)
    assert compared > CLOCKED // 4


def test_runs_with_other_offsets_are_noticed():
    """Bounds for offsets that keep threads apart do not hold for others."""
    noticed = 0
    for seed in range(draws(25, of=150)):
        system = clocked(seed, "focused")
        moved = {
            name: replace(thread, arrival=replace(thread.arrival, offset=None))
            for name, thread in system.threads.items()
            if isinstance(thread.arrival, Periodic)
        }
        free = replace(system, threads={**system.threads, **moved})
        noticed += bool(attacked(free, result_of(system), 12, seed))
    assert noticed >= 5
