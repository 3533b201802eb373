"""Whatever a file holds, reading it ends soon, in a System or in errors with positions in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import ddsrta
from ddsrta.examples import TWO_THREADS
from ddsrta.models.validate import validate
from tests.effort import draws, ends

HERE = Path(__file__).parent
FULL = (HERE / "full.yaml").read_text("utf-8")
FIRST_LINK = FULL[: FULL.index("  - {from")].count("\n") + 1
FUZZED = settings(
    max_examples=draws(50, of=150),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)


@pytest.fixture(autouse=True, scope="module")
def _beside_the_trace() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(HERE)
        yield


def lines_of(text: str) -> list[str]:
    return re.split("\r\n|[\r\n\x85\u2028\u2029]", text.removeprefix("\ufeff"))


def outcome(text: str | bytes) -> ddsrta.System | ddsrta.InputError:
    """What comes of reading a text, after checking that it is one of the two promised ends."""
    try:
        with ends():
            system = ddsrta.loads(text, "fuzz.yaml")
    except ddsrta.InputError as error:
        decoded = text if isinstance(text, str) else text.decode("utf-8", "replace")
        check_positions(error, lines_of(decoded))
        return error
    assert validate(system) == []
    return system


def check_positions(error: ddsrta.InputError, lines: list[str]) -> None:
    assert error.diagnostics
    for diagnostic in error.diagnostics:
        file, line, column = diagnostic.position or ("", 0, 0)
        assert str(diagnostic).isprintable(), ascii(str(diagnostic))
        assert len(str(diagnostic)) < 2000
        if file != "fuzz.yaml":  # a trace
            assert Path(file).is_file()
            continue
        assert 1 <= line <= len(lines), diagnostic
        assert 1 <= column <= len(lines[line - 1]) + 1, diagnostic


def spans(text: str) -> list[tuple[int, int]]:
    """Where each value and key of a text is written."""
    found: list[tuple[int, int]] = []
    queue: list[yaml.Node] = [yaml.compose(text, Loader=yaml.BaseLoader)]
    while queue:
        node = queue.pop()
        found.append((node.start_mark.index, node.end_mark.index))
        if isinstance(node, yaml.SequenceNode):
            queue += node.value
        elif isinstance(node, yaml.MappingNode):
            queue += [part for pair in node.value for part in pair]
            found += [(k.start_mark.index, v.end_mark.index) for k, v in node.value]
    return sorted(set(found))


SPANS = spans(FULL)
ODD = [
    "", "~", "null", "yes", "on", "true", "0", "-0", "+1", "010", "0x1F", "0o17", "1_000", "1:30",
    "1.5", ".5", ".nan", "-.inf", "1e400", "9" * 400, "-" + "9" * 30, "10", "10 Ms", "10msec",
    "-1ms", "0ms", "1e3us", "0.1ns", "9999999h", "1,5ms", "1ms 2us", "10\u00a0ms", "３ms", "3KB",
    "[]", "{}", "[[]]", "{a: b}", "[1ms]", "[sensor]", "[sensor, speed]", "{? [a] : b}", "? a",
    "*delays", "*nothing", "&x 1ms", "&x [*x]", "{<<: *delays}", "{<<: [*delays, *delays]}",
    "{<<: 5}", "<<", "!!python/object:os.system {}", "!!python/name:os.system", "!!str 5",
    "!!int '5'", "!!binary aGk=", "!include x.yaml", "!", "!<tag:x> y", "!x!y z", "!!set {a, b}",
    "2024-01-01", "'quoted'", '"a\\nb"', '"\\u202e"', '"\\0"', '"\\ud800"', '"\\x1b[31m"', "' '",
    "ecu1/c0", "c0", "ecu1/", "/", "sensor", "fusion", "control", "speed", "nobody", "fifo",
    "ROUND_ROBIN", "and", "OR", "sync", "async", "data_age", "é", "日本", "🚗", "x" * 201,
    "x" * 5000, "|\n  text\n", ">-\n  folded\n", "# comment", "---", "...", "%TAG ! x", "@", "`",
    "\t", "\n\t- x", "a: b: c", "- - -", "{", "}", "[", "]", ",", ":", "'", '"', "\ufeff", "\x00",
    "\x07", "\x85", "\u2028", "\r", "\r\n", "\ud800", "\ufffe", "full.yaml", "/", ".", "/dev/zero",
]  # fmt: skip
pieces = st.one_of(st.sampled_from(ODD), st.text(max_size=20))


@FUZZED
@given(st.lists(st.tuples(st.sampled_from(SPANS), pieces), min_size=1, max_size=4))
def test_values_replaced(changes: list[tuple[tuple[int, int], str]]) -> None:
    text = FULL
    for (start, end), piece in sorted(changes, reverse=True):
        text = text[:start] + piece + text[end:]
    outcome(text)


PLACES = 204 // draws(1, of=4)  # in each so many one; another one with another piece


@pytest.mark.parametrize("piece", ODD)
def test_every_odd_value_in_many_places(piece: str) -> None:
    for start, end in SPANS[hash_of(piece) :: PLACES]:
        outcome(FULL[:start] + piece + FULL[end:])


def hash_of(piece: str) -> int:
    return sum(map(ord, piece)) % PLACES


@FUZZED
@given(st.sampled_from(SPANS), st.sampled_from(SPANS))
def test_values_swapped(first: tuple[int, int], second: tuple[int, int]) -> None:
    (a, b), (c, d) = sorted((first, second))
    if b <= c:
        outcome(FULL[:a] + FULL[c:d] + FULL[b:c] + FULL[a:b] + FULL[d:])


@FUZZED
@given(st.sampled_from(SPANS), st.sampled_from([", ", "\n", " ", ": "]), st.integers(2, 5))
def test_parts_repeated(span: tuple[int, int], separator: str, times: int) -> None:
    start, end = span
    outcome(FULL[:start] + separator.join([FULL[start:end]] * times) + FULL[end:])


@FUZZED
@given(st.lists(st.integers(0, FULL.count("\n")), min_size=1, max_size=3), st.booleans())
def test_lines_dropped_or_doubled(numbers: list[int], dropped: bool) -> None:
    lines = FULL.splitlines(keepends=True)
    for number in sorted(set(numbers), reverse=True):
        lines[number : number + 1] = [] if dropped else lines[number : number + 1] * 2
    outcome("".join(lines))


@FUZZED
@given(st.lists(st.integers(0, FULL.count("\n")), min_size=1, max_size=3), st.integers(-4, 4))
def test_lines_indented_otherwise(numbers: list[int], by: int) -> None:
    lines = FULL.splitlines(keepends=True)
    for number in set(numbers) & set(range(len(lines))):
        line = lines[number]
        lines[number] = (
            " " * by + line if by > 0 else line[min(-by, len(line) - len(line.lstrip())) :]
        )
    outcome("".join(lines))


@FUZZED
@given(st.integers(0, len(FULL)), st.binary(max_size=6), st.integers(0, 6))
def test_bytes_replaced(at: int, new: bytes, length: int) -> None:
    data = FULL.encode()
    outcome(data[:at] + new + data[at + length :])


@FUZZED
@given(st.binary(max_size=200))
@example(b"\xff\xfe\x00")
@example(b"\xef\xbb\xbf")
@example(b"")
@example(b"\xc3\xa9\x00")
def test_bytes_that_are_no_yaml(data: bytes) -> None:
    assert isinstance(outcome(data), ddsrta.InputError)


@FUZZED
@given(st.text(st.sampled_from("&*!|>'\"%@`{}[],#?:- \n\tab1<~."), max_size=60))
@example("---")
def test_text_of_yaml_indicators(text: str) -> None:
    assert isinstance(outcome(text), ddsrta.InputError)


def test_truncated_at_every_byte() -> None:
    data = TWO_THREADS.encode()
    for length in range(len(data)):
        outcome(data[:length])


def test_truncated_in_many_places() -> None:
    data = FULL.encode()
    for length in range(0, len(data), 11):
        outcome(data[:length])


@pytest.mark.parametrize(
    "text",
    [
        FULL.replace("\n", "\r\n"),
        FULL.replace("\n", "\r"),
        "\ufeff" + FULL,
        "---\n" + FULL + "...\n",
    ],
    ids=["CRLF", "CR", "BOM", "markers"],
)
def test_texts_that_are_the_same_to_yaml(text: str) -> None:
    assert outcome(text) == ddsrta.loads(FULL)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        (FULL + "---\nddsrta: 1\n", (FULL.count("\n") + 1, 1), "a second document"),
        (FULL.replace("  - {from", "\t- {from", 1), (FIRST_LINK, 1), "indent with spaces"),
        (FULL.replace("name: every", "name: \x00every"), (3, 7), "NUL"),
        (FULL.replace("name: every", "name: \x07every"), (3, 7), "control character, U+0007"),
        (FULL.encode().replace(b"name: every", b"name: \xc3\xa9\xff"), (3, 8), "not UTF-8"),
        (FULL.encode("utf-16"), (1, 1), "save the file as UTF-8"),
        ("a: &a [*a]\n", (1, 8), "no anchor '&a' ends before"),
        ("a: " + "[" * 100, (1, 35), "nested more than 32 levels"),
        ("{" * 100, (1, 33), "nested more than 32 levels"),
        ("a:\n" + "- " * 100, (2, 63), "nested more than 32 levels"),
        ("a: !!python/object:os.system {}\n", (1, 4), "'!!python/object:os.system'"),
        ("a: 1\na: 2\n", (2, 1), "duplicate key 'a'; first at line 1, column 1"),
        ("", (1, 1), "the file is empty"),
        ("# nothing\n", (1, 1), "the file is empty"),
    ],
)
def test_where_a_text_stops_making_sense(
    text: str | bytes, place: tuple[int, int], words: str
) -> None:
    error = outcome(text)
    assert isinstance(error, ddsrta.InputError)
    told = [d for d in error.diagnostics if words in str(d)]
    assert [d.position[1:] for d in told if d.position] == [place], str(error)


def test_many_errors_end_in_one_that_says_so() -> None:
    text = TWO_THREADS + "".join(f"junk{i}: 1\n" for i in range(10_000))
    error = outcome(text)
    assert isinstance(error, ddsrta.InputError)
    assert len(error.diagnostics) <= 102
    assert "too many errors" in str(error)
