"""Observed values as a draft has them: each with how often it was seen, and in which range."""

from __future__ import annotations

from ddsrta.formats.draft import Mapping, Remark, Value, guessed, time_text
from ddsrta.formats.ros2_draft import Ros2Draft
from ddsrta.formats.ros2_trace.observed import (
    Observation,
    ObservedCallback,
    ObservedCircle,
    ObservedPublication,
    Samples,
)

_MOST_ROUNDS = 10_000  # that a file may say


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
        least = f"observed: n={samples.count}, the least, {how}, publishing included"
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


def publication(
    one: ObservedPublication, callback: ObservedCallback, seen: Observation, drafted: Ros2Draft
) -> Value:
    """An entry of `publishes`, with how many jobs sent it, instead of what, and how often round."""
    value = drafted.publication(one.topic)
    assert isinstance(value, Remark) and isinstance(value.value, dict)
    told = [f"observed: in {one.jobs} of {callback.durations.count} jobs"]
    entry: Mapping = dict(value.value)
    circle = closed_by(callback.name, one.topic, seen)
    if one.part:
        entry["jobs"] = f"{one.part[0]} of {one.part[1]}"
        told[0] += f", at most {entry['jobs']} in a row"
    elif one.jobs < callback.durations.count and not (one.one_of or circle):
        entry["jobs"] = "1 of 1"
    if one.most_per_job > 1:
        entry["count"] = one.most_per_job
        told[0] += f", at most {one.most_per_job} in one"
    if one.one_of:
        entry["one_of"] = one.one_of[0]
        told.append(f"no job sent two of {', '.join(one.one_of)}")
    if circle:
        entry["rounds"] = circle.most
        told.append(_round(circle))
    if len(entry) > len(value.value):
        told.append("a longer run may show more: confirm it")
    return Remark(entry, f"{value.comment}; {'; '.join(told)}")


def closed_by(name: str, topic: str, seen: Observation) -> ObservedCircle | None:
    """The circle that a publication closes, if a counter can end it."""
    for circle in seen.circles:
        if (circle.callbacks[-1], circle.topic) == (name, topic) and not unfit(circle):
            return circle
    return None


def unfit(circle: ObservedCircle) -> str:
    """Why a draft does not say `rounds` of a circle."""
    if not circle.because and circle.most > _MOST_ROUNDS:
        return f"its messages went round {circle.most} times or more"
    return circle.because


def _round(circle: ObservedCircle) -> str:
    """What was seen to go round."""
    told = f"{circle.messages} went round, at most {circle.rounds} one after the other"
    if circle.unknown:
        told += f", and {circle.unknown} jobs of the circle had messages that are not followed"
    if circle.open:
        told += ", which was not seen to end"
    return told
