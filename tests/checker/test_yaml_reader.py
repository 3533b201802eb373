"""The checker's reader of system.yaml: known answers, what it refuses, what it does not read."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import ddsrta
from ddsrta.checker import CertificateError
from ddsrta.checker.yaml import NotReadError, read_document

HEAD = "ddsrta: 1\nmachines: {m: {cores: [c]}}\n"


def thread(body: str, more: str = "") -> dict:
    text = f"{HEAD}{more}threads: {{a: {{core: m/c, priority: 5, {body}}}}}\n"
    return read_document(text, "system.yaml")["threads"]["a"]


@pytest.mark.parametrize(
    ("written", "nanoseconds"),
    [
        ("1ns", 1),
        ("1 us", 1_000),
        ("1\u00b5s", 1_000),
        ("1\u03bcs", 1_000),
        ("1.5ms", 1_500_000),
        ("' +1.000001 ms '", 1_000_001),
        ("0.000000001s", 1),
        ("001s", 10**9),
        ("2min", 120 * 10**9),
        ("2h", 7200 * 10**9),
        ("9007199254740992ns", 2**53),
        ("!!str 1ms", 1_000_000),
    ],
)
def test_times(written, nanoseconds):
    assert thread(f"wcet: {written}, period: 10ms")["wcet"] == nanoseconds


@pytest.mark.parametrize(
    "written",
    ["1", "1m", "1MS", "1 sec", "-1ms", "1e3us", "1_0us", ".5ms", "1.ms", "0.5ns", "0ms", "~", "",
     "[1ms]", "9007199254740993ns", '"\u0661ms"', "1" * 31 + "ns", "1." + "0" * 31 + "ms", "1kB",
     '"' + " " * 10**6 + '1ms"'],
)  # fmt: skip
def test_what_is_no_time(written):
    with pytest.raises(CertificateError, match=r"^system\.yaml:3:\d+: "):
        thread(f"wcet: {written}, period: 10ms")


@pytest.mark.parametrize(
    ("written", "size"),
    [("0B", 0), ("1kB", 1000), ("1KB", 1000), ("1.5KiB", 1536), ("1MB", 10**6), ("1 MiB", 2**20),
     ("1GB", 10**9), ("1GiB", 2**30), ("0.0009765625KiB", 1)],
)  # fmt: skip
def test_sizes(written, size):
    text = f"{HEAD}topics: {{t: {{size: {written}}}}}\nthreads: {{}}\n"
    assert read_document(text, "s")["topics"]["t"] == {
        "size": size,
        "priority": 10,
        "history": None,
    }


@pytest.mark.parametrize(
    "written", ["1", "1kb", "1K", "1TB", "0.5B", "1.0005kB", "2000000GB", "1ms"]
)
def test_what_is_no_size(written):
    with pytest.raises(CertificateError):
        read_document(f"{HEAD}topics: {{t: {{size: {written}}}}}\nthreads: {{}}\n", "s")


@pytest.mark.parametrize(
    "written", ["05", "0x10", "1_0", "1.0", '"5"', "!!str 5", "yes", "5ms", "2147483648"]
)
def test_what_is_no_priority(written):
    with pytest.raises(CertificateError):
        read_document(
            f"{HEAD}topics: {{t: {{size: 1B, priority: {written}}}}}\nthreads: {{}}\n", "s"
        )


@pytest.mark.parametrize(
    "written",
    ["~", "null", "''", "'~'", "' x'", '"a\\tb"', '"a\\u200bb"', "x" * 201, "[x]", "!x x"],
)
def test_what_is_no_name(written):
    with pytest.raises(CertificateError):
        read_document(f"{HEAD}name: {written}\nthreads: {{}}\n", "s")


@pytest.mark.parametrize("written", ["1", "yes", "1:30", "1.50", "'it''s'", "<<", "x" * 200])
def test_names_are_what_is_written(written):
    name = read_document(f"{HEAD}name: {written}\nthreads: {{}}\n", "s")["name"]
    assert name == written.strip("'").replace("''", "'")


def test_merged_keys_come_after_own_ones_and_never_replace_them():
    document = read_document(
        f"""{HEAD}threads:
  b: &b {{core: m/c, priority: 5, wcet: 1ms, period: 10ms}}
  <<: [{{y: *b, b: {{wcet: 9ms}}}}, {{x: *b, y: {{wcet: 9ms}}}}]
  a: {{priority: 7, <<: *b}}
""",
        "s",
    )
    assert list(document["threads"]) == ["b", "a", "y", "x"]
    assert [t["wcet"] for t in document["threads"].values()] == [10**6] * 4
    assert document["threads"]["a"]["priority"] == 7


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "empty"),
        ("[]", "expected a mapping"),
        ("x: [", "not valid YAML"),
        (HEAD + "threads: {}\n---\n", "a second document"),
        (HEAD + "threads: {}\nthreads: {}", "given twice"),
        (HEAD + "threads: &t {a: *t}", "no such anchor"),
        (HEAD + "threads: {<<: 5}", "merges mappings"),
        (HEAD + "threads: {? [a] : b}", "a key is a word"),
        (HEAD + "threads: !!set {a}", "the tag"),
        ("ddsrta: 2\nmachines: {}\nthreads: {}", "expected 1"),
        ("ddsrta: '1'\nmachines: {}\nthreads: {}", "expected 1"),
        ("ddsrta: 1\nthreads: {}", "'machines' is missing"),
        (HEAD, "threads or callbacks"),
        (b"name: \xff", "not UTF-8"),
        ("name: \x00", "not valid YAML"),
        ("name: \ud800", "not valid YAML"),
    ],
)
def test_what_is_no_system(text, what):
    with pytest.raises(CertificateError, match=f"^s:\\d+:\\d+: .*{what}") as caught:
        read_document(text, "s")
    assert not isinstance(caught.value, NotReadError)


def test_an_unknown_key_is_not_read():
    with pytest.raises(
        NotReadError, match="3:45: not read by the checker: the key 'cost' of a thr"
    ):
        thread("cost: 5")


@pytest.mark.parametrize(
    "executor",
    [
        "core: m/c, priority: 5, threads: 2",
        "cores: [m/c], priority: 5",
        "cores: [m/c, m/d], priority: 5, kind: multi_threaded, threads: 3",
        "cores: [m/c, m/c], priority: 5, kind: multi_threaded",
        "cores: [m/c, m/d], priority: 5, kind: multi_threaded, partition: p",
        "core: m/c, cores: [m/d], priority: 5, kind: multi_threaded",
        "core: m/c, kind: multi_threaded, reservation: {budget: 1ms, period: 2ms}",
        "core: m/c, priority: 5, kind: fixed_priority",
        "core: m/c, priority: 5, reservation: {budget: 1ms, period: 2ms}",
        "core: m/c",
    ],
)
def test_what_the_document_does_not_hold_is_held_against_the_rest(executor):
    text = f"{HEAD}executors: {{e: {{{executor}}}}}\ncallbacks: {{f: {{executor: e, wcet: 1ms, timer: 1s}}}}\n"
    with pytest.raises(CertificateError, match=r"^s:"):
        read_document(text, "s")


def test_a_made_up_name_is_that_of_one_thing():
    text = f"""{HEAD}topics: {{a: {{size: 1B}}, background: {{size: 1B}}}}
listeners: {{L: {{core: m/c, priority: 9}}}}
executors: {{e: {{core: m/c, priority: 5, background: {{wcet: 1ms, period: 1s}}}}}}
callbacks:
  e:
    executor: e
    wcet: 1ms
    subscribes: {{topics: [a, background], listener: L, activation: and}}
"""
    with pytest.raises(CertificateError, match="'e/background' is there twice"):
        read_document(text, "s")
    with pytest.raises(ddsrta.InputError, match="'e/background' is defined twice"):
        ddsrta.loads(text)


def bomb(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for level in range(1, levels):
        lines.append(f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]")
    return "\n".join(lines)


def merge_bomb(levels: int) -> str:
    lines = ["a0: &a0 {" + ", ".join(f"k{i}: 1" for i in range(1000)) + "}"]
    lines += [f"a{i}: {{<<: [{', '.join(['*a0'] * 100)}]}}" for i in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "{a: " * 100_000, "- " * 100_000, bomb(30), merge_bomb(30), "name: " + "x" * 2**20]
)  # fmt: skip
def test_hostile_texts_are_refused_early(text):
    with pytest.raises(CertificateError):
        read_document(text, "s")


@pytest.mark.parametrize("name", ["full.yaml", "contract.yaml"])
def test_it_reads_the_same_without_libyaml(name, monkeypatch):
    path = Path(__file__).parents[1] / "models" / name
    expected = read_document(path.read_bytes(), str(path))
    monkeypatch.setitem(sys.modules, "yaml._yaml", None)
    assert read_document(path.read_bytes(), str(path)) == expected
    with pytest.raises(NotReadError):
        read_document("[" * 10_000, "s")


def test_an_alias_within_its_own_anchor_is_of_no_other_node():
    text = f"{HEAD}name: &a x\nthreads: &a {{*a : {{core: m/c}}}}\n"
    with pytest.raises(CertificateError, match="no such anchor"):
        read_document(text, "s")
    with pytest.raises(ddsrta.InputError, match="no anchor '&a' ends before this alias"):
        ddsrta.loads(text)


def test_a_trace_is_read_beside_the_system(tmp_path):
    (tmp_path / "t.txt").write_text("# us\n-1.5\n0 # first\n\n2\n1e1\n")
    text = f"{HEAD}threads: {{a: {{core: m/c, priority: 5, wcet: 1ms, arrival: ARRIVAL}}}}\n"
    text = text.replace("ARRIVAL", "{trace: t.txt, unit: us, max_distance: 8us}")
    arrival = read_document(text, str(tmp_path / "s.yaml"))["threads"]["a"]["arrival"]
    assert arrival == {
        "kind": "curve",
        "distances": [0, 1500, 3500],
        "repeat": 3,
        "period": 11500,
        "gap": 8000,
    }
    with pytest.raises(CertificateError, match="below what the trace has"):
        read_document(text.replace("8us", "7us"), str(tmp_path / "s.yaml"))


@pytest.mark.parametrize(
    "content", ["", "1\n", "1\n1\n", "2\n1\n", "1_0\n20\n", "\u0661\n2\n", "1 2\n", "0.0001\n1\n", "nan\n1\n", "1e99\n2\n"]
)  # fmt: skip
def test_what_is_no_trace(tmp_path, content):
    (tmp_path / "t.txt").write_text(content)
    text = f"{HEAD}threads: {{a: {{core: m/c, priority: 5, wcet: 1ms, arrival: {{trace: t.txt, unit: us}}}}}}\n"
    with pytest.raises(CertificateError):
        read_document(text, str(tmp_path / "s.yaml"))


@pytest.mark.parametrize("name", ["missing", "/dev/zero", ".", "a/../../b"])
def test_a_trace_is_a_file(tmp_path, name):
    text = (
        f"{HEAD}threads: {{a: {{core: m/c, priority: 5, wcet: 1ms, arrival: {{trace: {name}}}}}}}\n"
    )
    with pytest.raises(CertificateError, match="the trace"):
        read_document(text, str(tmp_path / "s.yaml"))
