"""Messages within a process: a waitable of their own, last in a round, and no middleware."""

from __future__ import annotations

import ddsrta
from ddsrta.simulation import Run, program_of, random_choices

# What k serves comes at 30, 60, … up to 20 late: two of them in any 10 and more.
SYSTEM = """
ddsrta: 1
machines: {m: {cores: [c0, c1, c2, c3]}}
topics: {near: {size: 1B}, far: {size: 1B}}
listeners: {L: {core: m/c1, priority: 9}}
flow_controllers: {F: {core: m/c1, priority: 8}}
processes: {p: {listener: L, intra_process: true}}
threads:
  outside: {core: m/c2, priority: 1, wcet: 1ns, bcet: 1ns, arrival: {period: 30ns, jitter: 20ns},
            publishes: [{topic: far, delay: 0ns}]}
  inside: {core: m/c3, priority: 1, wcet: 1ns, bcet: 1ns, period: 1000ns, process: p,
           publishes: [{topic: near, flow_controller: F, delay: 1ns}]}
executors:
  ex: {core: m/c0, priority: 5, process: p, order: registered}
callbacks:
  z: {executor: ex, wcet: 2ns, subscribes: {topics: [near], delay: 0ns}}
  k: {executor: ex, wcet: 16ns, subscribes: {topics: [far], delay: 0ns}}
chains: {c: {path: [inside, near, z]}}
"""


def test_what_is_later_in_the_file_may_come_first_twice():
    # z just misses a round of k (16), and k is served again in the round that has z (16 + 2)
    system = ddsrta.loads(SYSTEM)
    program = program_of(system)
    (response,) = (i for i, m in enumerate(program.measures) if m == ("response", ("job", "z")))
    worst = 0
    for seed in range(400):
        run = Run(program, random_choices(program, seed, 3000), histograms=False)
        run.advance(3000)
        worst = max(worst, run.worst[response])
    assert 30 < worst <= ddsrta.analyze(system).callbacks["z"].wcrt


def test_a_chain_through_a_direct_message_has_no_controller():
    # whoever else the message is sent to: here a thread outside of the process
    text = SYSTEM.replace(
        "  z: {executor: ex, wcet: 2ns, subscribes: {topics: [near], delay: 0ns}}\n", ""
    )
    inside = "  z: {core: m/c0, priority: 4, wcet: 2ns, process: p, subscribes: {topics: [near], delay: 0ns}}\n"  # fmt: skip
    other = "  other: {core: m/c2, priority: 2, wcet: 1ns, subscribes: {topics: [near], listener: L, delay: 1ns}}\n"  # fmt: skip
    alone, both = (
        ddsrta.analyze(ddsrta.loads(text.replace("executors:", f"{some}executors:", 1)))
        for some in (inside, inside + other)
    )
    assert alone.chains["c"].latency == both.chains["c"].latency
    assert len(both.messages) == len(alone.messages) + 1
