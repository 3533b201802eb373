"""Bounds of threads of Linux where no run is a proof: as tight as those of the analysis."""

from __future__ import annotations

from random import Random

import pytest

from ddsrta.checker import check
from ddsrta.checker.budget import Budget
from ddsrta.checker.lf.calendar import Span
from ddsrta.checker.lf.followed import Stream, followed
from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.windows import Supply, response, responses
from ddsrta.lf.bounds.schedulers import linux as linux_starts
from tests.checker.lf.test_schedule import LINUX, TASKS, certificate, start
from tests.effort import draws
from tests.lf.bounds.schedulers import test_schedulers_linux as linux

CORE = Supply(1, 1)
THROTTLE = (950, 1000)


def runs(streams: list[Stream], random: Random, end: int) -> dict[int, int]:
    """The longest that jobs take in a run; who is of one rank goes in any order, and keeps the core
    from those of its rank once it has it."""
    left = {n: [] for n in range(len(streams))}  # type: dict[int, list[list[int]]]
    longest = dict.fromkeys(left, 0)
    begun: list[int] = []
    for now in range(end):
        for number, one in enumerate(streams):
            assert one.first is not None
            assert one.period
            if now >= one.first and not (now - one.first) % one.period and random.random() < 0.9:
                left[number].append([now, random.choice([one.work, random.randint(1, one.work)])])
        ready = [n for n, jobs in left.items() if jobs]
        if not ready:
            continue
        rank = min(streams[n].rank for n in ready)
        chosen = next((n for n in reversed(begun) if streams[n].rank == rank), None)
        if chosen is None:
            chosen = random.choice([n for n in ready if streams[n].rank == rank])
            begun.append(chosen)
        job = left[chosen][0]
        job[1] -= 1
        if not job[1]:
            longest[chosen] = max(longest[chosen], now + 1 - job[0])
            left[chosen].pop(0)
            begun.remove(chosen)
    return longest


def drawn(random: Random) -> list[Stream]:
    return [
        Stream(f"s{n}", (), random.randint(1, 4), random.choice([8, 12, 24]), random.randint(0, 1),
               random.randint(0, 7))
        for n in range(random.randint(1, 4))
    ]  # fmt: skip


def test_no_run_takes_longer() -> None:
    reached = compared = 0
    for seed in range(draws(30, of=80)):
        random = Random(seed)
        streams = drawn(random)
        found: list[int | None] = []
        for one in streams:
            try:
                loose = response(one, streams, CORE, Budget())
                found.append(followed(one, streams, Span(7, 24), Budget(), loose))
            except NoBoundError:
                found.append(None)
        seen = dict.fromkeys(range(len(streams)), 0)
        for _ in range(6):
            for number, took in runs(streams, random, 120).items():
                seen[number] = max(took, seen[number])
        for number, bound in enumerate(found):
            if bound is not None:
                assert seen[number] <= bound, (seed, number)
                compared += 1
                reached += seen[number] == bound
    assert compared > 30
    assert reached > compared / 2


def test_whoever_has_the_core_keeps_it_from_its_peers() -> None:
    """Another of the same rank that comes later waits; one that is more urgent does not."""
    long, short = Stream("a", (), 10, 100, 1), Stream("b", (), 2, 11, 1)
    assert response(long, [long, short], CORE, Budget()) == 12
    urgent = short._replace(rank=0)
    assert response(long, [long, urgent], CORE, Budget()) == 14


def test_known_times_count() -> None:
    one, other = Stream("a", (), 4, 10, 0, 0), Stream("b", (), 4, 10, 0, 5)
    assert response(one, [one, other], CORE, Budget()) == 8
    assert responses([one], [one, other], THROTTLE, Span(5, 10), Budget()) == [4]
    assert responses([one], [one, other], THROTTLE, None, Budget()) == [8]


def test_throttling_counts_where_it_can_set_in() -> None:
    full = Stream("a", (), 19, 20, 0, 0)
    assert responses([full], [full], THROTTLE, Span(0, 20), Budget()) == [None]
    much = Stream("a", (), 940, 1000, 0, 0)
    low = Stream("b", (), 20, 10_000, 1, 0)
    found = responses([much, low], [much, low], THROTTLE, Span(0, 10_000), Budget())
    assert found[0] is not None
    assert found[0] >= 940 + 2 * 50
    assert found[1] is None or found[1] > 1000


def test_what_comes_but_once_is_work_of_a_throttled_core() -> None:
    """95 ms each 100 ms are all that throttling leaves; 5 ms at the start are too much."""
    source = """
federation: 1
coordination: decentralized
hosts: {h: {cores: 1}}
federates:
  one:
    host: h
    timers: {tick: {period: 100ms}}
    reactions:
      boot: {reactor: b, triggers: [startup], wcet: 5ms}
      work: {reactor: w, triggers: [tick], wcet: 95ms, deadline: 50ms}
"""
    claimed = certificate(source, ["fifo"])
    assert check(claimed).ok
    assert start(claimed, 0, 0)["latest_start"] is None
    start(claimed, 0, 0)["exact"] = True  # of nothing
    assert not check(claimed).ok
    free = certificate(source.replace("95ms", "94ms"), ["fifo"])
    assert check(free).ok
    forged = {**free, "federation": claimed["federation"], "digest": claimed["digest"]}
    assert not check(forged).ok


def test_who_is_said_to_be_ahead_in_a_bound_is_where_a_run_would_do() -> None:
    """Of `later`, which is due a period and a half behind its timer, the analysis does not say that
    it certainly comes: it has a bound where the checker has a run."""
    claimed = certificate(LATER, ["fifo"])
    assert not start(claimed, 0, 0)["exact"]
    assert start(claimed, 0, 0)["blockers"]
    assert check(claimed).ok
    start(claimed, 0, 0)["blockers"].pop()
    assert not check(claimed).ok


LATER = """
federation: 1
coordination: decentralized
hosts: {h: {cores: 1}}
federates:
  short: {host: h, timers: {t: {period: 40ms}}, reactions: {r: {triggers: [t], wcet: 1ms, deadline: 9ms}}}
  long:
    host: h
    timers: {t: {period: 20ms}}
    actions: {later: {min_delay: 30ms}}
    reactions: {r: {triggers: [t, later], effects: [later], wcet: 2ms, always: true}}
"""


def test_tags_of_actions_may_be_named_by_an_earlier_period() -> None:
    """`later` has its first event at 30 ms, and the analysis takes it for one at 10 ms, too."""
    source = LATER.replace("reactions: {r: {triggers: [t, later]", "reactions: {s: {reactor: b, "
        "triggers: [later], wcet: 9ms}, e: {reactor: c, triggers: [t, later], wcet: 1ms, deadline: "
        "19ms}, r: {triggers: [t]")  # fmt: skip
    claimed = certificate(source.replace("cores: 1", "cores: 2"), ["np", *LINUX])
    assert check(claimed).ok
    row = next(raw for raw in claimed["columns"][0]["starts"] if raw["reaction"] == "e")
    assert row["tag"] == 10_000_000
    row["tag"] = 11_000_000
    assert not check(claimed).ok


def test_all_bounds_of_drawn_cores_are_confirmed() -> None:
    """Those of the analysis are never below the checker's."""
    rough = 0
    for seed in range(draws(12, of=40)):
        claimed = certificate(linux.draw(Random(seed)), LINUX)
        verdict = check(claimed)
        assert (verdict.status, verdict.failure) == ("confirmed", None), seed
        rough += sum(not raw["exact"] for column in claimed["columns"] for raw in column["starts"])
    assert rough > 6


@pytest.mark.parametrize("scheduler", LINUX)
def test_the_tasks_of_the_documentation_are_decided(scheduler: str) -> None:
    source = TASKS.replace("overhead: 1ms", "workers: 1").replace("wcet: 30ms", "wcet: 40ms")
    assert check(certificate(source, [scheduler])).ok  # type: ignore[list-item]


def test_demand_of_threads_whose_events_are_not_timed() -> None:
    source = TASKS.replace("timers: {tick: {period: 25ms, offset: 1ms}}",
                           "actions: {tick: {kind: physical, min_spacing: 25ms}}")  # fmt: skip
    claimed = certificate(source, ["edf"])
    assert check(claimed).ok
    assert start(claimed, 0, 1)["latest_start"] == 23_000_000
    start(claimed, 0, 1).update(latest_start=22_999_999, slack=1)
    assert not check(claimed).ok


SLOW = """\
federation: 1
coordination: decentralized
hosts: {h: {cores: 1}}
federates:
  a: {host: h, timers: {t: {period: 10s}}, reactions: {r: {triggers: [t], wcet: 3s, deadline: 8s}}}
  b: {host: h, timers: {t: {period: 10s}}, reactions: {r: {triggers: [t], wcet: 3s, deadline: 8s}}}
"""


def test_no_period_is_longer_than_linux_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """3 s each 10 s are 72 % of a core: Linux takes no period above 4.2 s."""
    assert start(certificate(SLOW, ["edf"]))["latest_start"] is None
    monkeypatch.setattr(linux_starts, "LONGEST_PERIOD", 10**10)
    claimed = certificate(SLOW, ["edf"])
    assert start(claimed)["latest_start"] == 3 * 10**9
    assert not check(claimed).ok
