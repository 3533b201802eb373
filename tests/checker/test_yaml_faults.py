"""A unit or a default that the models misread makes the documents of the two readers differ."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ddsrta
from ddsrta.base import shapes, units
from ddsrta.checker.yaml import read_document, values
from ddsrta.models.document import to_document
from tests.checker.faults import Fault, defaults

FULL = Path(__file__).parents[1] / "models" / "full.yaml"
BARE = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
services: {s: {request: 1kB, reply: 1kB}}
listeners: {L: {core: m/c, priority: 9}}
processes: {p: {listener: L}}
executors:
  e: {cores: [m/a, m/b], process: p, priority: 5, kind: multi_threaded}
  single: {core: m/c, priority: 5, background: {wcet: 1ms, period: 1s}}
callbacks: {f: {executor: e, wcet: 1ms, timer: 9ms, arrival: {offset: 2ms}}}
nodes: {n: {executor: e, callbacks: {g: {wcet: 1ms, subscribes: {topics: [x]}}}}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
delays: {publisher: {1kB: 1us}, listener: {1kB: 1us}}
threads:
  t: {core: m/c, priority: 1, wcet: 1ms, arrival: {trace: TRACE},
      publishes: [{topic: x, mode: sync}, {topic: y, mode: sync}]}
  r: {core: m/c, priority: 1, wcet: 1ms, subscribes: {topics: [x, y], listener: L}}
chains: {c: {path: [t]}}
orders: {o: {subscriber: r, topics: [x, y]}}
"""
LOCKING = """
ddsrta: 1
middleware: {fastdds: 2.9}
machines: {m: {cores: [a]}}
threads: {t: {core: m/a, priority: 1, wcet: 1ms, period: 1s}}
"""
_UNSEEN = {
    "ddsrta",  # is always given
    "node.executor",  # or else each callback of the node has its own
    "threads",  # nor is how many threads share one core
}
FAULTS = [fault for fault in defaults() if not {fault.key, str(fault)} & _UNSEEN]


def agree() -> bool:
    """Whether both readers say the same of systems with nearly every key and with few."""
    few = (BARE.replace("TRACE", json.dumps(str(FULL.parent / "whole.txt"))), LOCKING)
    try:
        ours = [to_document(ddsrta.load(FULL)), *(to_document(ddsrta.loads(one)) for one in few)]
    except (ddsrta.InputError, LookupError, ValueError):
        return False
    full = read_document(FULL.read_bytes(), str(FULL))
    return [full, *(read_document(one, "<text>") for one in few)] == ours


def test_without_a_fault_they_agree():
    assert agree()
    assert len(FAULTS) > 25


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_wrong_default_is_seen(fault: Fault, monkeypatch):
    fault.put_in(monkeypatch)
    assert not agree()


@pytest.mark.parametrize("unit", [*units.NANOSECONDS, *units.BYTES])
def test_a_wrong_unit_is_seen(unit, monkeypatch):
    time = unit in units.NANOSECONDS
    table = units.NANOSECONDS if time else units.BYTES
    text = f"""
ddsrta: 1
machines: {{m: {{cores: [a]}}}}
topics: {{t: {{size: {"1kB" if time else f"30{unit}"}}}}}
threads: {{p: {{core: m/a, priority: 1, period: 99h, wcet: {f"30{unit}" if time else "1ms"}}}}}
"""
    for parse in (shapes._parse_duration, shapes._parse_size):
        parse.cache_clear()
    monkeypatch.setitem(table, unit, table[unit] * 2)
    assert read_document(text, "s") != to_document(ddsrta.loads(text))
    monkeypatch.undo()
    for parse in (shapes._parse_duration, shapes._parse_size):
        parse.cache_clear()
    assert read_document(text, "s") == to_document(ddsrta.loads(text))


def test_both_know_the_same_units():
    assert units.NANOSECONDS == values._NANOSECONDS
    assert units.BYTES == values._BYTES
