"""How many sets a synchronizer makes in a round of an executor: one, where it waits for stamps in
order; else the callback that they release lingers (lemma set-response)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker.check import check
from ddsrta.checker.document import read_system
from ddsrta.checker.executors import Turns
from ddsrta.models.turns import turn_of
from tests.simulation.drawings import Scene

# What s sends comes to `either` at once and, by `slow` and `slower`, 120 later: x brings each stamp
# twice, out of order; y does so in order.
TWICE = """
topics: {u: {size: 1B}, v: {size: 1B}, w: {size: 1B}, x: {size: 1B}, y: {size: 1B}}
listeners: {L: {core: m/e, priority: 9}, K: {core: m/f, priority: 9}}
executors: {E: {core: m/d, priority: 1, kind: single_threaded}}
threads:
  s: {core: m/a, priority: 2, wcet: 1ns, bcet: 1ns, period: 100ns, publishes: [{topic: u, delay: 0ns}]}
  slow: {core: m/b, priority: 2, wcet: 60ns, bcet: 60ns, subscribes: {topics: [u], listener: K, delay: 0ns}, publishes: [{topic: w, delay: 0ns}]}
  slower: {core: m/g, priority: 2, wcet: 60ns, bcet: 60ns, subscribes: {topics: [w], listener: K, delay: 0ns}, publishes: [{topic: v, delay: 0ns}]}
  late: {core: m/c, priority: 2, wcet: 19ns, bcet: 19ns, subscribes: {topics: [u], listener: K, delay: 0ns}, publishes: [{topic: y, count: 2, delay: 0ns}]}
  either: {core: m/a, priority: 1, wcet: 1ns, bcet: 1ns, subscribes: {topics: [u, v], listener: K, delay: 0ns}, publishes: [{topic: x, delay: 0ns}]}
callbacks:
  tick: {executor: E, timer: 300ns, wcet: 1ns}
  other: {executor: E, timer: 300ns, wcet: 5ns, bcet: 5ns}
  fuse: {executor: E, wcet: 10ns, bcet: 10ns, subscribes: {topics: [x, y], listener: L, delay: 0ns, activation: and, synchronize: exact_time, queue: 10}}
"""
MACHINES = "machines: {m: {cores: [a, b, c, d, e, f, g]}}\n"
HEAD = "ddsrta: 1\n" + MACHINES
ONE_WAY = ("topics: [u, v], listener: K", "topics: [v], listener: K")


def often(text: str) -> bool:
    system = ddsrta.loads(HEAD + text)
    return turn_of(system, system.threads["fuse"]).often


def test_two_sets_in_a_round_are_within_the_bound() -> None:
    """The older stamp of x makes a set with what y has left, and then that of y one with the newer
    of x: so did message_filters itself (6.0.6), at 125 and 136."""
    run = Scene(TWICE, {"s": [0, 100, 200], "other": [119], "tick": [125]}, MACHINES)
    run.trace(300)
    tick = run.seen("response")["job", "tick"]
    assert tick == 22  # both subscriptions, 1 each, and fuse twice; and itself, less the first ns
    result = ddsrta.analyze(ddsrta.loads(HEAD + TWICE))
    assert result.check.status == "confirmed"
    assert result.callbacks["tick"].wcrt >= tick
    once = ddsrta.analyze(ddsrta.loads(HEAD + TWICE.replace(*ONE_WAY)))
    assert once.callbacks["tick"].wcrt == 18 and once.check.status == "confirmed"


def test_the_checker_refutes_one_set_in_a_round_where_there_may_be_two() -> None:
    claims = certificate(ddsrta.loads(HEAD + TWICE))
    assert check(claims).failure is None
    for one in claims["stages"]:
        if one["stage"] == ["job", "tick"]:
            one.update(response=18, latency=18)
    assert "tick" in str(check(claims).failure)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([], True),  # either
        ([ONE_WAY], False),
        ([ONE_WAY, ("synchronize: exact_time", "synchronize: mtd")], False),
        ([("synchronize: exact_time", "synchronize: mtd")], False),
        ([ONE_WAY, ("synchronize: exact_time", "synchronize: approximate_time")], True),
        ([("topics: [u, v], listener: K, delay: 0ns", "topics: [u, v], listener: K, delay: 0ns, activation: and")], False),
    ],
)  # fmt: skip
def test_who_may_make_several_sets_in_a_round(
    changes: list[tuple[str, str]], expected: bool
) -> None:
    text = TWICE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    assert often(text) == expected
    assert ddsrta.analyze(ddsrta.loads(HEAD + text)).check.status == "confirmed"


def test_the_checker_takes_what_may_overtake_for_out_of_order() -> None:
    """The analysis refuses that; a certificate may say it all the same."""
    follows = "follows: {threads: [slower], delay: 9ns}"
    network = "network: [{from: m, to: n, delay: 9ns}, {from: n, to: m, delay: 9ns, best: 1ns}]\n"
    text = TWICE.replace("subscribes: {topics: [u, v], listener: K, delay: 0ns}", follows)
    text = text.replace("late: {core: m/c", "late: {core: n/c").replace(
        "K: {", "J: {core: n/d, priority: 1}, K: {"
    )
    text = text.replace(
        "K, delay: 0ns}, publishes: [{topic: y", "J, delay: 0ns}, publishes: [{topic: y"
    )
    head = HEAD.replace("g]}", "g]}, n: {cores: [c, d]}") + network
    document = certificate(ddsrta.loads(head + text))["system"]

    def relation() -> str | None:
        return Turns(read_system(document), "E").relation("tick", "fuse")

    assert relation() == "alternates"
    document["threads"]["either"]["follows"]["ordered"] = False
    assert relation() == "lingers"
    document["threads"]["either"]["follows"]["ordered"] = True
    (back,) = (one for one in document["links"] if one["from"] == "n")
    back["ordered"] = False
    assert relation() == "lingers"
