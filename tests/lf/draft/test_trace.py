"""Times of a draft that come from the traces of a run."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.formats.yaml_writer import write
from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.draft import read
from ddsrta.lf.program.reader import loads
from ddsrta.validation.lf import validate_federation
from tests.formats.real_traces import shared
from tests.lf.draft.drafted import SINK, SOURCE, federation, save
from tests.lf.run.traces.lft_writer import ACCEPT, JOIN, block, header

DECENTRALIZED = "target C {coordination: decentralized}\n" + SOURCE + SINK
PROGRAM = (
    DECENTRALIZED + "federated reactor { s = new[2] Source()  d = new[2] Sink()  s.out -> d.in }"
)
SENT = [
    JOIN,
    ("reaction_starts", 1, 0, 0, 0, 1000), ("reaction_ends", 1, 0, 0, 0, 1500),
    ("reaction_starts", 1, 0, 0, 5, 2000), ("reaction_ends", 1, 0, 0, 5, 2200),
    ("reaction_starts", 2, 0, 0, 5, 2300), ("send_P2P_TAGGED_MSG", 0, 0, 1, 5, 2310),
    ("reaction_ends", 2, 0, 0, 5, 2340),
]  # fmt: skip


@pytest.fixture
def run(tmp_path: Path) -> str:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "federate__s__0_main_0.lft").write_bytes(
        header(["s", "ns_federate__d__0"]) + block(SENT)
    )
    taken = [JOIN, ("receive_P2P_TAGGED_MSG", 0, 1, 0, 5, 2410)]
    (folder / "federate__d__0_main_1.lft").write_bytes(header(["d"]) + block(taken))
    return str(folder)


def test_execution_times_sending_and_latencies(tmp_path, run):
    found = federation(tmp_path, PROGRAM, trace=run)
    seen = found.federates["s[0]"].reactions["reaction_1"]
    assert (seen.wcet, seen.bcet) == (500, 200)
    first, other = found.connections
    assert (first.send, first.latency.worst, first.latency.best) == (40, 100, 100)
    assert (other.send, other.latency) == (0, None)
    assert found.federates["s[1]"].reactions["reaction_1"].wcet == 1_000_000  # not in the trace


def test_what_was_observed_and_what_was_not_says_so(tmp_path, run):
    text = write(read([save(tmp_path, PROGRAM)], trace=run))
    assert "wcet: 500ns  # observed: n=2, 200ns…500ns, median 200ns, wall time\n" in text
    note = "# left out: times that the trace does not show: s[1].reaction_1, d[0].reaction_1, d[1].reaction_1"
    assert note in text.splitlines()


def test_a_message_that_came_before_it_was_sent_is_no_latency(tmp_path, run):
    early = [JOIN, ("receive_P2P_TAGGED_MSG", 0, 1, 0, 5, 2305)]
    trace = Path(run) / "federate__d__0_main_1.lft"
    trace.write_bytes(header(["d"]) + block(early))
    assert federation(tmp_path, PROGRAM, trace=run).connections[0].latency is None
    text = write(read([save(tmp_path, PROGRAM)], trace=run))
    assert "latency: the trace has messages that came before they were sent" in text


def test_a_reaction_that_had_not_ended_counts(tmp_path, run):
    path = Path(run) / "federate__s__0_main_0.lft"
    path.write_bytes(
        path.read_bytes()
        + block([("reaction_starts", 1, 0, 0, 9, 3000), ("send_NET", 0, 0, -1, 9, 3900)])
    )
    found = federation(tmp_path, PROGRAM, trace=run)
    assert found.federates["s[0]"].reactions["reaction_1"].wcet == 900


def test_annotations_win_over_the_trace(tmp_path, run):
    notes = save(tmp_path, "annotations: 1\nreactions: {Source.reaction_1: 7ms}", "a.yaml")
    found = federation(tmp_path, PROGRAM, trace=run, annotations=notes)
    assert found.federates["s[0]"].reactions["reaction_1"].wcet == 7_000_000


def test_the_rti(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    events = [*ACCEPT, ("receive_LTC", 0, -1, 1, 5, 130), ("send_TAG", 0, -1, 1, 5, 142)]
    (folder / "rti.lft").write_bytes(header() + block(events))
    sent = [JOIN, ("send_LTC", 0, 1, -1, 5, 100), ("receive_TAG", 0, 1, -1, 5, 150)]
    (folder / "federate__d_main_1.lft").write_bytes(header(["d"]) + block(sent))
    text = "target C\n" + SINK + "federated reactor { d = new Sink() }"
    found = federation(tmp_path, text, trace=str(folder)).rti
    assert (found.hop.worst, found.hop.best, found.service) == (30, 8, 12)


def test_a_damaged_trace_stops_the_import(tmp_path, run):
    path = Path(run) / "federate__d__0_main_1.lft"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(InputError, match="the file ends within a record"):
        read([save(tmp_path, PROGRAM)], trace=run)


@pytest.mark.parametrize(
    "name",
    ["After", "Chain4", "Chain4N", "Dec", "Diamond", "Enc", "NoEnc", "PhysUp", "PhysUpA", "Zdc"],
)
def test_real_programs_with_their_runs(tmp_path, name):
    program = str(shared(f"lf/traces/{name}.lf"))
    with tarfile.open(shared(f"lf/traces/{name}.tar.xz")) as archive:
        archive.extractall(tmp_path, filter="data")
    draft = read([program], trace=str(tmp_path / name))
    found = loads(write(draft))
    if name != "Enc":  # whose trace does not tell the tags of its enclaves apart
        validated = validate_federation(found, str(tmp_path / name))
        assert not [row.name for row in validated.rows if row.violated]
        assert not validated.broken
    # every reaction but those that are never invoked: shutdown with federates, a(0) that nobody schedules
    silent = [
        note for note in draft.left_out if note.startswith("times that the trace does not show")
    ]
    assert silent == (
        ["times that the trace does not show: s.reaction_2, d.reaction_1"]
        if name.startswith("PhysUp")
        else []
    )
    if name == "Dec":
        waits = [found.federates[f].maxwait for f in ("s", "d1", "d2", "d3", "d4")]
        assert waits == [None, 200_000, 2_000_000, "forever", 0]
        assert found.federates["s"].reactions["reaction_1"].bcet > 500_000
    if name == "Enc":
        assert list(found.federates["main"].enclaves) == ["s", "f"]


def test_a_draft_covers_the_trace_that_it_is_made_of(tmp_path):
    """Dispatch, receiving, what passes between reactions, and starts that nothing else explains."""
    folder = tmp_path / "run"
    folder.mkdir()
    events = [JOIN]
    for time, late in ((0, 0), (100_000, 700), (200_000, 90)):
        tag = time + late
        events += [
            ("scheduler_advancing_time_ends", 0, 0, 0, time, tag),
            ("reaction_starts", 1, 0, 0, time, tag + 300), ("reaction_ends", 1, 0, 0, time, tag + 500),
            ("send_LTC", 0, 0, -1, time, tag + 650),
        ]  # fmt: skip
    (folder / "federate__s_main_0.lft").write_bytes(header(["s"]) + block(events))
    text = "target C {coordination: decentralized}\n" + SOURCE.replace(
        "{= =}", "{= =} deadline(1 ms) {= =}"
    )
    path = save(tmp_path, text + "federated reactor { s = new Source(period = 100 us) }")
    draft = read([path], trace=str(folder))
    found = loads(write(draft))
    assert found.federates["s"].reactions["reaction_1"].wcet == 200
    assert found.federates["s"].overhead >= 700 + 450
    assert "dispatch up to 700ns, 450ns at a tag besides reactions" in write(draft)
    validated = validate_federation(found, str(folder))
    assert validated.verdict == "ok"
    assert judge(found).starts[0].latest >= 1000
