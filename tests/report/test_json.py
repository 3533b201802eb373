"""The JSON result: stable keys, exact times, and reading it back."""

import dataclasses
import json

import pytest

import ddsrta.report.json as report
from ddsrta.base.diagnostics import InputError
from ddsrta.base.units import Duration
from ddsrta.report.baseline import load_result, result_from_dict
from tests.report import results

MAKERS = [results.result, results.late, results.overloaded, results.hostile]


def test_the_keys_of_the_contract():
    document = json.loads(report.text_of(results.result()))
    assert list(document) == [
        "ddsrta", "system", "profile", "verdict", "threads", "callbacks", "messages", "chains",
        "orders", "synchronizers", "cores", "queues", "warnings", "assumptions",
        "check", "evidence",
    ]  # fmt: skip
    assert document["ddsrta"] == 1
    assert document["system"] == "three topics"
    assert document["profile"] == "busy-window"
    assert document["verdict"] == "met"
    assert document["threads"] == {
        "P": {"wcrt": 1372000, "core": "ecu1/c0", "unbounded_because": None}
    }
    contract = {
        "publisher": "P", "topic": "theta1", "subscriber": "S", "mode": "async", "ddl": 2204000,
        "publisher_wcrt": None, "flow_controller": 187000, "network": 0, "listener": 2017000,
    }  # fmt: skip
    assert contract.items() <= document["messages"][0].items()
    contract = {
        "latency": 5000000, "trigger_latency": 5000000, "data_age": None, "reaction_time": None,
        "deadline": 20000000, "met": True, "path": ["P", "theta1", "S"], "hops": [],
    }  # fmt: skip
    assert contract.items() <= document["chains"]["control"].items()
    assert document["cores"] == {"ecu1/c0": {"utilization": 0.593}}
    assert document["queues"]["F1"]["backlog"] == 3
    assert document["warnings"] == []


def test_what_the_contract_leaves_open():
    document = results.late().to_dict()
    assert document["chains"]["steer"]["slack"] == -5000000
    assert document["chains"]["age"]["constraint"] == "data_age"
    assert document["chains"]["free"]["hops"] == [
        {"stage": "job P", "where": "ecu1/c0", "response": 7, "latency": 9}
    ]
    assert document["queues"]["F1"] == {
        "backlog": 3, "capacity": 2, "streams": {"P/theta1": 3}, "unbounded_because": None,
    }  # fmt: skip
    assert document["warnings"][0] == {
        "rule": "queue-overflow", "severity": "error", "message": "F1 may overflow",
        "file": "s.yaml", "line": 12, "column": 3,
    }  # fmt: skip
    assert document["warnings"][2]["file"] is None


def test_unbounded_is_null_and_infinite_load_does_not_break_json():
    overloaded = results.result(cores={"c": results.CoreResult(float("inf"))})
    assert json.loads(report.text_of(overloaded))["cores"]["c"]["utilization"] is None
    document = json.loads(report.text_of(results.overloaded()))
    assert document["threads"]["P"]["wcrt"] is None
    assert document["chains"]["control"]["latency"] is None


@pytest.mark.parametrize("make", MAKERS)
def test_a_result_survives_the_round_trip(make):
    result = make()
    back = result_from_dict(json.loads(report.text_of(result)))
    assert back == result
    assert all(isinstance(c.latency, Duration) for c in back.chains.values() if c.latency)


def test_the_json_of_a_hostile_result_is_plain_ascii():
    assert report.text_of(results.hostile()).isascii()


def test_results_of_older_versions_lack_keys():
    document = results.late().to_dict()
    for chain in document["chains"].values():
        for key in ("constraint", "slack", "hops", "unbounded_because"):
            del chain[key]
    for queue in document["queues"].values():
        del queue["capacity"], queue["streams"]
    del document["warnings"], document["cores"]
    old = result_from_dict(document)
    assert old.chains["steer"].latency == 25_000_000
    assert old.chains["steer"].constraint == "latency"


def test_the_latency_of_an_older_result_is_its_data_latency():
    chain = {"path": ["P"], "latency": 7, "data_latency": 9, "deadline": 8, "met": True, "slack": 1}
    old = result_from_dict({"ddsrta": 1, "chains": {"c": chain}}).chains["c"]
    assert (old.latency, old.trigger_latency) == (9, 7)
    assert (old.met, old.slack) == (False, -1)


def test_keys_of_newer_versions_are_passed_over():
    document = results.result().to_dict()
    document["later"] = document["chains"]["control"]["later"] = 1
    assert result_from_dict(document) == results.result()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"ddsrta: 1\nthreads: {}", "1:1: not JSON: Expecting value"),
        (b'{"a": 1,\n  b}', "2:3: not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b'{"name": "x"}', "not a result of ddsrta; a result is written by"),
        (b"[1]", "not a result of ddsrta"),
        (b'{"ddsrta": 7, "chains": {}}', "result format 7 is not known"),
        (b'{"ddsrta": 1, "chains": {"a": 3}}', "'chains.a' is not an object"),
        (b'{"ddsrta": 1, "chains": {"a": {"latency": 1.5}}}', "'chains.a.latency' is not a whole"),
        (b'{"ddsrta": 1, "threads": {"a": {"wcrt": true}}}', "'threads.a.wcrt' is not a whole"),
        (b'{"ddsrta": 1, "messages": [{"mode": "odd"}]}', "'messages[0].mode' is not one of"),
    ],
)
def test_foreign_files_are_named_so(content, says, tmp_path):
    path = tmp_path / "old.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load_result(path)
    assert says in str(caught.value)
    assert str(caught.value).startswith(f"{path}:")


def test_the_attributes_are_the_keys():
    """The contract: the same keys are attributes of the Python result."""
    result = results.late()
    document = result.to_dict()
    for name, chain in document["chains"].items():
        fields = {field.name for field in dataclasses.fields(result.chains[name])}
        assert set(chain) == fields | {"data_latency"}
        assert chain["data_latency"] == chain["latency"]
    assert set(document) - {"ddsrta", "evidence"} == {
        field.name
        for field in dataclasses.fields(result)
        if field.name
        not in ("model", "certificate", "links", "basis")  # nothing where none is shared
    }
