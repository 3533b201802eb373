"""JSON Schema of system.yaml, for editors: made from the grammar that the reader uses."""

from __future__ import annotations

from typing import Any

from ddsrta.models.grammar import SYSTEM


def json_schema() -> dict[str, Any]:
    """The schema, draft 2020-12.

    >>> json_schema()["required"]
    ['ddsrta', 'machines', 'threads']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "ddsrta system",
        **SYSTEM.schema(),
    }
