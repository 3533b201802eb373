"""The joins of a problem that have a slowest input, as the kernel reads them."""

from __future__ import annotations

from array import array

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.slowest_input.due import Due
from ddsrta_kernel.problem import A_SLOW


def slowest_words(compiled: Compiled) -> array[int]:
    """The joins that have a slowest input, each with what it waits for."""
    found = array("q", [len(compiled.slowest)] + [0] * A_SLOW * len(compiled.slowest))
    for place, (node, one) in enumerate(compiled.slowest.items()):
        at = _lay_due(found, one.due, {})
        found[1 + A_SLOW * place : 1 + A_SLOW * (place + 1)] = array("q", [node, one.best, at])
    return found


def _lay_due(found: array[int], due: Due, known: dict[int, int]) -> int:
    """Where what a join waits for stands."""
    if id(due) not in known:
        inputs = [(edge, _lay_due(found, before, known)) for edge, before in due.inputs]
        known[id(due)] = len(found)
        found.extend([due.begins, due.paced, due.needs_all, len(inputs)])
        for edge, at in inputs:
            found.extend([edge.source, edge.worst, at])
    return known[id(due)]
