"""Runs of random federations against their bounds: `python -m tests.lf.run.simulation.campaign --federations N`.

For each seed a decentralized federation, a centralized one, one with rare classes, and one whose
offsets are attacked: at its offset no federate gets a tardy message, 1 ns below each offset that is
reached it does.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.bounds.offsets.least import Offsets, offsets
from ddsrta.lf.bounds.offsets.short import least_network
from ddsrta.lf.bounds.offsets.verify import can_share_tag
from ddsrta.lf.bounds.rti.judge import judge_rti
from ddsrta.lf.program.federates import Action, Port, Reaction, Timer
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.run.simulation.attack import attacks
from ddsrta.lf.run.simulation.choices import Choices
from ddsrta.lf.run.simulation.compare import Row, rows_centralized, rows_decentralized, waits_of
from ddsrta.lf.run.simulation.run import run_centralized, run_decentralized
from ddsrta.lf.run.simulation.seen import Most, Seen
from ddsrta.lf.run.simulation.simulate import KINDS
from tests.lf.run.simulation.campaign_classes import classed
from tests.lf.run.simulation.draw import draw

HORIZON = 600
RUNS = 6
Problem = tuple[int, str, object]


def decentralized(seed: int, counts: Counter[str]) -> Iterator[Problem]:
    """Runs of any federation: nothing is above its bound."""
    report = judge(draw(seed))
    federation, waits, seen = report.network.federation, waits_of(report), Seen()
    for number in range(RUNS):
        seen.begin(number)
        choices = Choices(100 * seed + number, KINDS[number % len(KINDS)])
        run_decentralized(federation, waits, choices, HORIZON, seen)
    yield from _judged(seed, "decentralized", rows_decentralized(report, seen), counts)


def centralized(seed: int, counts: Counter[str]) -> Iterator[Problem]:
    """The same under an RTI; and nobody waits for a grant without end."""
    report = judge_rti(draw(seed, "centralized"))
    federation, seen = report.lags.network.federation, Seen()
    for number in range(RUNS):
        seen.begin(number)
        choices = Choices(100 * seed + number, KINDS[number % len(KINDS)])
        run_centralized(federation, choices, HORIZON, seen)
    yield from _judged(seed, "centralized", rows_centralized(report, seen), counts)
    if seen.waiting:
        yield seed, "centralized", f"never granted: {seen.waiting}"
    found = report.decentralized.network
    shared = {link.index for link in found.links if can_share_tag(found, link)}
    counts["centralized: with messages of one tag"] += bool(seen.tardy)
    tardy = {index for index, most in seen.tardy.items() if most.clean is not None}
    if tardy - shared:
        yield seed, "centralized", f"tardy: {tardy - shared}"


def _judged(seed: int, what: str, rows: list[Row], counts: Counter[str]) -> Iterator[Problem]:
    counts[f"{what}: federations"] += 1
    for row in rows:
        if row.violated:
            yield seed, what, row
        if row.bound is not None and row.clean is not None and row.kind != "tardy":
            counts[f"{what}: {row.kind} bounded and seen"] += 1
            counts[f"{what}: {row.kind} reached"] += row.clean == row.bound


def attacked(seed: int, counts: Counter[str]) -> Iterator[Problem]:
    """Attacks on each offset of a federation whose file gives none."""
    federation = _free(draw(seed))
    for name, offset in offsets(least_network(federation)).offsets.items():
        found = offsets(least_network(_probed(federation, name)))
        probed = found.offsets[name]
        if not offset.value or not probed.value or name in _senders(probed.path):
            continue
        counts["attack: offsets above 0"] += 1
        yield from _attack(seed, found, name, probed.path[-1].index, counts)


def _attack(
    seed: int, found: Offsets, name: str, index: int, counts: Counter[str]
) -> Iterator[Problem]:
    federation, value = found.network.federation, found.offsets[name].value
    assert value is not None
    waits = {n: offset.value or 0 for n, offset in found.offsets.items()}
    shared = {link.index for link in found.network.links if can_share_tag(found.network, link)}
    whole = all(offset.value is not None for offset in found.offsets.values())
    for number, choices in enumerate(attacks(found, name)):
        seen = Seen()
        run_decentralized(federation, waits, choices, HORIZON // 3, seen)
        if whole and not shared and seen.tardy:
            yield seed, "attack", f"tardy at the offset of {name}: {seen.tardy}"
        if seen.arrival.get(index, Most()).clean != value:
            continue
        if value <= federation.short_wait:
            return  # 1 ns less is a short wait, and the runtime waits on
        short, seen = {**waits, name: value - 1}, Seen()
        again = list(attacks(found, name))[number]
        run_decentralized(federation, short, again, HORIZON // 3, seen)
        if seen.arrival.get(index, Most()).most != value:
            continue  # other events came first, and chance chose otherwise
        counts["attack: reached"] += 1
        if not seen.tardy.get(index, Most()).count:
            yield seed, "attack", f"nothing is tardy 1 ns below the offset of {name}"
        return


def _free(federation: Federation) -> Federation:
    federates = {n: replace(f, maxwait=None, overhead=0) for n, f in federation.federates.items()}
    return replace(federation, federates=federates)


def _probed(federation: Federation, name: str) -> Federation:
    """The federate has a tag each nanosecond, and some microsteps, no work, and waits for nothing
    at a tag: whatever comes too late is noticed."""
    federate = federation.federates[name]
    idle = {n: replace(r, wcet=0, bcet=0) for n, r in federate.reactions.items()}
    ways = ["probe", *(f"micro{i}" for i in range(1, 12))]
    for trigger, effect in pairwise(ways):
        idle[effect] = Reaction(effect, effect, (trigger,), (), (effect,), 0, always=True)
    federate = replace(
        federate,
        timers={**federate.timers, "probe": Timer("probe", 0, 1)},
        actions={**federate.actions, **{n: Action(n) for n in ways[1:]}},
        inputs={n: Port(n) for n in federate.inputs},
        reactions=idle,
    )
    connections = tuple(
        replace(c, absent_after=None) if c.target == name else c for c in federation.connections
    )
    federates = {**federation.federates, name: federate}
    return replace(federation, federates=federates, connections=connections)


def _senders(path: tuple[object, ...]) -> set[str]:
    return {link.connection.source for link in path}  # type: ignore[attr-defined]


CHECKS = (decentralized, centralized, attacked, classed)


def campaign(seeds: range) -> tuple[Counter[str], list[Problem]]:
    """All checks of some seeds."""
    counts: Counter[str] = Counter()
    problems = [p for seed in seeds for check in CHECKS for p in check(seed, counts)]
    return counts, problems


def main() -> int:
    """Prints figures and problems; 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--federations", type=int, default=1000, metavar="N")
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    options = parser.parse_args()
    counts, problems = campaign(range(options.first, options.first + options.federations))
    for name, count in sorted(counts.items()):
        print(f"{name}: {count:,}")
    for problem in problems:
        print("PROBLEM", *problem)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
