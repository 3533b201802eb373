"""What `explain` says of messages that not every job sends."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.terms.explain import explain
from tests.bounds.test_left_out import CHOOSE, LAST, TEXT
from tests.bounds.test_rounds import TEXT as ROUNDS


def words(text, chain):
    text = f"{text}chains: {{c: {{path: [{chain}]}}}}\n"
    stages = explain(ddsrta.loads(text), "c").stages
    return {term.label: term.detail for stage in stages for term in stage.terms}


@pytest.mark.parametrize(
    ("said", "words_of_it"),
    [
        ("jobs: 1 of 3", "1 × 40 ns, sent by 1 of 3 jobs of source"),
        ("min_separation: 350ns", "1 × 40 ns, 350 ns apart from source"),
        ("jobs: 1 of 1", "2 × 40 ns"),
    ],
)
def test_a_count_says_what_lowers_it(said, words_of_it):
    found = words(TEXT.replace("jobs: 1 of 3", said), "low")
    assert found["preempted by thread reader"] == words_of_it


def test_own_work_says_of_which_alternatives_the_dearest_is_in_it():
    assert words(CHOOSE + LAST, "source")["own work"] == "of alternatives 'g' the dearest"
    assert words(TEXT, "source")["own work"] == ""


def test_what_goes_round_says_how_often():
    found = words(ROUNDS, "start, ping, wall")
    assert any(detail.endswith("with 3 rounds of each") for detail in found.values())
