"""Simulation in slices of one step, as many on every machine; in the processes of workers, too.

A slice ends by the clock otherwise: a fast machine has done a whole run in one.
"""

from __future__ import annotations

from multiprocessing.connection import Connection

import pytest

from ddsrta.simulation import job, simulate, workers
from ddsrta.simulation.plan import Plan

_WORK = workers._work


def work(pipe: Connection, plan: Plan, every: float | None) -> None:
    """What a worker does, telling how far it is after each step."""
    job.SLICE = workers.NEWS = 0
    _WORK(pipe, plan, every)


def in_steps(patch: pytest.MonkeyPatch) -> None:
    """Simulations from here on go step by step, and note after each from where to go on."""
    patch.setattr(job, "SLICE", 0)
    patch.setattr(workers, "_work", work)
    patch.setattr(simulate, "EVERY", 0)
