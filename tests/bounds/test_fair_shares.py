"""What others of SCHED_OTHER take while a thread waits (lemma fair-share)."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.fair_shares.gaps import UNIT, gaps, grain, presence
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker import check
from tests.bounds import virtual_times

WITHOUT = Refinements(fair_shares=False)


def text(threads, tick=", tick: 4ms", cores="[c, d]", more=""):
    lines = [f"  {name}: {{core: m/c, {said}}}" for name, said in threads.items()]
    return (
        f"ddsrta: 1\nmachines: {{m: {{cores: {cores}{tick}}}}}\nthreads:\n"
        + "\n".join(lines)
        + more
    )


PLAN = "policy: other, wcet: 5ms, period: 40ms"
MAP = "policy: other, nice: 10, wcet: 1s, period: 10s"


def several():
    """Threads and callbacks, each with its weight, and one that never ends."""
    threads = {
        "f": "priority: 1, wcet: 1ms, period: 10ms",
        "plan": PLAN.replace("40ms", "80ms"),
        "short": "policy: other, wcet: 1ms, period: 80ms",
        "map": MAP.replace("1s", "20s"),
    }
    more = (
        "\nexecutors: {x: {core: m/c, policy: other, nice: -3, kind: single_threaded}}\ncallbacks:\n"
        "  a: {executor: x, wcet: 2ms, timer: 100ms}\n  b: {executor: x, wcet: 3ms, timer: 113ms}\n"
    )
    return ddsrta.loads(text(threads, more=more))


def responses(given, refinements=None):
    result = ddsrta.analyze(ddsrta.loads(given), refinements=refinements)
    assert (result.check.status, result.check.without) == ("confirmed", ()), result.check
    every = result.threads | result.callbacks
    return {name: one.wcrt if one.wcrt is None else int(one.wcrt) for name, one in every.items()}


def test_a_long_job_takes_no_more_than_its_share_and_what_one_presence_has() -> None:
    # by hand: G = 7 ms; D = 2G/w_plan + G/w_map; K = w_map·D + w_map/w_plan·3 + 3 + 4 ms
    each = 7e6 + 110 * (2 * 7e6 + 3e6) / 1024 + 7e6
    found = responses(text({"plan": PLAN, "map": MAP}))
    assert found["plan"] == pytest.approx(5e6 + 5e6 * 110 / 1024 + each, abs=100)
    assert found["map"] == responses(text({"plan": PLAN, "map": MAP}), WITHOUT)["map"]


def test_nothing_changes_without_a_tick() -> None:
    given = text({"plan": PLAN, "map": MAP}, tick="")
    assert responses(given) == responses(given, WITHOUT)
    rules = [one.rule for one in ddsrta.analyze(ddsrta.loads(given)).assumptions]
    assert rules == ["fair-threads"]


def test_an_endless_job_is_no_reason_for_others_to_have_no_bound() -> None:
    given = text({"plan": PLAN, "map": MAP.replace("wcet: 1s", "wcet: 20s")})
    assert responses(given, WITHOUT) == {"plan": None, "map": None}
    found = responses(given)
    assert found["map"] is None
    # it may be there at first, and come once more: its K twice
    once = responses(text({"plan": PLAN, "map": MAP}))["plan"]
    assert found["plan"] == once + (once - 5_000_000 - -(-5_000_000 * 110 // 1024))


def test_short_jobs_count_as_they_are() -> None:
    short = "policy: other, wcet: 100us, period: 50ms"
    given = text({"plan": PLAN, "map": MAP, "short": short})
    two = responses(text({"plan": PLAN, "map": MAP}))["plan"]
    with_short = responses(given)["plan"]
    # what is there and what comes: few of them; and map may be further behind
    assert two < with_short < two + 40_000_000


def test_slices_of_the_file_count() -> None:
    shorter = [one + ", slice: 1ms" for one in (PLAN, MAP)]
    given = text(dict(zip(("plan", "map"), shorter, strict=True)))
    each = 5e6 + 110 * (2 * 5e6 + 1e6) / 1024 + 5e6
    assert responses(given)["plan"] == pytest.approx(5e6 + 5e6 * 110 / 1024 + each, abs=100)


def test_callbacks_of_one_executor_share_one_part() -> None:
    more = (
        "\nexecutors: {x: {core: m/c, policy: other, kind: single_threaded}}\ncallbacks:\n"
        "  a: {executor: x, wcet: 2ms, timer: 100ms}\n  b: {executor: x, wcet: 3ms, timer: 100ms}\n"
    )
    found = responses(text({"map": MAP}, more=more))
    plan = responses(text({"plan": PLAN.replace("40ms", "100ms"), "map": MAP}))["plan"]
    assert found["a"] == found["b"] == plan
    assert responses(text({"map": MAP}, more=more), WITHOUT)["a"] > 1_000_000_000


def test_more_urgent_threads_count_up_to_the_end() -> None:
    urgent = "priority: 1, wcet: 1ms, period: 10ms"
    found = responses(text({"f": urgent, "plan": PLAN, "map": MAP}))
    plain = responses(text({"plan": PLAN, "map": MAP}))["plan"]
    assert found["plan"] == plain + 3_000_000  # 21.4 + 3 ms: the third one comes at 20


def test_no_share_beside_threads_of_a_pool() -> None:
    more = (
        "\nexecutors: {x: {cores: [m/c, m/d], policy: other, kind: multi_threaded, release: humble}}\n"
        "callbacks: {a: {executor: x, wcet: 2ms, timer: 100ms}}\n"
    )
    given = text({"plan": PLAN, "map": MAP}, more=more)
    assert responses(given) == responses(given, WITHOUT)


def test_no_share_where_weights_are_far_apart_but_of_two() -> None:
    def of(*nice):
        names = ("plan", "map", "other")
        said = [PLAN, MAP, "policy: other, wcet: 1ms, period: 100ms"]
        return text({
            name: f"{one.replace(', nice: 10', '')}, nice: {each}"
            for name, one, each in zip(names, said, nice, strict=False)
        })  # fmt: skip

    assert responses(of(-20, 19))["plan"] < 40_000_000
    assert responses(of(-20, 19, 0)) == responses(of(-20, 19, 0), WITHOUT)


def test_gaps_are_the_least_that_satisfy_the_inequalities() -> None:
    assert gaps((1024, 512), 6) == ((0, 24), (30, 0))  # 2·6 + 12; 2·12 + 6
    for count in (2, 3, 5, 9):
        found = gaps((1024,) * count, 1000)
        assert {one for row in found for one in row} == {0, 1000 * (count + 1)}
    assert gaps((1024,) * 17, 5) is None
    assert gaps((1024, 1024, 20), 5) is None
    assert gaps((88761, 15), 5) is not None


def test_virtual_times_stay_within_the_gaps_and_some_meet_them() -> None:
    """A machine of its own does what definition virtual-time lets it: no pair is further apart, and
    no presence has more than its share and a constant."""
    nearest = most = 0.0
    for seed in range(120):
        core, weights, slice_, tick = virtual_times.core(seed)
        found = gaps(tuple(weights), grain(slice_, tick) * 1_000_000)
        pairs, since = [*permutations(range(len(weights)), 2)], {}
        for _ in range(400):
            core.step()
            for a, b in pairs:
                one, two = core.threads[a], core.threads[b]
                if virtual_times.GONE in (one.state, two.state):
                    since.pop((a, b), None)
                    continue
                gap = (one.time - two.time) * 1e6 * UNIT / found[a][b]
                assert gap <= 1.0001, (seed, a, b)
                nearest = max(nearest, gap)
                if one.state != virtual_times.READY:
                    since.pop((a, b), None)
                    continue
                mine, theirs = since.setdefault((a, b), (one.ran, two.ran))
                share = weights[b] / weights[a] * (one.ran - mine)
                each = presence(weights[a], weights[b], found[a][b], slice_ * 10**6, tick * 10**6)
                taken = (two.ran - theirs - share) * 1e6 / each
                assert taken <= 1.0001, (seed, a, b)
                most = max(most, taken)
    assert nearest > 0.9
    assert most > 0.5


def drawn(seed):
    """Threads that come close together, long ones beside short ones, on one core."""
    random = Random(seed)
    threads = {}
    if random.random() < 0.4:
        threads["f"] = (
            f"priority: 1, wcet: {random.randint(1, 5)}ns, period: {random.randint(20, 60)}ns"
        )
    for number in range(random.choice((2, 2, 3, 4))):
        wcet = random.choice((1, random.randint(1, 10), random.randint(100, 4000)))
        period = max(2, int(wcet * random.choice((0.9, 2, 3, 8))))
        nice, slice_ = random.choice((-5, 0, 0, 5, 10)), random.choice((1, 5))
        threads[f"t{number}"] = (
            f"policy: other, nice: {nice}, slice: {slice_}ns, wcet: {wcet}ns, bcet: 1ns, "
            f"period: {period}ns"
        )
    return text(threads, tick=f", tick: {random.choice((1, 3, 10, 40))}ns")


def test_no_run_of_drawn_systems_is_above_what_is_lower_by_it() -> None:
    lower = 0
    for seed in range(40):
        given = drawn(seed)
        found, plain = responses(given), responses(given, WITHOUT)
        less = [n for n, one in found.items() if one is not None and one < (plain[n] or one + 1)]
        assert all(plain[n] is None or (found[n] or plain[n] + 1) <= plain[n] for n in found)
        if not less:
            continue
        lower += len(less)
        seen = ddsrta.simulate(ddsrta.loads(given), horizon=10_000, seeds=10)
        for name in less:
            assert (seen.threads[name].response.max or 0) <= found[name], (seed, name)
    assert lower > 10


def test_the_checker_finds_the_window_by_itself_and_no_shorter_one() -> None:
    told = certificate(ddsrta.loads(text({"plan": PLAN, "map": MAP})))
    (stage,) = [one for one in told["stages"] if one["stage"] == ["job", "plan"]]
    assert stage["fair"] is True
    assert check(told).status == "confirmed"
    stage["response"] -= 1
    stage["latency"] -= 1
    assert check(told).status == "refuted"
    stage["response"] += 1
    stage["latency"] += 1
    del stage["fair"]
    assert check(told).status == "refuted"


def test_the_checker_asks_for_the_tick_and_for_the_assumption() -> None:
    given = text({"plan": PLAN, "map": MAP})
    told = certificate(ddsrta.loads(given))
    told["assumptions"] = [one for one in told["assumptions"] if one != "fair-share"]
    verdict = check(told)
    assert verdict.status == "refuted"
    assert "fair-share" in verdict.failure


def test_what_it_rests_on_and_an_explanation() -> None:
    system = ddsrta.loads(
        text({"plan": PLAN, "map": MAP}, more="\nchains: {way: {path: [plan]}}\n")
    )
    result = ddsrta.analyze(system)
    (said,) = [one for one in result.assumptions if one.rule == "fair-share"]
    assert said.message.startswith("on the core of 'plan', as on others of SCHED_OTHER with a tick")
    told = str(explain(system, "way"))
    assert "others of SCHED_OTHER have no more than their share" in told
    assert "preempted by map" in told


def test_a_tick_is_a_time() -> None:
    with pytest.raises(ddsrta.InputError, match="must be more than zero"):
        ddsrta.loads(text({"plan": PLAN}, tick=", tick: 0ms"))
