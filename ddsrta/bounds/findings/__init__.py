"""What a person should know about a configuration, before and after its bounds are known."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.base.units import Duration
from ddsrta.bounds.findings import capacity, executors, middleware, scheduling, unused
from ddsrta.bounds.findings.rules import RULES, Rule, reference
from ddsrta.bounds.result import Finding, QueueResult
from ddsrta.bounds.skipped import Skip
from ddsrta.models.system import System

__all__ = ["RULES", "Finding", "Rule", "findings", "has_errors", "reference", "result_findings"]

_ORDER = ("error", "warning", "note")
_GRAVE = (  # that tell errors
    middleware.livelock,
    middleware.sync_with_flow_controller,
    middleware.topic_priority_range,
    scheduling.thread_priority_range,
    scheduling.reservation_overcommit,
)
_OTHERS = (
    middleware.spin_across_cores,
    executors.pool_spins,
    executors.split_groups,
    executors.idle_keys,
    middleware.shared_participant,
    middleware.unknown_write,
    middleware.not_of_fast_dds,
    middleware.topic_priorities,
    scheduling.equal_priorities,
    scheduling.reservation_range,
    scheduling.unserved_reservation,
    scheduling.throttled_jobs,
    scheduling.trace_arrival,
    scheduling.open_constraint,
    capacity.link_rate,
    capacity.coarse_delays,
    unused.topics,
    unused.things,
    unused.topic_keys,
    unused.link_keys,
)


def findings(system: System) -> list[Finding]:
    """What can be said without any bound: the worst first, then in the order of the file.

    >>> from ddsrta.examples import two_threads
    >>> findings(two_threads())
    []
    >>> livelock = two_threads().replace("flow_controllers", "F", priority=90)
    >>> [(finding.rule, finding.position.line) for finding in findings(livelock)]
    [('livelock', 12)]
    """
    return _sorted([one for rule in (*_GRAVE, *_OTHERS) for one in rule(system)])


def has_errors(system: System) -> bool:
    """Whether there are errors among these.

    >>> from ddsrta.examples import two_threads
    >>> livelock = two_threads().replace("flow_controllers", "F", priority=90)
    >>> has_errors(two_threads()), has_errors(livelock)
    (False, True)
    """
    return any(one.severity == "error" for rule in _GRAVE for one in rule(system))


def result_findings(
    system: System,
    cores: Mapping[str, float],
    backlog: Mapping[str, QueueResult],
    skips: Mapping[str, Skip] | None = None,
    links: Mapping[str, Mapping[str, float]] | None = None,
    responses: Mapping[str, Duration | None] | None = None,
) -> list[Finding]:
    """What the loads of cores and links, the queues of a result, timers that may skip releases and
    responses tell about the configuration.

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
            *scheduling.throttled_together(system, responses or {}),
        ]
    )


def _sorted(found: list[Finding]) -> list[Finding]:
    return sorted(
        found, key=lambda f: (_ORDER.index(f.severity), f.position or ("", 0, 0), f.rule, f.message)
    )
