"""The words of system.yaml for links: a bus, or the port of a switch, and what else is on it."""

from __future__ import annotations

from dataclasses import replace

from ddsrta.base.shapes import DURATION, POSITIVE_DURATION, RATE, SIZE, Choice, Text
from ddsrta.base.structures import Key, MapOf, Record
from ddsrta.policies.links import KEYS, LINKS, PRIORITIES

PRIORITY_KEYS = {name: replace(key, required=False) for name, key in PRIORITIES.items()}
OF_ONE_PUBLICATION = {
    name: replace(key, default=None, meaning=f"{key.meaning}; that of its topic unless given")
    for name, key in PRIORITY_KEYS.items()
}
FRAME = Record(
    {
        "size": Key(SIZE, "payload of the frame", required=True),
        "period": Key(POSITIVE_DURATION, "its period", required=True),
        "jitter": Key(DURATION, "how late it may be queued", default="0 ms"),
        "min_distance": Key(DURATION, "the least time between two of them", default="0 ms"),
        **PRIORITY_KEYS,
    },
    title="frame",
)
MEDIUM = Record(
    {
        "kind": Key(Choice(tuple(LINKS)), "what it is", required=True),
        "rate": Key(RATE, "bits that it sends a second", required=True),
        **KEYS,
        "frames": Key(MapOf(FRAME, name=Text(without="/")), "what else it sends, by name"),
    },
    hints={"bitrate": "write 'rate'", "bandwidth": "write 'rate'"},
    title="shared link",
)
