"""Traces are streamed, exact, and refused with a line."""

from __future__ import annotations

import subprocess
import sys
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ddsrta
from ddsrta.models.trace import NEIGHBOURS, read_trace


def trace(folder: Path, *lines: str) -> Path:
    path = folder / "trace.txt"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@given(
    gaps=st.lists(st.integers(0, 30), min_size=1, max_size=200).filter(lambda g: sum(g) > 0),
    start=st.integers(-(10**6), 10**6),
)
def test_the_curve_is_the_least_of_the_record(
    gaps: list[int], start: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    stamps = list(accumulate(gaps, initial=start))
    known = min(NEIGHBOURS, len(gaps))
    least = [min(b - a for a, b in zip(stamps, stamps[n:], strict=False)) for n in range(known + 1)]
    path = trace(tmp_path_factory.mktemp("t"), *map(str, stamps))
    if least[-1] == 0:
        with pytest.raises(ddsrta.InputError, match="two timestamps that differ"):
            read_trace(path)
        return
    curve = read_trace(path)
    assert [curve.least_distance(q) for q in range(1, known + 2)] == least
    assert curve.largest_gap is None
    assert read_trace(path, gap=max(gaps)).largest_gap == max(gaps)
    with pytest.raises(ValueError, match="max_distance is below what the trace has"):
        read_trace(path, gap=max(gaps) - 1)
    for count in range(1, len(stamps) + 1):
        span = min(b - a for a, b in zip(stamps, stamps[count - 1 :], strict=False))
        assert curve.least_distance(count) <= span


@pytest.mark.parametrize(
    ("lines", "unit", "expected"),
    [
        (("0", "1.5", "4"), "us", (0, 1500, 4000)),
        (("1699999999.123456789", "1699999999.123456790"), "s", (0, 1)),
        (("# header", "", "5e-3  # first", "\t1e-2"), "s", (0, 5_000_000)),
        (("\ufeff0", "7\r"), "ns", (0, 7)),
    ],
)
def test_timestamps_are_exact(
    lines: tuple[str, ...], unit: str, expected: tuple[int, ...], tmp_path: Path
) -> None:
    curve = read_trace(trace(tmp_path, *lines), unit)
    assert tuple(curve.least_distance(q) for q in range(1, len(expected) + 1)) == expected


@pytest.mark.parametrize(
    ("lines", "number", "message"),
    [
        (("0", "x", "1"), 2, "'x' is not a timestamp"),
        (("0", "1,5"), 2, "'1,5' is not a timestamp"),
        (("0", "1_0"), 2, "'1_0' is not a timestamp"),
        (("0", "\u0663"), 2, "'\u0663' is not a timestamp"),
        (("0", "5" + " " * 400 + "7"), 2, "'5" + " " * 39 + "…' is not a timestamp"),
        (("0", " " * 395 + "123456"), 2, "'12345…' is not a timestamp"),
        (("0", "nan"), 2, "'nan' is not a timestamp"),
        (("0", "inf"), 2, "'inf' is not a timestamp"),
        (("0", "\x1b[31m"), 2, r"'\x1b[31m' is not a timestamp"),
        (("0", "1e999999999"), 2, "'1e999999999' is too large for a timestamp"),
        (("0", "1e-999999999"), 2, "'1e-999999999' is finer than one nanosecond"),
        (("0", "0.5"), 2, "'0.5' is finer than one nanosecond"),
        (("0", "1." + "0" * 40 + "1"), 2, f"'1.{'0' * 38}…' is finer than one nanosecond"),
        (("0", "1" * 70), 2, f"'{'1' * 40}…' is not a timestamp"),
        (("0", "9" * 19), 2, f"'{'9' * 19}' is too large for a timestamp"),
        (("5", "# down", "4"), 3, "the timestamps must not decrease"),
        (("0", str(1 << 54)), 2, "more than 104 days after the timestamp before"),
        (("# " + "9" * 5000, "0", "x"), 3, "'x' is not a timestamp"),
        (("7",), 1, "a trace needs at least two timestamps that differ"),
        (("7", "7"), 1, "a trace needs at least two timestamps that differ"),
        ((), 1, "a trace needs at least two timestamps that differ"),
    ],
)
def test_bad_lines_are_named(
    lines: tuple[str, ...], number: int, message: str, tmp_path: Path
) -> None:
    path = trace(tmp_path, *lines)
    with pytest.raises(ddsrta.InputError) as caught:
        read_trace(path)
    assert str(caught.value) == f"{path}:{number}:1: {message}"


@pytest.mark.parametrize(
    ("name", "message"),
    [("none.txt", "no such file"), (".", "not a file"), ("/dev/zero", "not a file")],
)
def test_a_trace_that_is_no_file_is_named_where_it_is_used(
    name: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "system.yaml"
    path.write_text(
        "ddsrta: 1\nmachines: {m: {cores: [c]}}\nthreads:\n"
        f"  t: {{core: m/c, priority: 1, wcet: 1us, arrival: {{trace: {name}}}}}\n"
    )
    with pytest.raises(ddsrta.InputError) as caught:
        ddsrta.load(path)
    assert str(caught.value) == f"{path}:4:59: trace '{tmp_path / name}': {message}"


def test_memory_does_not_grow_with_the_trace(tmp_path: Path) -> None:
    code = (
        "import re, sys; from pathlib import Path\n"
        "from ddsrta.models.trace import read_trace\n"
        "read_trace(Path(sys.argv[1]))\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1])"
    )
    peaks = []
    for lines in (1000, 200_000):
        path = trace(tmp_path, *(str(n * 1000) for n in range(lines)))
        result = subprocess.run(
            [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
        )
        peaks.append(int(result.stdout))
    assert peaks[1] - peaks[0] < 2048  # KiB; the file has 1.9 MB
