"""Threads of Linux on one core: no run of a plain simulation is later than what is said."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from ddsrta.lf.bounds.schedulers.judge import schedule
from ddsrta.lf.bounds.schedulers.own import Latest
from ddsrta.lf.bounds.schedulers.throttling import Throttle
from ddsrta.lf.program.federates import Action, Federate, Reaction, Timer
from ddsrta.lf.program.federation import Federation, Host
from ddsrta.lf.program.reader import loads
from tests.lf.bounds.schedulers.campaign import (
    POLICIES,
    UNTHROTTLED,
    deadline,
    draw,
    of_linux,
    of_threads,
    seen,
)
from tests.lf.bounds.schedulers.plain_runs import Choices, Order, run_threads
from tests.lf.bounds.schedulers.stretched import stretched, unit


@pytest.mark.parametrize("policy", POLICIES)
def test_no_run_starts_a_reaction_later(policy: str) -> None:
    compared = exact = reached = shown = 0
    for seed in range(120):
        for key, (latest, late) in of_threads(policy, seed).items():
            if latest.seen is not None and latest.seen <= late:
                shown += 1
            if latest.lag is None:
                continue
            assert late <= latest.lag, (seed, key)
            compared += 1
            exact += latest.exact
            reached += latest.exact and late == latest.lag
    assert compared > 60
    assert reached > 0.6 * exact > 20, (reached, exact)
    assert shown or policy == "edf"


def single(federation: Federation) -> Federation:
    """One reaction in each federate: nothing is left to choose but times."""
    federates = {}
    for name, federate in federation.federates.items():
        reaction = next(iter(federate.reactions.values()))
        federates[name] = replace(federate, reactions={reaction.name: reaction}, overhead=0)
    return replace(federation, federates=federates)


@pytest.mark.parametrize("policy", ["fifo", "deadline-monotonic"])
def test_exact_starts_are_those_of_the_run_of_longest_times(policy: str) -> None:
    exact = 0
    for seed in range(100):
        random = Random(seed)
        federation = single(draw(random))
        found = schedule(federation, [policy], throttle=UNTHROTTLED).columns[0].latest  # type: ignore[list-item]
        run: dict[tuple[str, str], int] = {}
        for names in permutations(federation.federates):
            one = replace(federation, federates={n: federation.federates[n] for n in names})
            late = seen(one, policy, random, longest=True)
            run = {key: max(lag, run.get(key, 0)) for key, lag in late.items()}
        for key, latest in found.items():
            if latest.exact:
                assert latest.lag == run[key], (seed, key)
                exact += 1
    assert exact > 60


@pytest.mark.parametrize("policy", ["fifo", "deadline-monotonic"])
def test_sporadic_releases_have_bounds_that_hold(policy: str) -> None:
    """An action of the world instead of a timer: the run draws its events."""
    compared = 0
    for seed in range(100):
        random = Random(seed)
        federation = single(draw(random))
        periodic, sporadic = {}, {}
        for name, federate in federation.federates.items():
            (reaction,) = federate.reactions.values()
            period = federate.timers[reaction.triggers[0]].period or 1
            action = Action("go", "physical", min_spacing=period)
            other = replace(reaction, triggers=("go",))
            sporadic[name] = replace(federate, actions={"go": action}, timers={},
                                     reactions={reaction.name: other})  # fmt: skip
            # Events as close together as they may be, from any moment on.
            timer = Timer("t0", random.randint(0, 12), period)
            periodic[name] = replace(federate, timers={"t0": timer},
                                     reactions={reaction.name: replace(reaction, triggers=("t0",))})  # fmt: skip
        found = schedule(
            replace(federation, federates=sporadic), [policy], throttle=UNTHROTTLED  # type: ignore[list-item]
        ).columns[0].latest  # fmt: skip
        late = seen(replace(federation, federates=periodic), policy, random, longest=True)
        for key, latest in found.items():
            assert not latest.exact
            if latest.lag is not None:
                assert late[key] <= latest.lag, (seed, key)
                compared += 1
    assert compared > 60


def test_a_core_with_too_much_work_has_no_bound() -> None:
    federates = {
        name: Federate(name, "h", timers={"t": Timer("t", 0, 10)},
                       reactions={"r": Reaction("r", triggers=("t",), wcet=6, deadline=9)})
        for name in ("a", "b")
    }  # fmt: skip
    federation = Federation("f", "decentralized", {"h": Host("h", 1)}, federates)
    for policy in POLICIES:
        column = schedule(stretched(federation, unit(policy)), [policy]).columns[0]  # type: ignore[list-item]
        assert all(latest.lag is None for latest in column.latest.values())
        reasons = {latest.because for latest in column.latest.values()}
        assert all(
            re.search("120 % load|more work than time|120 % of the core", str(r)) for r in reasons
        )


def test_throttling_counts_only_where_it_can_set_in() -> None:
    timer, reaction = Timer("t", 0, 20), Reaction("r", triggers=("t",), wcet=8, deadline=30)
    federates = {n: Federate(n, "h", timers={"t": timer}, reactions={"r": reaction}) for n in "ab"}
    federation = Federation("f", "decentralized", {"h": Host("h", 1)}, federates)

    def lags(throttle: Throttle) -> list[int | None]:
        column = schedule(federation, ["fifo"], throttle=throttle).columns[0]
        return [latest.lag for latest in column.latest.values()]

    assert lags(Throttle(160, 200)) == [8, 8]  # either may be the first
    assert lags(Throttle(159, 200)) == [None, None]
    found = lags(Throttle(169, 210))
    assert found[0] is not None
    assert found[0] >= 41


@pytest.mark.parametrize("policy", ["fifo", "deadline-monotonic"])
def test_no_throttled_run_is_later(policy: str) -> None:
    compared = cut = 0
    for seed in range(100):
        random = Random(seed)
        federation = single(draw(random))
        runtime = random.randint(8, 20)
        found = schedule(federation, [policy], throttle=Throttle(runtime, 20)).columns[0].latest  # type: ignore[list-item]
        federates = list(federation.federates.values())
        deadlines = {f.name: deadline(f) for f in federates}
        choices = Choices(random, longest=True)
        orders: list[Order] = ["NP"] * len(federates)
        late = run_threads(federates, policy, choices, 140, orders, deadlines, (runtime, 20))
        for key, latest in found.items():
            if latest.lag is not None:
                assert late[key] <= latest.lag, (seed, key)
                compared += 1
                cut += not latest.exact
    assert compared > 60
    assert cut > 20


@pytest.mark.parametrize("boot", [0, 3, 12])
@pytest.mark.parametrize("policy", ["fifo", "deadline-monotonic"])
def test_what_comes_but_once_may_bring_throttling(policy: str, boot: int) -> None:
    """Timers take all that throttling leaves: with the first tag's work it is too much."""
    timers = {"t": Timer("t", boot, 10), "once": Timer("once", 0, None)}
    reactions = {
        "boot": Reaction("boot", "x", ("once",), wcet=boot + 1),
        "r": Reaction("r", "y", ("t",), wcet=9),
        "end": Reaction("end", "y", ("t",), wcet=0, deadline=11),
    }
    federate = Federate("f", "h", timers=timers, reactions=reactions)
    federation = Federation("f", "decentralized", {"h": Host("h", 1)}, {"f": federate})
    for runtime in (90, 91, 95):
        throttle = Throttle(runtime, 100)
        latest = schedule(federation, [policy], throttle=throttle).columns[0].latest["f", "end"]  # type: ignore[list-item]
        late = run_threads(
            [federate], policy, Choices(Random(0), longest=True), 400, ["NP"], {"f": 11},
            (runtime, 100),
        )  # fmt: skip
        assert latest.lag is None or late["f", "end"] <= latest.lag
    free = schedule(federation, [policy], throttle=UNTHROTTLED).columns[0].latest["f", "end"]  # type: ignore[list-item]
    assert free.exact


def test_a_reaction_that_takes_no_time_needs_the_core_to_start() -> None:
    """Its job's work is done at 10, just when more urgent threads wake: it waits for them."""
    federates = {
        "urgent": Federate("urgent", "h", timers={"t": Timer("t", 0, 10)},
                           reactions={"r": Reaction("r", triggers=("t",), wcet=8, deadline=1)}),
        "other": Federate("other", "h", overhead=1, timers={"t": Timer("t", 8, 10)},
                          reactions={"r": Reaction("r", triggers=("t",), wcet=0, deadline=5)}),
    }  # fmt: skip
    federation = Federation("f", "decentralized", {"h": Host("h", 1)}, federates)
    column = schedule(federation, ["deadline-monotonic"], throttle=UNTHROTTLED).columns[0]
    late = seen(federation, "deadline-monotonic", Random(0), longest=True)
    assert late["other", "r"] == column.latest["other", "r"].lag == 1
    federates["urgent"] = replace(federates["urgent"], overhead=1)
    found = schedule(replace(federation, federates=federates), ["deadline-monotonic"],
                     throttle=UNTHROTTLED).columns[0].latest["other", "r"]  # fmt: skip
    assert found.seen == 11
    assert found.lag is None


@pytest.mark.parametrize("seed", [1713])
def test_counterexamples_that_were_found(seed: int) -> None:
    random = Random(seed)
    federation = draw(random)
    found = schedule(federation, ["deadline-monotonic"], throttle=UNTHROTTLED).columns[0].latest
    late = seen(federation, "deadline-monotonic", random, longest=True)
    for key, latest in found.items():
        assert latest.lag is None or late.get(key, 0) <= latest.lag


def optional(random: Random) -> tuple[Federation, Federation]:
    """A federation with actions that need not be scheduled, and one that never does."""
    drawn = single(draw(random))
    with_it, without = {}, {}
    for name, federate in drawn.federates.items():
        (reaction,) = federate.reactions.values()
        action = Action("later", min_delay=random.choice([0, 2, 5, 13]))
        follower = Reaction("v", triggers=("later",), wcet=random.choice([0, 1, 2]), deadline=4)
        reactions = {reaction.name: replace(reaction, effects=("later",)), "v": follower}
        with_it[name] = replace(federate, actions={"later": action}, reactions=reactions)
        silent = {**reactions, reaction.name: reaction}
        without[name] = replace(with_it[name], reactions=silent)
    return replace(drawn, federates=with_it), replace(drawn, federates=without)


@pytest.mark.parametrize("policy", POLICIES)
def test_bounds_cover_programs_that_schedule_less(policy: str) -> None:
    compared = 0
    for seed in range(100):
        federations = optional(Random(seed))
        more, less = (of_linux(federation, policy) for federation in federations)
        for key, latest in more.items():
            shown = less[key].lag if less[key].exact else None
            if latest.lag is not None and shown is not None and key[1] != "v":
                assert shown <= latest.lag, (seed, key)
                compared += 1
    assert compared > 25


def test_a_job_that_does_not_come_changes_who_goes_first() -> None:
    """Without `later` b goes to sleep before a does, so that it is ahead at the next common tag."""
    text = """
federation: 1
coordination: decentralized
hosts: {h: {cores: 1}}
federates:
  a: {host: h, timers: {t: {period: 10ms}}, reactions: {r: {triggers: [t], wcet: 100us, deadline: 1ms}}}
  b:
    host: h
    timers: {t: {period: 20ms}}
    actions: {later: {min_delay: 15ms}}
    reactions:
      w: {triggers: [t], effects: [later], wcet: 3ms}
      v: {triggers: [later], wcet: 0ms, deadline: 5ms}
"""

    def latest(text: str) -> Latest:
        return schedule(loads(text), ["fifo"]).columns[0].latest["a", "r"]

    silent, free, sure = (
        latest(text.replace("effects: [later]", effects))
        for effects in ("effects: []", "effects: [later]", "effects: [later], always: true")
    )
    for found in (silent, free, sure):  # b may start first, and `later` may always come
        assert (found.lag, found.exact) == (3_000_000, True)


def test_a_timer_without_reactions_takes_overhead_and_is_no_certain_job() -> None:
    timers = {"t": Timer("t", 0, 20), "idle": Timer("idle", 19, 20)}
    reactions = {"r": Reaction("r", triggers=("t",), wcet=1, deadline=9)}
    busy = Federate("busy", "h", overhead=3, timers=timers, reactions=reactions)
    other = Federate("other", "h", timers={"t": Timer("t", 0, 20)}, reactions=reactions)
    federation = Federation(
        "f", "decentralized", {"h": Host("h", 1)}, {"busy": busy, "other": other}
    )
    found = schedule(federation, ["fifo"], throttle=UNTHROTTLED).columns[0].latest
    assert not found["other", "r"].exact
    lag = found["busy", "r"].lag
    assert lag is not None
    assert lag >= 5
