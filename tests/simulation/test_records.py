"""Observations in Parquet files: all of them, each once, complete files only."""

from __future__ import annotations

import os
import signal
from collections import Counter

import pytest

import ddsrta
from ddsrta.examples import two_threads
from tests.cli.test_simulate import ended, started
from tests.effort import draws
from tests.simulation.ars import ars_yaml

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")

HORIZON = "20s"


def rows(folder):
    return [tuple(row.values()) for row in pq.read_table(folder).to_pylist()]


def spelled_out(table):
    """Without dictionaries, which differ from file to file."""
    text = pyarrow.string()
    types = [text if field.name in ("kind", "name") else field.type for field in table.schema]
    return table.cast(pyarrow.schema(zip(table.column_names, types, strict=True)))


def test_every_observation_is_a_row(tmp_path):
    system, place = two_threads(), tmp_path / "rows"
    simulation = ddsrta.simulate(system, horizon="2s", seed=5, seeds=2, parquet=str(place))
    assert simulation == ddsrta.simulate(system, horizon="2s", seed=5, seeds=2)
    assert sorted(os.listdir(place)) == [f"seed-00000{n}.part-00000.parquet" for n in (5, 6)]
    table = pq.read_table(place)
    assert table.column_names == ["seed", "kind", "name", "completed_ns", "value_ns"]
    found = rows(place)
    counts = Counter(row[1:3] for row in found)
    largest = {key: max(row[4] for row in found if row[1:3] == key) for key in counts}
    stream = "sensor → speed → control"
    chain = simulation.chains["control loop"]
    for key, seen in {
        ("thread", "control"): simulation.threads["control"].response,
        ("ddl", stream): simulation.messages[0].ddl,
        ("listener", stream): simulation.messages[0].listener,
        ("flow_controller", "sensor → speed"): simulation.messages[0].flow_controller,
        ("latency", "control loop"): chain.latency,
        ("reaction_time", "control loop"): chain.reaction_time,
    }.items():
        assert (counts[key], largest[key]) == (seen.count, seen.max)
    assert {row[0] for row in found} == {5, 6}
    assert all(row[4] >= 0 and 0 <= row[3] < 2_000_000_000 for row in found)


def test_folder_of_another_simulation_is_left_alone(tmp_path):
    ddsrta.simulate(two_threads(), horizon="1s", parquet=str(tmp_path))
    with pytest.raises(ddsrta.InputError, match="holds the records of another simulation"):
        ddsrta.simulate(two_threads(), horizon="1s", parquet=str(tmp_path))


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """What a run shows that nobody disturbs, and where its rows are."""
    whole = tmp_path_factory.mktemp("whole")
    system = ddsrta.loads(ars_yaml())
    return system, ddsrta.simulate(system, horizon=HORIZON, seeds=2, parquet=str(whole)), whole


ENDS = [(signal.SIGKILL, "2"), (signal.SIGINT, "1"), (signal.SIGINT, "2"), (signal.SIGKILL, "1")]


@pytest.mark.parametrize(("number", "jobs"), ENDS[: draws(2, of=len(ENDS))])
def test_no_row_is_lost_or_repeated_when_a_run_goes_on(tmp_path, uninterrupted, number, jobs):
    (tmp_path / "ars.yaml").write_text(ars_yaml())
    place = tmp_path / "rows"
    system, expected, whole = uninterrupted
    process = started(
        ended(number), "ars.yaml", "--horizon", HORIZON, "--seeds", "2", "--parquet", str(place), "--checkpoint", "c",
        "--jobs", jobs, cwd=tmp_path,
    )  # fmt: skip
    process.communicate(timeout=600)
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    again = ddsrta.simulate(
        system, jobs=int(jobs), checkpoint=str(tmp_path / "c"), parquet=str(place), resume=True
    )
    assert again == expected
    assert not [name for name in os.listdir(place) if not name.endswith(".parquet")]
    for seed in (1, 2):
        parts = sorted(place.glob(f"seed-00000{seed}.part-*"))
        one = pq.read_table(whole / f"seed-00000{seed}.part-00000.parquet")
        together = pq.read_table(parts)
        assert spelled_out(together).equals(spelled_out(one))


def test_a_part_written_after_the_checkpoint_is_written_again(tmp_path, monkeypatch):
    """A run may be killed between the end of a part and the checkpoint that would name it."""
    monkeypatch.setattr("ddsrta.simulation.job.SLICE", 0)  # it may stop after each step
    system, whole, place = two_threads(), tmp_path / "whole", tmp_path / "rows"
    ddsrta.simulate(system, horizon="2s", parquet=str(whole))
    call = {"parquet": str(place), "checkpoint": str(tmp_path / "c")}
    asked = iter([False, False, False, False, True])
    ddsrta.simulate(system, horizon="2s", stop=lambda: next(asked), **call)
    first = place / "seed-000001.part-00000.parquet"
    for name in ("seed-000001.part-00007.parquet", ".seed-000001.part-00008.99.tmp"):
        (place / name).write_bytes(first.read_bytes())
    ddsrta.simulate(system, resume=True, **call)
    assert sorted(os.listdir(place)) == [f"seed-000001.part-0000{n}.parquet" for n in (0, 1)]
    assert rows(place) == rows(whole)
