"""The baseband case: its programs are what the paper says, and its figures are those of now."""

from __future__ import annotations

import doctest
import json

import pytest

from casestudies.baseband import figures, found, program, seen, tables
from ddsrta.lf.bounds.enclaves.judge import judge_enclaves

# Which statements of the paper hold for bounds and for runs; the README says why.
HOLDS = {
    "enclaves1 best": (False, False),
    "enclaves1 over finer ones": (True, True),
    "enclaves6 worst": (True, True),
}
# Looked at anew: working out all of them takes minutes.
SAMPLE = [
    ("reactors", "high"),
    ("enclaves1", "low"),
    ("enclaves2", "uneven"),
    ("enclaves4", "medium"),
    (figures.FOUND, "uneven"),
]


@pytest.mark.parametrize("partition", list(program.PARTITIONS))
def test_a_partition_has_the_enclaves_of_the_paper(partition: str) -> None:
    federate = program.federation(partition, "low").federates["radio"]
    assert (len(federate.enclaves) or 1) == program.PARTITIONS[partition]
    assert len(federate.reactions) == 461
    parted = [reactor for enclave in federate.enclaves.values() for reactor in enclave.reactors]
    assert len(parted) == len(set(parted)) == (460 if federate.enclaves else 0)


def test_stages_of_a_user_take_about_the_same() -> None:
    costs = [
        sum(program.KERNELS[kernel].count * program.KERNELS[kernel].cost for kernel in stage)
        for stage in program.STAGES
    ]
    assert max(costs) - min(costs) < max(costs) // 100
    assert max(program.KERNELS.values(), key=lambda k: k.cost) == program.KERNELS["weights"]


@pytest.mark.parametrize(("partition", "traffic"), SAMPLE)
def test_bounds_are_those_of_the_readme(partition: str, traffic: str) -> None:
    assert figures.bound(partition, traffic) == figures.read()["bound"][partition][traffic]


def test_runs_are_those_of_the_readme() -> None:
    assert figures.seen("enclaves1", "low") == figures.read()["seen"]["enclaves1"]["low"]


def test_no_run_is_above_its_bound() -> None:
    known = figures.read()
    for partition, row in known["bound"].items():
        for traffic, bound in row.items():
            late = known["seen"][partition][traffic]
            assert late is not None and (bound is None or late <= bound), (partition, traffic)


def test_only_the_partition_that_was_found_is_in_time_with_a_heavy_user() -> None:
    assert judge_enclaves(found.program("uneven")).verdict == "met"
    rows = figures.read()["bound"]
    assert [name for name, row in rows.items() if row["uneven"] is not None] == [figures.FOUND]


@pytest.mark.parametrize("traffic", list(program.TRAFFIC))
def test_what_was_found_is_no_worse_than_any_of_the_paper(traffic: str) -> None:
    rows = figures.read()["bound"]
    best = rows[figures.FOUND][traffic]
    known = [row[traffic] for row in rows.values()]
    assert best is not None and all(value is None or best <= value for value in known)


@pytest.mark.parametrize("statement", tables.STATEMENTS, ids=lambda statement: statement.key)
def test_statement_holds_exactly_where_the_readme_says_so(statement: tables.Statement) -> None:
    assert tuple(statement.holds(kind) for kind in tables.KINDS) == HOLDS[statement.key]


def test_nothing_else_is_pinned() -> None:
    names = {*program.PARTITIONS, figures.FOUND}
    for kind in tables.KINDS:
        assert figures.read()[kind].keys() == names
    assert json.loads(found.FILE.read_text("utf-8")).keys() == program.TRAFFIC.keys()


@pytest.mark.parametrize("module", [program, seen], ids=lambda module: module.__name__)
def test_examples_in_docstrings(module: object) -> None:
    result = doctest.testmod(module)
    assert result.attempted and not result.failed
