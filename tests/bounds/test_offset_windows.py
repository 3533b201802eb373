"""Threads that one clock releases at different periods (lemma offset-windows)."""

from __future__ import annotations

from random import Random

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker import check
from tests.effort import draws

HEAD = "ddsrta: 1\nmachines: {m: {cores: [c]}}\nthreads:\n"
LESS = "  b: {core: m/c, priority: 5, wcet: 5ns, arrival: {period: 20ns, offset: %dns%s}}\n"


def more(arrival, name="a", priority=9):
    return f"  {name}: {{core: m/c, priority: {priority}, wcet: 4ns, arrival: {{{arrival}}}}}\n"


def responses(text):
    result = ddsrta.analyze(ddsrta.loads(HEAD + text))
    assert (result.check.status, result.check.without) == ("confirmed", ())
    return {name: one.wcrt for name, one in result.threads.items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (more("period: 10ns, offset: 0ns") + LESS % (4, ""), 5),
        (more("period: 10ns, offset: 0ns") + LESS % (2, ""), 7),
        (more("period: 10ns, offset: 0ns") + LESS % (6, ""), 9),
        (more("period: 10ns, offset: 0ns") + LESS % (4, ", jitter: 1ns"), 5),
        (more("period: 10ns, offset: 0ns") + LESS % (4, ", jitter: 2ns"), 9),
        (more("period: 10ns, offset: 0ns, jitter: 1ns") + LESS % (4, ""), 6),
        # nothing is known
        (more("period: 10ns, jitter: 0ns") + LESS % (4, ""), 9),
        (more("period: 10ns, offset: 0ns") + LESS % (4, "") + more("sporadic: 40ns", "s"), 13),
    ],
)
def test_more_urgent_threads_come_when_their_offsets_say(text, expected) -> None:
    assert responses(text)["b"] == expected


def test_below_what_is_not_released_by_itself_nothing_is_used() -> None:
    first = more("period: 10ns, offset: 0ns") + LESS % (4, "")
    follower = "  f: {core: m/c, priority: 7, wcet: 1ns, follows: {threads: [b]}}\n"
    plain = Refinements(offset_windows=False)
    system = ddsrta.loads(HEAD + first + follower)
    assert ddsrta.analyze(system).threads == ddsrta.analyze(system, refinements=plain).threads


def test_the_checker_confirms_no_less() -> None:
    claims = certificate(ddsrta.loads(HEAD + more("period: 10ns, offset: 0ns") + LESS % (4, "")))
    (stage,) = (each for each in claims["stages"] if each["stage"] == ["job", "b"])
    assert check(claims).ok
    stage["response"] -= 1
    assert not check(claims).ok


def test_it_is_explained() -> None:
    text = more("period: 10ns, offset: 0ns") + LESS % (2, "") + "chains: {x: {path: [b]}}\n"
    (stage,) = explain(ddsrta.loads(HEAD + text), "x").stages
    assert {term.label: term.time for term in stage.terms} == {
        "own work": 5,
        "more urgent threads, at their offsets": 2,
    }


def worst_of(threads, random):
    """The longest response of each thread, the most urgent first, of a run."""
    end, late = 300, random.choice((0, 1, 2))
    releases = []
    for period, offset, jitter, _ in threads:
        found, last = [], 0
        for nominal in range(60 + offset, end, period):
            jittered = (0, jitter if nominal < end // 2 else 0, random.randint(0, jitter))[late]
            last = max(last, nominal + jittered)
            found.append(last)
        releases.append(found)
    pending: list[list[list[int]]] = [[] for _ in threads]
    worst = [0] * len(threads)
    for now in range(60, end):
        for waiting, (_, _, _, cost), times in zip(pending, threads, releases, strict=True):
            waiting += [[now, cost] for time in times if time == now]
        running = next((n for n, waiting in enumerate(pending) if waiting), None)
        if running is not None:
            job = pending[running][0]
            job[1] -= 1
            if not job[1]:
                worst[running] = max(worst[running], now + 1 - job[0])
                pending[running].pop(0)
    return worst


@pytest.mark.parametrize("seed", range(draws(8, of=20)))
def test_no_run_is_above_a_bound(seed: int) -> None:
    random = Random(seed)
    threads, room = [], random.uniform(0.6, 1.0)
    for _ in range(random.randint(2, 4)):
        period = random.choice((5, 10, 15, 20))
        cost = max(1, int(period * room * random.uniform(0.2, 0.6)))
        if (room := room - cost / period) > 0:
            jitter = random.choice((0, 0, random.randint(0, period)))
            threads.append((period, random.randrange(period), jitter, cost))
    text = "".join(
        f"  p{n}: {{core: m/c, priority: {9 - n}, wcet: {cost}ns, "
        f"arrival: {{period: {period}ns, offset: {offset}ns, jitter: {jitter}ns}}}}\n"
        for n, (period, offset, jitter, cost) in enumerate(threads)
    )
    bounds = responses(text) if threads else {}
    for _ in range(4 if threads else 0):
        for seen, bound in zip(worst_of(threads, random), bounds.values(), strict=True):
            assert bound is None or seen <= bound, text
