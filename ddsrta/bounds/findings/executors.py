"""Findings about executors of ROS 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ddsrta.base.units import Duration
from ddsrta.bounds.findings.places import listed, supplies
from ddsrta.bounds.findings.rules import finding
from ddsrta.bounds.result import Finding
from ddsrta.bounds.skipped import Skip
from ddsrta.models.groups import excludes
from ddsrta.models.system import System
from ddsrta.ros2 import kind_of


def pool_spins(system: System) -> Iterator[Finding]:
    """What is ready in a busy group lets the wait of an idle thread return, over and over."""
    placed = supplies(system) if system.executors else {}
    for name, executor in system.executors.items():
        if not excludes(system, executor) or not kind_of(executor).spins(executor):
            continue
        here = [other for core in executor.cores for other in placed.get((core, None), ())]
        robbed = {other.name: None for other in here if other.priority < executor.priority}
        if robbed:
            yield finding(
                system,
                "pool-spins",
                ("executors", name, "cores"),
                f"while a callback of a group runs, an idle thread of '{name}' may spin on a "
                f"core and take time from {listed(list(robbed))}, which no bound counts",
            )


def idle_keys(system: System) -> Iterator[Finding]:
    """Keys of executors at which their kind does not look."""
    for name, executor in system.executors.items():
        kind = kind_of(executor)
        idle = {
            "order": executor.order == "registered" and not kind.service(executor).in_rounds,
            "release": executor.release is not None and not kind.of_rclcpp,
        }
        why = {"order": "takes no callbacks in rounds", "release": "is not of rclcpp"}
        for key in (key for key, is_idle in idle.items() if is_idle):
            yield finding(
                system,
                "unused",
                ("executors", name, key),
                f"'{key}' of executor '{name}' is never used: one of kind {kind.name} {why[key]}",
            )


def split_groups(system: System) -> Iterator[Finding]:
    """Callbacks of one group in several executors, which rclcpp does not let be."""
    held: dict[str, dict[str, str]] = {}
    for thread in system.threads.values():
        if thread.executor is not None and thread.group is not None:
            held.setdefault(thread.group, {}).setdefault(thread.executor, thread.name)
    for group, executors in held.items():
        if len(executors) > 1:
            *_, last = executors.values()
            yield finding(
                system,
                "split-group",
                ("threads", last, "group"),
                f"callbacks of group '{group}' are in executors {listed(list(executors))}: those "
                "of one do not keep those of another waiting",
            )


def timer_overrun(system: System, skips: Mapping[str, Skip]) -> Iterator[Finding]:
    """Timers that may be called when their next release is due (lemma timer-skips)."""
    for name, skip in skips.items():
        late, apart, gap = "any time", "any time", skip.arrival.largest_gap
        if skip.late is not None:
            late = f"up to {Duration(skip.late)}"
        if gap is not None:
            apart = f"up to {Duration(gap)}"
        period = getattr(system.threads[name].arrival, "period", 0)
        made = finding(
            system,
            "timer-overrun",
            ("threads", name, "timer"),
            f"timer '{name}' of {Duration(period)} may be called {late} late, and "
            f"rclcpp skips what was due by then: its releases may be {apart} apart, and its n-th "
            "message is not that of the n-th period",
        )
        own = f"called {late} late, releases {apart} apart"
        yield replace(made, thing=name, own=own)
