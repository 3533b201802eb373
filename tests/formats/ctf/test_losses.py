"""A tracer that could not keep up says so, and nothing is concluded from what is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddsrta.formats.ctf import LossyTraceError, open_trace
from tests.formats.ctf.recorded import TICK, written
from tests.formats.ctf_writer import TraceWriter


def test_a_trace_with_lost_events_serves_no_conclusion(tmp_path: Path) -> None:
    writer = TraceWriter(TICK)
    one = [(5, "tick", {"n": 0})]
    lossy = b"".join(writer.packet(one, discarded=d, sequence=i) for i, d in enumerate([2, 2, 14]))
    written(tmp_path, writer, s0=writer.packet(one), s1=lossy, s2=writer.packet(one))
    trace = open_trace(tmp_path)
    assert [(Path(loss.stream).name, loss.events, loss.packets) for loss in trace.losses()] == [
        ("s1", 14, 0)
    ]
    with pytest.raises(LossyTraceError, match=r"inconclusive: 14 events lost in stream .*s1"):
        trace.events()
    assert len(list(trace.events(accept_losses=True))) == 5


def test_missing_packets_are_lost_events_too(tmp_path: Path) -> None:
    writer = TraceWriter(TICK)
    data = b"".join(writer.packet([(n, "tick", {"n": 0})], sequence=n) for n in (3, 4, 7))
    written(tmp_path, writer, s0=data)
    with pytest.raises(LossyTraceError, match="2 packets lost"):
        open_trace(tmp_path).events()


def test_a_stream_may_go_on_in_another_file(tmp_path: Path) -> None:
    """As with `lttng enable-channel --tracefile-size`: counters and numbers go on with it."""
    writer = TraceWriter(TICK)
    packets = [
        writer.packet([(n, "tick", {"n": n})], sequence=n, discarded=d)
        for n, d in enumerate((4, 4, 4, 9))
    ]
    written(tmp_path, writer, c_0_0=packets[0], c_0_1=packets[1] + packets[2], c_0_2=packets[3])
    found = [
        (Path(loss.stream).name, loss.events, loss.packets)
        for loss in open_trace(tmp_path).losses()
    ]
    assert found == [("c_0_0", 4, 0), ("c_0_2", 5, 0)]
    (tmp_path / "c_0_1").write_bytes(packets[1])
    found = [
        (Path(loss.stream).name, loss.events, loss.packets)
        for loss in open_trace(tmp_path).losses()
    ]
    assert found == [("c_0_0", 4, 0), ("c_0_2", 5, 1)]


def test_streams_of_two_processors_are_two(tmp_path: Path) -> None:
    writer = TraceWriter(TICK)
    one, two = (
        writer.packet([(1, "tick", {"n": 0})], sequence=n, cpu=cpu) for cpu, n in ((0, 0), (1, 5))
    )
    written(tmp_path, writer, s_0=one, s_1=two)
    assert open_trace(tmp_path).losses() == ()


def test_a_narrow_counter_of_lost_events_wraps(tmp_path: Path) -> None:
    writer = TraceWriter(TICK, discarded_bits=32)
    counts = [2**31 - 1, 2**32 - 3, 4]
    data = b"".join(
        writer.packet([(n, "tick", {"n": 0})], sequence=n, discarded=d)
        for n, d in enumerate(counts)
    )
    written(tmp_path, writer, s0=data)
    assert open_trace(tmp_path).losses()[0].events == 2**32 + 4
