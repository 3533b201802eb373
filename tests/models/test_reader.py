"""The reader takes everything the contract promises, and reports all errors of a file at once."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ddsrta
from ddsrta.base.diagnostics import Diagnostic, Position, did_you_mean
from ddsrta.base.structures import Either, ListOf, MapOf, Record
from ddsrta.base.yaml_reader import read_file, read_text
from ddsrta.base.yaml_tree import Node
from ddsrta.examples import TWO_THREADS, two_threads
from ddsrta.models.arrivals import Burst, Curve, Periodic, Sporadic
from ddsrta.models.grammar import SYSTEM
from ddsrta.models.system import (
    Chain,
    Cost,
    Following,
    Order,
    Publication,
    Subscription,
    Synchronizer,
    System,
    Thread,
)
from ddsrta.models.validate import validate
from ddsrta.policies import POLICIES
from tests.effort import calls, growth

HERE = Path(__file__).parent
CONTRACT = (HERE / "contract.yaml").read_text("utf-8")
FULL = ddsrta.load(HERE / "full.yaml")


def errors(text: str) -> list[str]:
    with pytest.raises(ddsrta.InputError) as caught:
        ddsrta.loads(text, "f")
    return str(caught.value).splitlines()


# What is read


def test_the_contract_loads() -> None:
    system = ddsrta.loads(CONTRACT)
    assert system.name == "three topics"
    assert list(system.cores) == ["ecu1/c0", "ecu1/c1", "ecu2/c2", "ecu2/c3"]
    assert system.threads["P"].wcet == 1_000_000
    assert [p.mode for p in system.threads["P"].publishes] == ["async", "sync"]
    assert system.threads["T"].follows == Following(("S",))
    assert system.chains["control"] == Chain("control", ("P", "theta1", "S"), None, 20_000_000)
    assert system.threads["tick"].server == ("executors", "ex0")
    assert system.threads["fuse"].follows == Following(("fuse/theta1", "fuse/theta2"))


def test_a_federation_is_a_file_of_its_own() -> None:
    text = TWO_THREADS + "federation: {}\n"
    place = f"f:{text.count(chr(10))}:1"
    message = "unknown key 'federation'; a federation is a file of its own, for 'ddsrta lf'"
    assert errors(text) == [f"{place}: {message}"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("study: 1\nbase: s.yaml\n", "this is a study, not a system; use 'ddsrta explore'"),
        ("federation: 1\nhosts: {h: }\n", "this is a federation, not a system; use 'ddsrta lf'"),
        ('{"ddsrta": 1, "verdict": "met", "threads": {}}', "this is a result, not a system; "),
    ],
)
def test_a_document_of_another_kind_is_one_error(text: str, said: str) -> None:
    (only,) = errors(text)
    assert said in only


def test_quality_of_service_is_told_what_becomes_of_it() -> None:
    text = TWO_THREADS.replace("{size: 1kB", "{reliability: reliable, depth: 10, size: 1kB", 1)
    said = "\n".join(errors(text))
    assert "resends are not modelled: leave it out" in said and "write 'history'" in said


def test_the_example_of_all_keys_has_all_keys() -> None:
    """Else the tests that mutate it would miss some."""
    unused: set[tuple[int, str]] = set()
    used: set[tuple[int, str]] = set()

    def walk(shape: Any, node: Node | None) -> None:
        value = node.value if node else None
        if isinstance(shape, Record):
            unused.update((id(shape), name) for name in shape.keys)
            for name, key in shape.keys.items():
                entry = value.get(name) if isinstance(value, dict) else None
                if entry:
                    used.add((id(shape), name))
                walk(key.shape, entry.node if entry else None)
        elif isinstance(shape, MapOf):
            entries = list(value.values()) if isinstance(value, dict) else []
            for entry in [*entries, None]:
                walk(shape.item, entry.node if entry else None)
        elif isinstance(shape, ListOf):
            for item in [*(value if isinstance(value, list) else []), None]:
                walk(shape.item, item)
        elif isinstance(shape, Either):
            for part, kind in ((shape.scalar, str), (shape.sequence, list), (shape.mapping, dict)):
                if part:
                    walk(part, node if isinstance(value, kind) else None)

    for name in ("full.yaml", "fastdds.yaml", "rounds.yaml"):  # one is of the ten rules alone
        walk(SYSTEM, read_file(HERE / name).root)
    assert {name for shape, name in unused - used} == set()


def test_what_the_example_means() -> None:
    threads = FULL.threads
    assert threads["sensor"].arrival == Periodic(20_000_000, 3_000_000, 1_000_000, 2_000_000)
    assert threads["camera"].arrival == Burst(3, 1_000_000, 100_000_000)
    assert threads["knob"].arrival == Sporadic(50_000_000, 1_000_000)
    assert threads["lidar"].arrival == Curve((0, 1_000_000), 2, 50_000_000)
    assert threads["radar"].arrival == Curve((0, 1_000_000, 2_000_000), 2, 50_000_000)
    assert threads["replay"].arrival == Curve((0, 9_500_250, 20_000_250), 3, 30_000_250, 15_000_000)
    assert threads["sensor"].publishes == (
        Publication("speed", "async", "fast", count=2, earliest=100_000),
        Publication("angle", "sync", cost=Cost(98_000, 50_000)),
    )
    assert threads["fusion"].subscribes == Subscription(("speed", "angle"), "there", Cost(61_000))
    assert threads["fusion"].activation == "and"
    assert threads["merge"].synchronizer == Synchronizer("mtd", 9)
    assert threads["merge/image"].synchronizer is None
    assert threads["filter"].follows == Following(("fusion",), 10_000, 1_000, order="arrival")
    assert threads["camera"].publishes[0].mode == "async"
    assert FULL.chains["all"] == Chain("all", (), ("sensor", "control"), 10**9, "reaction_time", 10)
    order = Order("speed first", "fusion", ("speed", "angle"), "sensor", "all")
    assert FULL.orders["speed first"] == order
    assert FULL.topics["image"].size == 1024
    assert FULL.links["ecu1", "ecu2"].best == 40_000
    assert FULL.cores["ecu2/c2"].partitions["rest"].budget == 4_000_000


def test_a_size_in_between_takes_the_worst_of_the_larger_row_and_the_best_of_the_smaller() -> None:
    text = TWO_THREADS.replace("size: 1kB", "size: 2kB").replace(
        "{1kB: 62us}", "{1kB: {worst: 60us, best: 10us}, 3kB: {worst: 90us, best: 80us}}"
    )
    system = ddsrta.loads(text.replace("{1kB: 224us}", "{3kB: 224us}"))
    assert system.sending_cost(system.threads["sensor"].publishes[0]) == Cost(90_000, 10_000)
    subscription = system.threads["control"].subscribes
    assert subscription is not None
    assert system.listening_cost(subscription, "speed") == Cost(224_000, 1)


def test_numbers_and_yes_are_names_like_any_other() -> None:
    text = TWO_THREADS.replace("c0", "1").replace("speed", "yes").replace("sensor", "1:30")
    system = ddsrta.loads(text)
    assert system.threads["1:30"].core == "ecu/1"
    assert list(system.topics) == ["yes"]


def test_merge_keys_share_what_repeats() -> None:
    text = TWO_THREADS.replace(
        "  control:\n", "  control:\n    <<: &common {wcet: 3ms, bcet: 1ms}\n"
    )
    thread = ddsrta.loads(text).threads["control"]
    assert (thread.wcet, thread.bcet) == (2_000_000, 1_000_000)
    earlier = TWO_THREADS.replace(
        "    wcet: 2ms\n", "    <<: [{wcet: 4ms}, {wcet: 5ms, bcet: 6us}]\n"
    )
    thread = ddsrta.loads(earlier).threads["control"]
    assert (thread.wcet, thread.bcet) == (4_000_000, 6_000)


def test_bytes_and_text_are_the_same() -> None:
    assert ddsrta.loads(TWO_THREADS.encode()) == ddsrta.loads(TWO_THREADS) == two_threads()


def test_positions_of_what_was_read() -> None:
    system = two_threads()
    lines = TWO_THREADS.splitlines()
    for path, text in [
        (("threads", "sensor"), "sensor:"),
        (("threads", "sensor", "wcet"), "1ms"),
        (("threads", "sensor", "publishes", 0, "topic"), "speed, mode"),
        (("chains", "control loop", "path", 2), "control]"),
        (("topics", "speed", "nothing"), "speed:"),
        (("threads", "sensor", "publishes", 7), "[{topic"),
    ]:
        position = system.where(*path)
        assert position is not None
        assert lines[position.line - 1][position.column - 1 :].startswith(text)


# What is reported


def test_all_errors_of_a_file_are_reported_at_once_and_in_order() -> None:
    text = (
        TWO_THREADS.replace("wcet: 2ms", "wcet: 2")
        .replace("policy: HIGH_PRIORITY", "policy: fair")
        .replace("core: ecu/c0\n    priority: 85", "core: ecu/c5\n    priorty: 85")
        .replace("deadline: 8ms", "deadline: soon")
    )
    assert [line.split(";")[0] for line in errors(text)] == [
        f"f:12:43: expected one of {', '.join(POLICIES)}, not 'fair'",
        "f:17:11: there is no core 'ecu/c5'",
        "f:18:5: unknown key 'priorty'",
        "f:25:11: '2' has no unit: write for example '2 us' or '2 ms'",
        "f:28:60: 'soon' is not a quantity such as '10 ms'",
    ]


def test_what_follows_from_an_error_is_not_reported() -> None:
    """Each of these breaks something that others refer to."""
    for good, bad in [
        ("  ecu: {cores: [c0, c1]}", "  ecu: {cores: 2}"),
        ("machines:\n  ecu: {cores: [c0, c1]}", "machines: [ecu]"),
        ("  ecu: {cores: [c0, c1]}", "  ecu: {}"),
        ("{1kB: 62us}", "{1kB: 62}"),
        ("{size: 1kB, priority: 0}", "{size: 1, priority: 0}"),
        ("topics:\n  speed: {size: 1kB, priority: 0}", "topics: [speed]"),
        ("priority: 80, policy", "priority: x, policy"),
        ("{core: ecu/c1, priority: 90}", "{core: ecu/c1, priority: 90, x: 1}"),
        ("listeners:\n  L: {core: ecu/c1, priority: 90}", "listeners: L"),
        ("wcet: 1ms", "wcet: 1"),
        ("wcet: 2ms", "wcet: 2"),
        ("period: 10ms", "arrival: {period: 1ms, min_distance: 2ms}"),
        ("threads:\n", "threads: []\nother:\n"),
    ]:
        assert good in TWO_THREADS
        found = [line for line in errors(TWO_THREADS.replace(good, bad)) if "'other'" not in line]
        assert len(found) == 1, found


@pytest.mark.parametrize(
    ("word", "known", "advice"),
    [
        ("perod", ["period", "priority"], "did you mean 'period'?"),
        ("fifo", ["FIFO", "ROUND_ROBIN"], "did you mean 'FIFO'?"),
        ("Round-Robin", ["FIFO", "ROUND_ROBIN"], "did you mean 'ROUND_ROBIN'?"),
        ("subscribe", ["publishes", "subscribes"], "did you mean 'subscribes'?"),
        ("", ["a"], "expected one of: a"),
        ("x", [], "none is defined"),
        ("zzz", [f"n{i}" for i in range(20)], "expected one of: " + ", ".join(
            f"n{i}" for i in range(12)) + ", …"),
        ("x", ["\x1b[31m", "y" * 300], "expected one of: \\x1b[31m, " + "y" * 40 + "…"),
    ],
)  # fmt: skip
def test_advice(word: str, known: list[str], advice: str) -> None:
    assert did_you_mean(word, known) == advice


def test_advice_is_found_soon_among_many() -> None:
    names = [f"thread_{i}" for i in range(200_000)]
    assert calls(lambda: did_you_mean("thraed_4711", names)) < 3 * len(names)


def test_a_diagnostic_without_a_place() -> None:
    assert str(Diagnostic(None, "what", "how")) == "what; how"
    assert str(Position("f", 1, 2)) == "f:1:2"


# Systems made in Python are validated without a file


def changed(kind: str, name: str, **changes: Any) -> list[str]:
    system = replace(two_threads().altered(kind, name, **changes), tree=None)
    return [str(diagnostic) for diagnostic in validate(system)]


@pytest.mark.parametrize(
    ("kind", "name", "changes", "message"),
    [
        ("threads", "sensor", {"core": "ecu/c7"}, "there is no core 'ecu/c7'"),
        ("listeners", "L", {"core": "c1"}, "there is no core 'c1'"),
        ("threads", "control", {"subscribes": Subscription(("sped",), "L")}, "there is no topic 'sped'"),
        ("threads", "control", {"subscribes": Subscription(("speed",), "M")}, "there is no listener 'M'"),
        ("threads", "sensor", {"publishes": (Publication("sped"),)}, "there is no topic 'sped'"),
        ("threads", "sensor", {"publishes": (Publication("speed", "async", "G"),)},
         "there is no flow controller 'G'"),
        ("threads", "sensor", {"publishes": (Publication("speed", "sync", count=0),)},
         "a job publishes at least one message"),
        ("threads", "control", {"follows": Following(("senser",))}, "there is no thread 'senser'"),
        ("chains", "control loop", {"path": ()}, "the path is empty"),
        ("chains", "control loop", {"path": ("nobody",)}, "a path starts with a thread, and 'nobody'"),
        ("chains", "control loop", {"ends": ("a", "control")}, "there is no thread 'a'"),
        ("chains", "control loop", {"path": ("sensor", "nobody")}, "a path ends with a thread, and"),
    ],
)  # fmt: skip
def test_references_of_a_system_made_in_python(
    kind: str, name: str, changes: dict[str, Any], message: str
) -> None:
    assert [text for text in changed(kind, name, **changes) if text.startswith(message)]


def test_long_circles_are_told_in_short() -> None:
    threads = {
        f"t{n}": Thread(f"t{n}", "m/c", 1, 1, follows=Following((f"t{(n + 1) % 99}",)))
        for n in range(99)
    }
    circles = [d for d in validate(System("s", threads=threads)) if "circle" in d.message]
    assert len(circles) == 1
    assert circles[0].message.count("→") == 11


# Size


def big(count: int) -> str:
    lines = ["ddsrta: 1", "machines:"]
    lines += [f"  ecu{i}: {{cores: [c0, c1, c2, c3]}}" for i in range(0, count, 40)]
    lines += ["delays:", "  listener: {1kB: 224us}", "  publisher: {1kB: 98us}", "topics:"]
    lines += [f"  t{i}: {{size: 1kB}}" for i in range(0, count, 2)]
    lines += ["listeners:"]
    lines += [f"  L{i}: {{core: ecu{i}/c0, priority: 90}}" for i in range(0, count, 40)]
    lines += ["threads:"]
    for i in range(count):
        ecu = i // 40 * 40
        lines += [f"  th{i}:", f"    core: ecu{ecu}/c{i % 4}", f"    priority: {1 + i % 80}"]
        lines += [f"    wcet: {1 + i % 9}us"]
        if i % 2:
            lines += [f"    subscribes: {{topics: [t{i - 1}], listener: L{ecu}}}"]
        else:
            lines += [
                f"    period: {10 + i % 7}ms",
                f"    publishes: [{{topic: t{i}, mode: sync}}]",
            ]
    return "\n".join(lines) + "\n"


def load(count: int) -> Callable[[], object]:
    text = big(count)
    return lambda: ddsrta.loads(text)


def test_a_thread_takes_few_calls_to_load() -> None:
    """Some 60 ms for a thousand."""
    assert calls(load(1000)) < 1000 * 400


def test_work_is_linear() -> None:
    assert growth(load, 500, 5_000) < 1.2


def test_many_threads_need_little_memory(tmp_path: Path) -> None:
    """A hundred thousand less than 500 MiB: here a fifth, beside what Python takes."""
    path = tmp_path / "big.yaml"
    path.write_text(big(20_000))
    code = (
        "import re, sys, ddsrta\n"
        "assert len(ddsrta.load(sys.argv[1]).threads) == 20_000\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    assert int(result.stdout) < (20 + 480 // 5) << 10  # KiB


def test_the_collector_is_left_as_it_was() -> None:
    assert gc.isenabled()
    two_threads()
    with pytest.raises(ddsrta.InputError):
        ddsrta.loads("[]")
    assert gc.isenabled()
    gc.disable()
    try:
        two_threads()
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_the_parser_of_python_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where PyYAML comes without libyaml."""
    monkeypatch.delattr("yaml.CSafeLoader")
    assert ddsrta.load(HERE / "full.yaml") == FULL
    assert errors("a: {")[0].startswith("f:1:5: not valid YAML")
    assert errors("a: \x07")[0] == "f:1:4: a control character, U+0007"
    assert read_text("a: 1").find(["a"]) == ("<text>", 1, 4)
