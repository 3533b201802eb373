"""What is wrong with a study is said at its place, all at once; page and schema follow the grammar."""

from __future__ import annotations

import re
from pathlib import Path

import jsonschema
import pytest

import ddsrta
from ddsrta.base.yaml_reader import read_text
from ddsrta.exploration.improve.by_sending import plain
from ddsrta.exploration.study.grammar import STUDY
from ddsrta.exploration.study.reference import reference
from ddsrta.exploration.study.schema import study_schema
from ddsrta.exploration.study.setup import setup_of
from ddsrta.models.reference import records
from tests.exploration.study.cases import system

PAGE = Path(__file__).parents[3] / "docs/reference/study.md"
HEAD = "study: 1\nbase: three.yaml\nobjectives: [{minimize: latency}]\nparameters:\n"


def errors(text: str) -> list[str]:
    with pytest.raises(ddsrta.InputError) as found:
        setup_of(text, "study.yaml", system())
    return [str(each) for each in found.value.diagnostics]


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        ("{place: threads/sensr/wcet, values: [1ms]}", "did you mean 'sensor'?"),
        ("{place: threads/sensor/wect, values: [1ms]}", "did you mean 'wcet'?"),
        ("{place: threads/sensor/publishes/4/topic, values: [a]}", "its entries are 0 … 1"),
        ("{place: chains/loop/deadline, values: [1ms]}", "is what is asked for"),
        ("{place: threads/sensor/wcet, values: [10]}", "'10' has no unit"),
        ("{place: threads/sensor/core, values: [m/e]}", "there is no core 'm/e'"),
        ("{place: threads/sensor/priority, values: [soon]}", "expected a whole number"),
        ("{place: threads/sensor/wcet, range: {from: 1ms, to: 2ms}}", "needs a 'step'"),
        (
            "{place: threads/sensor/core, range: {from: m/c, to: m/d}}",
            "only quantities and numbers",
        ),
        ("{place: threads/sensor/wcet}", "one of several forms"),
        ("{values: [1ms]}", "needs a 'place'"),
        ("{order: [threads/sensor/priority], values: [1]}", "one of several forms"),
        ("{publication: threads/sensor/publishes/near, values: [G]}", "not 'G'"),
        ("{publication: threads/sensor/wcet, values: [sync]}", "no publication"),
        ("{entries: threads/sensor/wcet}", "a list of 2 … 7 entries"),
        ("{order: [threads/sensor/bcet, threads/sensor/priority]}", "nothing is given there"),
        ("{kind: budgets}", "nothing of the kind 'budgets'"),
        ("{kind: priority}", "did you mean 'priorities'?"),
        ("{kind: cores, keep: ['*']}", "'keep' leaves nothing of the kind 'cores' to change"),
        ("{place: threads/sensor/wcet, range: {from: 1ms, to: 2ms, step: 0ms}}", "more than zero"),
        ("{place: threads/sensor/wcet, range: {from: 2ms, to: 1ms, step: 1ms}}", "ends before it"),
        (
            "{place: threads/sensor/wcet, range: {from: 1ms, to: 9ms, step: 1ns}}",
            "8,000,001 values",
        ),
        ("{place: threads/sensor/wcet, values: [1ms], keep: [a]}", "'keep' is for a 'kind'"),
    ],
)
def test_a_wrong_parameter_is_told_with_its_place(parameter: str, message: str) -> None:
    said = errors(f"{HEAD}  it: {parameter}\n")
    assert any(message in each for each in said), said
    assert all(each.startswith("study.yaml:5:") for each in said)


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("objectives: [{minimize: latency, of: lop}]", "did you mean 'loop'?"),
        ("objectives: [{minimize: latency, of: sink}]", "what it has: wcrt"),
        ("objectives: [{minimize: latency, maximize: slack}]", "either 'minimize' or 'maximize'"),
        ("objectives: [{minimize: latence}]", "did you mean 'latency'?"),
        ("constraints: {limits: [{figure: latency, at_most: 5}]}", "latency is a time"),
        ("constraints: {limits: [{figure: latency, at_most: soon}]}", "expected a time such as"),
        ("constraints: {limits: [{figure: latency}]}", "either 'at_most' or 'at_least'"),
        ("constraints: {equal: [[it, that]]}", "there is no parameter 'that'"),
        ("constraints: {forbidden: [{it: 3ms}]}", "'3ms' is no value of 'it'"),
        ("constraints: {apart: [[sensor, nobody]]}", "nothing that runs is called 'nobody'"),
        ("sampler: gird", "did you mean 'grid'?"),
        ("sampler: {kind: grid, candidates: 0}", "is not within 1"),
    ],
)
def test_other_parts_likewise(rest: str, message: str) -> None:
    head = (
        HEAD
        if not rest.startswith("objectives")
        else HEAD.replace("objectives: [{minimize: latency}]\n", "")
    )
    said = errors(f"{head}  it: {{place: threads/sensor/wcet, values: [1ms, 2ms]}}\n{rest}\n")
    assert any(message in each for each in said), said
    assert all(re.match(r"study\.yaml:\d+:\d+: ", each) for each in said)


def test_a_study_in_which_nothing_is_open_is_refused() -> None:
    assert "nothing is open" in errors(HEAD.replace("parameters:", "parameters: {}"))[0]


def test_a_study_is_no_system(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(f"{HEAD}  all: {{kind: cores}}\n".replace("three", "s"))
    for read in (ddsrta.load, ddsrta.explore):
        with pytest.raises(ddsrta.InputError) as found:
            read(tmp_path / "s.yaml")
        (only,) = found.value.diagnostics
        assert only.message == "this is a study, not a system" and "explore" in only.advice


def test_all_is_told_at_once() -> None:
    text = f"{HEAD}  a: {{place: threads/sensr/wcet, values: [1ms]}}\n  b: {{kind: nothing}}\n"
    assert len(errors(f"{text}colour: red\n")) == 3


def test_places_are_open_once() -> None:
    one = "{place: threads/sensor/wcet, values: [1ms, 2ms]}"
    assert "also open in 'a'" in errors(f"{HEAD}  a: {one}\n  b: {one}\n")[0]
    inner = "{publication: threads/sensor/publishes/0, values: [sync, F]}"
    outer = "{entries: threads/sensor/publishes}"
    for first, second in ((inner, outer), (outer, inner)):
        assert errors(f"{HEAD}  a: {first}\n  b: {second}\n")


def test_the_page_is_what_the_grammar_writes_and_its_example_is_a_study() -> None:
    text = PAGE.read_text("utf-8")
    assert text == reference()
    for record in records(STUDY):
        table = text.split(f"### {record.title}\n")[1].split("\n### ")[0]
        assert re.findall(r"^\| `(\w+)` \|", table, re.M) == [*record.keys]
    example = re.findall(r"```yaml\n(.*?)```", text, re.S)[0]
    from ddsrta.examples import two_threads

    assert setup_of(example, "study.yaml", two_threads()).space.size == 2 * 4 * 3
    schema = study_schema()
    jsonschema.validate(_numbers(plain(read_text(example).root)), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"study": 2}, schema)


def _numbers(value: object) -> object:
    """As an editor reads it: plain numbers are numbers."""
    if isinstance(value, dict):
        return {key: _numbers(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_numbers(each) for each in value]
    return int(value) if isinstance(value, str) and value.isdigit() else value
