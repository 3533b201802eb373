"""No verdict is met while a row has no bound: overload, unknown costs, chains nobody asked for."""

from __future__ import annotations

import pytest

from ddsrta.lf.bounds.enclaves.judge import judge_enclaves
from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.bounds.rti.judge import judge_rti
from ddsrta.lf.bounds.unbounded import HOST_OVERLOAD, NO_WCET, TAGS_OVERLOAD
from ddsrta.lf.program.reader import loads
from ddsrta.report.lf.rti import report_dict as rti_dict
from ddsrta.report.lf.stp import report_dict, report_text

OVERLOADED = """federation: 1
coordination: decentralized
hosts: {h: {cores: CORES}}
network: [{from: h, to: h, delay: 1ms}]
rti: {hop: 10us, service: 1us}
federates:
  s:
    host: h
    timers: {t: {period: 2ms}}
    outputs: [o]
    reactions: {r: {triggers: [t], effects: [o], wcet: 10us, always: true}}
  e:
    host: h
    inputs: [i]
    timers: {u: {period: 1ms, offset: 500us}}
    reactions: {r: {triggers: [i], wcet: 200us}, q: {triggers: [u], wcet: BUSY}}
connections:
  - {from: s.o, to: e.i}
chains: {c: {from: s.r, to: e.r}}
"""


def federation(busy: str, cores: int = 4) -> str:
    return OVERLOADED.replace("BUSY", busy).replace("CORES", str(cores))


@pytest.mark.parametrize(("busy", "verdict"), [("500us", "met"), ("990us", "unbounded")])
def test_an_overloaded_federate_is_never_met(busy: str, verdict: str) -> None:
    source = loads(federation(busy), "f.yaml")
    assert judge(source).verdict == verdict
    assert judge_rti(source).verdict == verdict
    without_chains = loads(federation(busy).partition("chains")[0], "f.yaml")
    assert judge(without_chains).verdict == verdict
    assert judge_rti(without_chains).verdict == verdict


def test_each_row_without_a_bound_has_its_reason() -> None:
    source = loads(federation("990us"), "f.yaml")
    because = TAGS_OVERLOAD.of(federate="e", load=109, grants="")
    rows = report_dict(judge(source))["unbounded"]
    assert {"kind": "federate", "name": "e", "because": because} in rows
    assert {"kind": "chain", "name": "c", "because": because} in rows
    assert f"unbounded: e: {because}" in report_text(judge(source))
    central = rti_dict(judge_rti(source))["unbounded"]
    assert {row["name"] for row in central} == {"e", "c"}
    assert all(row["because"] for row in central)


def test_an_unknown_cost_leaves_its_federate_without_a_bound() -> None:
    source = federation("500us").replace(", wcet: 500us", "").partition("chains")[0]
    found = judge(loads(source, "f.yaml"))
    assert found.verdict == "unbounded"
    assert [row.because for row in found.unbounded] == [NO_WCET.of(reaction="e.q")]


def test_a_host_has_no_more_time_than_its_cores() -> None:
    source = federation("700us", cores=1).replace("wcet: 10us", "wcet: 500us")
    for found in (judge(loads(source, "f.yaml")), judge_rti(loads(source, "f.yaml"))):
        (row,) = (row for row in found.unbounded if row.kind == "host")
        assert (found.verdict, row.name) == ("unbounded", "h")
        assert row.because == HOST_OVERLOAD.of(where="host h", load=105, of=" for 100 % of cores")


PINNED = """federation: 1
coordination: decentralized
target: Cpp
hosts: {h: {cores: 2}}
federates:
  f:
    host: h
    timers: {t: {period: 10ms}, u: {period: 10ms}}
    reactions:
      r: {reactor: a, triggers: [t], wcet: COST, deadline: 1ms}
      q: {reactor: b, triggers: [u], wcet: COST, deadline: 1ms}
    enclaves:
      one: {reactors: [a], core: 0}
      two: {reactors: [b], core: CORE}
"""


@pytest.mark.parametrize(
    ("cost", "core", "verdict"),
    [("6ms", 1, "met"), ("1ms", 0, "unbounded"), ("6ms", 0, "unbounded")],
)
def test_enclaves_that_share_a_core_are_not_met(cost: str, core: int, verdict: str) -> None:
    source = PINNED.replace("COST", cost).replace("CORE", str(core))
    assert judge_enclaves(loads(source, "f.yaml")).verdict == verdict
