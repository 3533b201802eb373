"""Events come out of a trace as they went in, in order, and no damage passes for data."""

from __future__ import annotations

import tracemalloc
from collections import deque
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddsrta.formats.ctf import open_trace
from tests.effort import calls
from tests.formats.ctf.recorded import TICK, read, written
from tests.formats.ctf_writer import (
    CALLBACKS,
    UST,
    Choice,
    Either,
    Group,
    Int,
    Many,
    Real,
    Str,
    TraceWriter,
    write_large,
)

TAG = Choice(Int(8), {"number": (0, 0), "words": (1, 9), "pair": (10, 255)})
KINDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "unsigned": ({f"u{n}": Int(n) for n in (8, 16, 32, 64)}, {f"u{n}": 2**n - 2 for n in (8, 16, 32, 64)}),
    "signed": ({f"i{n}": Int(n, True) for n in (8, 16, 32, 64)}, {f"i{n}": -(2 ** (n - 1)) for n in (8, 16, 32, 64)}),
    "bits": (
        {"a": Int(3, align=1), "b": Int(11, True, align=1), "c": Int(27, align=1), "d": Int(64, align=1), "e": Int(16)},
        {"a": 5, "b": -700, "c": 123_456_789, "d": 2**64 - 3, "e": 4660},
    ),
    "odd sizes": ({"a": Int(24), "b": Int(40, True), "c": Int(1, align=1), "d": Int(7, align=4)},
                  {"a": 0xABCDEF, "b": -5_000_000_000, "c": 1, "d": 100}),
    "natural alignment": (
        {"a": Int(8), "b": Int(64, align=64), "c": Int(16, align=16), "d": Int(32, align=32), "e": Int(64, align=64)},
        {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5},
    ),
    "other byte order": ({"a": Int(32, order="be"), "b": Int(32, order="le"), "c": Int(16)},
                         {"a": 1, "b": 2, "c": 3}),
    "floats": ({"f": Real(32), "d": Real(64)}, {"f": 1.5, "d": -0.1}),
    "strings": ({"s": Str(), "n": Int(32), "t": Str(), "u": Str()}, {"s": "zwölf", "n": 7, "t": "", "u": "end"}),
    "text": ({"name": Many(Int(8, True, text=True), 17), "n": Int(8)}, {"name": "proc", "n": 3}),
    "a long text": ({"name": Many(Int(8, text=True), 4000)}, {"name": "x" * 3999}),
    "arrays": ({"a": Many(Int(32), 3), "b": Many(Many(Int(16), 2), 2), "c": Many(Int(5, align=1), 3)},
               {"a": [1, 2, 3], "b": [[1, 2], [3, 4]], "c": [1, 30, 31]}),
    "sequences": (
        {"len": Int(16), "a": Many(Int(64), "len"), "b": Many(Int(8, text=True), "len"), "c": Many(Str(), "len")},
        {"len": 2, "a": [8, 9], "b": "xy", "c": ["one", "two"]},
    ),
    "no elements": ({"len": Int(8), "a": Many(Int(64, align=64), "len"), "b": Int(8)}, {"len": 0, "a": [], "b": 9}),
    "structs": (
        {"p": Group({"x": Int(8), "y": Int(32, align=32)}), "len": Int(8),
         "q": Many(Group({"n": Int(8), "v": Many(Int(16), "n")}), "len")},
        {"p": {"x": 1, "y": 2}, "len": 2, "q": [{"n": 1, "v": [7]}, {"n": 2, "v": [8, 9]}]},
    ),
    "enum": ({"state": Choice(Int(16), {"on": (1, 1), "off": (2, 900)})}, {"state": 500}),
    "nothing": ({}, {}),
}  # fmt: skip


@pytest.mark.parametrize("header", ["compact", "large", "plain"])
@pytest.mark.parametrize("order", ["le", "be"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_field(tmp_path: Path, kind: str, order: str, header: str) -> None:
    fields, values = KINDS[kind]
    writer = TraceWriter({"first": fields, "last": {"end": Int(16)}}, order, header)
    events = [(5, "first", values), (6, "last", {"end": 9}), (7, "first", values)]
    written(tmp_path, writer, s0=writer.packet(events, cpu=3, padding=13))
    found = read(tmp_path)
    expected = pytest.approx(values) if kind == "floats" else values
    assert [fields for _, _, _, fields in found] == [expected, {"end": 9}, expected]
    assert [event[:3] for event in found] == [(5, "first", 3), (6, "last", 3), (7, "first", 3)]


@pytest.mark.parametrize("order", ["le", "be"])
def test_variants_follow_their_tag(tmp_path: Path, order: str) -> None:
    options = {"number": Int(64, True), "words": Str(), "pair": Group({"x": Int(8), "y": Int(8)})}
    writer = TraceWriter({"e": {"tag": TAG, "v": Either("tag", options), "end": Int(8)}}, order)
    values = [(0, ("number", -1)), (5, ("words", "abc")), (77, ("pair", {"x": 1, "y": 2}))]
    events = [(i, "e", {"tag": t, "v": v, "end": i}) for i, (t, v) in enumerate(values)]
    written(tmp_path, writer, s0=writer.packet(events))
    assert [fields["v"] for *_, fields in read(tmp_path)] == [v for _, (_, v) in values]
    assert [fields["end"] for *_, fields in read(tmp_path)] == [0, 1, 2]


def test_paths_to_fields_around_an_event(tmp_path: Path) -> None:
    fields = {
        "a": Many(Int(8), "stream.event.context._size"),
        "b": Many(Int(8), "stream.packet.context.cpu_id"),
    }
    writer = TraceWriter({"e": fields}, context={"_size": Int(8)})
    events = [(1, "e", {"a": [1, 2, 3], "b": [4, 5]})]
    written(tmp_path, writer, s0=writer.packet(events, cpu=2, context={"_size": 3}))
    assert read(tmp_path)[0][3] == {"size": 3, "a": [1, 2, 3], "b": [4, 5]}


def test_the_context_comes_with_the_fields_and_lttng_underscores_go(tmp_path: Path) -> None:
    writer = TraceWriter(
        {"e": {"__len": Int(8), "_x": Int(8), "_vtid": Int(8)}},
        context={f"_{k}": v for k, v in UST.items()},
    )
    context = {"_vpid": 7, "_procname": "node", "_vtid": -8}
    events = [(1, "e", {"__len": 1, "_x": 2, "_vtid": 9})]
    written(tmp_path, writer, s0=writer.packet(events, context=context))
    assert read(tmp_path)[0][3] == {"vpid": 7, "procname": "node", "vtid": 9, "_len": 1, "x": 2}


def test_a_field_hides_a_text_of_the_context(tmp_path: Path) -> None:
    context = {"procname": Many(Int(8, text=True), 17), "x": Int(8)}
    writer = TraceWriter({"e": {"procname": Int(32)}}, context=context)
    events = [(1, "e", {"procname": 5})]
    written(tmp_path, writer, s0=writer.packet(events, context={"procname": "a", "x": 1}))
    assert read(tmp_path)[0][3] == {"procname": 5, "x": 1}


@pytest.mark.parametrize(("header", "bits"), [("compact", 27), ("large", 32)])
def test_the_short_clock_wraps_around(tmp_path: Path, header: str, bits: int) -> None:
    writer = TraceWriter(TICK, header=header)
    start = 5 * 2**40 + 2**bits - 10
    times = [
        start,
        start + 9,
        start + 10,
        start + 2**bits,
        start + 2 * 2**bits - 1,
        start + 3 * 2**bits - 2,
    ]
    events = [(t, "tick", {"n": i}) for i, t in enumerate(times)]
    written(tmp_path, writer, s0=writer.packet(events))
    assert [event[0] for event in read(tmp_path)] == times


@pytest.mark.parametrize("header", ["compact", "large"])
def test_extended_headers(tmp_path: Path, header: str) -> None:
    writer = TraceWriter(
        {"a": {"n": Int(8)}, "far": {"n": Int(8)}}, header=header, ids={"far": 70_000}
    )
    events = [(2**40, "a", {"n": 1}), (2**50, "far", {"n": 2}), (2**50 + 3, "a", {"n": 3})]
    data = writer.packet(events[:2]) + writer.packet(events[2:], extended=True, begin=0)
    written(tmp_path, writer, s0=data)
    assert [(t, n, f["n"]) for t, n, _, f in read(tmp_path)] == [
        (t, n, f["n"]) for t, n, f in events
    ]


def test_the_clock_has_an_offset_and_a_frequency(tmp_path: Path) -> None:
    writer = TraceWriter(TICK, frequency=3_000_000_000, offset=3, offset_seconds=1_700_000_000)
    written(
        tmp_path,
        writer,
        s0=writer.packet([(4, "tick", {"n": 0}), (3_000_000_000, "tick", {"n": 1})]),
    )
    assert [event[0] for event in read(tmp_path)] == [
        1_700_000_000_000_000_002,
        1_700_000_001_000_000_001,
    ]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.lists(st.integers(0, 30), max_size=5), max_size=4), min_size=1, max_size=6)
)
def test_streams_merge_by_time(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[list[int]]]
) -> None:
    """Whatever the packets are: all events, in order of time, and each stream in its own order."""
    folder, writer = tmp_path_factory.mktemp("trace"), TraceWriter(TICK)
    expected = []
    writer.write_metadata(folder)
    for cpu, packets in enumerate(steps):
        now, data, count = 1, b"", 0
        for number, distances in enumerate(packets):
            events = []
            for distance in distances:
                now += distance
                events.append((now, "tick", {"n": count}))
                expected.append((now, cpu, count))
                count += 1
            data += writer.packet(
                events, cpu=cpu, sequence=number, begin=now if not events else None
            )
        (folder / f"s_{cpu}").write_bytes(data)
    found = [(t, cpu, fields["n"]) for t, _, cpu, fields in read(folder)]
    assert found == sorted(expected)


def test_a_session_of_several_traces(tmp_path: Path) -> None:
    late = TraceWriter(TICK, header="compact", offset=1000)
    written(
        tmp_path / "ust/uid/1000/64-bit",
        TraceWriter(TICK),
        s0=TraceWriter(TICK).packet([(1500, "tick", {"n": 1})]),
    )
    written(
        tmp_path / "kernel",
        late,
        s0=late.packet([(400, "tick", {"n": 0}), (600, "tick", {"n": 2})]),
        empty=b"",
    )
    (tmp_path / "kernel/index").mkdir()
    (tmp_path / "kernel/index/s0.idx").write_bytes(b"not a stream")
    assert [fields["n"] for *_, fields in read(tmp_path)] == [0, 1, 2]


def test_memory_does_not_grow_with_the_trace(tmp_path: Path) -> None:
    """A packet of each stream, some 60 kB, and what else the process does meanwhile; all events
    would take more than 100 bytes each."""
    events = 40_000
    write_large(tmp_path, events, streams=2, a_packet=500)
    trace = open_trace(tmp_path)
    tracemalloc.start()
    assert sum(1 for _ in trace.events()) == events
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


def test_an_event_takes_few_calls_to_read(tmp_path: Path) -> None:
    """Some 10 µs each: a million events in 10 s."""
    write_large(tmp_path, 5_000)
    trace = open_trace(tmp_path)
    assert calls(lambda: deque(trace.events(), maxlen=0)) < 20 * 5_000


def test_large_traces_are_what_they_seem(tmp_path: Path) -> None:
    write_large(tmp_path, 100, streams=2, a_packet=7)
    events = read(tmp_path)
    assert len(events) == 100
    assert events[0] == (10**18, "ros2:callback_start", 0, {
        "vpid": 77, "procname": "node", "vtid": 80, "callback": 0x55E2A3000001, "is_intra_process": 0})  # fmt: skip
    assert {name for _, name, _, _ in events} == set(CALLBACKS)
