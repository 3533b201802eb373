"""Bounds of federations beside traces of Lingua Franca."""

from __future__ import annotations

import json
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from ddsrta.__main__ import main
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads
from ddsrta.lf.run.traces import FederateSeen, ReactionSeen, RunSeen, Samples
from ddsrta.lf.run.traces.observed import HopSeen
from ddsrta.validation.compare import Validation
from ddsrta.validation.lf import compare_run
from tests.formats.real_traces import shared

MS, US = 1_000_000, 1_000
TEXT = """\
federation: 1
coordination: decentralized
hosts: {h: }
network: [{from: h, to: h, delay: 100us}]
federates:
  s:
    host: h
    overhead: 50us
    timers: {t: {period: 5ms}}
    outputs: [out]
    reactions: {r: {triggers: [t], effects: [out], wcet: 500us}}
  d:
    host: h
    overhead: 50us
    maxwait: 2ms
    inputs: [in]
    reactions: {r: {triggers: [in], wcet: 200us, deadline: 5ms}}
connections:
  - {from: s.out, to: d.in}
"""


def federation(text: str = TEXT) -> Federation:
    return loads(text, "f.yaml")


def seen(name: str, lags: list[int], tardy: int = 0, missed: int = 0) -> FederateSeen:
    """Tags at every 5 ms that start so late and take 300 us."""
    by_tag = tuple((i * 5 * MS, 0, lag) for i, lag in enumerate(lags))
    reaction = ReactionSeen(name, 0, Samples(), Samples(), Samples(), missed=missed)
    spans = Samples([300 * US] * len(lags))
    return FederateSeen(
        name, 0, len(lags), {(name, 0): reaction}, Samples(lags), spans, Samples(), by_tag, {}, tardy
    )  # fmt: skip


def run(s: FederateSeen, d: FederateSeen, way: int = 90 * US) -> RunSeen:
    hop = HopSeen("P2P_TAGGED_MSG", "s", "d", Samples([way - 10]), Samples([way]))
    return RunSeen({"s": s, "d": d}, (hop,), 3)


def validated(found: RunSeen, text: str = TEXT) -> Validation:
    return compare_run(federation(text), found, "traces")


def test_tags_and_messages_have_their_bounds() -> None:
    found = validated(run(seen("s", [10 * US, 50 * US]), seen("d", [500 * US, 700 * US])))
    rows = {(row.kind, row.name): (row.bound, row.seen.most) for row in found.rows}
    assert rows["tag of", "s"] == (50 * US, 50 * US)
    assert rows["tag of", "d"] == (700 * US, 700 * US)
    assert rows["message", "s → d"] == (100 * US, 90 * US)
    assert found.verdict == "ok"


def test_a_tag_that_starts_too_late() -> None:
    found = validated(run(seen("s", [10 * US, 51 * US]), seen("d", [500 * US])))
    assert found.verdict == "violation"
    assert [row.name for row in found.violations] == ["s"]


def test_a_tag_right_after_another_is_left_out_and_counted() -> None:
    """The second one may have waited for the first, which the bound does not have in it."""
    s = seen("s", [4_800 * US, 100 * US])
    found = validated(run(s, seen("d", [1 * MS])))
    row = next(row for row in found.rows if row.name == "s")
    assert (row.seen.count, row.seen.most) == (1, 4_800 * US)
    assert any(note.startswith("s: 1 of 2 tags came too soon") for note in found.notes)


def test_what_must_not_happen() -> None:
    found = validated(run(seen("s", [0]), seen("d", [0], tardy=2, missed=3)))
    assert found.broken == (
        "d: 2 tardy messages, where none can be",
        "d: 3 deadlines missed, where none can be",
    )
    assert found.verdict == "violation"


def test_tardy_messages_of_an_offset_that_is_too_small_are_no_contradiction() -> None:
    text = TEXT.replace("maxwait: 2ms", "maxwait: 100us")
    found = validated(run(seen("s", [0]), seen("d", [0], tardy=2)), text)
    assert not found.broken


@pytest.mark.parametrize(
    ("old", "new", "subject"),
    [
        ("period: 5ms", "period: 500ms", "releases"),
        ("period: 5ms", "period: 4999us", "releases"),
        ("{from: s.out, to: d.in}", "{from: d.back, to: s.again}", "edges"),
        ("wcet: 500us", "wcet: 50us", "execution times"),
        ("federates:\n", "federates:\n  x: {host: h, timers: {t: {period: 5ms}}}\n", "threads"),
    ],
)
def test_no_other_model_is_ok(old: str, new: str, subject: str) -> None:
    s, d = seen("s", [0] * 5), seen("d", [0] * 5)
    reaction = ReactionSeen("s", 0, Samples([400 * US]), Samples(), Samples())
    s = replace(s, reactions={("s", 0): reaction})
    assert validated(run(s, d)).verdict == "ok"
    text = TEXT.replace(old, new)
    if subject == "edges":
        text = text.replace("    outputs: [out]\n", "    outputs: [out]\n    inputs: [again]\n")
        text = text.replace("    inputs: [in]\n", "    inputs: [in]\n    outputs: [back]\n")
    model = federation(text)
    found = compare_run(model, run(s, d), "run")
    assert found.verdict in ("violation", "assumption broken")
    assert subject in {one.subject for one in found.contradicted}


def test_a_message_before_it_was_sent_refuses_the_match() -> None:
    early = run(seen("s", [0] * 5), seen("d", [0] * 5), way=-40 * US)
    found = validated(early)
    assert [one.subject for one in found.contradicted] == ["clocks"]
    assert all(row.kind != "message" for row in found.rows)
    assert found.verdict == "assumption broken"


def test_a_run_of_something_else() -> None:
    found = validated(RunSeen({"x": seen("x", [0])}, (), 1))
    assert found.verdict != "ok"
    assert [name for name, _ in found.unmatched] == ["x"]


def test_a_real_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The federation is written by hand, as the program is: a busy source of 500 us, 5 ms."""
    with tarfile.open(shared("lf/traces/Chain4.tar.xz")) as archive:
        archive.extractall(tmp_path, filter="data")
    folder = next(tmp_path.rglob("rti.lft")).parent
    (tmp_path / "f.yaml").write_text(TEXT.replace("decentralized", "centralized"))
    assert main(["validate", str(tmp_path / "f.yaml"), "--trace", str(folder)]) in (0, 1)
    out = capsys.readouterr().out
    assert "tag of" in out
    assert "not in the system: p" in out


@pytest.mark.parametrize("cut", [5, 200])
def test_a_trace_that_is_cut_off_is_inconclusive(
    cut: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with tarfile.open(shared("lf/traces/Chain4.tar.xz")) as archive:
        archive.extractall(tmp_path, filter="data")
    folder = next(tmp_path.rglob("rti.lft")).parent
    file = next(folder.glob("federate__s*"))
    file.write_bytes(file.read_bytes()[:-cut])
    (tmp_path / "f.yaml").write_text(TEXT)
    call = ["validate", str(tmp_path / "f.yaml"), "--trace", str(folder), "--format", "json"]
    assert main(call) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["verdict"] == "inconclusive"
    assert "ends within" in err


def test_a_system_with_traces_of_a_federation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from ddsrta.examples import TWO_THREADS

    (tmp_path / "x.lft").write_bytes(b"")
    (tmp_path / "system.yaml").write_text(TWO_THREADS)
    assert main(["validate", str(tmp_path / "system.yaml"), "--trace", str(tmp_path)]) == 2
    assert "give the federation instead of a system" in capsys.readouterr().err


WRONG = [
    ("t: {period: 5ms}", "t: {offset: 1ms, period: 5ms}", "releases"),
    ("t: {period: 5ms}", "t: {period: 50ms}", "releases"),
    ("t: {period: 5ms}", "t: {period: 500us}", "releases"),
    ("inputs: [in]", "timers: {u: {period: 2ms}}\n    inputs: [in]", "releases"),
    ("to: d.in}", "to: d.in, after: 3ms}", "releases"),
    ("wcet: 500us}", "wcet: 500us, bcet: 400us}", "execution times"),
    ("to: d.in}", "to: d.in, latency: {worst: 100us, best: 95us}}", "edges"),
    ("- {from: s.out", "- {physical: true, from: s.out", "edges"),
    ("coordination: decentralized", "coordination: centralized\nrti: {hop: 1ms}", "edges"),
]


@pytest.mark.parametrize(("old", "new", "subject"), WRONG)
def test_no_other_federation_is_ok(old: str, new: str, subject: str) -> None:
    ran = run(seen("s", [10 * US] * 9), seen("d", [500 * US] * 9), 80 * US)
    assert validated(ran).verdict == "ok"
    text = TEXT.replace(old, new).replace("triggers: [in]", "triggers: [in, u]" if "u:" in new else
                                          "triggers: [in]")  # fmt: skip
    if new.startswith("coordination"):
        text = text.replace("    maxwait: 2ms\n", "")
    found = validated(ran, text)
    assert found.verdict != "ok"
    assert subject in {one.subject for one in found.contradicted}


def test_a_reaction_that_the_model_lacks_is_told() -> None:
    more = seen("d", [500 * US] * 3)
    both = {("d", n): ReactionSeen("d", n, Samples(), Samples(), Samples()) for n in range(2)}
    found = validated(run(seen("s", [10 * US] * 3), replace(more, reactions=both)))
    assert ("threads", "d") in {(one.subject, one.name) for one in found.contradicted}
