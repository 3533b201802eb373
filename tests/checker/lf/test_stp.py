"""Certificates of `ddsrta lf stp`: what is true is confirmed, and nothing better than that."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from ddsrta.checker import CertificateError, check
from ddsrta.checker.budget import Budget
from ddsrta.checker.lf.lags import Burst, left_over
from ddsrta.lf.bounds.offsets.certificate import stp_certificate
from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.program.examples import TWO_FEDERATES
from ddsrta.lf.program.federation import SHORT_WAIT, Federation
from ddsrta.lf.program.reader import loads
from ddsrta.models.document import digest
from tests.effort import draws
from tests.lf.run.simulation.classes import draw_class
from tests.lf.run.simulation.draw import draw

ABSENT = TWO_FEDERATES.replace(
    "inputs: [in]", "inputs: {in: {absent_after: 30us}}\n    maxwait: 2ms"
)
SHORT = TWO_FEDERATES.replace("to: sink.in}", "to: sink.in, after: 4ms}")
RING = """\
federation: 1
coordination: decentralized
hosts: {h: {cores: 4}}
network: [{from: h, to: h, delay: 1ms}]
federates:
  a:
    host: h
    timers: {t: {period: 20ms}}
    inputs: [i]
    outputs: [o]
    reactions:
      r: {reactor: x, triggers: [t], effects: [o], wcet: 2ms}
      s: {reactor: y, triggers: [i], wcet: 1ms, deadline: 9ms}
  b:
    host: h
    overhead: 10us
    inputs: [i]
    outputs: [o]
    reactions: {r: {triggers: [i], effects: [o], wcet: 3ms}}
connections:
  - {from: a.o, to: b.i}
  - {from: b.o, to: a.i, after: 5ms}
chains: {round: {from: a.r, to: a.s, latency: 15ms}}
"""


def certificate(source: str | Federation) -> dict[str, Any]:
    federation = loads(source, "f.yaml") if isinstance(source, str) else source
    found: dict[str, Any] = json.loads(json.dumps(stp_certificate(judge(federation))))
    return found


def drawn() -> Iterator[Federation]:
    for seed in range(draws(12, of=40)):
        yield replace(draw(seed), short_wait=SHORT_WAIT)
        yield replace(draw_class(seed)[0], short_wait=SHORT_WAIT)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        if isinstance(item, (dict, list)):
            yield from leaves(item, (*path, key))
        else:
            yield (*path, key), item


def put(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    changed = deepcopy(document)
    at: Any = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return changed


def test_what_is_found_is_confirmed() -> None:
    verdicts = set()
    for federation in drawn():
        claimed = certificate(federation)
        verdict = check(claimed)
        assert (verdict.status, verdict.failure) == ("confirmed", None), federation.name
        verdicts.add(claimed["verdict"])
    assert verdicts == {"met", "missed", "unbounded"}


@pytest.mark.parametrize("source", [TWO_FEDERATES, ABSENT, SHORT, RING])
def test_nothing_better_is_confirmed(source: str) -> None:
    claimed = certificate(source)
    assert check(claimed).ok
    figures = {k: claimed[k] for k in ("federates", "connections", "checks", "deadlines", "chains")}
    tried = 0
    for path, value in leaves(figures):
        if isinstance(value, bool):
            better: Any = not value
        elif isinstance(value, int) and path[-1] != "connection":
            better = value + 1 if path[-1] in ("slack", "after") else value - 1
        else:
            continue
        tried += 1
        forged = put(claimed, path, better)
        try:
            assert check(forged).status == "refuted", path
        except CertificateError:
            assert better < 0, path
    assert tried > 10


@pytest.mark.parametrize("source", [
    TWO_FEDERATES.replace("deadline: 10ms", "deadline: 1ms"),
    TWO_FEDERATES.replace("inputs: [in]", "inputs: [in]\n    maxwait: 1ms"),
    TWO_FEDERATES.replace("wcet: 200us", "wcet: 6ms"),
    TWO_FEDERATES.replace(", wcet: 500us", ""),
    TWO_FEDERATES.replace(", clock_error: 50us", ""),
    RING.replace("after: 5ms", "after: 4ms"),
    RING.replace("cores: 4", "cores: 1").replace("t: {period: 20ms}", "t: {period: 5ms}"),
])  # fmt: skip
def test_met_has_to_be_earned(source: str) -> None:
    claimed = certificate(source)
    assert claimed["verdict"] != "met"
    assert check(claimed).ok
    assert check({**claimed, "verdict": "met"}).status == "refuted"


def test_another_federation_needs_other_figures() -> None:
    """Each time that is longer in the federation refutes what was found without it."""
    claimed = certificate(TWO_FEDERATES)
    for old, new in (("wcet: 500us", "wcet: 501us"), ("delay: 1ms", "delay: 1001us"),
                     ("clock_error: 50us", "clock_error: 51us"), ("{own: {period: 5ms}}", "{own: {period: 7ms}}"),
                     ("inputs: [in]", "inputs: {in: {absent_after: 1ms}}")):  # fmt: skip
        other = certificate(TWO_FEDERATES.replace(old, new))
        forged = {**claimed, "federation": other["federation"]}
        assert check(forged).status == "refuted"  # by its digest
        forged["digest"] = digest(other["federation"])
        if "own" not in old:
            assert check(forged).status == "refuted", new


def test_the_order_of_the_file_does_not_matter() -> None:
    claimed = certificate(RING)
    other = deepcopy(claimed)
    for key in ("connections", "deadlines"):
        other[key].reverse()
    federates = other["federation"]["federates"]
    other["federation"]["federates"] = dict(reversed(federates.items()))
    assert check(other).ok


def test_assumptions_are_said() -> None:
    claimed = certificate(RING)
    assert claimed["assumptions"] == ["shared-clock"]
    verdict = check({**claimed, "assumptions": []})
    assert verdict.failure == "the figures rest on 'shared-clock', which is not said to be assumed"


def test_a_circle_of_equalities_does_not_make_a_wait_the_least() -> None:
    """With a sum of 0 all waits may grow together, and no inequality is broken."""
    around = certificate(RING.replace("after: 5ms", "after: 8ms"))["connections"]
    after = 8_000_000 + sum(link["x"] for link in around)
    claimed = certificate(RING.replace("after: 5ms", f"after: {after}ns"))
    assert sum(link["x"] for link in claimed["connections"]) == 0
    for key in ("offset", "wait", "least"):
        for row in claimed["federates"].values():
            row[key] += 1
    assert check(claimed).status == "refuted"


@pytest.mark.parametrize("seed", range(draws(60, of=200)))
def test_what_is_left_over_is_the_most_of_all_times(seed: int) -> None:
    random = Random(seed)
    bursts = [
        Burst(random.randint(1, 6), random.choice([None, 7, 10, 12, 30]), random.randint(0, 9))
        for _ in range(random.randint(1, 4))
    ]
    rate = sum((Fraction(b.cost, b.period) for b in bursts if b.period), Fraction(0))
    if rate > 1:
        return
    most = 0
    for span in range(1500):
        work = sum(
            b.cost * (((span - b.nearest) // b.period if b.period else 0) + 1)
            for b in bursts
            if span >= b.nearest
        )
        most = max(most, work - span)
    found = left_over(bursts, rate, Budget())
    assert found == most if rate < 1 else most <= found <= sum(b.cost for b in bursts)


@pytest.mark.parametrize(
    ("path", "value"),
    [(("federation", "hosts"), []), (("federation", "federates", "a", "host"), "nowhere"),
     (("federation", "connections", 0, "after"), -1), (("connections", 0, "x"), 1.5),
     (("federates",), None), (("checks",), {}), (("verdict",), "fine"), (("digest",), 5),
     (("federation", "federates", "a", "reactions", "r", "after"), ["r"])],
)  # fmt: skip
def test_what_is_no_certificate_is_said_to_be_none(path: tuple[Any, ...], value: Any) -> None:
    forged = put(certificate(RING), path, value)
    if path[0] == "federation":
        forged["digest"] = digest(forged["federation"])
    with pytest.raises(CertificateError):
        check(forged)


def test_hostile_certificates_are_undecided_at_last() -> None:
    """Tags that take long to follow cost no more than the limit of work."""
    source = RING.replace("period: 20ms", "period: 999999937ns")
    assert check(certificate(source), work=5).status == "undecided"
