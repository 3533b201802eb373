"""Real runs: counts of events and the figures that were published for them."""

from __future__ import annotations

import tarfile
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from ddsrta.lf.run.traces import observe
from ddsrta.lf.run.traces.events import NEWEST, TABLES
from ddsrta.lf.run.traces.records import Lft
from tests.formats.real_traces import shared

RUNS = (
    "After",
    "Chain4",
    "Chain4N",
    "Dec",
    "Diamond",
    "Enc",
    "Enc0",
    "Enc1",
    "NoEnc",
    "PhysUp",
    "PhysUpA",
    "Zdc",
)


@pytest.fixture(scope="module")
def traces(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("traces")
    for run in RUNS:
        with tarfile.open(shared(f"lf/traces/{run}.tar.xz")) as archive:
            archive.extractall(folder, filter="data")
    return folder


def counted(path: Path) -> Counter[str]:
    """Counts of events by a look at every 64th byte, without the reader."""
    data = path.read_bytes()
    place = 12
    for _ in range(int.from_bytes(data[8:12], "little")):
        place = data.index(0, place + 20) + 1
    counts = Counter[str]()
    while place < len(data):
        size = int.from_bytes(data[place : place + 4], "little") * 64
        kinds = data[place + 4 : place + 4 + size : 64]
        counts.update(TABLES[NEWEST][kind] for kind in kinds)
        place += 4 + size
    return counts


def test_counts_of_every_file(traces):
    files = sorted(traces.rglob("*.lft"))
    assert len(files) == 37
    total = 0
    for path in files:
        counts = Counter(record.event for record in Lft(str(path)))
        assert counts == counted(path), path
        total += counts.total()
    assert total == 220_982  # lines of the tables that trace_to_csv makes of them


# NET, LTC, TAG and PTAG, messages, DNET for each tag, as others counted them in these runs
PER_TAG = {
    "Chain4": ("5.9", "3.0", "5.0", "3.0", "6.0"),
    "Chain4N": ("7.2", "3.0", "5.0", "3.0", "0.0"),
    "Diamond": ("7.2", "3.0", "4.0", "4.0", "6.0"),
    "Zdc": ("3.0", "2.0", "3.0", "2.0", "0.0"),
}


@pytest.mark.parametrize("run", PER_TAG)
def test_messages_for_each_tag(traces, run):
    seen = observe(str(traces / run))
    kinds = (
        ("receive_NET",),
        ("receive_LTC",),
        ("send_TAG", "send_PTAG"),
        ("send_TAGGED_MSG",),
        ("send_DNET",),
    )
    found = [sum((seen.per_tag(kind) for kind in some), Fraction()) for some in kinds]
    assert tuple(f"{float(value):.1f}" for value in found) == PER_TAG[run]


def microseconds(time: int) -> int:
    return (time + 500) // 1000


def test_lags_along_the_chain(traces):
    seen = observe(str(traces / "Chain4"))
    lags = [seen.federates[name].reactions[name, 0].lags for name in "spqd"]
    assert [microseconds(lag.median) for lag in lags] == [82, 153, 235, 325]
    assert [microseconds(lag.at(99)) for lag in lags] == [120, 264, 372, 580]


def test_lag_of_the_diamond(traces):
    lags = observe(str(traces / "Diamond")).federates["d"].reactions["d", 0].lags
    assert (microseconds(lags.median), microseconds(lags.at(99))) == (386, 574)


def test_hops_and_the_rti(traces):
    centralized = [
        observe(str(traces / run)) for run in ("After", "Chain4", "Chain4N", "Diamond", "Zdc")
    ]
    nets = [seen.hop("NET", upward=True) for seen in centralized]
    assert (min(n.median for n in nets) // 1000, max(n.median for n in nets) // 1000) == (12, 39)
    assert max(microseconds(n.at(99)) for n in nets) == 147
    tags = [seen.hop("TAG", upward=False) for seen in centralized]
    assert max(t.median for t in tags) // 1000 == 22
    assert max(microseconds(t.most) for t in tags) == 163
    assert microseconds(centralized[-1].hop("PTAG", upward=False).most) == 2803
    for seen in centralized:
        assert sum(hop.unmatched for hop in seen.hops) <= 1  # one that came after the end


def test_tardy_messages(traces):
    seen = observe(str(traces / "Dec"))
    # maxwait 200 us, 2 ms, forever; 0 with after 5 ms
    assert [seen.federates[name].tardy for name in ("d1", "d2", "d3", "d4")] == [394, 1, 0, 0]
    assert seen.rti.service == {}


def test_a_physical_action_upstream(traces):
    lags = observe(str(traces / "PhysUp")).federates["d"].reactions["d", 1].lags
    assert [t // 10_000 for t in (lags.median, lags.at(99), lags.most)] == [526, 1023, 1305]


@pytest.mark.parametrize(("run", "most"), [("NoEnc", 50_087), ("Enc0", 232), ("Enc1", 50_332)])
def test_lags_with_and_without_enclaves(traces, run, most):
    seen = observe(str(traces / run)).federates["main"]
    assert microseconds(seen.reactions["f", 0].lags.most) == most
    assert seen.enclaves == (run != "NoEnc")


def test_the_longest_time_of_a_tag_is_within_its_span(traces):
    """D covers all reactions of a tag, those of the compiler included."""
    seen = observe(str(traces / "Chain4")).federates["p"]
    assert seen.spans.median > seen.reactions["ns_federate__q", 0].durations.median


# Medians do not quite add up; with DNET, the RTI also holds its lock for sending that.
@pytest.mark.parametrize(("run", "share"), [("Chain4N", 0.08), ("Chain4", 0.15)])
def test_what_was_seen_adds_up_to_the_lags(traces, run, share):
    """R_j = R_i + D_i + 2 h + service + dispatch along a chain, of medians: not far from the lags."""
    seen = observe(str(traces / run))
    lag = seen.federates["s"].lags.median
    for sender, receiver in pairwise("spqd"):
        up = seen.between(sender, "rti", "LTC") or seen.between(sender, "rti", "NET")
        down = seen.between("rti", receiver, "TAG")
        lag += seen.federates[sender].spans.median + up.latency.median + down.latency.median
        lag += seen.rti.service["TAG"].median + seen.federates[receiver].dispatch.median
        observed = seen.federates[receiver].lags.median
        assert abs(lag - observed) < observed * share
