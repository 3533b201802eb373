"""JSON Schema of system.yaml, for editors: made from the grammar that the reader uses."""

from __future__ import annotations

from typing import Any

from ddsrta.models.grammar import SYSTEM, VERSION


def json_schema() -> dict[str, Any]:
    """The schema, draft 7: the one that editors know best.

    It describes the shape of a file. That names lead somewhere, and that values go together, only
    the reader can tell.

    >>> json_schema()["required"]
    ['ddsrta', 'machines']
    """
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"urn:ddsrta:system:{VERSION}",
        "description": "A DDS or ROS 2 system whose latencies ddsrta bounds",
        **SYSTEM.schema(),
        "title": "ddsrta system",
    }
