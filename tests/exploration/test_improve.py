"""Repairs: what they say is confirmed, small ones come first, nothing that is kept is changed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import ddsrta
from ddsrta.__main__ import main
from ddsrta.bounds.deadlines import deadlines
from ddsrta.exploration.improve import repairs, search
from ddsrta.exploration.improve.audsley import why_not
from ddsrta.exploration.improve.causes import late_of
from ddsrta.exploration.improve.move import View
from ddsrta.exploration.improve.moves import KINDS, moves
from ddsrta.exploration.improve.ranks import rankings, strict
from ddsrta.exploration.improve.repairs import Improvement
from ddsrta.exploration.improve.search import Heard
from ddsrta.report.improve import improve_markdown, improve_text
from tests.exploration.priorities import KINDS as KINDS_DRAWN
from tests.exploration.priorities import campaign

ROOT = Path(__file__).parents[2]
ALONE = """\
ddsrta: 1
machines: {m: {cores: [c]}}
threads:
  logger: {core: m/c, priority: 30, wcet: 5ms, period: 50ms}   # by the vendor
  sensor: {core: m/c, priority: 20, wcet: 1ms, period: 10ms}
  filter: {core: m/c, priority: 10, wcet: 3ms, period: 20ms}
chains:
  sensor: {path: [sensor], deadline: 4ms}
  filter: {path: [filter], deadline: 8ms}
"""
SENT = """\
ddsrta: 1
machines: {m: {cores: [c0, c1, c2]}}
delays: {flow_controller: {1kB: 60us}, listener: {1kB: 100us}, publisher: {1kB: 100us}}
topics: {far: {size: 1kB}, near: {size: 1kB, history: 2}}
flow_controllers:
  F: {core: m/c1, priority: 20}
  G: {core: m/c0, priority: 5}
listeners: {L: {core: m/c1, priority: 30}}
threads:
  P:
    core: m/c0
    priority: 10
    wcet: 1ms
    arrival: {period: 10ms, offset: 1ms}
    publishes:
      - {topic: far, mode: async, flow_controller: F, count: 8}
      - topic: near     # the one that matters
        mode: async
        flow_controller: F
  Q: {core: m/c2, reservation: {budget: 1ms, period: 10ms}, wcet: 1ms, period: 20ms}
executors:
  ex: {core: m/c1, priority: 10, kind: single_threaded}
  pool: {core: m/c2, priority: 10, kind: multi_threaded, threads: 2}
callbacks:
  read: {executor: ex, wcet: 500us, subscribes: {topics: [near], listener: L}}
  store: {executor: ex, wcet: 200us, subscribes: {topics: [far], listener: L}}
  poll: {executor: pool, wcet: 1ms, timer: 20ms}
  blink: {executor: pool, wcet: 1ms, timer: 20ms}
chains: {loop: {path: [P, near, read], deadline: 4ms}}
"""


@pytest.fixture(scope="module")
def sent() -> Improvement:
    return ddsrta.improve(ddsrta.loads(SENT, "sent.yaml"))


def test_one_priority_is_enough() -> None:
    """Below the filter the logger delays nobody, and nothing else does it by one priority."""
    found = ddsrta.improve(ddsrta.loads(ALONE), only=["priorities"])
    assert [each.chain for each in found.late] == ["sensor", "filter"]
    assert [said.text for said in found.repairs[0].says] == ["logger: priority 30 → 9"]
    assert {move.name for move in found.repairs[0].worse} == {"thread logger"}


def test_each_repair_is_confirmed_and_the_smallest_comes_first(sent: Improvement) -> None:
    assert sent.repairs
    assert [each.size for each in sent.repairs] == sorted(each.size for each in sent.repairs)
    for repair in sent.repairs:
        again = ddsrta.analyze(repair.system)
        assert again.verdict == "met" and again.check is not None
        assert again.check.status == "confirmed"
        assert repair.system != sent.before.model


def test_the_same_input_has_the_same_repairs(sent: Improvement) -> None:
    again = ddsrta.improve(ddsrta.loads(SENT, "sent.yaml"))
    assert [each.edits for each in again.repairs] == [each.edits for each in sent.repairs]
    assert again.tried == sent.tried


def test_every_kind_makes_moves_that_can_be() -> None:
    view = View(ddsrta.loads(SENT), {})
    made = {name: moves(view, [name], ()) for name in KINDS}
    assert all(made[name] for name in KINDS if name != "split"), made
    assert moves(view, ["split"], ())


def test_what_is_kept_is_not_changed(sent: Improvement) -> None:
    pattern = sent.repairs[0].says[0].text.partition(":")[0]
    found = ddsrta.improve(ddsrta.loads(SENT), keep=[pattern, "*: core"])
    names = {edit.name for repair in found.repairs for edit in repair.edits}
    assert not any(name.startswith(pattern) or name.endswith(": core") for name in names)


def test_only_some_kinds() -> None:
    found = ddsrta.improve(ddsrta.loads(SENT), only=["order", "policies"])
    assert set(found.tried) <= {"order", "policies"}
    with pytest.raises(ddsrta.InputError, match="did you mean 'cores'"):
        ddsrta.improve(ddsrta.loads(SENT), only=["core"])


def test_what_cannot_be_repaired_says_what_was_tried_and_what_comes_nearest() -> None:
    text = ALONE.replace("deadline: 8ms", "deadline: 2ms")
    found = ddsrta.improve(ddsrta.loads(text), only=["priorities"])
    assert not found.repairs and found.nearest is not None
    assert found.nearest.score < found.score
    said = improve_text(found)
    assert "no repair was found" in said and "nearest: still late: filter" in said
    assert "Audsley's algorithm proves that no strict order is enough" in said


def test_a_system_in_time_needs_nothing() -> None:
    found = ddsrta.improve(ddsrta.loads(ALONE.replace("priority: 30", "priority: 5")))
    assert not found.repairs and found.before.verdict == "met" and not found.tried


def test_the_end_says_why_it_came() -> None:
    assert ddsrta.improve(ddsrta.loads(SENT), candidates=3).ended == "it had tried 3 candidates"
    assert ddsrta.improve(ddsrta.loads(SENT), seconds=1e-9).ended == "its time was up"
    stopped = ddsrta.improve(ddsrta.loads(SENT), stop=lambda: True)
    assert stopped.ended == "it was interrupted"


def test_a_search_whose_time_is_up_looks_at_nothing_more(monkeypatch) -> None:
    """Of a large system moves alone take long to list, and causes to find."""
    monkeypatch.setattr(repairs, "Search", None)
    assert not ddsrta.improve(ddsrta.loads(SENT), seconds=1e-9).tried
    monkeypatch.undo()
    monkeypatch.setattr(search, "moves", None)
    looks = iter((False, True, True))
    assert ddsrta.improve(ddsrta.loads(SENT), stop=lambda: next(looks)).ended


def test_causes_of_the_system_as_it_is_are_found_once(monkeypatch) -> None:
    found = []
    monkeypatch.setattr(search, "late_of", lambda *each: found.append(each[0]) or late_of(*each))
    system = ddsrta.loads(SENT)
    assert ddsrta.improve(system, candidates=5).tried
    assert sum(one is system for one in found) == 1


@pytest.mark.parametrize("wrong", [{"most": 0}, {"candidates": 0}])
def test_none_at_all_is_not_asked_for(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="one repair at the least"):
        ddsrta.improve(ddsrta.loads(SENT), **wrong)


def test_what_was_left_out_is_said() -> None:
    found = ddsrta.improve(ddsrta.loads(SENT), candidates=20)
    assert found.untried.startswith("of single changes and less, not tried: ")
    assert found.untried in improve_text(found) and found.untried in improve_markdown(found)
    assert found.to_dict()["untried"] == found.untried
    assert ddsrta.improve(ddsrta.loads(ALONE)).untried == ""


def test_sets_of_what_helps_alone_come_first_and_no_larger_ones_where_enough_are_found() -> None:
    found = ddsrta.improve(ddsrta.loads(SENT), most=1)
    all_of_them = ddsrta.improve(ddsrta.loads(SENT), most=50)
    assert found.repairs[0].size == all_of_them.repairs[0].size
    assert sum(found.tried.values()) < sum(all_of_them.tried.values())


SAMPLED = """\
ddsrta: 1
machines: {m: {cores: [c, d]}}
threads:
  sensor: {core: m/c, priority: 5, wcet: 1ms, period: 10ms}
  slow: {core: m/c, priority: 9, wcet: 2ms, period: 10ms}
  control: {core: m/d, priority: 5, wcet: 1ms, period: 50ms, follows: {threads: [sensor]}}
chains:
  seen: {path: [sensor, control], deadline: 20ms, constraint: reaction_time}
  own: {path: [sensor], deadline: 2ms}
"""


def test_what_samples_too_slowly_is_said_in_each_format_and_ends_the_search_early() -> None:
    heard: list[Heard] = []
    found = ddsrta.improve(ddsrta.loads(SAMPLED), hear=heard.append)
    assert found.hopeless == {"seen": 60_000_000} == found.to_dict()["hopeless"]
    assert heard[0].hopeless == found.hopeless  # before anything else is known
    said = "60 ms of it is waiting for what samples at times of its own"
    shown = [improve_text(found), improve_markdown(found), found._repr_html_()]
    assert [text for text in shown if said not in text] == []
    assert not found.repairs and found.nearest is not None
    assert [one.chain for one in deadlines(found.nearest.result) if one.state != "met"] == ["seen"]
    assert all(len(one.edits) == 1 for one in (found.nearest,)) and not found.spaces


def test_priorities_of_small_systems_are_found_whenever_there_are_some() -> None:
    """A short form of `python -m tests.exploration.priorities`."""
    counts = campaign(0, 36)
    assert all(counts[f"{kind} repaired"] for kind in KINDS_DRAWN), counts
    assert sum(counts[f"{kind} has none"] for kind in KINDS_DRAWN) > 5, counts


TWO_MOVES = """\
ddsrta: 1
machines: {m: {cores: [c]}}
threads:
  a: {core: m/c, priority: 10, wcet: 3ms, arrival: {period: 20ms, offset: 0ms}}
  b: {core: m/c, priority: 11, wcet: 5ms, period: 20ms}
  c: {core: m/c, priority: 12, wcet: 1ms, period: 20ms}
chains:
  a: {path: [a], deadline: 3ms}
  b: {path: [b], deadline: 8ms}
  c: {path: [c], deadline: 9ms}
"""


def test_orders_go_around_what_is_kept() -> None:
    """Once wrong: 'none of all 6 strict orders (but for what is to be kept)', of which one meets
    all if `b` stays and both others move."""
    found = ddsrta.improve(ddsrta.loads(TWO_MOVES), only=["priorities"], keep=["b"])
    says = {said.text for said in found.repairs[0].says}
    assert says == {"a: priority 10 → 12", "c: priority 12 → 10"}
    (space,) = found.spaces
    assert (
        space.meets
        and "all 6 strict orders that leave alone what is to be kept" in improve_text(found)
    )
    kept = ddsrta.improve(ddsrta.loads(TWO_MOVES), only=["priorities"], keep=["b", "c"])
    assert not kept.repairs and not kept.ended
    (space,) = kept.spaces  # above, below, and no room between
    assert (space.count, space.is_whole, space.meets) == (2, True, False)


def test_where_the_file_has_ties_orders_with_ties_are_looked_at_too() -> None:
    """Once left out, where strict orders were none."""
    text = TWO_MOVES.replace("priority: 12", "priority: 11").replace("9ms}", "8ms}")
    found = ddsrta.improve(ddsrta.loads(text), only=["priorities"])
    assert not found.repairs
    assert [(space.method, space.count) for space in found.spaces] == [
        ("strict orders", 6), ("orders, with ties,", 13),
    ]  # fmt: skip
    plain = text.replace("arrival: {period: 20ms, offset: 0ms}", "period: 20ms")
    found = ddsrta.improve(ddsrta.loads(plain), only=["priorities"])
    assert [space.method for space in found.spaces] == ["Audsley's algorithm", "orders, with ties,"]


def test_audsley_says_nothing_of_threads_that_wait_for_a_lock() -> None:
    """An event thread of Fast DDS was once taken for one that only computes."""
    text = ALONE.replace(
        "threads:",
        "middleware: {fastdds: '3.6'}\nlisteners: {L: {core: m/c, priority: 1}}\n"
        "processes: {p: {listener: L}}\nthreads:",
    ).replace("period: 50ms}", "period: 50ms, process: p, datagrams: 2}")
    system = ddsrta.loads(text)
    ranking = rankings(View(system, {}))[0]
    members = tuple(member for member in ranking.members if member.thing[0] == "threads")
    assert "event thread" in why_not(system, replace(ranking, members=members))


def test_strict_numbers_keep_as_many_as_can_be() -> None:
    assert strict([5, 5, 5], 1, 99) == [5, 6, 7]
    assert (
        strict([50, 1, 2, 3], 1, 99) == [47, 48, 49, 50] or strict([50, 1, 2, 3], 1, 99)[1:] != []
    )
    assert strict([3, 1], 1, 2) == [1, 2]


def test_things_of_one_core_compete(sent: Improvement) -> None:
    names = [each.name for each in rankings(View(ddsrta.loads(SENT), {}))]
    assert names == ["core m/c1", "core m/c0"]


# --- the command


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "s.yaml"
    path.write_text(ALONE)
    return path


def test_writing_keeps_comments_and_layout(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["improve", "s.yaml", "--write", "--only", "priorities"]) == 0
    assert file.read_text() == ALONE.replace("priority: 30", "priority: 9")
    assert "repair [1] is in s.yaml" in capsys.readouterr().err
    assert main(["check", "s.yaml"]) == 0


def test_a_byte_order_mark_stays(file: Path) -> None:
    """Once refused."""
    file.write_text("\ufeff" + ALONE, "utf-8")
    assert main(["improve", "s.yaml", "--write", "--only", "priorities"]) == 0
    assert file.read_text("utf-8") == "\ufeff" + ALONE.replace("priority: 30", "priority: 9")


def test_what_is_read_only_stays(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once replaced, where the folder was writable."""
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert main(["improve", "s.yaml", "--write", "--only", "priorities"]) == 2
    assert file.read_text() == ALONE


def test_what_is_wrong_beside_deadlines_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Once 'no deadline is missed, but something else is wrong'."""
    for name, what in (
        ("xronos_order/high_priority", "FAIL  casestudies/xronos_order/high_priority.yaml:"),
        ("livelock/livelock", "[livelock]"),
    ):
        assert main(["improve", f"{ROOT}/casestudies/{name}.yaml", "--most", "1"]) == 1
        assert what.replace("casestudies", f"{ROOT}/casestudies") in capsys.readouterr().out


def test_every_repair_can_be_written_or_is_refused(sent: Improvement, tmp_path: Path) -> None:
    from ddsrta.exploration.improve.writing import repaired_text

    system = ddsrta.loads(SENT, "sent.yaml")
    for repair in sent.repairs:
        text = repaired_text(system, repair)
        assert ddsrta.loads(text) == repair.system
        assert "# the one that matters" in text


def test_what_stands_in_several_places_is_not_written(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = ALONE.replace("priority: 30", "priority: &p 30").replace("priority: 10", "priority: *p")
    file.write_text(text)
    assert main(["improve", "s.yaml", "--write", "--keep", "sensor", "--only", "priorities"]) == 2
    assert file.read_text() == text
    assert "one thing in several places" in capsys.readouterr().err


def test_json_and_markdown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["improve", "s.yaml", "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    first = document["repairs"][0]
    assert first["is_met"] and first["check"] == "confirmed" and first["verdict"] == "met"
    (change,) = first["changes"]
    assert (change["path"], change["old"], change["new"]) == (
        ["threads", "logger", "priority"], "30", "9",
    )  # fmt: skip
    assert (change["file"], change["line"]) == ("s.yaml", 4)
    assert main(["improve", "s.yaml", "--format", "markdown"]) == 1
    assert re.search(r"^\| 1 \| logger: priority 30 → 9 \| s.yaml:4", capsys.readouterr().out, re.M)


def test_the_page_has_the_robot_of_the_case_study() -> None:
    page = (ROOT / "docs/how-to/improve.md").read_text("utf-8")
    robot = (ROOT / "casestudies/late_robot/robot.yaml").read_text("utf-8")
    assert f"```yaml robot.yaml\n{robot}```" in page


SHARED = """\
ddsrta: 1
machines: {m: {cores: [c, d]}}
executors: {ex: {core: m/c, priority: 10, kind: single_threaded}}
callbacks:
  quick: {executor: ex, wcet: 1ms, timer: 10ms}
  long: {executor: ex, wcet: 6ms, timer: 50ms}
chains: {quick: {path: [quick], deadline: 4ms}}
"""


def test_what_somebody_has_to_look_at_stands_in_each_format() -> None:
    found = ddsrta.improve(ddsrta.loads(SHARED), most=1)
    note = "must not share data without a lock"
    (repair,) = found.to_dict()["repairs"]
    shown = [improve_text(found), improve_markdown(found), found._repr_html_(), *repair["asks"]]
    assert len(shown) == 4 and all(note in text for text in shown)
