"""What changed between two models, and which change moved which bound."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

import pytest

import ddsrta
from ddsrta.__main__ import main
from ddsrta.examples import TWO_THREADS, two_threads
from ddsrta.exploration.difference.changes import changes
from ddsrta.exploration.difference.difference import difference
from ddsrta.models.document import to_document
from ddsrta.models.system import System
from ddsrta.report.difference import difference_markdown, difference_text
from tests.soundness.draw import KINDS, drawn
from tests.soundness.yaml_text import to_yaml

OTHER = """\
  other:
    core: ecu/c1
    priority: 95
    wcet: 1ms
    period: 20ms
"""


def edited(*edits: tuple[str, str]) -> System:
    text = TWO_THREADS
    for before, after in edits:
        assert before in text
        text = text.replace(before, after)
    return ddsrta.loads(text, "new.yaml")


def texts(old: System, new: System) -> list[str]:
    return [each.text for each in changes(old, new)]


def all_of(old: System, new: System) -> System:
    assert old.written is not None
    return old.written.patched([d for change in changes(old, new) for d in change.differences])


def test_what_is_written_otherwise_is_no_change() -> None:
    new = edited(
        ("wcet: 1ms", "wcet: 1000us"), ("speed: {size: 1kB, priority: 0}", "speed: {size: 1000B}")
    )
    assert texts(two_threads(), new) == ["topic speed: priority 0 → not given"]
    assert not difference(two_threads(), new).worse


def test_changes_are_told_in_the_words_of_the_file_with_its_lines() -> None:
    new = edited(("priority: 80", "priority: 95"), ("mode: async", "mode: async, count: 2"))
    found = changes(two_threads(), new)
    assert [change.text for change in found] == [
        "flow controller F: priority 80 → 95",
        "sensor: publishes 1 count not given → 2",
    ]
    assert [str(position) for change in found for position in change.positions] == [
        "new.yaml:12:31", "new.yaml:21:45",
    ]  # fmt: skip


def test_what_makes_no_sense_alone_is_one_change() -> None:
    new = edited(
        ("  speed: {size: 1kB, priority: 0}", "  velocity: {size: 1kB, priority: 0}"),
        ("topic: speed", "topic: velocity"),
        ("topics: [speed]", "topics: [velocity]"),
        ("[sensor, speed, control]", "[sensor, velocity, control]"),
        ("wcet: 2ms", "wcet: 3ms"),
    )
    first, second = changes(two_threads(), new)
    assert "topic velocity added" in first.texts and "topic speed removed" in first.texts
    assert second.text == "control: wcet 2ms → 3ms"
    assert all_of(two_threads(), new) == new


def test_a_thing_with_another_name_is_renamed_and_its_bounds_are_compared() -> None:
    new = edited(
        ("  speed: {size: 1kB, priority: 0}", "  velocity: {size: 1kB, priority: 0}"),
        ("topic: speed", "topic: velocity"),
        ("topics: [speed]", "topics: [velocity]"),
        ("[sensor, speed, control]", "[sensor, velocity, control]"),
        ("wcet: 2ms", "wcet: 3ms"),
    )
    found = difference(two_threads(), new)
    assert [each.text for each in found.changes] == [
        "control: wcet 2ms → 3ms", "renamed: topic speed → velocity",
    ]  # fmt: skip
    assert not found.comparison.new and not found.comparison.gone
    text = difference_text(found)
    assert "renamed: topic speed → velocity  new.yaml:10\n       moves no bound" in text


def test_a_thing_that_was_changed_and_renamed_is_known_by_what_speaks_of_it() -> None:
    new = edited(
        ("  control:", "  steering:"), ("speed, control]", "speed, steering]"),
        ("wcet: 2ms", "wcet: 3ms"),
    )  # fmt: skip
    found = difference(two_threads(), new)
    assert "renamed: control → steering" in [each.text for each in found.changes]
    assert "thread steering" in [each.name for each in found.worse]


TWINS = """\
ddsrta: 1
machines: {m: {cores: [c]}}
threads:
  a: {core: m/c, priority: 5, wcet: 1ms, period: 10ms}
  b: {core: m/c, priority: 5, wcet: 1ms, period: 10ms}
"""


def test_what_could_be_two_things_is_not_called_renamed() -> None:
    old = ddsrta.loads(TWINS, "old.yaml")
    one = difference(old, ddsrta.loads(TWINS.replace("  a:", "  x:"), "new.yaml"))
    assert [each.text for each in one.changes] == ["renamed: a → x"]
    two = TWINS.replace("  a:", "  x:").replace("  b:", "  y:")
    found = difference(old, ddsrta.loads(two, "new.yaml"))
    texts = "; ".join(each.text for each in found.changes)
    assert "renamed" not in texts and "x added" in texts and "a removed" in texts
    assert {"thread x", "thread y"} == {*found.comparison.new}


def test_what_is_added_stands_where_it_was_put() -> None:
    new = edited(("  control:\n", OTHER + "  control:\n"))
    (change,) = changes(two_threads(), new)
    assert change.text == "other added"
    assert list(all_of(two_threads(), new).threads) == ["sensor", "other", "control"]


def test_shares_add_up_to_what_a_bound_moved() -> None:
    new = edited(
        ("wcet: 1ms", "wcet: 2ms"),
        ("wcet: 2ms\n    sub", "wcet: 4ms\n    sub"),
        ("chains", OTHER + "chains"),
    )
    found = difference(two_threads(), new)
    assert found.is_whole and len(found.changes) == 3
    latency = next(each for each in found.worse if each.name == "chain control loop: latency")
    assert latency.old is not None and latency.new is not None
    shares = [share.share for share in latency.shares]
    assert sum(share or 0 for share in shares) == latency.new - latency.old
    assert None not in shares
    assert "control: wcet" in difference_text(found)


def test_a_copy_that_leaves_later_is_seen_where_it_arrives_as_early() -> None:
    """What sending takes more, receiving takes less: the delivery stays as it is."""
    new = edited(("62us", "162us"), ("224us", "124us"))
    found = difference(two_threads(), new)
    [moved] = [each for each in found.worse if each.name.startswith("message ")]
    assert moved.name == "message sensor → speed → control (async): sent"
    assert moved.shares[0].share == 100_000
    assert found.changes[moved.shares[0].change].text.startswith("delay flow_controller")


def test_the_change_that_takes_a_bound_away_is_named() -> None:
    new = edited(("period: 10ms", "period: 1ms"), ("wcet: 2ms", "wcet: 2100us"))
    found = difference(two_threads(), new)
    latency = next(each for each in found.worse if each.name == "chain control loop: latency")
    assert latency.new is None
    needed = [found.changes[share.change].text for share in latency.shares if share.is_needed]
    assert needed == ["sensor: period 10ms → 1ms"]
    text = difference_text(found)
    assert "without it chain control loop: latency and" in text


def test_a_change_names_the_chains_that_it_makes_late() -> None:
    """Once only the bound that it raised most, which may be one of a message."""
    old = edited(("deadline: 8ms", "deadline: 3400us"))
    new = edited(("deadline: 8ms", "deadline: 3400us"), ("wcet: 1ms", "wcet: 2ms"))
    assert "  makes late: control loop; raises 3 bounds" in difference_text(difference(old, new))
    assert "makes late" not in difference_text(difference(old, edited(("wcet: 1ms", "wcet: 2ms"))))
    ends = "path: [sensor, speed, control]", "from: sensor, to: control"
    late = edited(("deadline: 8ms", "deadline: 3400us"), ("wcet: 1ms", "wcet: 2ms"), ends)
    text = difference_text(difference(edited(("deadline: 8ms", "deadline: 3400us"), ends), late))
    assert "makes late: control loop/1; raises 3 bounds" in text
    assert "chain control loop: latency 3.286 ms → 4.286 ms" in text


def test_the_change_that_gives_a_bound_is_named() -> None:
    """Once 'moves no bound', of the change without which there would be none."""
    old = edited(("period: 10ms", "period: 1ms"), ("wcet: 2ms", "wcet: 2100us"))
    found = difference(old, two_threads())
    latency = next(each for each in found.better if each.name == "chain control loop: latency")
    assert latency.old is None and latency.new is not None
    needed = [found.changes[share.change].text for share in latency.shares if share.is_needed]
    assert needed == ["sensor: period 1ms → 10ms"]
    text = difference_text(found)
    assert "without it chain control loop: latency and" in text and "would be unbounded" in text
    assert "without it there is no bound" in text and "without it there is no bound" in (
        difference_markdown(found)
    )


def test_a_size_that_is_written_otherwise_is_no_change() -> None:
    """Once one row gone and another come."""
    new = edited(("flow_controller: {1kB: 62us}", "flow_controller: {1000B: 0.062ms}"))
    assert not difference(two_threads(), new).changes
    new = edited(("flow_controller: {1kB: 62us}", "flow_controller: {1000B: 63us}"))
    found = difference(two_threads(), new)
    assert [each.text for each in found.changes] == ["delay flow_controller: 1kB 62us → 63us"]
    assert found.worse and found.is_whole


def test_too_many_changes_are_told_one_by_one() -> None:
    found = difference(
        two_threads(),
        edited(("wcet: 1ms", "wcet: 2ms"), ("wcet: 2ms\n    sub", "wcet: 4ms\n    sub")),
        seconds=0,
    )
    assert not found.is_whole
    (first, *_) = found.worse
    assert first.shares and all(share.share is None for share in first.shares)
    assert "there are too many sets of changes" in difference_text(found)


def test_of_many_changes_those_that_interact_are_undone_in_pairs() -> None:
    """Two threads are each too much for a core: neither helps when it alone is undone."""
    rows = (f"  more{n}: {{core: ecu/c1, priority: 95, wcet: 1ns, period: 1s}}" for n in range(12))
    heavy = (
        f"  heavy{n}: {{core: ecu/c1, priority: 95, wcet: 11ms, period: 12ms}}" for n in range(2)
    )
    new = edited(("  control:\n", "\n".join([*rows, *heavy, "  control:\n"])))
    found = difference(two_threads(), new)
    assert len(found.changes) == 14 and not found.is_whole and found.all_pairs
    gone = next(each for each in found.worse if each.name == "chain control loop: latency")
    assert gone.new is None and not gone.shares[0].is_needed
    names = [{found.changes[n].text for n in pair.changes} for pair in gone.pairs if pair.is_needed]
    assert names == [{"heavy0 added", "heavy1 added"}]
    assert "together: without both there is a bound" in difference_text(found)


@pytest.mark.parametrize("kind", KINDS)
def test_all_changes_together_make_the_newer_system(kind: str) -> None:
    """Of drawn systems as different as can be, and of such with a few values changed."""
    for seed in range(2):
        one, other = (ddsrta.loads(to_yaml(drawn(number, kind))) for number in (seed, seed + 50))
        assert to_document(all_of(one, other)) == to_document(other), seed
        few = ddsrta.loads(_few(to_yaml(drawn(seed, kind)), seed))
        assert to_document(all_of(one, few)) == to_document(few), seed


def _few(text: str, seed: int) -> str:
    """Some priorities exchanged, where they stand."""
    words = text.split("priority: ")
    random = Random(seed)
    for _ in range(3):
        first, second = (random.randrange(1, len(words)) for _ in range(2))
        one, other = words[first], words[second]
        if one[:2].isdigit() and other[:2].isdigit():
            words[first], words[second] = other[:2] + one[2:], one[:2] + other[2:]
    return "priority: ".join(words)


# --- as a command


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that has the two threads, with an edit that is not committed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").mkdir()
    (tmp_path / "models/system.yaml").write_text(TWO_THREADS)
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    for command in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "first")):
        subprocess.run(["git", *command], check=True)
    (tmp_path / "models/system.yaml").write_text(
        TWO_THREADS.replace("priority: 80", "priority: 95")
    )
    return tmp_path


def test_a_term_that_only_stands_elsewhere_did_not_grow() -> None:
    old = ddsrta.loads(
        """
        ddsrta: 1
        machines: {m: {cores: [c, d]}}
        delays: {placeholder: true}
        topics: {t: {size: 1kB}}
        listeners: {L: {core: m/c, priority: 90}}
        threads: {a: {core: m/d, priority: 5, wcet: 1ms, period: 10ms, publishes: [{topic: t}]}}
        executors:
          x: {core: m/c, priority: 50}
          y: {core: m/d, priority: 1}
        callbacks:
          b: {executor: x, wcet: 2ms, subscribes: {topics: [t], listener: L}}
          plan: {executor: x, wcet: 3ms, timer: 50ms}
        chains: {react: {path: [a, t, b], deadline: 8ms}}
        """,
        "old.yaml",
    )
    found = difference(old, old.replace("callbacks", "plan", executor="y"))
    (moved,) = (each for each in found.better if each.name == "chain react: latency")
    assert "callback b: behind callback plan 3 ms → 0 ms" in difference_text(found)
    assert not any("own work" in term.label for term in moved.grown)


def test_a_file_is_held_against_a_revision(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", "HEAD:models/system.yaml", "models/system.yaml"]) == 1
    out = capsys.readouterr().out
    assert "[1]  flow controller F: priority 80 → 95  models/system.yaml:12" in out
    assert main(["diff", "models/system.yaml", "models/system.yaml"]) == 0
    assert "the models say the same" in capsys.readouterr().out


@pytest.mark.parametrize(
    "name", ["HEAD:none.yaml", "nowhere:models/system.yaml", "HEAD~7:models/system.yaml"]
)
def test_what_git_does_not_have_is_a_wrong_call(
    repository: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", name, "models/system.yaml"]) == 2
    assert name.partition(":")[0] in capsys.readouterr().err


def test_a_result_is_no_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "system.yaml").write_text(TWO_THREADS)
    model, result = str(tmp_path / "system.yaml"), str(tmp_path / "result.json")
    assert main(["analyze", model, "--format", "json", "--output", result]) == 0
    assert main(["diff", result, model]) == 2
    assert "check MODEL --baseline RESULT" in capsys.readouterr().err


def test_markdown_has_a_row_for_each_change_and_bound() -> None:
    found = difference(two_threads(), edited(("priority: 80", "priority: 95")))
    lines = difference_markdown(found).splitlines()
    assert "| 1 | flow controller F: priority 80 → 95 | new.yaml:12 | " in "\n".join(lines)
    rows = [line for line in lines if line.startswith(("| chain", "| message", "| thread"))]
    assert len(rows) == len(found.worse) + len(found.better)
