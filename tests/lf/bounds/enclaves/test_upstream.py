"""Enclaves of C that get messages of several others have no bound: they wait for one of them."""

from __future__ import annotations

from ddsrta.checker.budget import Budget
from ddsrta.checker.lf.document import read_federation
from ddsrta.checker.lf.enclaves.cut import cut
from ddsrta.checker.lf.enclaves.lagging import Model
from ddsrta.lf.bounds.enclaves.judge import judge_enclaves
from ddsrta.lf.bounds.offsets.certificate import head
from ddsrta.lf.program.reader import loads
from tests.lf.federations import MS

# In this program `act` was seen to start 240 ms after its tag; in others messages were lost.
BOTH = """\
federation: 1
coordination: decentralized
target: C
hosts: {h: {cores: 4}}
federates:
  f:
    host: h
    timers: {t: {period: 200ms, offset: 80ms}, u: {period: 200ms, offset: 20ms}}
    outputs: [a.o, a.q, b.o]
    inputs: [b.i, c.i, c.j]
    reactions:
      see: {reactor: a, triggers: [t], effects: [a.o], wcet: 20ms}
      note: {reactor: a, triggers: [u], effects: [a.q], wcet: 100ms}
      think: {reactor: b, triggers: [b.i], effects: [b.o], wcet: 60ms}
      act: {reactor: c, triggers: [c.i], wcet: 10ms, deadline: 200ms}
      tell: {reactor: c, triggers: [c.j], wcet: 10ms}
    connections:
      - {from: a.o, to: b.i}
      - {from: b.o, to: c.i}
      - {from: a.q, to: c.j}
    enclaves: {one: {reactors: [a]}, two: {reactors: [b]}, three: {reactors: [c]}}
"""


def waits(text: str) -> dict[str, int | None]:
    """How late tags may start; the checker has no bound where the analysis has none."""
    federation = loads(text)
    found = {row.name: row.waits for row in judge_enclaves(federation).rows}
    whole = cut(read_federation(head("lf-enclaves", federation, ())["federation"]))
    model = Model(whole, Budget())
    assert {name for name in found if model.obstacle(name)} == {
        name for name, wait in found.items() if wait is None
    }
    return found


def test_who_gets_messages_of_several_enclaves_has_no_bound_in_c() -> None:
    assert waits(BOTH) == {"f.one": 0, "f.two": 100 * MS, "f.three": None}
    (row,) = [row for row in judge_enclaves(loads(BOTH)).rows if row.name == "f.three"]
    assert str(row.because).startswith("f.three gets messages of f.two and f.one: ")


def test_others_keep_theirs() -> None:
    """The runtime for C++ asks each; and several connections from one enclave are no problem."""
    assert waits(BOTH.replace("target: C", "target: Cpp"))["f.three"] == 160 * MS
    joined = BOTH.replace("one: {reactors: [a]}, two: {reactors: [b]}", "one: {reactors: [a, b]}")
    assert waits(joined)["f.three"] is not None
