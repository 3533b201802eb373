"""What bounds assume of order on a link and behind `follows`, and what holds without it."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker.check import check

LINK = """ddsrta: 1
machines: {m: {cores: [c0]}, n: {cores: [c0, c1, c2]}}
network: [{from: m, to: n, delay: 30ns, best: 0ns}]
topics: {q: {size: 1kB, history: 9}}
listeners: {L: {core: n/c0, priority: 9, queue: 9}}
threads:
  a:
    core: m/c0
    priority: 2
    wcet: 1ns
    bcet: 1ns
    period: 20ns
    publishes: [{topic: q, mode: sync, delay: 1ns}]
  b: {core: n/c1, priority: 2, wcet: 1ns, subscribes: {topics: [q], listener: L, delay: 5ns}}
  c: {core: n/c2, priority: 2, wcet: 1ns, period: 50ns, subscribes: {topics: [q], listener: L, delay: 5ns}}
chains: {x: {path: [a, q, b], deadline: 1s}, age: {path: [a, q, c]}}
"""
FOLLOWS = """ddsrta: 1
machines: {m: {cores: [c0, c1]}}
threads:
  a: {core: m/c0, priority: 2, wcet: 1ns, bcet: 1ns, period: 20ns}
  b: {core: m/c1, priority: 2, wcet: 5ns, follows: {threads: [a], delay: 30ns, best: 0ns}}
chains: {x: {path: [a, b], deadline: 1s}}
"""


ALWAYS = {"delivery", "no-keys", "reader-locks"}


def unordered(text: str) -> str:
    return text.replace("best: 0ns", "best: 0ns, ordered: false")


def latency(text: str) -> int:
    found = ddsrta.analyze(ddsrta.loads(text)).chains["x"].latency
    assert found is not None
    return found


@pytest.mark.parametrize("text", [LINK, FOLLOWS])
def test_order_where_the_way_varies_is_an_assumption(text: str) -> None:
    system = ddsrta.loads(text)
    result = ddsrta.analyze(system)
    rules = {each.rule for each in result.assumptions} - ALWAYS
    assert rules == {"link-order"}
    claims = certificate(system)
    assert set(check(claims).assuming) - ALWAYS == rules
    claims["assumptions"].remove("link-order")
    assert "not said to be assumed" in str(check(claims).failure)


@pytest.mark.parametrize("text", [LINK, FOLLOWS])
def test_nothing_is_assumed_of_a_way_that_takes_one_time_or_keeps_no_order(text: str) -> None:
    for other in (text.replace("best: 0ns", "best: 30ns"), unordered(text)):
        system = ddsrta.loads(other)
        assert {each.rule for each in ddsrta.analyze(system).assumptions} <= ALWAYS
        assert set(check(certificate(system)).assuming) <= ALWAYS


ONE_READER = "".join(line for line in LINK.splitlines(True) if "c2, " not in line)


@pytest.mark.parametrize("text", [ONE_READER.replace(", age: {path: [a, q, c]}", ""), FOLLOWS])
def test_what_may_overtake_takes_longer_and_runs_show_it(text: str) -> None:
    system = ddsrta.loads(unordered(text))
    assert latency(unordered(text)) > latency(text)
    seen = ddsrta.simulate(system, horizon="20us", seeds=60)
    assert not seen.violations
    chain = seen.chains["x"].latency
    assert chain is not None and chain.max is not None
    assert chain.max > latency(text)


@pytest.mark.parametrize("text", [LINK, FOLLOWS])
def test_a_bound_that_rests_on_order_is_refuted_without_it(text: str) -> None:
    claims = certificate(ddsrta.loads(unordered(text)))
    assert check(claims).ok
    smaller = certificate(ddsrta.loads(text))
    for key in ("stages", "messages", "chains"):
        claims[key] = smaller[key]
    assert not check(claims).ok


def test_an_older_value_may_come_last_to_a_register() -> None:
    assert ddsrta.analyze(ddsrta.loads(LINK)).chains["age"].data_age is not None
    age = ddsrta.analyze(ddsrta.loads(unordered(LINK))).chains["age"]
    assert (age.data_age, age.reaction_time) == (None, None)
    assert "may overtake each other on the way" in str(age.unbounded_because)


def test_numbers_say_nothing_at_a_join_behind_it() -> None:
    text = FOLLOWS.replace(
        "threads:\n", "threads:\n  z: {core: m/c0, priority: 1, wcet: 1ns, period: 20ns}\n", 1
    )
    text = text.replace("[a], delay", "[a, z], activation: and, delay")
    assert latency(text)
    chain = ddsrta.analyze(ddsrta.loads(unordered(text))).chains["x"]
    assert chain.latency is None
    assert check(certificate(ddsrta.loads(unordered(text)))).ok


def test_synchronizers_beside_it_are_not_modelled() -> None:
    text = LINK.replace(
        "topics: {q: {size: 1kB, history: 9}}", "topics: {q: {size: 1kB}, r: {size: 1kB}}"
    )
    text = text.replace(
        "[{topic: q, mode: sync, delay: 1ns}]", "[{topic: q, delay: 1ns}, {topic: r, delay: 1ns}]"
    )
    text = text.replace(
        "{topics: [q], listener: L, delay: 5ns}}\n  c",
        "{topics: [q, r], listener: L, delay: 5ns, activation: and, synchronize: latest}}\n  c",
    )
    with pytest.raises(ddsrta.InputError, match="overtake each other are not modelled"):
        ddsrta.loads(unordered(text))
