"""The search for partitions: never worse, repeatable, within its budget, and right where it is known."""

from __future__ import annotations

import pytest
import yaml

from ddsrta.checker import check
from ddsrta.lf.bounds.enclaves.certificate import enclaves_certificate
from ddsrta.lf.bounds.enclaves.judge import judge_enclaves
from ddsrta.lf.bounds.enclaves.partition import applied, atoms, reactors
from ddsrta.lf.bounds.enclaves.search import Scored, score, search
from ddsrta.lf.program.reader import loads
from ddsrta.report.lf.enclaves import report_text
from tests.lf.bounds.enclaves.random_programs import system
from tests.lf.bounds.enclaves.test_enclaves import LEVELS, TWO
from tests.lf.run.simulation.draw import draw

MS = 1_000_000
ONE = TWO.format(cores=4, overhead="0ms", connection="", enclaves="{}", target="Cpp")


def test_slow_and_fast_are_parted() -> None:
    found = search(loads(ONE, "f.yaml"), budget=20)
    assert found.first.report.verdict == "missed"
    assert found.best.report.verdict == "met"
    assert {row.done for row in found.best.report.rows} == {50 * MS, MS}


def test_two_pipelines_get_an_enclave_each() -> None:
    found = search(loads(LEVELS.format(workers=2, target="Cpp"), "f.yaml"), budget=40)
    assert found.first.worst == 20 * MS
    assert found.best.worst == 11 * MS
    groups = {frozenset(group) for group in found.best.cuts["f"].groups if group}
    assert {frozenset("ac"), frozenset("bd")} == groups


@pytest.mark.parametrize("seed", range(12))
def test_what_is_found_is_never_worse_and_has_the_bounds_that_it_says(seed: int) -> None:
    program = system(seed)
    told: list[tuple[int, Scored]] = []
    found = search(program, 25, seed, lambda tried, best: told.append((tried, best)))
    assert found.best.score <= found.first.score
    assert found.tried <= 25
    assert [best.score for _, best in told] == sorted(
        (best.score for _, best in told), reverse=True
    )
    again = judge_enclaves(applied(program, found.best.cuts))
    if found.best.cuts != found.first.cuts:
        assert score(again) == found.best.score
    names = sorted(name for group in found.best.cuts["f"].groups for name in group)
    assert names == sorted(reactors(program.federates["f"]))


def test_the_same_seed_finds_the_same() -> None:
    one, other = search(system(4), 30, 7), search(system(4), 30, 7)
    assert one.best.cuts == other.best.cuts and one.tried == other.tried


def test_reactors_that_share_an_action_or_an_order_stay_together() -> None:
    text = LEVELS.format(workers=1, target="Cpp")
    text = text.replace("    inputs:", "    actions: {act: {}}\n    inputs:")
    text = text.replace("effects: [a.out]", "effects: [a.out, act]").replace(
        "[d.in]", "[d.in, act]"
    )
    together = next(row for row in atoms(loads(text, "f.yaml"), "f").members if "a" in row)
    assert "d" in together and "c" not in together
    text = LEVELS.format(workers=1, target="Cpp").replace(
        "[c.in], wcet", "[c.in], after: [b], wcet"
    )
    found = atoms(loads(text, "f.yaml"), "f").members
    assert any({"b", "c"} <= set(row) for row in found)


def test_nothing_to_part_is_no_error() -> None:
    from ddsrta.lf.program.examples import two_federates

    found = search(two_federates(), budget=5)
    assert found.tried == 0 and found.best is found.first


def test_a_port_that_no_reaction_writes_stays_where_its_receivers_look_for_it() -> None:
    """With all reactors in enclaves, nothing else is left outside of them."""
    found = search(draw(0, "centralized", 50000), budget=4)
    assert found.tried > 1
    assert check(enclaves_certificate(found.best.report, None)).ok


def test_what_is_printed_can_be_put_into_the_file() -> None:
    """Members of banks have brackets in their names."""
    text = ONE.replace("reactor: s,", 'reactor: "d[0]",')
    text = text.replace("reactor: f,", 'reactor: "d[1]",')
    found = search(loads(text, "f.yaml"), budget=20)
    shown = report_text(found.report, found).partition("\n  federates:\n")[2]
    printed = yaml.safe_load("federates:\n" + shown)["federates"]
    raw = yaml.safe_load(text)
    raw["federates"]["f"] |= printed["f"]
    assert '["d[0]"]' in shown
    assert score(judge_enclaves(loads(yaml.safe_dump(raw), "f.yaml"))) == found.best.score
