"""Both readers say the same of drawn systems, however they are written."""

from __future__ import annotations

from random import Random

import ddsrta
from ddsrta.checker.yaml import read_document
from ddsrta.models.document import to_document
from tests.checker.respelled import respelled
from tests.effort import draws
from tests.soundness.draw import KINDS, drawn
from tests.soundness.yaml_text import to_yaml


def agreed(text: str) -> bool:
    """Whether the models read a text; if so, both readers must agree on it."""
    try:
        document = to_document(ddsrta.loads(text))
    except ddsrta.InputError:
        return False
    assert read_document(text, "<text>") == document, text
    return True


def test_drawn_systems_in_other_words():
    for number in range(draws(50, of=150)):
        system = drawn(number)
        text = respelled(to_yaml(system), Random(number))
        assert agreed(text) or "is given twice, in different words" in text or "<<" in text


def test_drawn_systems_of_which_something_is_left_out():
    texts = [to_yaml(drawn(number, kind)) for number in range(draws(2, of=4)) for kind in KINDS]
    read = [agreed(respelled(text, Random(n), 0.015)) for n, text in enumerate(texts * 3)]
    assert sum(read) > len(read) / 5
