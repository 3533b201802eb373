"""The policies of flow controllers that the checker knows, from a list of its own."""

from __future__ import annotations

POLICIES = (
    "FIFO",
    "HIGH_PRIORITY",
    "ROUND_ROBIN",
    "PRIORITY_WITH_RESERVATION",
    "EARLIEST_DEADLINE_FIRST",
    "WEIGHTED_ROUND_ROBIN",
)
OF_FAST_DDS = POLICIES[:4]
TOPIC_KEYS = ("deadline",)  # a time, of whatever an EDF controller sends
PUBLICATION_KEYS = ("weight",)  # a count
PRIORITY_KEYS = ("can_id", "pcp")  # how urgent on a shared link, by its kind
