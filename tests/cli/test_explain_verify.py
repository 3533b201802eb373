"""ddsrta explain and ddsrta verify, as people call them."""

import json
import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import ddsrta
from ddsrta.__main__ import main
from ddsrta.base.units import parse_duration
from ddsrta.bounds.terms.explanation import Explanation, StageExplanation, Term
from ddsrta.checker.outcome import Outcome
from ddsrta.examples import TWO_THREADS
from ddsrta.report.explanation import explanation_text


@pytest.fixture
def system(tmp_path):
    path = tmp_path / "system.yaml"
    path.write_text(TWO_THREADS)
    return str(path)


def explanation(bound=4_510_000, reason=None):
    sensor = (Term("own work", 1_000_000, "wcet"), Term("preempted by F", 62_000))
    stages = (
        StageExplanation("thread sensor", "sensor", sensor, 1_062_000),
        StageExplanation("topic 'speed'", "F", (Term("rest", 3_448_000),), 3_448_000),
    )
    return Explanation("control loop", ("sensor", "speed", "control"), bound, stages, reason)


def test_the_terms_are_exact_and_line_up():
    lines = explanation_text(explanation()).splitlines()
    assert lines == [
        "control loop  sensor → speed → control",
        "",
        "1.062 ms  thread sensor",
        "    1.000 ms  own work        wcet",
        "    0.062 ms  preempted by F",
        "",
        "3.448 ms  topic 'speed'  F",
        "    3.448 ms  rest",
        "",
        "4.510 ms  bound",
    ]


def test_no_bound_says_why():
    assert explanation_text(explanation(None, "overload")).endswith("unbounded: overload\n")


def times(text, indent):
    """The figures that start lines with this indent, in nanoseconds."""
    found = re.findall(rf"^{' ' * indent} ?(-?[\d.]+ \w+)  (?!bound)", text, re.MULTILINE)
    return [-parse_duration(t[1:]) if t[0] == "-" else parse_duration(t) for t in found]


def test_what_is_printed_adds_up_to_the_bound(system, capsys):
    assert main(["explain", system, "control loop"]) == 0
    text = capsys.readouterr().out
    bound = parse_duration(re.search(r"^([\d.]+ \w+)  bound$", text, re.MULTILINE)[1])
    assert bound == 3_286_000
    assert sum(times(text, 0)) == sum(times(text, 4)) == bound
    assert "\n    one window for listener L and thread control on core ecu/c1: it opens " in text


def test_what_arrived_after_the_opening_of_its_window_is_subtracted(capsys):
    """The subscriber's earlier jobs count in full, and our message came later than they did."""
    study = Path(__file__).parents[2] / "casestudies" / "three_topics" / "conf4_sync.yaml"
    assert main(["explain", str(study), "theta2"]) == 0
    text = capsys.readouterr().out
    bound = parse_duration(re.search(r"^ *([\d.]+ \w+)  bound$", text, re.MULTILINE)[1])
    assert min(times(text, 4)) < 0
    assert sum(times(text, 0)) == sum(times(text, 4)) == bound


def test_of_a_chain_between_two_ends_the_longest_path_is_explained(tmp_path, capsys):
    text = TWO_THREADS.replace("publishes: [", "publishes: [{topic: slow, mode: sync}, ").replace(
        "topics: [speed]", "topics: [speed, slow]"
    )
    text = text.replace("topics:\n", "topics:\n  slow: {size: 1kB}\n", 1)
    text = text.replace("path: [sensor, speed, control]", "from: sensor, to: control")
    (tmp_path / "s.yaml").write_text(text)
    path = str(tmp_path / "s.yaml")
    assert main(["analyze", path, "--format", "json"]) in (0, 1)
    chains = json.loads(capsys.readouterr().out)["chains"]
    longest = max(chains, key=lambda name: chains[name]["latency"])
    assert len(chains) == 2
    assert main(["explain", path, "control loop"]) == 0
    assert capsys.readouterr().out.startswith(f"{longest}  sensor → ")
    assert main(["explain", path, "control loop/1"]) == 0
    assert capsys.readouterr().out.startswith("control loop/1  sensor → ")


def test_without_a_bound_explain_says_why_and_fails(tmp_path, capsys):
    path = tmp_path / "full.yaml"
    path.write_text(TWO_THREADS.replace("period: 10ms", "period: 1ms"))
    assert main(["explain", str(path), "control loop"]) == 1
    assert "\nunbounded: " in capsys.readouterr().out


ROBOT = str(Path(__file__).parents[2] / "casestudies/late_robot/robot.yaml")


def test_without_a_name_the_largest_causes_of_each_late_chain_are_told(capsys):
    assert main(["explain", ROBOT]) == 0
    text = capsys.readouterr().out
    blocks = text.partition("\nassumed")[0].split("\n\n")
    assert [block.split()[0] for block in blocks] == ["balance", "where", "stop"]
    for block in blocks:
        figure, deadline = map(
            parse_duration, re.findall(r"(?:latency|deadline) ([\d.]+ ms)", block)
        )
        told = [parse_duration(found) for found in re.findall(r"^ +([\d.]+ ms)  ", block, re.M)]
        assert len(told) == 4
        assert sum(told) == figure > deadline


def test_without_a_name_and_a_late_chain_the_tightest_is_told(system, capsys):
    assert main(["explain", system]) == 0
    assert capsys.readouterr().out.startswith(
        "control loop  latency 3.286 ms is within the deadline"
    )


@pytest.mark.parametrize(
    ("name", "bound", "path"),
    [
        ("sensor", 1_000_000, "sensor"),
        ("speed", 1_285_999, "sensor → speed → control"),
        ("sensor -> speed -> control", 1_285_999, "sensor → speed → control"),
    ],
)
def test_threads_and_messages_are_explained_by_name(system, capsys, name, bound, path):
    assert main(["explain", system, name]) == 0
    text = capsys.readouterr().out
    assert text.splitlines()[0] == path
    assert sum(times(text, 0)) == sum(times(text, 4)) == bound


def test_what_does_not_fit_a_screen_is_told_by_kinds_unless_all_terms_are_asked_for(capsys):
    waters = str(Path(__file__).parents[2] / "casestudies/waters2019/fifo.yaml")
    assert main(["explain", waters, "lidar-dasm", "--terms"]) in (0, 1)
    whole = capsys.readouterr().out
    assert main(["explain", waters, "lidar-dasm"]) in (0, 1)
    short = capsys.readouterr().out
    assert len(short.splitlines()) < 50 < len(whole.splitlines())
    assert "\nterm by term: --terms\n" in short
    bounds = [
        re.search(r"^ *([\d.]+ \w+)  bound$", text, re.MULTILINE)[1] for text in (whole, short)
    ]
    assert bounds[0] == bounds[1]


def main_json(call, capsys):
    assert main(call) in (0, 1)
    return json.loads(capsys.readouterr().out)


def test_the_same_explanations_are_json_and_a_page(tmp_path, capsys):
    page = tmp_path / "page.html"
    found = main_json(["explain", ROBOT, "--format", "json", "--html", str(page)], capsys)
    assert [one["name"] for one in found["explanations"]] == ["balance", "where", "stop"]
    for one in found["explanations"]:
        assert one["bound"] == sum(stage["total"] for stage in one["stages"])
        assert one["bound"] == sum(cause["time"] for cause in one["causes"])
        for stage in one["stages"]:
            assert stage["total"] == sum(stage["shares"].values())
    assert page.read_text().count("<article ") == 3


def test_an_explanation_shows_itself_in_a_notebook():
    shown = ddsrta.explain(ddsrta.load(ROBOT), "stop")._repr_html_()
    assert "own work of thread detector" in shown
    assert "<script" not in shown


def test_an_unknown_chain_is_a_wrong_call(system, capsys):
    assert main(["explain", system, "control lop"]) == 2
    err = capsys.readouterr().err
    assert "thread or message 'control lop'; did you mean 'control loop'?" in err


def test_a_node_stands_for_its_slowest_callback(tmp_path, capsys):
    assert main(["init", "--node", "a: 10 Hz -> x", "--node", "b: 20 Hz, x -> y"]) == 0
    (tmp_path / "s.yaml").write_text(capsys.readouterr().out)
    found = main_json(["explain", str(tmp_path / "s.yaml"), "b", "--format", "json"], capsys)
    (one,) = found["explanations"]
    alone = [
        main_json(["explain", str(tmp_path / "s.yaml"), each, "--format", "json"], capsys)
        for each in ("b.on_x", "b.timer")
    ]
    bounds = {each["explanations"][0]["bound"]: each["explanations"][0] for each in alone}
    assert one == bounds[max(bounds)]


@pytest.fixture
def checker(monkeypatch):
    module = ModuleType("ddsrta.checker")
    module.CertificateError = type("CertificateError", (Exception,), {})
    module.NothingError = type("NothingError", (Exception,), {})
    module.OtherVersionError = type("OtherVersionError", (module.CertificateError,), {})
    monkeypatch.setitem(sys.modules, "ddsrta.checker", module)
    reader = ModuleType("ddsrta.checker.yaml")
    reader.NotReadError = type("NotReadError", (Exception,), {})
    reader.read_document = lambda text, path: {"text": text, "path": path}
    monkeypatch.setitem(sys.modules, "ddsrta.checker.yaml", reader)
    return module


def test_a_certificate_is_confirmed_or_refuted(checker, capsys):
    checker.verify_file = lambda path, document: SimpleNamespace(
        ok=True,
        confirmed=12,
        assuming=(),
        outcome=Outcome(met=1),
        claims=None,
        certificate="3f2a91c05d1be8",
    )
    assert main(["verify", "c.json"]) == 0
    assert capsys.readouterr().out == (
        "confirmed: 12 inequalities of certificate 3f2a91c05d1b hold\n"
        "claimed: 1 of 1 deadline met; threads, callbacks and messages are bounded\n"
    )
    checker.verify_file = lambda path, document: SimpleNamespace(
        ok=False, status="refuted", confirmed=1, failure="job P: response 3 < 4"
    )
    assert main(["verify", "c.json"]) == 1
    assert capsys.readouterr().out == "refuted: job P: response 3 < 4 (after 1 inequality)\n"
    checker.verify_file = lambda path, document: SimpleNamespace(
        ok=False, status="undecided", confirmed=0, failure="job P: cannot be decided"
    )
    assert main(["verify", "c.json"]) == 1
    assert capsys.readouterr().out == "undecided: job P: cannot be decided\n"


def test_a_foreign_certificate_is_a_wrong_call(checker, capsys):
    def verify_file(path, document):
        raise checker.CertificateError("not a certificate")

    checker.verify_file = verify_file
    assert main(["verify", "c.json"]) == 2
    err = capsys.readouterr().err
    assert "c.json: not a certificate; 'ddsrta analyze system.yaml --certificate FILE' " in err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read: No such file or directory;"),
        ("", "is empty;"),
        (" \n", "is empty;"),
        ("MET  two threads\n", "is not JSON: Expecting value (line 1, column 1);"),
        (b"\x1f\x8b\x08\x00", "is not JSON, nor any other text;"),
        ("[]", "certificate: expected a mapping, not a list;"),
        ('{"name": "x"}', "certificate: 'ddsrta_certificate' is missing;"),
    ],
)
def test_a_file_of_something_else_is_told_what_would_be_one(tmp_path, capsys, content, said):
    path = tmp_path / "c.json"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert main(["verify", str(path)]) == 2
    err = capsys.readouterr().err
    assert f"{path}: {said} 'ddsrta analyze system.yaml --certificate FILE' writes" in err
    assert main(["verify", str(tmp_path)]) == 2
    assert f"{tmp_path}: cannot be read: Is a directory; " in capsys.readouterr().err


def test_verify_names_the_certificate_that_the_analysis_names(
    system, tmp_path, capsys, monkeypatch
):
    claims, result = tmp_path / "c.json", tmp_path / "r.json"
    main(["analyze", system, "--certificate", str(claims)])
    named = re.search(r"^checked: confirmed, (certificate \w+)$", capsys.readouterr().out, re.M)[1]
    main(["analyze", system, "--format", "json", "--output", str(result)])
    for file in (claims, result):
        assert main(["verify", str(file)]) == 0
        assert f" of {named} hold\n" in capsys.readouterr().out
        with file.open() as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            assert main(["verify", "-"]) == 0
        assert f" of {named} hold\n" in capsys.readouterr().out


def test_an_older_result_is_told_to_be_one(system, tmp_path, capsys):
    result = tmp_path / "r.json"
    main(["analyze", system, "--format", "json", "--output", str(result)])
    document = json.loads(result.read_text())
    result.write_text(json.dumps({key: document[key] for key in document if key != "evidence"}))
    assert main(["verify", str(result)]) == 1
    assert "the result has no evidence; 'ddsrta analyze system" in capsys.readouterr().out


def test_a_certificate_can_be_held_against_a_system(checker, system):
    seen = []
    checker.verify_file = lambda path, document: (
        seen.append(document)
        or SimpleNamespace(ok=False, status="refuted", confirmed=1, failure="no")
    )
    main(["verify", "c.json", "--system", system])
    assert seen == [{"text": Path(system).read_bytes(), "path": system}]


LIVELOCK = TWO_THREADS.replace("priority: 80, policy", "priority: 89, policy")


@pytest.mark.parametrize("call", [["explain", "control loop"], ["order"], ["verify"]])
def test_nothing_is_said_to_hold_next_to_an_error(tmp_path, capsys, call):
    assert LIVELOCK != TWO_THREADS
    path, claims = tmp_path / "s.yaml", tmp_path / "c.json"
    path.write_text(LIVELOCK)
    assert main(["analyze", str(path), "--certificate", str(claims)]) == 1
    capsys.readouterr()
    about = claims if call[0] == "verify" else path
    assert main([call[0], str(about), *call[1:]]) == 1
    said = capsys.readouterr().out
    assert "holds: 'F' can spin for ever" in said if call[0] == "verify" else "[livelock]" in said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("8ms", "8ms", "1 of 1 deadline met; threads, callbacks and messages are bounded"),
        (
            "8ms",
            "3ms",
            "0 of 1 deadline met, 1 above it; threads, callbacks and messages are bounded",
        ),
        ("8ms", "null", "no deadlines; threads, callbacks and messages are bounded"),
        ("period: 10ms", "period: 2ms", "0 of 1 deadline met, 1 unbounded; 1 thread, callback,"),
    ],
)
def test_confirmed_is_not_met(tmp_path, capsys, old, new, said):
    path, claims = tmp_path / "s.yaml", tmp_path / "c.json"
    text = TWO_THREADS.replace(", deadline: 8ms", "") if new == "null" else TWO_THREADS
    path.write_text(text.replace(old, new))
    main(["analyze", str(path), "--certificate", str(claims)])
    capsys.readouterr()
    assert main(["verify", str(claims)]) == 0
    assert f"\nclaimed: {said}" in capsys.readouterr().out


def test_improve_says_where_sampling_alone_is_above_the_deadline(tmp_path, capsys):
    path = tmp_path / "slow.yaml"
    path.write_text(
        "ddsrta: 1\nmachines: {m: {cores: [c]}}\nthreads:\n"
        "  s: {core: m/c, priority: 3, wcet: 1ms, period: 10ms}\n"
        "  t: {core: m/c, priority: 2, wcet: 1ms, period: 9ms, follows: {threads: [s]}}\n"
        "chains: {way: {path: [s, t], constraint: data_age, deadline: 9ms}}\n"
    )
    assert main(["improve", str(path)]) == 1
    assert "\n  10 ms of it is waiting for what samples" in capsys.readouterr().out
