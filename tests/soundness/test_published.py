"""The campaign finds by itself where the published bounds do not hold, and only there."""

from __future__ import annotations

import math

import pytest

import ddsrta
from tests.effort import draws
from tests.soundness.attack import attacked
from tests.soundness.draw import drawn
from tests.soundness.published import PROFILE, found, only, overloaded, rules_of
from tests.soundness.yaml_text import to_yaml

# Of each class: where to begin looking, and how many lines the simplest system may have.
CLASSES = {
    "published-lemma-10": (40, 18),
    "published-eq-25": (90, 16),
    "published-and-wait": (240, 12),
    "published-equal-priorities": (0, 16),
    "published-reservations": (0, 16),
    "published-queues": (5, 16),
}


@pytest.mark.parametrize("rule", CLASSES)
def test_every_class_of_counterexamples_is_found_and_shrunk(rule: str) -> None:
    first, lines = CLASSES[rule]
    case = next(
        case for seed in range(first, first + 60) for case in found(seed, rule, seconds=math.inf)
    )
    assert rules_of(case.system) == {rule}
    text = to_yaml(case.system)
    assert len(text.splitlines()) <= lines, text
    again = ddsrta.loads(text)
    published, default = (ddsrta.analyze(again, profile=p) for p in (PROFILE, "busy-window"))
    assert attacked(again, published, 16, case.seed)
    assert not attacked(again, default, 16, case.seed)


def test_without_the_known_classes_no_published_bound_falls() -> None:
    compared = 0
    systems = draws(20, of=60)
    for seed in range(systems):
        system = only(drawn(seed, "focused"), None)
        assert not rules_of(system)
        if not overloaded(system):
            compared += 1
            violated = attacked(system, ddsrta.analyze(system, profile=PROFILE), 12, seed)
            assert not violated, f"{violated[0]}\n{to_yaml(system)}"
    assert compared > systems // 2
