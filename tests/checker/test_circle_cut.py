"""The checker knows by itself what circles touch: where the analysis forgets it, what it claims is
refused (lemma circle-cut)."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

import ddsrta
from ddsrta.bounds import tandem_window
from ddsrta.bounds.closed_window import windows as closed
from ddsrta.checker import check
from ddsrta.checker.document import read_system
from ddsrta.checker.stages import unfold
from ddsrta.checker.turns import on_circles
from tests.bounds.test_circle_cut import TEXT, THROUGH
from tests.checker.tampered import certified, changed
from tests.soundness.beside import beside_system
from tests.soundness.rounds import rounds_system

FORGOTTEN = {  # what is asked of stages, what it says then, and of whom
    "sets in which one begins": (closed, "goes_round", False, beside_system, 4),
    "pairs on one": (tandem_window, "on_circles", frozenset(), rounds_system, 108),
}


@contextmanager
def forgetting(module, name, instead):
    known = getattr(module, name)
    setattr(module, name, lambda *_: instead)
    try:
        yield
    finally:
        setattr(module, name, known)


@pytest.mark.parametrize("what", FORGOTTEN)
def test_what_is_claimed_where_circles_are_forgotten_is_refused(what):
    module, name, instead, draw, seed = FORGOTTEN[what]
    system = draw(seed)
    assert check(certified(system)).ok
    with forgetting(module, name, instead):
        claimed = certified(system)
    assert check(claimed).status == "refuted"


def test_what_comes_to_a_circle_is_claimed_at_no_pace():
    certificate = certified(ddsrta.loads(TEXT))
    names = [tuple(one["stage"]) for one in certificate["stages"]]
    for name in ("wall", "player"):
        place = names.index(("job", name))
        verdict = check(changed(certificate, (("stages", place, "paced"), 1)))
        assert verdict.status == "refuted" and "no pace" in verdict.failure


@pytest.mark.parametrize("name", ["way", "again", "round"])
def test_no_less_is_confirmed_of_a_path_through_a_circle(name):
    """Each is the least that its window gives, so nothing else shows a nanosecond less."""
    certificate = certified(ddsrta.loads(THROUGH))
    assert check(certificate).ok
    latency = certificate["chains"][name]["latency"]
    lower = changed(certificate, (("chains", name, "latency"), latency - 1))
    assert check(lower).status == "refuted"


def test_all_that_circles_go_through():
    system = read_system(certified(ddsrta.loads(TEXT))["system"])
    stages = {stage.key: stage for stage in unfold(system)}
    assert {key[1] for key in on_circles(stages)} == {"wall", "player"}
