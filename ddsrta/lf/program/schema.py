"""JSON Schema of a federation document, for editors: made from the grammar that the reader uses."""

from __future__ import annotations

from typing import Any

from ddsrta.lf.program.grammar import FEDERATION, VERSION


def federation_schema() -> dict[str, Any]:
    """The schema, draft 7.

    >>> federation_schema()["required"]
    ['federation', 'coordination', 'hosts', 'federates']
    """
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"urn:ddsrta:federation:{VERSION}",
        "description": "A Lingua Franca federation whose coordination ddsrta bounds",
        **FEDERATION.schema(),
        "title": "ddsrta federation",
    }
