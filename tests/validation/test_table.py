"""Tables of latencies: names, figures, and what is wrong with a line."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.bounds.analyze import analyze
from ddsrta.examples import TWO_THREADS, two_threads
from ddsrta.models.reader import loads
from ddsrta.validation.compare import Validation, compare
from ddsrta.validation.measured import InconclusiveError, Series
from ddsrta.validation.reading import read_measured
from tests.effort import growth


def validated(text: str | bytes, folder: Path, system: str = TWO_THREADS) -> Validation:
    path = folder / "latencies.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    model = loads(system)
    return compare(model, analyze(model), read_measured(str(path), model, {}))


def test_names_of_everything_that_has_a_bound(tmp_path: Path) -> None:
    found = validated(
        "name,latency_ns\n# a remark\ncontrol loop,1643000\nsensor -> speed -> control,9\n"
        '"sensor → speed → control",11\ncontrol,2\n\nsensor,0\ncontrol loop,3\n',
        tmp_path,
    )
    assert [(row.kind, row.figure, row.seen.count, row.seen.most) for row in found.rows] == [
        ("chain", "latency", 2, 1_643_000),
        ("message", "async", 1, 9),
        ("message", "async", 1, 11),
        ("response", "", 1, 2),
        ("response", "", 1, 0),
    ]
    assert found.verdict == "ok"
    assert found.unmatched == found.unmeasured == ()
    assert found.rows[0].difference == 1  # the bound is 3.286 ms, twice of what was measured
    assert found.rows[-1].difference is None


def test_a_bound_holds_up_to_its_last_nanosecond(tmp_path: Path) -> None:
    assert validated("name,latency_ns\ncontrol loop,3286000\n", tmp_path).verdict == "ok"
    above = validated("name,latency_ns\nsensor,1\ncontrol loop,3286001\n", tmp_path)
    assert above.verdict == "violation"
    assert [row.name for row in above.rows] == ["control loop", "sensor"]
    assert above.violations[0].difference == Fraction(-1, 3286001)


def test_what_does_not_match_is_told(tmp_path: Path) -> None:
    found = validated("name,latency_ns\ncontrol-lop,5\nsensor,1\n", tmp_path)
    assert found.unmatched == (("control-lop", "did you mean 'control loop'?"),)
    assert found.unmeasured == (
        "chain control loop", "message sensor → speed → control", "response control",
    )  # fmt: skip


def test_nothing_of_the_system_is_vacuous(tmp_path: Path) -> None:
    for text in ("name,latency_ns\n", "name,latency_ns\nsensr,5\n"):
        found = validated(text, tmp_path)
        assert (found.verdict, found.compared) == ("vacuous", 0)


def test_a_name_of_several_things_has_to_say_which(tmp_path: Path) -> None:
    system = TWO_THREADS.replace("control loop:", "control:")
    found = validated("name,latency_ns\ncontrol,5\nchain:control,7\n", tmp_path, system)
    assert [(row.kind, row.seen.most) for row in found.rows] == [("chain", 7)]
    assert "write 'chain:control' or 'response:control'" in found.unmatched[0][1]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("sensor,-5", "'-5' is no latency"),
        ("sensor,1.5", "'1.5' is no latency"),
        ("sensor,nan", "'nan' is no latency"),
        ("sensor,1e9", "'1e9' is no latency"),
        ("sensor,99999999999999999", "is no latency"),
        ("sensor," + "9" * 5000, "is no latency"),
        ("sensor", "1 columns instead of 2"),
        ("sensor,1,2", "3 columns instead of 2"),
        (",5", "the name is missing"),
        ('"sensor,5', "no CSV"),
    ],
)
def test_a_wrong_line_is_refused_where_it_is(line: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=says) as caught:
        validated(f"name,latency_ns\nsensor,1\n{line}\n", tmp_path)
    assert "latencies.csv:3:1" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"name,latency_ns\nsensor,12",  # perhaps it was 1200000
        b"name,latency_ns\nsensor," + b"1" * 20_000,
    ],
)
def test_a_table_that_is_cut_off_is_inconclusive(text: bytes, tmp_path: Path) -> None:
    with pytest.raises(InconclusiveError):
        validated(text, tmp_path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"# ddsrta-trace 2\n", "version that is not known"),
        (b"time,value\n", "no format that is known"),
        (b"\x7fELF\x00\x00", "no format that is known"),
    ],
)
def test_what_is_no_file_of_measurements_is_refused(text, says, tmp_path) -> None:
    with pytest.raises(InputError, match=says):
        validated(text, tmp_path)


def test_percentiles_are_never_too_small_and_memory_does_not_grow() -> None:
    series = Series()
    for value in range(100_000):
        series.add(value)
    assert 98_999 <= series.percentile(99) <= 98_999 * 17 // 16
    assert len(series.counts) < 300
    assert sum(count for *_, count in series.histogram()) == 100_000
    assert all(least <= 99_999 for least, _, _ in series.histogram())


def test_another_plan_that_ran_contradicts_the_model(tmp_path: Path) -> None:
    from tests.validation.harness_trace import two_threads_trace

    system = two_threads()
    trace = two_threads_trace()
    trace.head.append("# plan: crc32 01234567")
    path = trace.write(tmp_path / "t")
    found = compare(system, analyze(system), read_measured(str(path), system, {}))
    assert [one.subject for one in found.contradicted] == ["plan"]
    assert found.verdict == "assumption broken"


def test_unknown_names_are_looked_up_in_linear_work(tmp_path: Path) -> None:
    def work(count: int) -> Callable[[], object]:
        cores = [f"c{number}" for number in range(count // 10)]
        threads = {
            f"t{n}": {
                "core": f"m/c{n // 10}",
                "priority": 1 + n % 10,
                "wcet": "1us",
                "period": "1ms",
            }
            for n in range(count)
        }
        system = {"ddsrta": 1, "machines": {"m": {"cores": cores}}, "threads": threads}
        model = loads(json.dumps(system))
        result = analyze(model, check=False)
        path = tmp_path / "latencies.csv"
        lines = "".join(f"un{name},1\n" for name in threads)
        path.write_text(f"name,latency_ns\n{lines}", "utf-8")
        measured = read_measured(str(path), model, {})
        return lambda: compare(model, result, measured)

    assert growth(work, 500, 2000) < 1.3


@pytest.mark.parametrize(
    ("least", "name"), [(1_000_003, "control loop"), (1_000_000, "control"), (1, "sensor")]
)
def test_less_than_best_cases_add_up_to_is_told(least: int, name: str, tmp_path: Path) -> None:
    """By a clock that may go by a microsecond."""
    system = TWO_THREADS.replace("    wcet: 2ms", "    wcet: 2ms\n    bcet: 1ms")
    assert validated(f"name,latency_ns\n{name},{least}\n", tmp_path, system).verdict == "ok"
    if (less := least - 1001) >= 0:
        found = validated(f"name,latency_ns\n{name},{least}\n{name},{less}\n", tmp_path, system)
        (told,) = found.contradicted
        assert (found.verdict, told.name) == ("assumption broken", name)
        assert "best cases (bcet, best) add up to 1" in told.text


def test_what_is_far_below_all_bounds_may_be_of_another_unit(tmp_path: Path) -> None:
    found = validated("name,latency_ns\ncontrol loop,2910\ncontrol,1500\n", tmp_path)
    assert found.verdict == "ok" and "are these nanoseconds" in found.notes[-1]
    near = "name,latency_ns\ncontrol loop,2910\ncontrol,20000\n"
    assert not validated(near, tmp_path).notes
