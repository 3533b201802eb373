"""A trace that lacks a file, or is of several hosts, serves no conclusion."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from ddsrta.formats.ctf import TraceError, open_trace
from tests.formats.ctf.recorded import TICK, read, written
from tests.formats.ctf_writer import TraceWriter

INDEX = struct.Struct(">IIII")


def recorded(folder: Path, cpus: int = 3, packets: int = 2) -> Path:
    writer = TraceWriter(TICK)
    files = {
        f"ros2_{cpu}": b"".join(
            writer.packet([(10 * number + cpu, "tick", {"n": cpu})], cpu=cpu, sequence=number)
            for number in range(packets)
        )
        for cpu in range(cpus)
    }
    written(folder, writer, **files)
    (folder / "index").mkdir()
    for name in files:
        data = INDEX.pack(0xC1F1DCC1, 1, 0, 56) + bytes(56 * packets)
        (folder / "index" / f"{name}.idx").write_bytes(data)
    return folder


def test_a_whole_trace_is_read(tmp_path: Path) -> None:
    assert len(read(recorded(tmp_path))) == 6


@pytest.mark.parametrize("gone", ["ros2_0", "ros2_1", "ros2_2"])
def test_a_stream_file_that_the_index_names_is_missed(tmp_path: Path, gone: str) -> None:
    (recorded(tmp_path) / gone).unlink()
    with pytest.raises(TraceError, match=f"{gone}: this stream file is gone"):
        open_trace(tmp_path)


def test_without_an_index_a_number_that_is_left_out_is_missed(tmp_path: Path) -> None:
    recorded(tmp_path, cpus=4)
    for index in (tmp_path / "index").iterdir():
        index.unlink()
    (tmp_path / "ros2_1").unlink()
    with pytest.raises(TraceError, match="ros2_1: this stream file is gone: there is ros2_3"):
        open_trace(tmp_path)


def test_a_file_that_ends_between_two_packets_is_cut_off(tmp_path: Path) -> None:
    recorded(tmp_path)
    file = tmp_path / "ros2_1"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(TraceError, match="cut off: 1 packets, 2 in its index"):
        open_trace(tmp_path).events()


def test_a_declared_stream_without_any_file_is_missed(tmp_path: Path) -> None:
    TraceWriter(TICK).write_metadata(tmp_path)
    with pytest.raises(TraceError, match="stream 0 is declared, and no file has it"):
        open_trace(tmp_path).events()


def hosts(folder: Path, names: tuple[str, str], offset_seconds: tuple[int, int]) -> Path:
    for name, seconds in zip(names, offset_seconds, strict=True):
        place = folder / f"trace-{name or seconds}"
        place.mkdir()
        writer = TraceWriter(TICK, offset_seconds=seconds)
        written(place, writer, s0=writer.packet([(1, "tick", {"n": 0})]))
        metadata = place / "metadata"
        text = metadata.read_text()
        if name:
            text = text.replace('domain = "ust";', f'domain = "ust"; hostname = "{name}";')
            metadata.write_text(text)
    return folder


def test_two_hosts_have_two_clocks(tmp_path: Path) -> None:
    hosts(tmp_path, ("arm", "base"), (5, 5))
    with pytest.raises(TraceError, match=r"several hosts \('arm', 'base'\)"):
        open_trace(tmp_path)
    assert len(read(tmp_path / "trace-arm")) == 1


def test_clocks_that_begin_far_apart_are_not_of_one_host(tmp_path: Path) -> None:
    hosts(tmp_path, ("", ""), (5, 12))
    with pytest.raises(TraceError, match="clocks 'main' that begin 7 s apart"):
        open_trace(tmp_path)


def test_two_traces_of_one_host_are_one_session(tmp_path: Path) -> None:
    hosts(tmp_path, ("", "arm"), (5, 5))
    assert len(read(tmp_path)) == 2
