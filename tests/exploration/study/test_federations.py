"""Studies of federations: what `ddsrta lf` says of each candidate, confirmed, and written back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ddsrta
from ddsrta.__main__ import main
from ddsrta.exploration.study.study import Study
from ddsrta.lf.bounds.enclaves.judge import judge_enclaves
from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.program.examples import ENCLAVES, TWO_FEDERATES, centralized, enclaves, two_federates
from ddsrta.lf.program.reader import loads

AFTER = {"place": "connections/0/after", "range": {"from": "0ms", "to": "2ms", "step": "1ms"}}
OFFSET = {
    "place": "federates/sink/timers/own/offset",
    "range": {"from": "0ms", "to": "4ms", "step": "2ms"},
}
GOALS = [{"minimize": "latency", "of": "control"}, {"minimize": "wait", "of": "sink"}]


def explored(**keys: Any) -> Study:
    return ddsrta.explore(base=two_federates(), **{"objectives": GOALS, **keys})


def test_candidates_are_what_stp_says_of_them() -> None:
    found = explored(parameters={"after": AFTER, "offset": OFFSET})
    assert found.is_whole and len(found.tried) == 9
    for each in found.tried:
        report = judge(found.system(each.number))
        assert each.outcome.goals == (report.chains["control"].latency, report.waits.values["sink"])
        assert each.outcome.is_feasible == (report.verdict == "met")
    assert found.front and not found.unconfirmed
    assert all(member.analysis.check.status == "confirmed" for member in found.front)


def test_partitions_are_those_of_a_search_and_of_the_file() -> None:
    found = ddsrta.explore(
        base=enclaves(),
        parameters={"cut": {"partition": "radio"}},
        objectives=[{"minimize": "latency", "of": "decoded"}],
        constraints={"deadlines": False},
    )
    assert len(found.tried) == found.setup.space.size >= 2
    words = [found.setup.space.parameters[0].word(each.point[0]) for each in found.tried]
    assert words[0] == "as it is"
    for each in found.tried:
        federation = found.system(each.number)
        report = judge_enclaves(federation) if "enclave" in words[each.number - 1] else None
        if each.number == 1:
            assert federation == enclaves()
        elif report is not None:
            assert each.outcome.goals == (report.chains["decoded"].latency.latency,)


def test_a_candidate_is_written_with_its_comments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = TWO_FEDERATES.replace("to: sink.in}", "to: sink.in, after: 0 ms}   # the one that waits")
    Path("federation.yaml").write_text(text)
    Path("study.yaml").write_text(
        "study: 1\nbase: federation.yaml\nobjectives: [{minimize: wait}]\n"
        "parameters: {after: {place: connections/0/after, values: [0 ms, 2ms]}}\n"
    )
    assert main(["explore", "study.yaml", "--write", "out.yaml"]) == 0
    assert "connection" in capsys.readouterr().out
    new = Path("out.yaml").read_text()
    assert "after: 2ms}   # the one that waits" in new
    assert loads(new).connections[0].shift.time == 2_000_000
    assert main(["explore", "study.yaml", "--why"]) == 2
    assert "not of federations" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        ({"place": "chains/control/latency", "values": ["1ms"]}, "what is asked for"),
        (
            {"place": "federates/sink/reactions/consume/deadline", "values": ["1ms"]},
            "'deadline' is what",
        ),
        ({"place": "federates/snk/maxwait", "values": ["1ms"]}, "did you mean 'sink'"),
        ({"place": "federates/sink/maxwait", "values": ["soon"]}, "maxwait"),
        ({"kind": "cores"}, "nothing of the kind 'cores'"),
        ({"partition": "snk"}, "did you mean 'sink'"),
    ],
)
def test_what_is_wrong_is_said(parameter: dict[str, Any], message: str) -> None:
    with pytest.raises(ddsrta.InputError, match=message):
        explored(parameters={"it": parameter})


def test_centralized_federations_are_refused() -> None:
    with pytest.raises(ddsrta.InputError, match="a centralized federation is not explored"):
        ddsrta.explore(base=centralized(), parameters={"after": AFTER}, objectives=GOALS)


def test_systems_have_no_partitions() -> None:
    from tests.exploration.study.cases import explored as of_system

    with pytest.raises(ddsrta.InputError, match="the base has no federate 'radio'"):
        of_system(parameters={"cut": {"partition": "radio"}})
    assert "enclaves" in ENCLAVES


def test_other_processes_find_the_same(tmp_path: Path) -> None:
    parameters = {"after": AFTER, "offset": OFFSET}
    alone = explored(parameters=parameters)
    stored = explored(parameters=parameters, jobs=2, store=tmp_path / "kept")
    again = explored(parameters=parameters, store=tmp_path / "kept", resume=True)
    assert alone.tried == stored.tried == again.tried
