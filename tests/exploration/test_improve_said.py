"""What repairs say beside their bounds: what they bring, and what cannot be repaired."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.base.diagnostics import InputError
from ddsrta.report.improve import improve_text

BY_OFFSETS = """\
ddsrta: 1
machines: {m: {cores: [c0, c1]}}
delays: {listener: {1kB: 10us}, publisher: {1kB: 10us}}
topics: {a: {size: 1kB}}
listeners: {L: {core: m/c1, priority: 80}}
threads:
  x: {core: m/c0, priority: 60, wcet: 8ms, bcet: 8ms, arrival: {period: 20ms, offset: 2ms}}
  w: {core: m/c0, priority: 50, wcet: 1ms, bcet: 1ms, arrival: {period: 20ms, offset: 2ms}, publishes: [{topic: a, mode: sync}]}
  z: {core: m/c1, priority: 60, wcet: 300us, arrival: {period: 20ms, offset: 10ms}}
  r: {core: m/c1, priority: 50, wcet: 200us, arrival: {period: 20ms, offset: 10ms}, subscribes: {topics: [a], listener: L}}
chains: {c: {path: [w, a, r], deadline: 8400us, constraint: %s}}
"""


def test_what_offsets_let_a_sample_wait_is_not_taken_for_what_priorities_cannot_change() -> None:
    """An urgent w is read a period sooner, and two priorities are enough for 8.4 ms."""
    kinds = {"only": ["priorities"], "most": 1}
    found = ddsrta.improve(ddsrta.loads(BY_OFFSETS % "data_age"), **kinds)
    assert not found.hopeless and not found.sampled
    (repair,) = found.repairs
    assert {edit.path[1] for edit in repair.edits} == {"w", "r"}
    asked = BY_OFFSETS.replace("8400us", "19ms") % "reaction_time"
    late = ddsrta.improve(ddsrta.loads(asked), **kinds)
    assert late.hopeless == {"c": 20_000_000}  # w has just missed its period, whatever is urgent


def test_a_repair_says_which_warnings_and_assumptions_it_brings() -> None:
    system = ddsrta.loads("""
ddsrta: 1
machines: {m: {cores: [a]}}
threads: {x: {core: m/a, reservation: {budget: 4ms, period: 5ms}, wcet: 4800us, period: 20ms}}
chains: {x: {path: [x], deadline: 4900us}}
""")
    found = ddsrta.improve(system)
    (note,) = found.repairs[0].asks
    assert note.startswith("threads reserve 100 % of m/a, and Linux admits at most 95 %")
    assert "mind: threads reserve 100 %" in improve_text(found)
    said = {"parameters": {"b": {"kind": "budgets"}}, "objectives": [{"minimize": "latency"}]}
    explored = ddsrta.explore(base=system, **said)
    assert explored.front[0].asks == (note,)
    assert "mind: threads reserve 100 %" in explored._repr_html_()
    assert f"mind: {note}" in str(explored)


def test_what_is_kept_and_is_not_there_is_refused() -> None:
    """Else what somebody means to keep would change."""
    system = ddsrta.loads(BY_OFFSETS % "data_age")
    with pytest.raises(InputError, match="'keep' of 'listner L' names nothing; did you mean"):
        ddsrta.improve(system, keep=["r", "listner L", "*: core", "w: priority"])
    said = {"p": {"kind": "priorities", "keep": ["zz"]}}
    with pytest.raises(InputError, match="'keep' of 'zz' names nothing"):
        ddsrta.explore(base=system, parameters=said, objectives=[{"minimize": "changes"}])
