"""Reads traces of Lingua Franca: `.lft` files, their CSV, spans of xronos, and what a run shows."""

from ddsrta.lf.traces.observe import observe
from ddsrta.lf.traces.observed import FederateSeen, ReactionSeen, RtiSeen, RunSeen
from ddsrta.lf.traces.samples import Samples
from ddsrta.lf.traces.spans import observe_spans

__all__ = [
    "FederateSeen",
    "ReactionSeen",
    "RtiSeen",
    "RunSeen",
    "Samples",
    "observe",
    "observe_spans",
]
