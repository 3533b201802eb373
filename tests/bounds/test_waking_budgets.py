"""Threads of SCHED_DEADLINE that sleep with work (lemma waking-budgets)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import NamedTuple

import pytest

import ddsrta
from ddsrta.bounds.locks.beside import Promised

KEPT = Path(__file__).parents[1] / "soundness" / "corpus" / "wakes_with_half_a_budget.yaml"
TEXT = KEPT.read_text(encoding="utf-8")
MS = 1_000_000


def response(text: str) -> int | None:
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.check.status == "confirmed"
    return result.threads["r"].wcrt


def test_who_wakes_lets_others_of_its_core_go_first_once_more() -> None:
    # f sends ⌈(344.6 + 344.8) / 15⌉ = 46 times, and each time r may be woken: 46 · 5 ms are 23
    # periods, so time(50 + 4.6 + 23 · 5) = 10 + 33 · 10 + 4.6
    assert response(TEXT) == 344_600_000


def test_alone_on_its_core_a_sleep_costs_no_more_than_it_lasts() -> None:
    # time(50 + 0.1 · ⌈(110.9 + 17.2) / 15⌉) = 10 + 10 · 10 + 0.9
    alone = "\n".join(line for line in TEXT.splitlines() if not line.startswith("  s:"))
    assert response(alone) == 110_900_000


def test_a_limit_lets_a_flow_controller_wake_so_often() -> None:
    text = """ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {flow_controller: {1kB: 1ms}, listener: {1kB: 1ms}}
topics: {x: {size: 744B}}
flow_controllers: {F: {core: m/b, reservation: {budget: 10ms, period: 20ms}, limit: {bytes: 2kB, period: 4ms}}}
listeners: {L: {core: m/c, priority: 5}}
threads:
  p: {core: m/a, priority: 1, wcet: 1ms, period: 1s, publishes: [{topic: x, flow_controller: F, count: 4}]}
  d: {core: m/b, reservation: {budget: 5ms, period: 20ms}, wcet: 6ms, period: 1s}
  s: {core: m/c, priority: 1, wcet: 1ms, subscribes: {topics: [x], listener: L}}
"""
    # 2 sleeps of 4 ms, and work of 4; after each 20 · 5/20 ms: 15 ms, one period, as 10 ms of work
    found = []
    for each in (text, "\n".join(line for line in text.splitlines() if "  d:" not in line)):
        result = ddsrta.analyze(ddsrta.loads(each))
        assert result.check.status == "confirmed"
        found.append(result.messages[0].flow_controller)
    assert found == [2 * 10 * MS + 40 * MS + 2 * MS, 2 * 10 * MS + 20 * MS + 2 * MS]


class Server(NamedTuple):
    budget: int
    period: int


def drawn(rng: random.Random) -> list[Server]:
    """Some that share a core, and leave little of it."""
    while True:
        found = [
            Server(rng.randint(1, 6), rng.choice([4, 6, 8, 10]))
            for _ in range(rng.choice([1, 2, 3]))
        ]
        if Fraction(3, 4) <= sum(Fraction(*one) for one in found) <= 1:
            return found


def runs(
    servers: list[Server], rng: random.Random, length: int
) -> Iterator[list[tuple[bool, bool, bool]]]:
    """Who has woken, is awake, and runs, tick by tick, as definition constant-bandwidth-server has it."""
    left, due = [one.budget for one in servers], [0] * len(servers)
    until = [rng.randrange(20) for _ in servers]
    awake = [False] * len(servers)
    for now in range(length):
        woken = [not up and now >= nap for up, nap in zip(awake, until, strict=True)]
        for k, (budget, period) in enumerate(servers):
            rest = due[k] - now
            if woken[k] and (rest <= 0 or left[k] * period > budget * rest):
                left[k], due[k] = budget, now + period
            awake[k] = awake[k] or woken[k]
            if awake[k] and not left[k] and now >= due[k]:
                left[k], due[k] = budget, due[k] + period
        ready = [(due[k], rng.random(), k) for k in range(len(servers)) if awake[k] and left[k]]
        running = min(ready)[2] if ready else -1
        yield [(woken[k], awake[k], k == running) for k in range(len(servers))]
        if ready:
            left[running] -= 1
            if rng.random() < 0.2:
                awake[running], until[running] = False, now + rng.choice([2, 2, 2, 3, 12])


def supplied(one: Server, work: int) -> int:
    """Lemma supply-inverse."""
    gap = one.period - one.budget
    return 2 * gap + (work - 1) // one.budget * one.period + (work - 1) % one.budget + 1


@pytest.mark.parametrize("seed", range(12))
def test_no_run_is_above_the_lemma(seed: int) -> None:
    rng = random.Random(seed)
    servers = drawn(rng)
    share = sum(Fraction(*one) for one in servers)
    ticks = list(runs(servers, rng, 160))
    waits = [ceil(one.period * (share - Fraction(*one))) for one in servers]
    promised = [Promised(*one, wait) for one, wait in zip(servers, waits, strict=True)]
    alone = [Promised(*one) for one in servers]  # as what cannot run as a window opens
    for begin in range(100):
        taken = 0
        none = begin > 0 and not any(running for _, _, running in ticks[begin - 1])
        for now in range(begin, begin + 60):
            taken += any(running for _, _, running in ticks[now])
            assert taken <= sum(one.most(now + 1 - begin) for one in alone)
        for k, (budget, period) in enumerate(servers):
            ran = kept = asleep = times = 0
            for now in range(begin, begin + 60):
                length = now + 1 - begin
                woken, up, running = ticks[now][k]
                ran, kept, asleep = ran + running, kept + (up and not running), asleep + (not up)
                times += woken and now > begin
                assert ran <= (alone if none else promised)[k].most(length)  # (b)
                others = sum(each.most(length) for each in promised) - promised[k].most(length)
                assert kept <= (length // period + 2) * (period - budget) + others  # (c)
                if ticks[begin][k][1] and running:  # (a)
                    work = ran + asleep
                    assert length <= supplied(servers[k], work) + times * waits[k]
                    assert length <= supplied(servers[k], work + promised[k].waking(times))
