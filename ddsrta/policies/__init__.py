"""How the stages of one thread, and threads among each other, delay one another.

A policy orders the stages that share a thread and gives each its relations to the others; that is
all that distinguishes one policy from another (docs/theory.md, section 3).
"""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.policies import fifo, high_priority, reserved, round_robin
from ddsrta.policies.relation import Policy

MIDDLEWARE: Mapping[str, Policy] = {
    "FIFO": fifo.POLICY,
    "HIGH_PRIORITY": high_priority.POLICY,
    "ROUND_ROBIN": round_robin.POLICY,
    "PRIORITY_WITH_RESERVATION": reserved.POLICY,
}
