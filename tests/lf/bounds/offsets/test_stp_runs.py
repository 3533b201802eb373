"""Runs of federations: with the least offsets no message comes later than its receiver waits.

The runs are worked out here from the meaning of tags alone: each federate waits its offset on its
own clock, works off its tags in order, and sends when its reaction is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from ddsrta.lf.bounds.offsets.least import offsets
from ddsrta.lf.bounds.offsets.links import network
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads

HORIZON = 400


def draw(random: Random) -> Federation:
    """Federates with a timer or none, whose reaction runs at each tag and sends on."""
    count = random.randint(2, 5)
    pairs = {tuple(random.sample(range(count), 2)) for _ in range(random.randint(1, 2 * count))}
    lines = [
        "federation: 1",
        "coordination: decentralized",
        "hosts:",
        *(f"  h{i}: {{clock_error: {random.randint(0, 3)}ns}}" for i in range(count)),
        "federates:",
    ]
    for i in range(count):
        senders = sorted(a for a, b in pairs if b == i)
        ticks = not senders or random.random() < 0.5
        period, offset = random.choice([20, 30, 40]), random.choice([0, 0, 5, 7])
        names = ["t"] * ticks + [f"i{a}" for a in senders]
        lines += [
            f"  f{i}:",
            f"    host: h{i}",
            f"    timers: {{{f't: {{offset: {offset}ns, period: {period}ns}}' if ticks else ''}}}",
            f"    inputs: [{', '.join(f'i{a}' for a in senders)}]",
            "    outputs: [out]",
            f"    reactions: {{r: {{triggers: [{', '.join(names)}], effects: [out],"
            f" wcet: {random.randint(0, 8)}ns}}}}",
        ]
    lines.append("connections:")
    for a, b in sorted(pairs):
        after = random.choice([0, 10, 20, 30]) if a < b else random.choice([20, 60])
        extra = f", after: {after}ns" if after else ""
        latency = random.randint(0, 10)
        lines.append(f"  - {{from: f{a}.out, to: f{b}.i{a}, latency: {latency}ns{extra}}}")
    return loads("\n".join(lines) + "\n")


def tags(federation: Federation) -> dict[str, set[int]]:
    """When each federate has something to do, up to the horizon."""
    found: dict[str, set[int]] = {name: set() for name in federation.federates}
    for name, federate in federation.federates.items():
        for timer in federate.timers.values():
            found[name].update(range(timer.offset, HORIZON, timer.period or HORIZON))
    changed = True
    while changed:
        changed = False
        for connection in federation.connections:
            moved = {t + connection.shift.time for t in found[connection.source]}
            new = {t for t in moved if t < HORIZON} - found[connection.target]
            changed = changed or bool(new)
            found[connection.target] |= new
    return found


def least_slack(
    federation: Federation, waits: Mapping[str, int], random: Random, worst: bool
) -> int | None:
    """How early the message came that came latest: negative if one was tardy."""
    clock = {}
    for name, federate in federation.federates.items():
        error = federation.hosts[federate.host].clock_error or 0
        clock[name] = random.choice([-error, error]) if worst else random.randint(-error, error)
    names = in_order(federation)
    done = dict.fromkeys(names, -(10**9))
    slack: int | None = None
    events = tags(federation)
    for tag in sorted(set().union(*events.values())):
        for name in (n for n in names if tag in events[n]):
            start = max(tag + waits[name] + clock[name], done[name])
            wcet = federation.federates[name].reactions["r"].wcet or 0
            done[name] = start + (wcet if worst else random.randint(0, wcet))
            for connection in federation.connections:
                if connection.source != name:
                    continue
                assert connection.latency
                latency = connection.latency.worst
                arrival = done[name] + (latency if worst else random.randint(0, latency))
                target = connection.target
                limit = tag + connection.shift.time + waits[target] + clock[target]
                slack = limit - arrival if slack is None else min(slack, limit - arrival)
    return slack


def in_order(federation: Federation) -> list[str]:
    """Senders before receivers at a tag."""
    names = list(federation.federates)  # connections without `after` lead to later ones
    assert all(names.index(c.source) < names.index(c.target) or c.shift.time
               for c in federation.connections)  # fmt: skip
    return names


def test_no_message_is_tardy_and_no_offset_is_idle() -> None:
    compared = tight = 0
    for seed in range(750):
        random = Random(seed)
        federation = draw(random)
        found = offsets(network(federation)).offsets
        values = {name: offset.value for name, offset in found.items()}
        if None in values.values():
            continue
        waits = {name: value for name, value in values.items() if value is not None}
        slacks = [least_slack(federation, waits, random, i < 8) for i in range(12)]
        least = min((slack for slack in slacks if slack is not None), default=0)
        assert least >= 0, seed
        compared += 1
        tight += least == 0
    assert compared > 150
    assert tight > 50
