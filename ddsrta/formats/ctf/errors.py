"""What can be wrong with a trace: a file, the byte in it, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ddsrta.base.diagnostics import Diagnostic, InputError


class TraceError(InputError):
    """A trace that cannot be read; `file` and `offset` (in bytes) say where.

    >>> print(TraceError("trace/ros2_0", 4096, "the packet is cut off", "copy the trace again"))
    trace/ros2_0: byte 4096: the packet is cut off; copy the trace again
    """

    def __init__(self, file: str, offset: int | None, message: str, advice: str = "") -> None:
        self.file = file
        self.offset = offset
        place = file if offset is None else f"{file}: byte {offset}"
        super().__init__([Diagnostic(None, f"{place}: {message}", advice)])


class Loss(NamedTuple):
    """What the tracer says it threw away in one stream: events it counted, packets it skipped."""

    stream: str
    events: int
    packets: int

    def __str__(self) -> str:
        lost = [
            f"{count} {word}{'' if count == 1 else 's'}"
            for count, word in ((self.events, "event"), (self.packets, "packet"))
            if count
        ]
        return f"{' and '.join(lost)} lost in stream {self.stream}"


class LossyTraceError(InputError):
    """A trace with lost events: what it does not show cannot be told from what did not happen.

    >>> print(LossyTraceError([Loss("trace/ros2_0", 12, 0)]))
    inconclusive: 12 events lost in stream trace/ros2_0; trace again with larger buffers
    """

    def __init__(self, losses: Iterable[Loss]) -> None:
        self.losses = tuple(losses)
        advice = "trace again with larger buffers"
        super().__init__(Diagnostic(None, f"inconclusive: {loss}", advice) for loss in self.losses)
