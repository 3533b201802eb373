"""Federations with rare classes: each class is common enough, and no run contradicts a verdict."""

from __future__ import annotations

from collections import Counter

from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.program.reader import loads
from tests.lf.run.simulation.campaign_classes import classed
from tests.lf.run.simulation.classes import classes_of, draw_class

SEEDS = range(400)

# At least this part of the federations has it.
WANTED = {
    "one input and no events": 0.4, "maxwait forever": 0.15, "maxwait below 50 us": 0.12,
    "maxwait of 50 us or more": 0.12, "absent_after 0": 0.06, "absent_after above 0": 0.3,
    "absent_after forever": 0.08, "clock_error with shared_clock": 0.3,
    "clock_error without shared_clock": 0.4, "federates with one clock": 0.2,
    "physical action upstream": 0.3, "physical connection upstream": 0.08, "deadline 0": 0.02,
}  # fmt: skip


def test_every_class_is_common_enough() -> None:
    counts = Counter(name for seed in SEEDS for name in classes_of(draw_class(seed)[0]))
    rare = {name: counts[name] for name, part in WANTED.items() if counts[name] < part * len(SEEDS)}
    assert not rare
    assert counts.keys() == WANTED.keys(), "a class without a least part"


def test_the_seed_decides() -> None:
    assert draw_class(5) == draw_class(5)
    assert draw_class(5) != draw_class(6)


def test_no_run_is_worse_than_its_verdict() -> None:
    counts: Counter[str] = Counter()
    assert [problem for seed in range(60) for problem in classed(seed, counts)] == []
    assert counts["classes: met"] > 12
    assert counts["classes: met with short waits"] > 0
    assert counts["classes: never tardy"] > 48
    assert counts["classes: done reached"] > 36


LONGER = """\
federation: 1
coordination: decentralized
hosts: {h: }
network: [{from: h, to: h, delay: 10us}]
federates:
  source:
    host: h
    timers: {t: {period: 10ms}}
    outputs: [out]
    reactions: {r: {triggers: [t], effects: [out], wcet: 0us}}
  middle:
    host: h
    timers: {t: {period: 5ms}}
    inputs: [in]
    outputs: [out]
    reactions: {r: {triggers: [t, in], effects: [out], wcet: 0us}}
  sink:
    host: h
    timers: {t: {period: 5ms}}
    inputs: [in]
    reactions: {r: {triggers: [t, in], wcet: 0us, deadline: 1ms}}
connections:
  - {from: source.out, to: middle.in}
  - {from: middle.out, to: sink.in, latency: 45us}
"""


def test_offsets_have_what_the_runtime_waits_longer() -> None:
    """`middle` waits 50 us longer than its 10 us, and sends so much later."""
    found = judge(loads(LONGER, "f.yaml"))
    (finding,) = (finding for finding in found.findings if finding.rule == "short-wait")
    assert (found.verdict, found.offsets.offsets["sink"].value) == ("met", 105_000)
    assert "50 us longer for inputs of middle" in finding.message
    enough = LONGER.replace("  sink:\n", "  sink:\n    maxwait: 105us\n")
    assert judge(loads(enough, "f.yaml")).verdict == "met"
    short = LONGER.replace("  sink:\n", "  sink:\n    maxwait: 104999ns\n")
    assert judge(loads(short, "f.yaml")).verdict == "missed"
