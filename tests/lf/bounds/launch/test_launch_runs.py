"""Runs of random federates against their launch lags.

Tags are worked off in order, levels in order, by workers that never idle while a reaction of the
level is left; a reaction that only one enables may be run at once.
"""

from __future__ import annotations

from random import Random

from ddsrta.lf.bounds.launch.lags import UnknownLagError
from ddsrta.lf.bounds.offsets.links import network
from ddsrta.lf.program.federates import Federate, Port, Reaction, Timer
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.levels import followers, levels


def draw(random: Random) -> Federate:
    """A federate with timers, reactors and ports between them; `out` is written by some."""
    timers = {
        f"t{i}": Timer(f"t{i}", random.choice([0, 0, 1, 3]), random.choice([20, 30, 50]))
        for i in range(random.randint(1, 3))
    }
    ports = ["p0", "p1", "p2"]
    reactions = {}
    for i in range(random.randint(1, 7)):
        triggers = random.sample([*timers, *ports[: max(0, i - 1)]], 1)
        highest = max([-1, *(ports.index(t) for t in triggers if t in ports)])
        effects = [p for p in ports[highest + 1 :] if random.random() < 0.4]
        if random.random() < 0.4:
            effects.append("out")
        reactions[f"r{i}"] = Reaction(
            f"r{i}",
            f"x{random.randint(0, 4) if not effects else 10 + i}",
            tuple(triggers),
            (),
            tuple(effects),
            wcet=random.randint(0, 4),
        )
    workers = random.randint(1, 3)
    outputs = {name: Port(name) for name in [*ports, "out"]}
    return Federate("f", "h", workers, timers=timers, outputs=outputs, reactions=reactions)


def run(federate: Federate, random: Random) -> int:
    """The longest time from a tag to the sending of `out` in one run."""
    level, after = levels(federate), followers(federate)
    written = sorted(
        {
            timer.offset + n * (timer.period or 1)
            for timer in federate.timers.values()
            for n in range(8)
        }
    )
    now = worst = 0
    for tag in written:
        ready = [
            name
            for name, reaction in federate.reactions.items()
            if any(
                timer.name in reaction.triggers
                and tag >= timer.offset
                and (tag - timer.offset) % (timer.period or 1) == 0
                for timer in federate.timers.values()
            )
        ]
        now = max(now, tag)
        now, sent = process(federate, level, after, ready, now, random)
        if sent is not None:
            worst = max(worst, sent - tag)
    return worst


def process(
    federate: Federate,
    level: dict[str, int],
    after: dict[str, list[str]],
    ready: list[str],
    now: int,
    random: Random,
) -> tuple[int, int | None]:
    """One tag: returns its end, and when the sender of `out` began, if it did."""
    senders = [n for n, r in federate.reactions.items() if "out" in r.effects]
    sender_level = max((level[name] for name in senders), default=-1) + 1
    queue: dict[int, set[str]] = {}
    for name in ready:
        queue.setdefault(level[name], set()).add(name)
    sent: int | None = None
    wants = False
    done: set[str] = set()
    while queue or (wants and sent is None):
        at = min([*queue, *([sender_level] if wants and sent is None else [])])
        jobs: list[str | None] = [*queue.pop(at, ())]
        if at == sender_level and wants and sent is None:
            jobs.append(None)
        random.shuffle(jobs)
        free = [now] * federate.workers
        for job in jobs:
            worker = free.index(min(free))
            clock = free[worker]
            if job is None:
                sent = clock
                continue
            current: str | None = job
            while current is not None:
                reaction = federate.reactions[current]
                done.add(current)
                clock += random.choice([reaction.wcet or 0, random.randint(0, reaction.wcet or 0)])
                produced = [e for e in reaction.effects if random.random() < 0.8]
                wants = wants or "out" in produced
                enabled = [
                    name
                    for name, other in federate.reactions.items()
                    if set(other.triggers) & set(produced) and name not in done
                ]
                others = [n for n, names in after.items() if enabled and enabled[0] in names]
                alone = (
                    len(enabled) == 1
                    and "out" not in produced
                    and all(level[n] < level[current] for n in others if n != current)
                )
                if alone:
                    queue.get(level[enabled[0]], set()).discard(enabled[0])
                    current = enabled[0]
                    continue
                for name in enabled:
                    queue.setdefault(level[name], set()).add(name)
                current = None
            free[worker] = clock
        now = max(free)
        queue = {key: names for key, names in queue.items() if names}
    return now, sent


def test_no_run_sends_later_than_the_lag() -> None:
    compared = tight = 0
    for seed in range(400):
        random = Random(seed)
        federate = draw(random)
        federation = Federation("f", "decentralized", {}, {"f": federate})
        try:
            bound = network(federation).launches["f"].of_output("out", 0)
        except UnknownLagError as error:
            assert "more time than there is" in str(error)
            continue
        worst = max(run(federate, random) for _ in range(15))
        assert worst <= bound, seed
        compared += 1
        tight += worst == bound
    assert compared > 300
    assert tight > 60
