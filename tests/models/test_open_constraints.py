"""What a deadline is for where the file does not say it."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.checker.yaml.document import read_document
from ddsrta.models.document import to_document

TEXT = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
threads:
  source: {core: m/a, priority: 5, wcet: 1ms, period: 20ms}
  store: {core: m/a, priority: 4, wcet: 1ms, follows: {threads: [source]}}
  sampler: {core: m/b, priority: 5, wcet: 1ms, period: 50ms, follows: {threads: [store]}}
  end: {core: m/b, priority: 4, wcet: 1ms, follows: {threads: [sampler]}}
chains:
"""
ENDS = "  c: {from: source, to: end, deadline: %s}\n"
PATH = "  c: {path: [source, store, sampler, end], deadline: %s}\n"


@pytest.mark.parametrize("chain", [ENDS, PATH])
def test_over_something_that_samples_it_is_the_data_age_and_a_note_says_so(chain) -> None:
    result = ddsrta.analyze(ddsrta.loads(TEXT + chain % "60ms"))
    (found,) = result.chains.values()
    assert found.constraint == "data_age" and found.data_age is not None and found.latency is None
    assert found.met == (found.data_age <= 60_000_000)
    assert result.check is not None and result.check.status == "confirmed"
    (note,) = (each for each in result.warnings if each.rule == "open-constraint")
    assert "'sampler'" in note.message and "'reaction_time'" in note.message


@pytest.mark.parametrize("end", ["constraint: data_age, ", "constraint: reaction_time, "])
def test_what_the_file_says_is_taken_without_a_word(end) -> None:
    result = ddsrta.analyze(
        ddsrta.loads(TEXT + (ENDS % "1s").replace("deadline", f"{end}deadline"))
    )
    assert "open-constraint" not in {each.rule for each in result.warnings}
    assert [each.constraint for each in result.chains.values()] == [end[12:].strip(", ")]


def test_where_nothing_samples_it_is_the_latency() -> None:
    result = ddsrta.analyze(ddsrta.loads(TEXT + "  c: {from: sampler, to: end, deadline: 9ms}\n"))
    (found,) = result.chains.values()
    assert found.constraint == "latency" and found.met


def test_a_latency_that_is_asked_over_something_that_samples_says_why_there_is_none() -> None:
    text = TEXT + (ENDS % "1s").replace("deadline", "constraint: latency, deadline")
    result = ddsrta.analyze(ddsrta.loads(text))
    (found,) = result.chains.values()
    assert result.verdict == "unbounded" and found.latency is None
    assert "say 'constraint: data_age' or 'reaction_time'" in str(found.unbounded_because)


@pytest.mark.parametrize("chain", [ENDS % "1s", PATH % "1s", "  c: {from: source, to: end}\n"])
def test_both_readers_take_it_alike(chain) -> None:
    text = TEXT + chain
    assert read_document(text, "t") == to_document(ddsrta.loads(text))
