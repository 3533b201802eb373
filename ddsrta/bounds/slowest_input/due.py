"""What is known of the slowest input of a join (lemmas slowest-input and slowest-release)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ddsrta.bounds.edges import Edge


class Due(NamedTuple):
    """How much later than the slowest source's event of a number the event of another base may
    come: of a source `begins` says so, of a junction the inputs, of which all or any have to be
    there. What is `paced` counts from when the event is due at the pace of its source."""

    begins: int
    paced: bool
    inputs: tuple[tuple[Edge, Due], ...]
    needs_all: bool


class Slowest(NamedTuple):
    """Of a join: its slowest source, how many events it has for each of that, how soon after it the
    first of them may come, and what it waits for."""

    source: int
    times: int
    best: int
    due: Due


def released(due: Due, starts: Sequence[int]) -> int:
    """How much later than the slowest source's event of a number all may be released that another
    base's event of it comes of, with how long after the event of its base each stage is released
    by time (lemma slowest-release)."""
    if not due.inputs:
        return due.begins
    found = [released(before, starts) + starts[edge.source] for edge, before in due.inputs]
    return max(found) if due.needs_all else min(found)
