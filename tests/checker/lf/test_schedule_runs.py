"""No run of a plain simulation, nanosecond by nanosecond, starts later than what is confirmed."""

from __future__ import annotations

from random import Random

import pytest

from ddsrta.checker import check
from ddsrta.lf.bounds.schedulers.certificate import schedule_certificate
from ddsrta.lf.bounds.schedulers.judge import SchedulerName, schedule
from ddsrta.lf.program.federates import Federate, Reaction, Timer
from ddsrta.lf.program.federation import Federation, Host
from tests.effort import draws
from tests.lf.bounds.schedulers.stretched import stretched, unit

Starts = dict[tuple[str, str], int]
END = 120


def draw(random: Random) -> Federation:
    """Up to three threads of a core, each with a timer and reactions that need no others."""
    federates = {}
    for name in "abc"[: random.randint(1, 3)]:
        reactions = {
            f"r{n}": Reaction(f"r{n}", f"x{n}", ("t",), wcet=random.randint(1, 4),
                              deadline=random.choice([None, 3, 6, 9]) if n else random.randint(2, 9))
            for n in range(random.randint(1, 2))
        }  # fmt: skip
        timer = Timer("t", random.choice([0, 0, 1, 4]), random.choice([10, 15, 30]))
        federates[name] = Federate(name, "h", timers={"t": timer}, reactions=reactions)
    return Federation("f", "decentralized", {"h": Host("h", 1)}, federates)


def run(federation: Federation, policy: str, random: Random, longest: bool) -> Starts:
    """One run; who woke at the same time runs in the order in which they went to sleep."""
    names = list(federation.federates)
    random.shuffle(names)
    slept = {name: index - len(names) for index, name in enumerate(names)}
    todo: dict[str, list[list[int | str]]] = {name: [] for name in names}
    waiting: dict[str, list[int]] = {name: [] for name in names}
    woken = dict.fromkeys(names, (0, 0))
    starts: Starts = {}
    for now in range(END):
        for name in names:
            timer = federation.federates[name].timers["t"]
            assert timer.period is not None
            if now >= timer.offset and not (now - timer.offset) % timer.period:
                if not waiting[name]:
                    woken[name] = (now, slept[name])
                waiting[name].append(now)
        ready = [name for name in names if waiting[name]]
        if not ready:
            continue
        name = min(
            ready, key=lambda n: rank(federation.federates[n], policy, waiting[n][0], woken[n])
        )
        reactions = federation.federates[name].reactions
        if not todo[name]:
            order = random.sample(list(reactions), len(reactions))
            todo[name] = [[n, 0, (reactions[n].wcet or 0) if longest else random.randint(1, reactions[n].wcet or 0)] for n in order]  # fmt: skip
        job = todo[name][0]
        key = (name, str(job[0]))
        if job[1] == 0:
            starts[key] = max(starts.get(key, 0), now - waiting[name][0])
        job[1] = int(job[1]) + 1
        if job[1] == job[2]:
            todo[name].pop(0)
            if not todo[name]:
                waiting[name].pop(0)
                slept[name] = now + 1
    return starts


def rank(federate: Federate, policy: str, release: int, woken: tuple[int, int]) -> tuple[int, ...]:
    timer = federate.timers["t"]
    given = [r.deadline for r in federate.reactions.values() if r.deadline is not None]
    if policy == "fifo":
        return woken
    if policy == "edf":
        return (release + min(*given, timer.period or 0, 1 << 40),)
    return (min(given), *woken)


@pytest.mark.parametrize("policy", ["fifo", "deadline-monotonic", "edf"])
def test_no_run_is_later_than_what_is_confirmed(policy: SchedulerName) -> None:
    compared = exact = reached = 0
    for seed in range(draws(20, of=60)):
        random = Random(seed)
        federation = draw(random)
        ns = unit(policy)
        claimed = schedule_certificate(schedule(stretched(federation, ns), [policy]))
        verdict = check(claimed)
        assert verdict.status != "refuted", (seed, verdict.failure)
        if not verdict.ok:
            continue
        seen: Starts = {}
        for repeat in range(8):
            for key, late in run(federation, policy, random, repeat < 6).items():
                seen[key] = max(late, seen.get(key, 0))
        for raw in claimed["columns"][0]["starts"]:
            if raw["latest_start"] is not None:
                late = ns * seen.get((raw["environment"], raw["reaction"]), 0)
                assert late <= raw["latest_start"], (seed, raw)
                compared += 1
                exact += raw["exact"]
                reached += raw["exact"] and late == raw["latest_start"]
    assert compared > 12
    assert reached > exact / 2
