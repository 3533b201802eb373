"""What a simulation sees exceeds the published bounds of the counterexamples, and no default one."""

from __future__ import annotations

import importlib

import pytest

from casestudies.analyses import PUBLISHED, analysed
from casestudies.counterexamples import compared
from casestudies.tables import STUDIES

CASES = [study for study in STUDIES if study.startswith("published_")]
SOUND = {("published_lemma_10", "sample of B in the controller")}
RULES = {
    "published_lemma_10": {"published-lemma-10", "published-lemma-10-pending"},
    "published_eq_25": {"published-eq-25"},
    "published_and_wait": {"published-and-wait"},
    "published_equal_priorities": {"published-equal-priorities"},
}


@pytest.mark.parametrize("study", CASES)
def test_published_bounds_are_exceeded_and_default_ones_hold(study: str) -> None:
    for figure in importlib.import_module(f"casestudies.{study}.tables").FIGURES:
        published, seen, default = compared(study, figure)
        assert published is not None and default is not None
        assert seen <= default, figure.name
        assert (seen > published) == ((study, figure.name) not in SOUND), figure.name


@pytest.mark.parametrize("study", CASES)
def test_the_profile_warns_of_exactly_what_breaks_its_bounds(study: str) -> None:
    warnings = {finding.rule for finding in analysed(study, "system", PUBLISHED).warnings}
    assert {rule for rule in warnings if rule.startswith("published-")} == RULES[study]
