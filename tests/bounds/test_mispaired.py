"""An AND by number whose inputs full queues may shift against each other has no latency."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import CertificateError, check
from tests.bounds.test_overflow import burst

PAIR = (
    ("topics: [x], listener: L", "topics: [x, y], listener: L, activation: and"),
    ("flow_controller: F}]", "flow_controller: F}, {topic: y, mode: sync, delay: 1ns}]"),
)
SMALL = {
    "flow controller": ("b, priority: 9, queue: 9}", "b, priority: 9, queue: 2}"),
    "socket": ("b, priority: 8, queue: 9}", "b, priority: 8, queue: 2}"),
    "history": ("x: {size: 1kB, history: 9}", "x: {size: 1kB, history: 2}"),
}


def waited(room: int, bursts: int) -> int:
    """The longest that a message on y waits for its partner on x, of which a queue with so much
    room loses some: four each 400 ns, 2 ns apart, and 3 ns for each of them."""
    first: list[int] = []
    second: list[int] = []
    for start in range(0, 400 * bursts, 400):
        for time in range(start, start + 8, 2):
            second.append(time)
            if sum(end > time for end in first) < room:
                first.append(max([time, *first[-1:]]) + 3)
    return max(x - y for x, y in zip(first, second, strict=False))


def test_each_loss_makes_what_is_left_wait_longer() -> None:
    fits = ddsrta.analyze(burst(*PAIR)).chains["c"].latency
    assert fits is not None
    assert waited(4, 100) < fits
    assert [waited(1, bursts) // fits for bursts in (10, 100)] == [20, 208]
    small = ddsrta.analyze(burst(*PAIR, ("b, priority: 9, queue: 9}", "b, priority: 9, queue: 1}")))
    assert small.chains["c"].latency is None


OTHERS = {"no-keys", "one-port", "reader-locks"}  # whatever the room


@pytest.mark.parametrize("where", SMALL)
def test_latencies_behind_it_are_unbounded(where: str) -> None:
    system = burst(*PAIR, SMALL[where])
    result = ddsrta.analyze(system)
    chain = result.chains["c"]
    assert (chain.latency, result.verdict) == (None, "unbounded")
    assert chain.trigger_latency is not None
    assert str(chain.unbounded_because).startswith("a full queue may lose messages of 'x': then s")
    assert result.check is not None and result.check.status == "confirmed"
    assert {line.rule for line in result.assumptions} - OTHERS == {"no-overflow"}


@pytest.mark.parametrize("where", SMALL)
def test_a_certificate_has_to_say_so(where: str) -> None:
    claims = certificate(burst(*PAIR, SMALL[where]))
    assert claims["mispaired"] == ["s"] and check(claims).ok
    endless = certificate(burst(*PAIR))  # with room for all
    for key in ("system", "digest", "assumptions"):
        endless[key] = claims[key]
    assert "job s: full queues may shift what it waits for" in str(check(endless).failure)
    with pytest.raises(CertificateError, match="'p' waits for nothing that belongs together"):
        check({**claims, "mispaired": ["p"]})
    claims["chains"]["c"]["latency"] = 10**9
    assert "latency: claimed to be 1 s, is unbounded" in str(check(claims).failure)


def test_a_history_with_room_for_what_waits_loses_nothing() -> None:
    """What comes with y waits for x: 4 of each."""
    for topic in "xy":
        given = f"{topic}: {{size: 1kB, history: 9}}"
        for room, rules in ((4, set()), (3, {"no-overflow"})):
            system = burst(*PAIR, (given, given.replace("9", f"{room}")))
            result = ddsrta.analyze(system)
            assert {line.rule for line in result.assumptions} - OTHERS == rules
            assert (result.chains["c"].latency is None) == bool(rules)
            assert result.check is not None and result.check.status == "confirmed"


FORK = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {publisher: {1kB: 1us}, listener: {1kB: 10us}}
topics: {x: {size: 1kB, history: 9}, left: {size: 1kB, history: 9}, right: {size: 1kB, history: 9}}
listeners:
  L: {core: m/b, priority: 8, queue: 1}
  M: {core: m/c, priority: 8, queue: 9}
threads:
  p: {core: m/a, priority: 9, wcet: 1us, publishes: [{topic: x}],
      arrival: {burst: {count: 4, distance: 5us, period: 400us}, max_distance: 500us}}
  f: {core: m/b, priority: 7, wcet: 1us, subscribes: {topics: [x], listener: L},
      publishes: [{topic: left}, {topic: right}]}
  r: {core: m/c, priority: 6, wcet: 5us, subscribes: {topics: [right], listener: M}}
  s: {core: m/c, priority: 5, wcet: 5us, subscribes: {topics: [left], listener: M, activation: and},
      follows: {threads: [r]}}
chains: {c: {path: [p, x, f, right, r, s]}}
"""


def test_what_is_lost_to_all_inputs_shifts_nothing() -> None:
    result = ddsrta.analyze(ddsrta.loads(FORK))
    assert {line.rule for line in result.assumptions} - OTHERS == {"no-overflow"}
    assert result.chains["c"].latency is not None
    assert result.check is not None and result.check.status == "confirmed"
    behind = FORK.replace("priority: 8, queue: 9", "priority: 8, queue: 1")
    assert ddsrta.analyze(ddsrta.loads(behind)).chains["c"].latency is None


def test_two_sources_of_one_pace_are_shifted_by_a_loss_of_either() -> None:
    both = (
        *PAIR[:1],
        ("chains:", "  q: {core: m/a, priority: 8, wcet: 1ns, period: 100ns, "
         "publishes: [{topic: y, mode: async, flow_controller: F}]}\nchains:"),
        ("arrival: {burst: {count: 4, distance: 2ns, period: 400ns}, max_distance: 500ns}",
         "arrival: {period: 100ns, jitter: 300ns}"),
    )  # fmt: skip
    assert ddsrta.analyze(burst(*both)).chains["c"].latency is not None
    for small in SMALL.values():
        result = ddsrta.analyze(burst(*both, small))
        assert result.chains["c"].latency is None
        assert result.check is not None and result.check.status == "confirmed"
