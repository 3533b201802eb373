"""What was explored holds what its README says, and its studies can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from casestudies.analyses import FOLDER, analysed, loaded
from casestudies.ars.graph import CHAINS
from casestudies.explored.tables import FOUND, best, found
from ddsrta.exploration.study.base import Base
from ddsrta.exploration.study.setup import read_setup

STUDIES = sorted((FOLDER / "explored" / "studies").glob("*.yaml"))


@pytest.mark.parametrize(("name", "percent"), [("ars", 20), ("ars_two", 18)])
def test_every_chain_is_far_below_the_best_scenario(name: str, percent: int) -> None:
    assert all(100 * found(chain, name) <= (100 - percent) * best(chain) for chain in CHAINS)
    check = analysed("explored", name).check
    assert check is not None and check.status == "confirmed"


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.stem)
def test_its_studies_can_be_read(path: Path) -> None:
    setup = read_setup(path)
    assert setup.space.size > 30 and setup.goals


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_is_in_the_space(name: str) -> None:
    """Each place that differs from the base is open, and what stands there is one of its values."""
    setup = read_setup(FOLDER / "explored" / "studies" / f"{name}.yaml")
    said = Base.of(loaded("explored", name))
    for parameter in setup.space.parameters:
        values = tuple(said.value(place) for place in parameter.places)
        if parameter.is_order:
            assert sorted(values) == sorted(parameter.handed)
        else:
            assert values in parameter.choices


def test_one_has_the_two_executors_of_the_paper() -> None:
    assert {*loaded("explored", "ars_two").executors} == {*loaded("ars", "F").executors}
