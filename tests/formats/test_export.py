"""ddsrta export: results as tables, the graph, and what is said on stderr."""

from __future__ import annotations

import csv
import io
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ddsrta import analyze, loads
from ddsrta.__main__ import main
from ddsrta.cli.commands import COMMANDS
from ddsrta.examples import TWO_THREADS
from ddsrta.formats import graphml, results
from ddsrta.formats.exported import EXPORTS

from .tasks.systems import DISTRIBUTED

SPACE = "{http://graphml.graphdrawing.org/xmlns}"
LATE = TWO_THREADS.replace("deadline: 8ms", "deadline: 3ms")
FULL = TWO_THREADS.replace("period: 10ms", "period: 1ms")


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize(
    ("text", "verdict", "met"),
    [(TWO_THREADS, "met", "true"), (LATE, "missed", "false"), (FULL, "unbounded", "false")],
)
def test_csv_says_the_verdict_first(text: str, verdict: str, met: str) -> None:
    content = results.export_csv(loads(text)).content
    assert isinstance(content, str)
    first, *rest = table(content)
    assert (first["figure"], first["because"], first["met"]) == ("verdict", verdict, met)
    chain = next(row for row in rest if row["kind"] == "chain")
    assert chain["met"] == met
    assert (chain["bound"] == "") == (verdict == "unbounded") == bool(chain["because"])


def test_each_bound_of_the_result_has_a_row() -> None:
    result = analyze(loads(DISTRIBUTED))
    content = results.export_csv(loads(DISTRIBUTED)).content
    assert isinstance(content, str)
    rows = {(row["kind"], row["name"], row["figure"]): row["bound"] for row in table(content)}
    assert rows["thread", "drive", "response"] == str(int(result.threads["drive"].wcrt or 0))
    assert rows["callback", "tick", "response"] == str(int(result.callbacks["tick"].wcrt or 0))
    assert rows["chain", "logged", "data_age"] == str(int(result.chains["logged"].data_age or 0))
    assert len([key for key in rows if key[0] == "message"]) == len(result.messages)
    assert len([key for key in rows if key[0] == "queue"]) == len(result.queues)


def test_parquet_has_the_same_rows(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "system.yaml").write_text(FULL)
    out = tmp_path / "bounds.parquet"
    assert main(["export", "parquet", str(tmp_path / "system.yaml"), "--output", str(out)]) == 0
    found = parquet.read_table(out).to_pylist()
    assert [tuple(row.values()) for row in found] == list(results.rows(analyze(loads(FULL))))


def test_parquet_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "system.yaml").write_text(TWO_THREADS)
    assert main(["export", "parquet", str(tmp_path / "system.yaml")]) == 2
    assert "name a file with --output" in capsys.readouterr().err


def test_the_graph_goes_the_way_of_the_data() -> None:
    content = graphml.export(loads(DISTRIBUTED)).content
    assert isinstance(content, str)
    root = ElementTree.fromstring(content)
    nodes = {node.get("id") for node in root.iter(f"{SPACE}node")}
    edges = {(edge.get("source"), edge.get("target")) for edge in root.iter(f"{SPACE}edge")}
    assert {end for edge in edges for end in edge} <= nodes
    way = ["threads/sensor", "flow_controllers/F", "topics/angle", "listeners/L", "threads/drive"]
    assert set(pairwise(way)) <= edges
    assert ("threads/local", "threads/log") in edges
    declared = {key.get("id") for key in root.iter(f"{SPACE}key")}
    assert {data.get("key") for data in root.iter(f"{SPACE}data")} <= declared


def test_a_thread_without_a_priority_has_none_in_the_graph() -> None:
    """Once those of the nice value 0 had -2147483649, which is below all that can be said."""
    text = TWO_THREADS.replace("priority: 85", "policy: other")
    found = {name: said["priority"] for name, said in graphml.nodes(loads(text))}
    assert (found["threads/sensor"], found["threads/control"]) == (None, 70)


def test_what_is_left_out_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "system.yaml").write_text(DISTRIBUTED)
    assert main(["export", "pycpa", str(tmp_path / "system.yaml")]) == 0
    out, err = capsys.readouterr()
    assert out.startswith('"""distributed: bounds of pyCPA beside those of ddsrta.')
    lines = err.splitlines()
    assert all(line.startswith("left out: ") for line in lines)
    assert all(line.removeprefix("left out: ") in out for line in lines)


def test_what_a_format_cannot_say_ends_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = DISTRIBUTED.replace(
        "listener: L}}\ncallbacks", "listener: L, activation: and}}\ncallbacks"
    )
    (tmp_path / "system.yaml").write_text(text)
    assert main(["export", "pycpa", str(tmp_path / "system.yaml")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "system.yaml:31:3: 'drive' waits for several inputs" in err


def test_help_names_each_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert "export" in COMMANDS
    assert main(["export", "--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"  {name} " in text for name in EXPORTS)
