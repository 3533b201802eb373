"""ddsrta reproduce: each piece has a table or says why not, and is what the case studies say."""

from __future__ import annotations

import pytest

from casestudies.car_detection import loads
from casestudies.reproduced import HEAD, PIECES
from casestudies.tables import STUDIES
from ddsrta.__main__ import main

OPEN = {piece.name: piece for piece in PIECES if piece.make}


def test_each_piece_has_a_table_or_a_reason() -> None:
    assert len({piece.name for piece in PIECES}) == len(PIECES)
    for piece in PIECES:
        assert bool(piece.make) == bool(piece.study) != bool(piece.why)
        assert not piece.study or piece.study in STUDIES
        assert not piece.why or piece.why.startswith(("closed: ", "not yet: "))


def test_the_list_names_all_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce"]) == 0
    text = capsys.readouterr().out
    assert all(piece.name in text and piece.source in text for piece in PIECES)
    assert all(f"    {piece.why}\n" in text for piece in PIECES if piece.why)


def test_paper_published_ours_exact_and_measured_stand_in_one_row(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["reproduce", "three-topics", "saito-load"]) == 0
    first, _, head, *rows = capsys.readouterr().out.splitlines()
    assert first.endswith("(Sciangula et al. 2025, 6.2, Table 3), in µs")
    assert head.split("  ")[-1].strip() == "measured"
    assert all(title in head for title in HEAD)
    wanted = "conf1_fifo DDL θ1 5446.000 2202.002 286.000 286.000 6.3 % below the paper's bound"
    assert " ".join(rows[0].split()) == wanted


def test_long_rows_are_told_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "statements-6.3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 100
    assert "  holds?: no" in lines


def test_markdown_is_the_table_of_the_readme(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "soyer-throttling", "--markdown"]) == 0
    make = OPEN["soyer-throttling"].make
    assert make is not None
    assert make() in capsys.readouterr().out


def test_what_is_closed_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "sciangula-measured"]) == 0
    assert "closed: its figures have no numbers" in capsys.readouterr().out


def test_an_unknown_piece_is_a_wrong_call(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "tree-topics"]) == 2
    assert (
        "there is no piece 'tree-topics'; did you mean 'three-topics'?" in capsys.readouterr().err
    )


def test_loads_of_the_model_are_not_below_those_that_were_measured() -> None:
    for (thread, system), measured in loads.MEASURED.items():
        assert loads.load(thread, system) >= measured
    assert loads.look() == 892_974
