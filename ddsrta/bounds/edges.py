"""What one stage brings to another (definition stage-graph)."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.models.messages import Part


class Spacing(NamedTuple):
    """Units come apart: at most ⌈(Δ + slack) / distance⌉ bunches of `bunch` in a window Δ."""

    distance: int
    slack: int
    bunch: int


class Again(NamedTuple):
    """What comes back to a stage by the `last` edge, at most `rounds` times for each event that
    comes there from outside (lemma bounded-rounds)."""

    rounds: int
    last: Edge


class Edge(NamedTuple):
    """Each unit of a stage brings `multiplicity` units to the next.

    `worst` counts from the completion at the source and is negative where units leave before it,
    `least` from the arrival at the source; `link` is what the way between them takes at most. What
    a job hands to another `within` its execution, on that topic, does not wait for its completion.
    What `overtakes` may arrive in another order than it left. Of units that bring no more than a
    `part`, it is less. `again`: it stands for all that comes back because of them. `copies`: how
    many leave for sure, one by one, of which it is one, and how long one takes at most. It `takes`
    the thread that sends it so long at least, just before it leaves; 0: not known.
    """

    source: int
    multiplicity: int
    worst: int
    least: int
    link: int
    spacing: Spacing | None = None
    within: str = ""
    overtakes: bool = False
    part: Part | None = None
    again: bool = False
    copies: tuple[int, int] | None = None
    takes: int = 0
