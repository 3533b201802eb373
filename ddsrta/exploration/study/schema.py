"""JSON Schema of study.yaml, for editors: made from the grammar that the reader uses."""

from __future__ import annotations

from typing import Any

from ddsrta.exploration.study.grammar import STUDY, VERSION


def study_schema() -> dict[str, Any]:
    """The schema, draft 7.

    >>> study_schema()["required"]
    ['study', 'base', 'parameters', 'objectives']
    """
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"urn:ddsrta:study:{VERSION}",
        "description": "What ddsrta explores of a system",
        **STUDY.schema(),
        "title": "ddsrta study",
    }
