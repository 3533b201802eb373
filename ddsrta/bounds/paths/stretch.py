"""Where what is known of a path says nothing of other units (lemma path-latency)."""

from __future__ import annotations

from collections.abc import Callable

from ddsrta.bounds.paths import Step


def is_of_path(step: Step, start: int, head: Callable[[int], Step | None]) -> bool:
    """Whether the total of a step holds for units of the path from `start` alone, and says nothing
    of others that its origin, a junction, releases; `head` is the step of a stage before."""
    if step.origin == start:
        return False
    if step.due is not None or step.closed is not None:
        return True
    if step.group is None or step.group.head == step.stage:
        return False
    first = head(step.group.head)
    return first is None or first.origin != step.origin
