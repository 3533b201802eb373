"""How far the latency along a path is looked for."""

from __future__ import annotations

from typing import Final, Literal

Effort = Literal[0, 1, 2, 3]
CLAIMS: Final = 0  # what is claimed of its stages
WAY: Final = 1  # stage by stage
WHOLE: Final = 2  # with windows of whole stretches
LEAST: Final = 3  # whatever is known, and wherever a stretch may begin
Asked = tuple[bool, bool, Effort]  # with waits, and with renewals


def plainly(effort: Effort) -> Asked:
    """Of a path on which nothing waits."""
    return False, False, LEAST if effort == LEAST else WAY
