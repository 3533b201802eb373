"""Topics of DDS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from ddsrta.base.priorities import Rank
from ddsrta.base.records import key, keys, record
from ddsrta.base.shapes import SIZE, Choice, Integer
from ddsrta.base.units import Size
from ddsrta.models.media import PRIORITY_KEYS
from ddsrta.policies import TOPIC_KEYS

Copies = Literal["unknown", "connection", "priority"]
COPIES: tuple[Copies, ...] = get_args(Copies)


_QOS = "bounds are of what comes after writers and readers are matched: leave it out"


@record(
    "topic",
    hints={
        "reliability": "heartbeats, acknowledgements and resends are not modelled: leave it out, "
        "and measure δ with them ('ddsrta measure delays --reliable')",
        "qos": "of it, only the depth counts: write 'history'",
        "depth": "write 'history'",
        "durability": _QOS,
        "liveliness": _QOS,
        "lifespan": "messages may be dropped by it, which is not modelled",
    },
)
class Topic:
    """A topic: payload size, priority (the smaller the more urgent), history depth, and the order
    in which the copies of a message leave (see `receivers`)."""

    name: str
    size: Size = key(SIZE, "payload size")
    priority: Rank = key(Integer(), "fastdds.sfc.priority, -10 (most urgent) … 10", default=10)
    history: int | None = key(
        Integer(1, 1_000_000), "history depth, in samples, of its writers and readers", default=None
    )
    copies: Copies = key(
        Choice(COPIES),
        "in which order the copies of a message leave",
        default="unknown",
        sparse=True,
    )
    # keys of policies and links
    settings: Mapping[str, int] = keys({**TOPIC_KEYS, **PRIORITY_KEYS}, default_factory=dict)
