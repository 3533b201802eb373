"""The baseband program as a federation.yaml, under each traffic and partition.

    python -m casestudies.baseband.program enclaves1 high | ddsrta lf enclaves -

prints one; a third argument is the number of workers of each enclave. The README has the source of
every number.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads

USERS = 10
THREADS = 8
DEADLINE = "2500us"
OVERHEAD = "10us"
TRAFFIC = {  # resource blocks of each user, at most
    "low": (2,) * USERS,
    "medium": (5,) * USERS,
    "high": (10,) * USERS,
    "uneven": (40,) + (5,) * (USERS - 1),
}


class Kernel(NamedTuple):
    """How many of it run in parallel for a user, and what one takes for a resource block, in ns."""

    count: int
    cost: int


KERNELS = {
    "dispatcher": Kernel(1, 500),
    "channel": Kernel(16, 750),
    "weights": Kernel(1, 12_500),
    "symbols": Kernel(24, 520),
    "deinterleave": Kernel(1, 2_000),
    "demap": Kernel(1, 3_000),
    "turbo": Kernel(1, 7_000),
    "crc": Kernel(1, 500),
}
STAGES = (
    ("dispatcher", "channel"),
    ("weights",),
    ("symbols",),
    ("deinterleave", "demap", "turbo", "crc"),
)
PARTITIONS = {  # Table I of the paper
    "reactors": 1,
    "enclaves1": 10,
    "enclaves2": 5,
    "enclaves3": 80,
    "enclaves4": 40,
    "enclaves5": 8,
    "enclaves6": 460,
}


def instances(user: int, kernel: str) -> list[str]:
    """The reactors of a kernel.

    >>> instances(3, "weights"), len(instances(3, "channel"))
    (['u3.weights'], 16)
    """
    count = KERNELS[kernel].count
    return [f"u{user}.{kernel}{number if count > 1 else ''}" for number in range(count)]


def enclaves(partition: str) -> Mapping[str, list[str]]:
    """The reactors of each enclave of a partition; the source of subframes is in none.

    >>> [len(enclaves(name)) or 1 for name in PARTITIONS] == list(PARTITIONS.values())
    True
    """
    users = range(USERS)
    whole = {user: [r for kernel in KERNELS for r in instances(user, kernel)] for user in users}
    if partition == "reactors":
        return {}
    if partition == "enclaves1":
        return {f"user{user}": whole[user] for user in users}
    if partition == "enclaves2":
        return {f"users{user}": whole[user] + whole[user + 1] for user in users[::2]}
    if partition == "enclaves3":
        return {f"{k}{user}": instances(user, k) for user in users for k in KERNELS}
    if partition == "enclaves4":
        return {
            f"stage{number}_{user}": [r for kernel in stage for r in instances(user, kernel)]
            for user in users
            for number, stage in enumerate(STAGES)
        }
    if partition == "enclaves5":
        return {
            kernel: [r for user in users for r in instances(user, kernel)] for kernel in KERNELS
        }
    return {name.replace(".", "_"): [name] for user in users for name in whole[user]}


def text(partition: str, traffic: str, workers: int = THREADS) -> str:
    """The program; without enclaves it has as many workers as the machine has threads."""
    groups = enclaves(partition)
    rows = [f"      {name}: {{workers: {workers}, reactors: [{', '.join(group)}]}}"
            for name, group in groups.items()]  # fmt: skip
    return _text(
        TRAFFIC[traffic], 1 if groups else THREADS, f"{partition}, {traffic} traffic", rows
    )


def _text(blocks: Sequence[int], workers: int, name: str, enclaves: list[str]) -> str:
    inputs, outputs, reactions, connections = [], [], [], []
    for user in range(USERS):
        before = ["frames"]
        for kernel, (_, cost) in KERNELS.items():
            rows = instances(user, kernel)
            for reactor in rows:
                ends = [f"{reactor}.in{number}" for number in range(len(before))]
                inputs += ends
                outputs.append(f"{reactor}.out")
                connections += [
                    f"      - {{from: {source}, to: {end}}}"
                    for source, end in zip(before, ends, strict=True)
                ]
                reactions.append(
                    f"      {reactor.replace('.', '_')}: {{reactor: {reactor}, "
                    f"triggers: [{', '.join(ends)}], effects: [{reactor}.out], "
                    f"wcet: {cost * blocks[user]}ns, always: true}}"
                )
            before = [f"{reactor}.out" for reactor in rows]
    return "\n".join([
        "federation: 1", f"name: baseband, {name}", "coordination: decentralized", "target: Cpp",
        f"hosts: {{board: {{cores: {THREADS}}}}}", "federates:", "  radio:", "    host: board",
        f"    workers: {workers}", f"    overhead: {OVERHEAD}",
        "    timers: {subframe: {period: 1ms}}",
        f"    inputs: [{', '.join(inputs)}]", f"    outputs: [frames, {', '.join(outputs)}]",
        "    reactions:",
        "      receive: {triggers: [subframe], effects: [frames], wcet: 5us, always: true}",
        *reactions, "    connections:", *connections,
        *(["    enclaves:", *enclaves] if enclaves else []),
        "chains:", *_chains(),
    ]) + "\n"  # fmt: skip


def _chains() -> Iterator[str]:
    for user in range(USERS):
        yield f"  user{user}: {{from: radio.receive, to: radio.u{user}_crc, latency: {DEADLINE}}}"


@cache
def federation(partition: str, traffic: str, workers: int = THREADS) -> Federation:
    """The same, read."""
    return loads(text(partition, traffic, workers), f"{partition}.yaml")


if __name__ == "__main__":
    print(text(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:4])), end="")
