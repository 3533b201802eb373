"""What no middleware or scheduler takes is not met, whatever its figures are."""

import copy
import json

import pytest

import ddsrta
from ddsrta.__main__ import main
from ddsrta.checker import check, check_result
from ddsrta.models.document import digest
from ddsrta.models.reader import loads

FIT = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {flow_controller: {1kB: 3us}, listener: {1kB: 6us}, publisher: {1kB: 1us}}
topics: {x: {size: 1kB, priority: 10}, y: {size: 1kB}}
flow_controllers: {F: {core: m/b, policy: HIGH_PRIORITY, priority: 9}}
listeners:
  L: {core: m/b, priority: 8}
  M: {core: m/c, reservation: {budget: 1us, period: 2us}}
  N: {core: m/c, reservation: {budget: 1us, period: 3us}}
threads:
  p: {core: m/a, priority: 99, wcet: 1us, period: 100us,
      publishes: [{topic: x, mode: async, flow_controller: F}, {topic: y, mode: sync}]}
  s: {core: m/a, priority: 1, wcet: 10us, subscribes: {topics: [x, y], listener: L}}
chains: {d: {path: [p, x, s], deadline: 90us}}
"""
UNFIT = {
    "thread": ("priority: 99", "priority: 100", "'p' has priority 100, not within 1 … 99"),
    "listener": ("priority: 8", "priority: 0", "'L' has priority 0, not within 1 … 99"),
    "topic": ("10}", "11}", "topic 'x' has priority 11, not within -10 … 10"),
    "writer": (
        "mode: sync}",
        "mode: sync, flow_controller: F}",
        "'p' publishes 'y' without the controller that it names",
    ),
    "core": ("1us, period: 3us", "2us, period: 3us", "core 'm/c' promises more than all of itself"),
}


def test_what_is_fit_is_met():
    result = ddsrta.analyze(loads(FIT))
    assert result.verdict == "met"
    assert check(result.certificate).outcome.against == ()


@pytest.mark.parametrize("change", UNFIT)
def test_no_evidence_makes_good_what_is_not(change, tmp_path, capsys):
    old, new, against = UNFIT[change]
    assert FIT.count(old) == 1
    result = ddsrta.analyze(loads(FIT.replace(old, new)))
    assert (result.verdict, result.check.status) == ("error", "confirmed")
    assert check(result.certificate).outcome.against == (against,)
    file = tmp_path / "result.json"
    file.write_text(json.dumps(result.to_dict()))
    assert main(["verify", str(file)]) == 1
    assert f"no bound holds: {against}\n" in capsys.readouterr().out


def test_a_verdict_without_the_error_is_refuted():
    old, new, _ = UNFIT["thread"]
    document = json.loads(json.dumps(ddsrta.analyze(loads(FIT.replace(old, new))).to_dict()))
    document |= {"verdict": "met", "warnings": []}
    assert check_result(document).failure == "verdict is 'met', and error is confirmed"
    document["evidence"]["verdict"] = "met"
    document["check"]["certificate"] = digest(document["evidence"])
    assert check_result(document).failure == "the verdict is claimed to be met, and is error"


def test_a_flow_controller_that_sleeps_counts_what_is_due_earlier():
    """Fast DDS has none by deadlines, so the verdict is `error`; no bound is confirmed beside it
    that leaves out the samples due earlier: three of y, and so three sleeps of 10 ms."""
    system = loads("""ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {flow_controller: {1kB: 1ms}, listener: {1kB: 1us}}
topics: {x: {size: 800B}, y: {size: 800B}}
flow_controllers: {F: {core: m/b, priority: 5, limit: {bytes: 1100B, period: 10ms}}}
listeners: {L: {core: m/c, priority: 5}}
threads:
  p: {core: m/a, priority: 2, wcet: 1us, bcet: 1us, period: 100ms,
      publishes: [{topic: x, flow_controller: F}]}
  q: {core: m/a, priority: 1, wcet: 1us, bcet: 1us, period: 100ms,
      publishes: [{topic: y, flow_controller: F, count: 3}]}
  s: {core: m/c, priority: 1, wcet: 1us, subscribes: {topics: [x, y], listener: L}}
""")
    claims = copy.deepcopy(ddsrta.analyze(system).certificate) | {"verdict": "error"}
    claims["system"]["flow_controllers"]["F"]["policy"] = "EARLIEST_DEADLINE_FIRST"
    for topic in claims["system"]["topics"].values():
        topic["deadline"] = 5_000_000
    claims["digest"] = digest(claims["system"])
    assert check(claims).status == "confirmed"
    (mine,) = (one for one in claims["stages"] if one["stage"] == ["sample", "p", "x"])
    mine |= {"response": 24_000_000, "latency": 24_001_000, "window": 24_000_000}
    mine["waits"] = [0, 20_000_000, 0]
    assert "waits for locks, datagrams or limits" in check(claims).failure
