"""What a trace of a ROS 2 system shows that bounds can be held against.

The trace does not say when a callback is released. What it does say: how long messages took from
the call of publish to the end of the callback that took them, which the delivery of the message
and the response of the callback bound together; and how long callbacks executed, which their
`wcet` has to cover, where the scheduler's events let preemptions be taken off.
"""

from __future__ import annotations

from collections.abc import Callable

from ddsrta.formats.ros2_draft import own_name
from ddsrta.formats.ros2_trace import Observation, observe
from ddsrta.models.system import System
from ddsrta.validation.measured import TO_THE_END, Key, Measured
from ddsrta.validation.ros2_model import hold_ros2

_NOTES = (
    "priorities, policies and listeners do not show in a ROS 2 trace: they were not held against "
    "the model",
    "clocks of hosts that differ by less than a message takes do not show: latencies between hosts "
    "may be off by as much",
)
_HOUSEKEEPING = ("/rosout", "/parameter_events", "/clock")


def read_ros2(
    path: str, system: System, limit_of: Callable[[Key], int | None] = lambda key: None
) -> Measured:
    """Latencies and execution times in the folder of a CTF trace, which must not have lost events;
    and what of a system is held against it."""
    return held_against(system, observe(path), path, limit_of)


def held_against(
    system: System,
    observation: Observation,
    path: str,
    limit_of: Callable[[Key], int | None] = lambda key: None,
) -> Measured:
    """The same of what was observed already."""
    measured = measured_of(observation, path)
    several = len({core.machine for core in system.cores.values()}) > 1
    measured.notes += _NOTES if several else _NOTES[:1]
    measured.held = hold_ros2(system, observation, limit_of)
    return measured


def measured_of(observation: Observation, path: str) -> Measured:
    """Latencies and execution times of what was observed already."""
    measured = Measured(path, "ros2", notes=list(observation.notes))
    for callback in observation.callbacks.values():
        if callback.topic in _HOUSEKEEPING or callback.kind == "unknown":
            continue
        if callback.preemption_removed:
            key = Key("execution", (own_name(callback.name),))
            measured.add_all(key, callback.durations.values)
        if callback.longest_unfinished is not None:
            measured.notes.append(f"{callback.name} had not ended when the trace did")
    outside = 0
    for link in observation.links:
        if link.topic in _HOUSEKEEPING:
            continue
        if link.publisher is None:
            outside += link.to_end.count
            continue
        name = own_name(link.publisher), link.topic, own_name(link.subscriber)
        measured.add_all(Key("message", name, TO_THE_END), link.to_end.values)
    if outside:
        measured.notes.append(f"{outside} messages were published outside any callback")
    measured.notes.append(
        "the trace does not say when callbacks are released: "
        "no responses and no latencies of chains were measured"
    )
    return measured
