"""Reactions of enclaves that the runtime for C may run twice at a tag have no bound."""

from __future__ import annotations

import re

import pytest

from ddsrta.checker.lf.document import read_federation
from ddsrta.checker.lf.enclaves.again import may_run_again
from ddsrta.checker.lf.enclaves.cut import cut
from ddsrta.checker.lf.times import Times
from ddsrta.lf.bounds.enclaves.judge import judge_enclaves
from ddsrta.lf.bounds.offsets.certificate import head
from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.bounds.rti.judge import judge_rti
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads
from tests.lf.bounds.enclaves.random_programs import system
from tests.lf.federations import MS

# As the program Enc1: at the tag 0 its reaction of two triggers is seen to run twice.
FAST = """\
federation: 1
coordination: decentralized
hosts: {h: {cores: 4}}
federates:
  f:
    host: h
    timers: {t: {period: 100ms}, u: {period: 10ms}}
    outputs: [s.o]
    inputs: [f.i]
    reactions:
      see: {reactor: s, triggers: [t], effects: [s.o], wcet: 5ms}
      act: {reactor: f, triggers: [f.i, u], wcet: 1ms, deadline: 20ms}
    connections: [{from: s.o, to: f.i}]
    enclaves: {a: {reactors: [s]}, b: {reactors: [f]}}
"""


def done(text: str) -> int | None:
    """When tags of the fast enclave are done, as the analysis says; the checker sees the same."""
    federation = loads(text)
    (row,) = [row for row in judge_enclaves(federation).rows if row.name == "f.b"]
    assert (row.done is None) == bool(federation.target == "C" and again(federation))
    return row.done


def again(federation: Federation) -> set[str]:
    """The enclaves that have such a reaction, as the checker finds them."""
    whole = cut(read_federation(head("lf-enclaves", federation, ())["federation"]))
    times = Times(whole.whole)
    return {name for name in whole.whole.federates if may_run_again(whole, times, name)}


def test_what_may_run_before_its_message_has_no_bound() -> None:
    assert done(FAST) is None
    (row,) = [row for row in judge_enclaves(loads(FAST)).rows if row.name == "f.b"]
    assert str(row.because).startswith("f.b.act may run twice at a tag: ")
    assert done(FAST.replace("to: f.i}", "to: f.i, after: 30ms}")) is None


LATER = (
    FAST.replace("outputs: [s.o]", "outputs: [s.o, f.p]")
    .replace(
        "      act:",
        "      get: {reactor: g, triggers: [u], effects: [f.p], wcet: 1ms}\n      act:",
    )
    .replace("[f.i, u]", "[f.i, f.p]")
    .replace("reactors: [f]", "reactors: [f, g]")
)


def test_what_is_run_at_once_may_run_before_its_message_too() -> None:
    """On level 1, but the worker goes on with it as soon as what enables it is done."""
    assert done(LATER) is None
    text = LATER.replace("triggers: [f.i, f.p]", "triggers: [f.i], sources: [f.p]")
    assert done(text) == 7 * MS  # runs once, after both
    first = "      first: {reactor: f, triggers: [u], wcet: 0 ms}\n      act:"
    assert done(LATER.replace("      act:", first)) == 7 * MS  # comes after another of level 0


@pytest.mark.parametrize(
    ("old", "new", "ends"),
    [
        ("      act:", "      first: {reactor: f, triggers: [u], wcet: 0 ms}\n      act:", 6),
        ("federation: 1", "federation: 1\ntarget: Cpp", 6),
        ("[f.i, u]", "[f.i]", 6),
        ("u: {period: 10ms}", "u: {period: 10ms, offset: 7ms}", 6),
        ("wcet: 1ms", "wcet: 0 ms", 5),
    ],
)
def test_what_runs_once_has_one(old: str, new: str, ends: int) -> None:
    assert done(FAST.replace(old, new)) == ends * MS


def test_analysis_and_checker_find_the_same_of_random_programs() -> None:
    some = 0
    for seed in range(120):
        federation = system(seed)
        if federation.target != "C":
            continue
        found = {
            row.name
            for row in judge_enclaves(federation).rows
            if re.match(rf"{row.name}[.]\w+ may run twice", row.because or "")
        }
        assert found <= again(federation)
        some += bool(found)
    assert some > 3


@pytest.mark.parametrize("ask", [judge, judge_rti])
def test_a_federate_with_enclaves_has_no_bound_as_one(ask) -> None:
    assert {str(one.because)[:16] for one in ask(loads(FAST)).unbounded} == {"f has enclaves: "}
    whole = FAST[: FAST.index("    enclaves:")]
    for text in (whole, FAST.replace("federation: 1", "federation: 1\ntarget: Cpp")):
        assert ask(loads(text)).unbounded == ()


@pytest.mark.parametrize("ask", [judge, judge_rti])
def test_enclaves_as_one_take_no_overhead(ask) -> None:
    """Each of them does, at its own tags: two at one tag, and at empty tags."""
    text = FAST.replace("federation: 1", "federation: 1\ntarget: Cpp").replace(
        "    host: h\n", "    host: h\n    overhead: 1ms\n"
    )
    assert ask(loads(text.replace("1ms", "0 ms", 1))).unbounded == ()
    (one, *_) = ask(loads(text)).unbounded
    assert str(one.because).startswith("f has enclaves, each of which takes 'overhead'")
