"""Observed values as a draft has them: each with how often it was seen, and in which range."""

from __future__ import annotations

from ddsrta.formats.draft import Mapping, Remark, Value, guessed, time_text
from ddsrta.formats.ros2_draft import Ros2Draft
from ddsrta.formats.ros2_trace.observed import (
    Observation,
    ObservedCallback,
    ObservedPublication,
    Samples,
)


def observed(samples: Samples, what: str = "") -> str:
    """The comment beside an observed value.

    >>> observed(Samples([1000, 2000]), "wall time")
    'observed: n=2, 1us…2us, wall time'
    """
    if samples.least is None or samples.most is None:
        return "observed: n=0"
    tail = f", {what}" if what else ""
    times = f"{time_text(samples.least)}…{time_text(samples.most)}"
    return f"observed: n={samples.count}, {times}{tail}"


def timer(callback: ObservedCallback) -> Value:
    """The period of a timer."""
    gaps = callback.gaps
    if callback.period:
        period = callback.period
        return Remark(period, observed(gaps, "from start to start")) if gaps.count else period
    if gaps.least:
        why = f"the trace tells no period; the least of {gaps.count} gaps between starts"
        return guessed(gaps.least, why)
    return guessed("100ms", "the trace tells no period: a placeholder")


def costs(callback: ObservedCallback) -> Mapping:
    """Execution times, what it publishes included; a job that never ended counts as well."""
    samples = callback.durations
    so_far = callback.longest_unfinished or 0
    if samples.most is None or samples.least is None:
        if not so_far:
            why = "it never ran in this trace: a placeholder"
            return {"wcet": guessed("1ms", why)}
        comment = "observed: n=0, one job that had not ended when the trace did"
        return {"wcet": Remark(so_far, comment)}
    how = "preemption taken off" if callback.preemption_removed else "wall time"
    comment = observed(samples, f"{how}, publishing included")
    if so_far > samples.most:
        comment += f"; one had not ended after {time_text(so_far)}"
    found: Mapping = {"wcet": Remark(max(samples.most, so_far, 1), comment)}
    if samples.least > 0:
        least = f"observed: n={samples.count}, the least, publishing included"
        found["bcet"] = Remark(samples.least, least)
    return found


def arrivals(callback: ObservedCallback, seen: Observation) -> str:
    """How far its starts were apart, and how long messages took to get there."""
    comment = observed(callback.gaps, "from start to start")
    for link in seen.links:
        if link.subscriber == callback.name and link.to_start.count:
            times = observed(link.to_start, "from publication to start")
            comment += f"; {times.removeprefix('observed: ')}"
    return comment


def publication(one: ObservedPublication, callback: ObservedCallback, drafted: Ros2Draft) -> Value:
    """An entry of `publishes`; of a callback that publishes in some jobs, how many on from one the
    next one was at the least."""
    value = drafted.publication(one.topic)
    assert isinstance(value, Remark) and isinstance(value.value, dict)
    jobs = f"observed: in {one.jobs} of {callback.durations.count} jobs"
    entry: Mapping = dict(value.value)
    if one.jobs + 1 < callback.durations.count:
        apart = one.least_apart or 1
        entry["jobs"] = f"1 of {apart}"
        jobs += f", no two closer than {apart}" if apart > 1 else ""
    if one.most_per_job > 1:
        entry["count"] = one.most_per_job
        jobs += f", at most {one.most_per_job} in one"
    return Remark(entry, f"{value.comment}; {jobs}")
