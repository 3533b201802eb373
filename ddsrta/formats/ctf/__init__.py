"""Traces in the Common Trace Format 1.8, as LTTng and ros2_tracing write them."""

from ddsrta.formats.ctf.errors import Loss, LossyTraceError, TraceError
from ddsrta.formats.ctf.stream import Event
from ddsrta.formats.ctf.trace import Trace, open_trace

__all__ = ["Event", "Loss", "LossyTraceError", "Trace", "TraceError", "open_trace"]
