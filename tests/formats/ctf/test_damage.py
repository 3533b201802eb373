"""No damage passes for data: what cannot be read is an error with its file and byte."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddsrta.formats.ctf import TraceError, open_trace
from tests.effort import draws
from tests.formats.ctf.recorded import TICK, read, written
from tests.formats.ctf_writer import Choice, Either, Int, Many, Str, TraceWriter


def trace_bytes() -> tuple[TraceWriter, bytes]:
    writer = TraceWriter({"e": {"s": Str(), "len": Int(32), "a": Many(Int(64), "len")}})
    events = [(i, "e", {"s": "word", "len": 3, "a": [1, 2, 3]}) for i in range(10)]
    return writer, writer.packet(events) + writer.packet(events[-1:], sequence=1, padding=40)


def test_a_file_cut_off_anywhere_is_an_error_with_its_place(tmp_path: Path) -> None:
    writer, whole = trace_bytes()
    written(tmp_path, writer, s0=whole)
    assert len(read(tmp_path)) == 11
    ends = {
        len(writer.packet([(i, "e", {"s": "word", "len": 3, "a": [1, 2, 3]}) for i in range(10)]))
    }
    for length in range(1, len(whole)):
        (tmp_path / "s0").write_bytes(whole[:length])
        if length in ends:
            assert len(read(tmp_path)) == 10
            continue
        with pytest.raises(TraceError) as caught:
            read(tmp_path)
        assert caught.value.file == str(tmp_path / "s0")
        assert caught.value.offset in (0, *ends)


@settings(max_examples=draws(50, of=150), deadline=None)
@given(st.data())
def test_damage_never_ends_in_anything_but_events_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    writer, whole = trace_bytes()
    damaged = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    folder = written(tmp_path_factory.mktemp("trace"), writer, s0=bytes(damaged))
    try:
        events = read(folder, accept_losses=True)
    except TraceError as error:
        assert error.offset is not None and 0 <= error.offset < len(whole)
    else:
        assert len(events) < 100


def test_a_huge_sequence_is_refused_without_room_for_it(tmp_path: Path) -> None:
    writer = TraceWriter({"e": {"len": Int(64), "a": Many(Int(64), "len")}})
    written(tmp_path, writer, s0=writer.packet([(1, "e", {"len": 2**63, "a": []})]))
    with pytest.raises(TraceError, match=f"byte 76: .* an array of {2**63} elements does not fit"):
        read(tmp_path)


def test_a_sequence_of_negative_length(tmp_path: Path) -> None:
    writer = TraceWriter({"e": {"len": Int(8, True), "a": Many(Int(64), "len")}})
    written(tmp_path, writer, s0=writer.packet([(1, "e", {"len": -1, "a": []})]))
    with pytest.raises(TraceError, match="an array of -1 elements"):
        read(tmp_path)


def head(**said: int) -> bytes:
    """A packet of one tick with some words of its head overwritten."""
    data = bytearray(TraceWriter(TICK).packet([(1, "tick", {"n": 1})]))
    places = {"magic": (0, "<I"), "uuid": (4, "<Q"), "stream_id": (20, "<I"), "content_size": (40, "<Q"),
              "packet_size": (48, "<Q"), "event": (76, "<H")}  # fmt: skip
    for name, value in said.items():
        place, code = places[name]
        struct.pack_into(code, data, place, value)
    return bytes(data)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"magic": 1}, "byte 0: a packet does not start with the magic of CTF"),
        ({"uuid": 1}, "byte 0: this packet is of another trace than the metadata"),
        ({"stream_id": 9}, "byte 0: a packet of stream 9, which the metadata does not declare"),
        ({"packet_size": 2**63}, "the packet is cut off: 1152921504606846976 bytes announced, 86 left"),
        ({"packet_size": 0}, "a packet of 0 bits"),
        ({"packet_size": 751}, "a packet of 751 bits"),
        ({"content_size": 2**64 - 1}, "bits of content"),
        ({"content_size": 8}, "bits of content"),
        ({"content_size": 8 * 82}, "byte 76: this event cannot be read"),
        ({"content_size": 8 * 77}, "byte 76: this event cannot be read"),
        ({"event": 17}, "byte 76: this event cannot be read: its number is 17, which is not declared"),
    ],
)  # fmt: skip
def test_heads_that_lie(tmp_path: Path, said: dict[str, int], message: str) -> None:
    written(tmp_path, TraceWriter(TICK), s0=head(**said))
    with pytest.raises(TraceError) as caught:
        read(tmp_path, accept_losses=True)
    assert message in str(caught.value)


def test_time_that_goes_back_is_an_error(tmp_path: Path) -> None:
    writer = TraceWriter(TICK, header="plain")
    back = [(9, "tick", {"n": 1}), (8, "tick", {"n": 1})]
    written(tmp_path, writer, s0=writer.packet(back))
    with pytest.raises(TraceError, match=r"byte 92: .* time goes back by 1 ns"):
        read(tmp_path)
    written(tmp_path, writer, s0=writer.packet(back[:1]) + writer.packet(back[1:], sequence=1))
    with pytest.raises(TraceError, match=r"byte 168: .* time goes back by 1 ns"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"a": Many(Int(8), "later"), "later": Int(8)},
            "event 'e': no field 'later' before its use",
        ),
        ({"s": Str(), "a": Many(Int(8), "s")}, "event 'e': the length 's' is no integer"),
        ({"n": Int(8), "v": Either("n", {"x": Int(8)})}, "event 'e': the tag 'n' is no enum"),
    ],
)
def test_references_that_lead_nowhere(tmp_path: Path, fields: dict[str, Any], message: str) -> None:
    writer = TraceWriter({"e": fields})
    writer.write_metadata(tmp_path)
    (tmp_path / "s0").write_bytes(TraceWriter(TICK).packet([(1, "tick", {"n": 1})]))
    with pytest.raises(TraceError, match=message):
        read(tmp_path)


def test_a_variant_that_nothing_selects(tmp_path: Path) -> None:
    tag = Choice(Int(8), {"a": (0, 0)})
    writer = TraceWriter({"e": {"t": tag, "v": Either("t", {"a": Int(8)})}})
    written(tmp_path, writer, s0=writer.packet([(1, "e", {"t": 4, "v": ("a", 1)})]))
    with pytest.raises(TraceError, match="no option of a variant is selected by 4"):
        read(tmp_path)


def test_events_without_a_clock(tmp_path: Path) -> None:
    writer = TraceWriter(TICK)
    text = writer.metadata().replace("map = clock.main.value;", "")
    (tmp_path / "metadata").write_text(text)
    (tmp_path / "s0").write_bytes(writer.packet([(1, "tick", {"n": 1})]))
    with pytest.raises(TraceError, match="its events have no time"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("string stream_id;", "'stream_id' in the head of a packet is no integer"),
        ("integer { size = 8; } x[y];", "head of a packet: no field 'y' before its use"),
    ],
)
def test_heads_that_are_declared_badly(tmp_path: Path, head: str, message: str) -> None:
    packet = f"packet.header := struct {{ {head} }};"
    (tmp_path / "metadata").write_text(
        f"/* CTF 1.8 */ trace {{ major = 1; minor = 8; byte_order = le; {packet} }}; stream {{ id = 0; }};"
    )
    (tmp_path / "s0").write_bytes(b"x" * 100)
    with pytest.raises(TraceError, match=message):
        read(tmp_path)


def test_folders_that_are_no_trace(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="no file is named metadata"):
        open_trace(tmp_path)
    with pytest.raises(TraceError, match="no such folder"):
        open_trace(tmp_path / "nowhere")
