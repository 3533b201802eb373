"""Findings about executors of ROS 2."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.analysis.findings.places import listed, supplies
from ddsrta.analysis.findings.rules import finding
from ddsrta.analysis.result import Finding
from ddsrta.models.pools import group_of
from ddsrta.models.system import System

_SLEEPING = ("humble", "iron")  # what is in a busy group is not waited for


def pool_spins(system: System) -> Iterator[Finding]:
    """What is ready in a busy group lets the wait of an idle thread return, over and over."""
    placed = supplies(system)
    for name, executor in system.executors.items():
        callbacks = (t for t in system.threads.values() if t.executor == name)
        excludes = any(group_of(callback) is not None for callback in callbacks)
        if not executor.is_pool or executor.release in _SLEEPING or not excludes:
            continue
        here = [other for core in executor.cores for other in placed.get((core, None), ())]
        robbed = {other.name: None for other in here if other.priority < executor.priority}
        if robbed:
            yield finding(
                system,
                "pool-spins",
                ("executors", name, "cores"),
                f"while a callback of a group runs, an idle thread of '{name}' may spin on its own "
                f"core and take time from {listed(list(robbed))}, which no bound counts",
            )
