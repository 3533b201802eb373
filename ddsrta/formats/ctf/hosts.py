"""Traces of several hosts: their clocks are compared, and refused where nothing ties them."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.base.diagnostics import shown
from ddsrta.formats.ctf.errors import TraceError
from ddsrta.formats.ctf.metadata import Metadata

_APART = 1_000_000_000  # ns: two readings of one clock by one session are much nearer
_ADVICE = "name the folder of one host"


def check_hosts(folder: str, traces: Sequence[Metadata]) -> None:
    """Latencies between hosts would be differences of two clocks: refuse to tell any."""
    names = sorted({str(one.environment["hostname"]) for one in traces if _named(one)})
    if len(names) > 1:
        who = ", ".join(shown(name) for name in names)
        message = f"traces of several hosts ({who}): nothing says how far their clocks are apart"
        raise TraceError(folder, None, message, _ADVICE)
    begins: dict[str, list[int]] = {}
    for one in traces:
        for clock in one.clocks.values():
            begins.setdefault(clock.name, []).append(clock.nanoseconds(0))
    for name, found in begins.items():
        if max(found) - min(found) > _APART:
            apart = (max(found) - min(found)) // _APART
            message = (
                f"clocks {shown(name)} that begin {apart} s apart: these are of different hosts, "
                "or of different boots of one"
            )
            raise TraceError(folder, None, message, _ADVICE)


def _named(one: Metadata) -> bool:
    return bool(one.environment.get("hostname"))
