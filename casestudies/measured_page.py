"""docs/measured.md: the bounds of today beside what a run on real Fast DDS left in a folder.

The text around the tables is `page.md` of that folder.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from casestudies.statements import table
from ddsrta.base.units import Duration, format_duration
from ddsrta.bounds.analyze import analyze
from ddsrta.models.reader import load, loads
from ddsrta.models.system import System
from ddsrta.report.validation import difference
from ddsrta.validation.compare import Row, limits
from ddsrta.validation.late import CAUSES, Found, Late, Verdict, judge
from ddsrta.validation.measured import Key, Series

STOP = 100_000  # ns, of all CPUs: so long others may have used them where nothing was disturbed
_PRINTED = {
    "1kB": (62, 224, 98), "3kB": (64, 261, 172), "5kB": (99, 346, 339), "24kB": (110, 459, 493),
    "500kB": (759, 1084, 2046), "750kB": (1067, 1576, 2620), "1500kB": (1433, 2123, 3592),
}  # fmt: skip
_ROW = re.compile(
    r"^    (\w+): \d+us  # .*of (\d+) samples: longest (\d+), p50 (\d+), p99 (\d+) us$"
)
_FACTS = ("middleware", "kernel", "processor", "cpus", "virtual machine", "real-time throttling",
          "measured on cpus", "date")  # fmt: skip
_HEAD = (
    "configuration", "measured", "ten rules", "with locks", "and stops", "longest", "difference",
    "undisturbed", "difference", "p50", "p99", "p99.9", "count", "above",
)  # fmt: skip
_NOTE = {
    "machine": "the trace has records of others than the system on the CPUs of its path, in its "
    "very time, for at least as long as it is above its bound",
    "overrun": "a job or a message took more processor time than its wcet or δ: a stop that the "
    "kernel counted as work (the host's, an interrupt), or a δ measured too small",
    "middleware": "a thread at work on it gave its CPU away (a lock, a full queue, a page of "
    "memory), or several samples left in one datagram",
    "unexplained": "the trace has no evidence of any of these. For how long a CPU that had work "
    "was used by nobody of the system is told, which does not say who used it",
}


def text(data: Path, policies: Mapping[str, str]) -> str:
    """The page."""
    seen = {name: _json(data / f"{name}.json") for name in policies}
    first = next(iter(seen.values()))
    rows = [row for name in policies for row in _rows(data, name, seen[name])]
    messages = sum(row["count"] for row in first["rows"] if row["kind"] == "message")
    late = sum(bool(verdicts) for _, _, _, verdicts in rows)
    small, large = (_delays(data / f"delays_{name}.yaml") for name in ("small", "large"))
    return (
        (data / "page.md")
        .read_text(encoding="utf-8")
        .format(
            count=f"{messages:,}",
            facts="\n".join(
                f"- {fact}: {first['said'][fact]}" for fact in _FACTS if fact in first["said"]
            ),
            warnings="\n".join(f"- {line}" for line in first["warnings"]),
            samples=_count(small),
            large=_count(large),
            delays=_delay_table(small | large),
            blocks=first["blocks"],
            used=_used(first["used"]),
            stop=_us(STOP),
            rows=table(_HEAD, [cells for cells, *_ in rows]),
            jobs=_jobs(seen),
            late="Nothing was measured above its bound."
            if not late
            else "What is above its bound is looked into below.",
            above="\n".join(_above(rows)),
            livelock="\n".join(_livelock(data, policies)),
        )
    )


def _json(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def _delays(path: Path) -> dict[tuple[str, str], tuple[int, int, int, int]]:
    """Largest, samples, p50, p99 of each stage and size."""
    found, stage = {}, ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("  ") and line.endswith(":"):
            stage = line.strip().removesuffix(":")
        elif match := _ROW.match(line):
            size, *numbers = match.groups()
            count, longest, p50, p99 = map(int, numbers)
            found[stage, size] = longest, count, p50, p99
    return found


def _count(delays: dict[tuple[str, str], tuple[int, int, int, int]]) -> str:
    return f"{min(count for _, count, *_ in delays.values()):,}"


def _delay_table(delays: dict[tuple[str, str], tuple[int, int, int, int]]) -> str:
    rows = []
    for size, printed in _PRINTED.items():
        cells = [size.replace("kB", " kB")]
        for stage in ("flow_controller", "listener", "publisher"):
            longest, _, p50, p99 = delays[stage, size]
            cells.append(f"{longest} ({p50}, {p99})")
        rows.append([*cells, " / ".join(map(str, printed))])
    return table(["size", "flow controller", "listener", "publisher", "printed"], rows)


def _used(used: dict[str, int]) -> str:
    return table(list(used), [[_us(time) for time in used.values()]])


_Shown = tuple[list[str], str, dict[str, Any], list[Verdict]]


def _rows(data: Path, name: str, seen: dict[str, Any]) -> Iterator[_Shown]:
    """Cells, what they are of, what was measured, and what was above its bound."""
    system = load(data / f"{name}.yaml")
    plain = limits(system, analyze(system))
    real = with_locks(data, name)
    limit_of = limits(real, analyze(real))
    stopped = with_stops(data, name)
    stopped_limit = limits(stopped, analyze(stopped))
    for row in sorted(
        seen["rows"], key=lambda row: ("message", "response", "chain").index(row["kind"])
    ):
        if row["kind"] == "chain" and row["figure"] != "latency":
            continue
        key = Key(row["kind"], tuple(row["name"]), row["figure"])
        bound = limit_of(key)
        what = _what(row)
        verdicts = [] if bound is None else list(_verdicts(row, bound))
        wider = stopped_limit(key)
        bounds = [plain(key), bound, wider]
        cells = [_short(system.name), what]
        cells += ["unbounded" if one is None else _us(one) for one in bounds]
        for held, time in ((bound, row["max"]), (wider, row["undisturbed"])):
            cells += [_us(time), _difference(held, time)]
        cells += [*(_us(row[p]) for p in ("p50", "p99", "p999")), f"{row['count']:,}"]
        more = "+" if len(verdicts) == len(row["longest"]) else ""
        yield [*cells, f"{len(verdicts)}{more}" if verdicts else "–"], system.name, row, verdicts


def with_locks(data: Path, name: str) -> System:
    """The system with Fast DDS as it is."""
    return loads(_with_locks(data, name), name)


def with_stops(data: Path, name: str) -> System:
    """The same, and once in any second others use each CPU for STOP, before all threads of it."""
    text, cores = _with_locks(data, name), ("c0", "c1")
    stops = (
        f"  others_{core}: {{core: node/{core}, priority: 99, wcet: {STOP}ns, period: 1s}}\n"
        for core in cores
    )
    return loads(text.replace("threads:\n", "threads:\n" + "".join(stops), 1), name)


def _with_locks(data: Path, name: str) -> str:
    """write() to a controller is taken to be as long as the longest of the run."""
    written = (data / f"{name}.yaml").read_text(encoding="utf-8")
    write = max(1, _json(data / f"{name}.json")["publisher"]["write_max"])
    middleware = f'middleware: {{fastdds: "2.9", write: {write}ns}}\n'
    return written.replace("machines:\n", f"{middleware}machines:\n", 1)


def _jobs(seen: Mapping[str, dict[str, Any]]) -> str:
    head = ["configuration", "jobs", "gave their CPU away", "writes", "of which did so", "write()"]
    rows = []
    for document in seen.values():
        found = document["publisher"]
        numbers = [f"{found[key]:,}" for key in ("jobs", "slept", "writes", "asleep")]
        times = [_of(found, part) for part in ("write", "used", "late")]
        rows.append([_short(document["said"]["system"]), *numbers, *times])
    return table([*head, "processor time", "release to start"], rows)


def _of(found: Mapping[str, int], part: str) -> str:
    p50, p999, most = (_us(found[f"{part}_{of}"]) for of in ("p50", "p999", "max"))
    return f"{most} ({p50}, {p999})" if found[f"{part}_max"] else "–"


def _difference(bound: int | None, measured: int) -> str:
    series = Series(1, measured, measured)
    return difference(Row("", "", "", None if bound is None else Duration(bound), series))


def _short(system: str) -> str:
    return system.removeprefix("three topics, ")


def _what(row: dict[str, Any]) -> str:
    if row["kind"] == "message":
        return f"delivery {row['name'][1]}"
    return (
        f"response {row['name'][0]}"
        if row["kind"] == "response"
        else f"end to end {row['name'][0]}"
    )


def _verdicts(row: dict[str, Any], bound: int) -> Iterator[Verdict]:
    """Of those that were kept; the longest are."""
    for one in row["longest"]:
        if one["value"] > bound:
            found = Found(**{key: one[key] for key in Found._fields if key in one})
            end = one["at"] + one["value"]
            late = Late(one["value"], one["at"], end, one["at"], "")
            yield judge(late, bound, found)


def _above(rows: list[_Shown]) -> Iterator[str]:
    if not any(verdicts for *_, verdicts in rows):
        yield "Nothing was measured above its bound."
        return
    yield "Each is shown, none is dropped. The causes are read off the trace, which has processor"
    yield "time and context switches of every thread:"
    yield ""
    yield from (f"- *{cause}*: {_NOTE[cause]}." for cause in reversed(CAUSES))
    yield ""
    cells = []
    for _, system, row, verdicts in rows:
        if verdicts:
            causes = Counter(verdict.cause for verdict in verdicts)
            counted = ", ".join(f"{causes[cause]} {cause}" for cause in CAUSES if causes[cause])
            worst = verdicts[0]
            at = format_duration(worst.late.begin)
            longest = f"{_us(worst.late.value)} at {at}"
            why = f"{worst.cause}: {worst.text}"
            cells.append([_short(system), _what(row), counted, longest, why])
    yield table(["configuration", "measured", "above the bound", "the longest", "its cause"], cells)


def _livelock(data: Path, policies: Mapping[str, str]) -> Iterator[str]:
    for name, policy in policies.items():
        if policy:
            ended = _json(data / f"{name}_livelock.json")["said"].get("ended", "?")
            yield f"- Conf. {name[-1]}, {policy}: ended {ended}"


def _us(time: int) -> str:
    """Microseconds, rounded up to a tenth."""
    tenths = -(-time // 100)
    return f"{tenths // 10}.{tenths % 10} µs"
