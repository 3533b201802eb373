"""Traces of ROS 2 systems: what ros2_tracing and CARET record, as observations and as a draft."""

from ddsrta.formats.ros2_trace.observe import observe, observe_events
from ddsrta.formats.ros2_trace.observed import (
    Observation,
    ObservedCallback,
    ObservedExecutor,
    ObservedGroup,
    ObservedLink,
    ObservedNode,
    ObservedPublication,
    Samples,
)

__all__ = [
    "Observation",
    "ObservedCallback",
    "ObservedExecutor",
    "ObservedGroup",
    "ObservedLink",
    "ObservedNode",
    "ObservedPublication",
    "Samples",
    "observe",
    "observe_events",
]
