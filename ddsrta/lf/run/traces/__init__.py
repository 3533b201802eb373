"""Reads traces of Lingua Franca: `.lft` files, their CSV, spans of xronos, and what a run shows."""

from ddsrta.lf.run.traces.observe import observe
from ddsrta.lf.run.traces.observed import FederateSeen, ReactionSeen, RtiSeen, RunSeen
from ddsrta.lf.run.traces.samples import Samples
from ddsrta.lf.run.traces.spans import observe_spans

__all__ = [
    "FederateSeen",
    "ReactionSeen",
    "RtiSeen",
    "RunSeen",
    "Samples",
    "observe",
    "observe_spans",
]
