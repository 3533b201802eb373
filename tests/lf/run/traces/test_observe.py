"""What a small run shows, worked out by hand."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.lf.run.traces import Samples, observe, observe_spans
from tests.lf.run.traces.lft_writer import ACCEPT, JOIN, START, block, header

# s sends at its tag 0, d receives; the RTI hands the message on and grants the tag.
SENDER = [
    ("scheduler_advancing_time_ends", 0, -1, -1, 0, 100),
    ("reaction_starts", 1, 0, 0, 0, 110),
    ("reaction_ends", 1, 0, 0, 0, 150),
    ("reaction_starts", 2, 0, 0, 0, 160),
    ("send_TAGGED_MSG", 0, 0, -1, 0, 170),
    ("reaction_ends", 2, 0, 0, 0, 180),
    ("send_LTC", 0, 0, -1, 0, 190),
]
COORDINATOR = [
    ("receive_TAGGED_MSG", 0, -1, 0, 0, 200),
    ("send_TAGGED_MSG", 0, -1, 1, 0, 205),
    ("receive_LTC", 0, -1, 0, 0, 220),
    ("send_TAG", 0, -1, 1, 0, 223),
]
RECEIVER = [
    ("receive_TAGGED_MSG", 0, 1, -1, 0, 230),
    ("receive_TAG", 0, 1, -1, 0, 240),
    ("scheduler_advancing_time_ends", 0, -1, -1, 0, 250),
    ("reaction_starts", 2, 0, 0, 0, 255),
    ("reaction_ends", 2, 0, 0, 0, 256),
    ("reaction_starts", 1, 0, 1, 0, 260),
    ("reaction_deadline_missed", 1, 0, 1, 0, 261),
    ("reaction_ends", 1, 0, 1, 0, 270),
    ("send_LTC", 0, 1, -1, 0, 280),
]


@pytest.fixture
def run(tmp_path):
    # the blocks of workers come one after the other, not in the order of time
    (tmp_path / "federate__s_main_0.lft").write_bytes(
        header(["s", "ns_federate__d"]) + block(SENDER[4:]) + block([JOIN, *SENDER[:4]])
    )
    (tmp_path / "federate__d_main_1.lft").write_bytes(
        header(["d", "nr_federate__d"]) + block([JOIN, *RECEIVER], extra=5)
    )
    (tmp_path / "rti.lft").write_bytes(header() + block(ACCEPT + COORDINATOR))
    return observe(str(tmp_path))


class TestRun:
    def test_reactions(self, run):
        seen = run.federates["s"].reactions["s", 0]
        assert list(seen.durations) == [40]
        assert list(seen.launch) == [10]
        assert list(seen.lags) == [110]
        assert seen.deadline is None
        late = run.federates["d"].reactions["d", 1]
        assert (late.deadline, late.missed) == (5, 1)

    def test_federates(self, run):
        source = run.federates["s"]
        assert (source.number, source.tags, source.tardy) == (0, 1, 0)
        assert list(source.lags) == [100] and list(source.spans) == [90]
        assert list(source.dispatch) == [100]  # nothing is awaited: from the time of the tag
        assert list(run.federates["d"].dispatch) == [10]  # from the grant
        assert source.by_tag == ((0, 0, 100),)
        assert source.counts["reaction_starts"] == 2

    def test_hops(self, run):
        up = run.between("s", "rti", "TAGGED_MSG")
        assert list(up.latency) == [30] and list(up.network) == [40]
        assert list(run.between("rti", "d", "TAGGED_MSG").latency) == [25]
        assert list(run.hop("TAG", upward=False)) == [17]
        assert list(run.hop("LTC", upward=True)) == [30]
        assert run.between("d", "rti", "LTC").unmatched == 1

    def test_the_rti(self, run):
        assert list(run.rti.service["TAG"]) == [3]
        assert list(run.rti.service["TAGGED_MSG"]) == [5]
        assert run.per_tag("receive_LTC") == Fraction(1)
        assert run.per_tag("send_DNET") == 0


def test_files_with_different_starts_share_one_clock(tmp_path):
    early = header()
    late = (START + 1000).to_bytes(8, "little") + early[8:]
    (tmp_path / "federate__a_main_0.lft").write_bytes(
        early + block([JOIN, ("send_P2P_TAGGED_MSG", 0, 0, 1, 7, 10)])
    )
    (tmp_path / "federate__b_main_1.lft").write_bytes(
        late + block([JOIN, ("receive_P2P_TAGGED_MSG", 0, 1, 0, 7, 35)])
    )
    assert list(observe(str(tmp_path)).between("a", "b", "P2P_TAGGED_MSG").latency) == [25]


def test_a_message_whose_tag_was_over_is_tardy(tmp_path):
    events = [
        ("receive_P2P_TAGGED_MSG", 0, 1, 0, 5, 6),
        ("reaction_starts", 1, 0, 0, 5, 7),
        ("receive_P2P_TAGGED_MSG", 0, 1, 0, 8, 20),
        ("reaction_starts", 1, 0, 0, 9, 21),
        ("receive_P2P_TAGGED_MSG", 0, 1, 0, 12, 22),  # not yet processed: the run ended
    ]
    (tmp_path / "federate__b_main_1.lft").write_bytes(
        header(["nr_federate__b"]) + block([JOIN, *events])
    )
    assert observe(str(tmp_path)).federates["b"].tardy == 1


def test_a_reaction_that_does_not_end(tmp_path):
    events = [JOIN, ("reaction_starts", 1, 0, 0, 5, 7), ("send_NET", 0, 1, -1, 9, 90)]
    (tmp_path / "federate__b_main_1.lft").write_bytes(header(["b"]) + block(events))
    seen = observe(str(tmp_path)).federates["b"].reactions["b", 0]
    assert (seen.durations.count, seen.unfinished) == (0, 83)


def test_a_folder_without_traces(tmp_path):
    with pytest.raises(InputError, match="no file ends with"):
        observe(str(tmp_path))


def test_samples_have_no_fractions():
    samples = Samples(range(1, 101))
    assert (samples.at(99), samples.median, samples.most) == (99, 50, 100)
    assert Samples([7]).at(1) == 7


def span(name: str, start: int, end: int, **attributes: int) -> dict:
    plain = {"xronos.timestamp": 1000, "xronos.microstep": 0} | {
        f"xronos.{k}": v for k, v in attributes.items()
    }
    texts = {"xronos.element_type": "reaction", "xronos.fqn": name}
    return {
        "name": name, "startTimeUnixNano": str(start), "endTimeUnixNano": str(end),
        "attributes": [{"key": k, "value": {"intValue": str(v)}} for k, v in plain.items()]
        + [{"key": k, "value": {"stringValue": v}} for k, v in texts.items()],
    }  # fmt: skip


class TestSpans:
    def write(self, folder, *spans) -> str:
        resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "demo"}}]}
        lines = [
            {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": [s]}]}]}
            for s in spans
        ]
        path = folder / "spans.jsonl"
        path.write_text("\n".join(json.dumps(line) for line in lines))
        return str(path)

    def test_durations_lags_and_deadlines(self, tmp_path):
        path = self.write(
            tmp_path, span("a.b", 1010, 1030, deadline=1020), span("a.b", 1040, 1045, deadline=1020),
            span("c", 1050, 1051, microstep=1),
        )  # fmt: skip
        program = observe_spans(path).federates["demo"]
        seen = program.reactions["a.b", 0]
        assert list(seen.durations) == [5, 20] and list(seen.lags) == [10, 40]
        assert (seen.deadline, seen.missed, program.tags) == (20, 1, 2)

    @pytest.mark.parametrize(
        ("text", "message"),
        [("", "there are no spans of reactions"), ("{", "line 1: this is no JSON"), ("[]", "line 1: expected a mapping"),
         ('{"resourceSpans": 3}', "line 1: 'resourceSpans' must be a list"), ("[" * 100_000, "line 1: this is no JSON")],
    )  # fmt: skip
    def test_other_files(self, tmp_path, text, message):
        path = tmp_path / "x.jsonl"
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            observe_spans(str(path))

    def test_a_span_without_its_tag(self, tmp_path):
        bad = span("a", 1, 2)
        del bad["attributes"][0]
        with pytest.raises(InputError, match="line 1: a span of a reaction needs"):
            observe_spans(self.write(tmp_path, bad))
