"""What is known of the slowest input of a join (lemma slowest-input)."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.bounds.stages import Edge


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
