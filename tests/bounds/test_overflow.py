"""What rests on a queue that may overflow is assumed, or has no bound."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.models.assumptions import Assumption
from ddsrta.models.reader import loads
from ddsrta.models.system import System

BURST = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {flow_controller: {1kB: 3ns}, listener: {1kB: 6ns}}
topics: {x: {size: 1kB, history: 9}, y: {size: 1kB, history: 9}}
flow_controllers: {F: {core: m/b, priority: 9, queue: 9}}
listeners: {L: {core: m/b, priority: 8, queue: 9}}
threads:
  p: {core: m/a, priority: 9, wcet: 1ns,
      arrival: {burst: {count: 4, distance: 2ns, period: 400ns}, max_distance: 500ns},
      publishes: [{topic: x, mode: async, flow_controller: F}]}
  s: {core: m/a, priority: 1, wcet: 10ns, subscribes: {topics: [x], listener: L}}
chains: {c: {path: [p, x, s], deadline: 2us}}
"""
SMALL = {
    "writer and reader": ("x: {size: 1kB, history: 9}", "x: {size: 1kB, history: 2}"),
    "flow controller": ("priority: 9, queue: 9}", "priority: 9, queue: 2}"),
    "queue of one priority": ("ity: 9, queue: 9}", "ity: 9, queue: 2, policy: HIGH_PRIORITY}"),
    "queue of one writer": ("ity: 9, queue: 9}", "ity: 9, queue: 2, policy: ROUND_ROBIN}"),
    "socket": ("priority: 8, queue: 9}", "priority: 8, queue: 1}"),
}
SAMPLED = ("subscribes: {topics: [x]", "period: 100ns, subscribes: {topics: [x]")


def burst(*changes: tuple[str, str]) -> System:
    text = BURST
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return loads(text, "burst.yaml")


def beside_readers(found: tuple[Assumption, ...]) -> list[Assumption]:
    """Without what is assumed of readers in which several messages wait, as they do here."""
    return [one for one in found if one.rule not in ("no-keys", "reader-locks")]


def wanted(constraint: str) -> tuple[str, str]:
    return "deadline: 2us", f"deadline: 2us, constraint: {constraint}"


def with_room(small: tuple[str, str]) -> tuple[str, str]:
    return small[0], small[1].replace("history: 2", "history: 9").replace("ue: 2", "ue: 9").replace(
        "ue: 1", "ue: 9"
    )


@pytest.mark.parametrize("where", SMALL)
def test_latencies_assume_that_small_queues_do_not_overflow(where: str) -> None:
    result = ddsrta.analyze(burst(SMALL[where]))
    (line,) = beside_readers(result.assumptions)
    assert (line.rule, result.verdict) == ("no-overflow", "met")
    assert "loses messages of topic 'x'" in line.message
    assert result.check is not None and result.check.status == "confirmed"
    assert beside_readers(ddsrta.analyze(burst(with_room(SMALL[where]))).assumptions) == []


@pytest.mark.parametrize("where", SMALL)
def test_a_certificate_has_to_say_so(where: str) -> None:
    claims = certificate(burst(SMALL[where]))
    assert check(claims).assuming == ("no-keys", "no-overflow", "reader-locks")
    claims["assumptions"].remove("no-overflow")
    assert "rest on 'no-overflow', which is not said" in str(check(claims).failure)


@pytest.mark.parametrize("figure", ["data_age", "reaction_time"])
@pytest.mark.parametrize("where", SMALL)
def test_what_a_register_gets_next_may_be_lost(where: str, figure: str) -> None:
    sampled, small = (SAMPLED, wanted(figure)), SMALL[where]
    bound = getattr(ddsrta.analyze(burst(*sampled, with_room(small))).chains["c"], figure)
    result = ddsrta.analyze(burst(*sampled, small))
    chain = result.chains["c"]
    assert bound is not None and getattr(chain, figure) is None
    assert (
        chain.unbounded_because
        == "a full queue may lose messages of 'x' on the way; give it more room"
    )
    assert result.verdict == "unbounded"
    claims = certificate(burst(*sampled, small))
    claims["chains"]["c"][figure] = int(bound)
    assert f"{figure}: claimed to be" in str(check(claims).failure)


def test_a_stimulus_may_be_lost_but_nothing_gets_older_for_it() -> None:
    """Without a register the age is that of the message that came."""
    small = SMALL["socket"]
    aged = ddsrta.analyze(burst(wanted("data_age"), small)).chains["c"]
    assert aged.data_age == ddsrta.analyze(burst(small)).chains["c"].latency
    reacting = ddsrta.analyze(burst(wanted("reaction_time"), small)).chains["c"]
    assert reacting.reaction_time is None and not reacting.met


TWO = (
    ("topics: [x], listener: L", "topics: [x, y], listener: L, activation: and"),
    (
        "chains:",
        "  q: {core: m/a, priority: 8, wcet: 1ns, period: 500ns, "
        "publishes: [{topic: y, mode: async, flow_controller: F}]}\nchains:",
    ),
)


def test_nobody_knows_how_many_wait_for_others_that_come_less_often() -> None:
    for given, said in ((", history: 1000", "of topic 'x'"), ("", "any number in a history of")):
        found = ddsrta.analyze(burst(*TWO, (", history: 9}, y", f"{given}}}, y"))).assumptions
        line, ports, other = beside_readers(found)
        assert (line.rule, ports.rule, other.rule) == ("no-overflow", "one-port", "common-start")
        assert said in line.message


OPEN = {
    "x: {size: 1kB, history: 9}": "4 in a history of topic 'x'",
    "m/b, priority: 9, queue: 9}": "3 in flow controller 'F'",
    "m/b, priority: 8, queue: 9}": "4 in the socket of listener 'L'",
}


@pytest.mark.parametrize("given", OPEN)
def test_room_that_nobody_gave_is_assumed_where_several_wait(given: str) -> None:
    without = given.replace(", history: 9", "").replace(", queue: 9", "")
    system = burst((given, without))
    (line,) = beside_readers(ddsrta.analyze(system).assumptions)
    assert (line.rule, OPEN[given] in line.message) == ("no-overflow", True)
    assert ddsrta.analyze(system).chains["c"] == ddsrta.analyze(burst()).chains["c"]
    claims = certificate(system)
    assert check(claims).assuming == ("no-keys", "no-overflow", "reader-locks")
    claims["assumptions"].remove("no-overflow")
    assert "rest on 'no-overflow', which is not said" in str(check(claims).failure)


@pytest.mark.parametrize("given", OPEN)
def test_one_message_finds_room(given: str) -> None:
    """Each comes when the one before is done."""
    slow = BURST.partition("      arrival: {burst")[2].partition("\n")[0]
    without = given.replace(", history: 9", "").replace(", queue: 9", "")
    system = burst((f"arrival: {{burst{slow}", "period: 1us,"), (given, without))
    assert ddsrta.analyze(system).assumptions == ()
    assert check(certificate(system)).assuming == ()


MANY = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {publisher: {1kB: 3ns}, listener: {1kB: 6ns}}
listeners: {L: {core: m/b, priority: 8}, K: {core: m/c, priority: 8, queue: 9}}
"""


def test_many_queues_are_one_line_that_names_the_largest() -> None:
    topics = ", ".join(f"x{n}: {{size: 1kB}}" for n in range(40))
    sent = ", ".join(f"{{topic: x{n}, mode: sync, count: {2 + n // 39}}}" for n in range(40))
    read = ", ".join(f"x{n}" for n in range(40))
    threads = (
        f"topics: {{{topics}}}\nthreads:\n"
        f"  p: {{core: m/a, priority: 9, wcet: 1ns, period: 1ms, publishes: [{sent}]}}\n"
        f"  s: {{core: m/c, priority: 1, wcet: 9ns, subscribes: {{topics: [{read}], listener: L}}}}"
    )
    found = ddsrta.analyze(ddsrta.loads(MANY + threads)).assumptions
    (line,) = (each for each in found if each.rule == "no-overflow")
    assert "81 in the socket of listener 'L', 3 in a history of topic 'x39'" in line.message
    assert line.message.endswith(", and in 37 more") and len(line.message) < 300


def test_a_synchronizer_without_a_queue_keeps_all_that_wait() -> None:
    both = (
        "threads: {p: {core: m/a, priority: 9, wcet: 1ns, period: 40ns, publishes: [{topic: x}]},"
    )
    text = (
        MANY.replace("priority: 8}", "priority: 8, queue: 9}")
        + f"topics: {{x: {{size: 1kB}}, y: {{size: 1kB}}}}\n{both}\n"
        "  q: {core: m/a, priority: 8, wcet: 1ns, period: 100ns, publishes: [{topic: y}]},\n"
        "  s: {core: m/c, priority: 5, wcet: 1ns, subscribes: {topics: [x, y], listener: L,\n"
        "      activation: and, synchronize: mtd}}}"
    )
    system = ddsrta.loads(text)
    needed = ddsrta.analyze(system).synchronizers["s"].needed
    ports, line, stamps = ddsrta.analyze(system).assumptions
    assert f"{needed} in the synchronizer of 's'" in line.message
    claims = certificate(system)
    assert check(claims).assuming == ("no-overflow", ports.rule, stamps.rule)
    claims["assumptions"] = [ports.rule, stamps.rule]
    assert "rest on 'no-overflow', which is not said" in str(check(claims).failure)
    enough = ddsrta.loads(text.replace("mtd", f"mtd, queue: {needed}"))
    assert [one.rule for one in ddsrta.analyze(enough).assumptions] == [ports.rule, stamps.rule]
