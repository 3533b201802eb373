"""What the reference says of a key that is left out is what both readers take."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

import ddsrta
from ddsrta.checker.document import read_system
from ddsrta.checker.yaml import read_document
from ddsrta.models.document import to_document
from ddsrta.models.schema import json_schema

MODELS = Path(__file__).parents[1] / "models"


def written(value: Any) -> str:
    """Data in flow style; numbers, truth and empty values have no quotes."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {written(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    bare = value in ("true", "false", "") or value.lstrip("+-").isdigit()
    return value if bare else json.dumps(value)


def left_out(value: Any, shape: dict[str, Any], path: tuple = ()) -> Iterator[tuple]:
    """The place, key and default of everything that could be there and is not."""
    if isinstance(value, list):
        inner = shape.get("items", {})
        for index, item in enumerate(value):
            yield from left_out(item, inner, (*path, index))
    if not isinstance(value, dict):
        return
    for alternative in (shape, *shape.get("anyOf", ())):
        known = alternative.get("properties", {})
        others = alternative.get("additionalProperties")
        for key, item in value.items():
            inner = known.get(key, others)
            if isinstance(inner, dict):
                yield from left_out(item, inner, (*path, key))
        for key, inner in known.items():
            if "default" in inner and key not in value:
                yield path, key, str(inner["default"])


def test_a_default_that_is_written_changes_nothing():
    places = set()
    for name in ("full.yaml", "contract.yaml"):
        text = (
            (MODELS / name).read_text("utf-8").replace("releases.txt", str(MODELS / "releases.txt"))
        )
        tree = yaml.load(text, Loader=yaml.BaseLoader)
        plain = read_system(read_document(text, name))
        for path, key, default in left_out(tree, json_schema()):
            changed = copy.deepcopy(tree)
            place = changed
            for step in path:
                place = place[step]
            place[key] = default
            try:
                document = to_document(ddsrta.loads(written(changed)))
            except ddsrta.InputError:
                continue  # what does not go with what is there
            assert read_document(written(changed), name) == document, (path, key)
            assert read_system(document) == plain, (path, key)
            places.add((path[0] if path else "", key))
    assert len(places) > 20
