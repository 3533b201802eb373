"""The registry of features: nothing that can be written is left out, and every pair is drawn."""

from __future__ import annotations

from tests.soundness.pipeline.covering import covering, pairs_of
from tests.soundness.pipeline.drawn import FIRST, loaded, rows
from tests.soundness.pipeline.product import known
from tests.soundness.pipeline.registry import DIMENSIONS, NOT_DRAWN, POOL, excluded, pairs
from tests.soundness.pipeline.scene import Scene
from tests.soundness.pipeline.words import of_grammar, used
from tests.soundness.version import rotation


def test_each_pair_of_features_is_drawn_or_excluded_with_a_reason():
    array = covering(1)
    reached = {pair for row in array for pair in pairs_of(row)}
    assert reached == set(pairs()) - set(excluded())
    assert all(excluded().values())
    assert len(array) < 1.6 * len(DIMENSIONS["refinement"]) * len(DIMENSIONS["arrival"])


def test_a_seed_draws_the_same_array():
    assert covering(5) == covering(5) != covering(6)


def test_each_word_of_the_grammar_is_drawn_or_left_out_with_a_reason():
    """What few rows can have may be missing in one array: then in the next ones."""
    left = {word for word in of_grammar() if word.split("=")[0] not in NOT_DRAWN}
    first = rotation()
    for array in range(first, first + 6):
        for number, row in enumerate(rows(array) if left else ()):
            left.difference_update(used(known(Scene(row, f"{array}.{number}", FIRST).draw())))
    assert not left
    assert all(NOT_DRAWN.values())


def test_each_pool_that_is_drawn_is_modelled():
    """Of those of humble, whose messages within a process are forgotten, none has such."""
    for number, row in enumerate(rows(7)):
        if row["executor"] == POOL:
            scene = Scene(row, f"7.{number}", FIRST)
            assert "R" in loaded(known(scene.draw()), scene.files).threads
