"""`.lft` files and tables: what is read, and what is refused with the byte or line."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ddsrta.lf.run.traces.events import BY_CSV_NAME, NEWEST, TABLES
from ddsrta.lf.run.traces.records import Lft, Record, TraceError
from ddsrta.lf.run.traces.table import Table, write
from tests.lf.run.traces.lft_writer import ACCEPT, JOIN, block, header

EVENTS = [
    ("send_NET", 0, 3, -1, 5, 10),
    ("send_NET", 0, 3, -1, None, 20),
    ("reaction_starts", 1, 0, 2, 7, 15),
]


def lft(
    folder: Path, data: bytes, name: str = "federate__d_main_3.lft", version: str | None = None
) -> Lft:
    path = folder / name
    path.write_bytes(data)
    return Lft(str(path), version)


def refused(
    folder: Path, data: bytes, name: str = "federate__d_main_3.lft", version: str | None = None
) -> str:
    with pytest.raises(TraceError) as caught:
        list(lft(folder, data, name, version))
    return str(caught.value).partition(f"{name}: ")[2]


class TestLft:
    @pytest.mark.parametrize("order", ["<", ">"])
    def test_records_of_both_byte_orders(self, tmp_path, order):
        data = (
            header(["d", "d.t"], order)
            + block(EVENTS[:2], order=order)
            + block(EVENTS[2:], order=order)
        )
        first, forever, reaction = lft(tmp_path, data)
        assert first == Record("send_NET", "", 3, -1, 5, 0, 10, "", -(1 << 63))
        assert forever.time is None
        assert (reaction.reactor, reaction.destination, reaction.physical) == ("d", 2, 15)

    def test_microsteps_have_32_bits(self, tmp_path):
        record = struct.pack("<i4xQiiqqqQq", 14, 0, 0, -1, 0, -1, 0, 0, 0)
        (found,) = lft(tmp_path, header() + struct.pack("<i", 1) + record)
        assert found.microstep == (1 << 32) - 1

    def test_an_empty_run(self, tmp_path):
        assert list(lft(tmp_path, header(["d"]))) == []

    def test_every_cut_is_refused_with_its_byte(self, tmp_path):
        data = header(["d", "d.t"]) + block(EVENTS)
        whole = {len(header(["d", "d.t"]))}
        for length in range(len(data)):
            if length not in whole:
                assert refused(tmp_path, data[:length]).startswith(
                    f"byte {length}: the file ends within"
                )

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"\xff" * 64, "byte 0: this is no trace"),
            (header()[:8] + struct.pack("<i", 0x11111111) + b"\0" * 8, "byte 0: this is no trace"),
            (header() + struct.pack("<i", -1), "byte 12: -1 is no count of records"),
            (header() + struct.pack("<i", 0), "byte 12: 0 is no count of records"),
            (header() + struct.pack("<i", 1 << 30), "byte 12: 1073741824 is no count of records"),
            (header() + struct.pack("<i", 1) + struct.pack("<i", 999) + b"\0" * 60, "byte 16: there is no kind of event 999"),
            (header()[:8] + struct.pack("<iQQi", 1, 0, 0, 7) + b"x\0", "byte 12: there is no kind of object 7"),
            (header()[:8] + struct.pack("<iQQi", 1, 0, 0, 0) + b"x" * 10_000, "byte 32: this name has no end"),
        ],
    )  # fmt: skip
    def test_hostile_files(self, tmp_path, data, message):
        assert refused(tmp_path, data).startswith(message)

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 255)), max_size=5))
    def test_damaged_bytes_are_read_or_refused_with_a_place(self, tmp_path, changes):
        data = bytearray(header(["d", "d.t"]) + block(EVENTS))
        for place, byte in changes:
            data[place % len(data)] = byte
        try:
            list(lft(tmp_path, bytes(data)))
        except TraceError as error:
            assert ": byte " in str(error)


class TestVersions:
    def test_numbers_of_the_newest(self):
        # as the enumeration of reactor-c 282c75d has them
        numbers = {0: "reaction_starts", 10: "federated", 14: "send_NET", 21: "send_TAG", 27: "send_P2P_TAGGED_MSG", 33: "send_DNET", 37: "receive_NET", 44: "receive_TAG", 56: "receive_DNET", 57: "receive_UNIDENTIFIED"}  # fmt: skip
        assert {n: TABLES[NEWEST][n] for n in numbers} == numbers
        assert [len(TABLES[v]) for v in ("0.12", "0.10", "0.6", "0.5")] == [58, 56, 54, 52]

    @pytest.mark.parametrize("version", list(TABLES))
    def test_the_version_is_told_from_what_is_impossible_otherwise(self, tmp_path, version):
        federate = [
            (f"{verb}_{kind}", 0, 1, -1, 0, 1)
            for verb, kind in (
                ("send", "FED_ID"),
                ("receive", "ACK"),
                ("receive", "TIMESTAMP"),
                ("receive", "TAG"),
            )
        ]
        found = lft(tmp_path, header() + block(federate, version))
        assert [r.event for r in found] == [e[0] for e in federate]
        rti = [
            (f"{verb}_{kind}", 0, -1, 1, 0, 1)
            for verb, kind in (
                ("receive", "FED_ID"),
                ("send", "ACK"),
                ("receive", "NET"),
                ("send", "TAG"),
            )
        ]
        found = lft(tmp_path, header() + block(ACCEPT + rti, version), "rti.lft")
        assert [r.event for r in found][3:] == [e[0] for e in rti]
        enclaves = [("send_NET", 0, 1, -1, 0, 1), ("receive_TAG", 0, 1, -1, 0, 1)]
        found = lft(tmp_path, header() + block(enclaves, version), "main_0.lft")
        assert [r.event for r in found] == [e[0] for e in enclaves]

    def test_a_wrong_version_is_refused(self, tmp_path):
        data = header() + block([JOIN, ("receive_ACK", 0, 1, -1, 0, 1)], "0.10")
        message = "byte 12: these are not the events of version 0.13: a federate has no send_DNET"
        assert refused(tmp_path, data, version="0.13").startswith(message)
        data = header() + block([JOIN, ("receive_DNET", 0, 1, -1, 0, 1)], "0.12")
        message = (
            "byte 12: these are not the events of version 0.6.0: it has no event with the number 56"
        )
        assert refused(tmp_path, data, version="0.6.0").startswith(message)

    def test_an_rti_that_nobody_joined(self, tmp_path):
        data = header() + block([("receive_NET", 0, -1, 1, 0, 1)])
        message = "byte 12: these are not the events of any known version: the RTI always has"
        assert refused(tmp_path, data, "rti.lft").startswith(message)

    def test_a_version_before_the_first(self, tmp_path):
        assert "no numbers of events are known for version '0.3'" in refused(
            tmp_path, header(), version="0.3"
        )


class TestTable:
    def test_a_table_says_what_the_file_said(self, tmp_path):
        file = lft(tmp_path, header(["d", "d.t"]) + block(EVENTS))
        path = tmp_path / "federate__d_main_3.csv"
        path.write_text("".join(write(file)))
        assert list(Table(str(path))) == list(file)

    def test_every_event_has_a_name(self):
        assert set(BY_CSV_NAME.values()) == set(TABLES[NEWEST])
        assert BY_CSV_NAME["Receiving P2P_TAGGED_MSG"] == "receive_P2P_TAGGED_MSG"

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("Sending NET, a, 0", "line 2: 3 columns instead of 9"),
            ("Sending NAT, a, 0, -1, 0, 0, 0, b, 0", "line 2: there is no event 'Sending NAT'; did you mean 'Sending NET'?"),
            ("Sending NET, a, x, -1, 0, 0, 0, b, 0", "line 2: 'Source' must be a whole number, not 'x'"),
            ("Sending NET, a, 0, -1, nan, 0, 0, b, 0", "line 2: 'Elapsed Logical Time' must be a whole number, not 'nan'"),
        ],
    )  # fmt: skip
    def test_bad_lines(self, tmp_path, line, message):
        path = tmp_path / "rti.csv"
        path.write_text(next(iter(write([]))) + line + "\n")
        with pytest.raises(TraceError) as caught:
            list(Table(str(path)))
        assert str(caught.value).endswith(message)

    def test_another_file(self, tmp_path):
        path = tmp_path / "x.csv"
        path.write_text("a,b\n1,2\n")
        with pytest.raises(TraceError, match="line 1: this is no table of a trace"):
            list(Table(str(path)))
