"""What a person should know about a configuration, before and after its bounds are known."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.bounds.findings import capacity, executors, middleware, scheduling, unused
from ddsrta.bounds.findings.rules import RULES, Rule, reference
from ddsrta.bounds.result import Finding, QueueResult
from ddsrta.bounds.skipped import Skip
from ddsrta.models.system import System

__all__ = ["RULES", "Finding", "Rule", "findings", "reference", "result_findings"]

_ORDER = ("error", "warning", "note")


def findings(system: System) -> list[Finding]:
    """What can be said without any bound: the worst first, then in the order of the file.

    >>> from ddsrta.examples import two_threads
    >>> findings(two_threads())
    []
    >>> livelock = two_threads().replace("flow_controllers", "F", priority=90)
    >>> [(finding.rule, finding.position.line) for finding in findings(livelock)]
    [('livelock', 12)]
    """
    return _sorted(
        [
            *middleware.livelock(system),
            *middleware.spin_across_cores(system),
            *executors.pool_spins(system),
            *middleware.shared_participant(system),
            *middleware.unknown_write(system),
            *middleware.sync_with_flow_controller(system),
            *middleware.not_of_fast_dds(system),
            *middleware.topic_priorities(system),
            *middleware.topic_priority_range(system),
            *scheduling.thread_priority_range(system),
            *scheduling.equal_priorities(system),
            *scheduling.reservation_overcommit(system),
            *scheduling.unserved_reservation(system),
            *scheduling.trace_arrival(system),
            *scheduling.open_constraint(system),
            *capacity.link_rate(system),
            *unused.topics(system),
            *unused.things(system),
            *unused.topic_keys(system),
            *unused.link_keys(system),
        ]
    )


def result_findings(
    system: System,
    cores: Mapping[str, float],
    backlog: Mapping[str, QueueResult],
    skips: Mapping[str, Skip] | None = None,
    links: Mapping[str, Mapping[str, float]] | None = None,
) -> list[Finding]:
    """What the loads of cores and links, the queues of a result and timers that may skip releases
    tell about the configuration.

    >>> from ddsrta.examples import two_threads
    >>> [finding.rule for finding in result_findings(two_threads(), {"ecu/c0": 0.97}, {})]
    ['core-load']
    """
    return _sorted(
        [
            *capacity.core_load(system, cores),
            *capacity.link_load(system, links or {}),
            *capacity.queue_overflow(system, backlog),
            *capacity.sample_batches(system, backlog),
            *executors.timer_overrun(system, skips or {}),
        ]
    )


def _sorted(found: list[Finding]) -> list[Finding]:
    return sorted(
        found, key=lambda f: (_ORDER.index(f.severity), f.position or ("", 0, 0), f.rule, f.message)
    )
