"""What the reader accepts the schema accepts; what has the wrong shape both refuse."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ddsrta
from ddsrta.base.yaml_reader import read_text
from ddsrta.base.yaml_tree import Node
from ddsrta.examples import TWO_THREADS
from ddsrta.models.schema import json_schema
from tests.effort import draws

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FULL = (HERE / "full.yaml").read_text("utf-8")
VALIDATOR = jsonschema.Draft7Validator(json_schema())
VALID = [HERE / "full.yaml", *sorted((ROOT / "casestudies").rglob("*.yaml"))]
INVALID = sorted((HERE / "invalid").glob("*.yaml"))
WRONG_SHAPE = [
    path for path in INVALID if "# The schema refuses it too." in path.read_text("utf-8")
]
CONTRACT = Path(__file__).parent / "contract.yaml"


def as_json(node: Node) -> Any:
    """What an editor makes of a node: YAML 1.2, core schema."""
    if isinstance(node.value, dict):
        return {name: as_json(entry.node) for name, entry in node.value.items()}
    if isinstance(node.value, list):
        return [as_json(item) for item in node.value]
    if not node.plain:
        return node.value
    if node.is_null:
        return None
    if node.value.lower() in ("true", "false"):
        return node.value.lower() == "true"
    if re.fullmatch(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", node.value):
        return int(node.value, 10 if node.value.lstrip("+-").isdigit() else 0)
    if re.fullmatch(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", node.value):
        return float(node.value)
    return node.value


def refused(text: str) -> list[str]:
    return [error.message for error in VALIDATOR.iter_errors(as_json(read_text(text).root))]


def test_the_schema_is_one() -> None:
    jsonschema.Draft7Validator.check_schema(json_schema())


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.name)
def test_systems_are_accepted(path: Path) -> None:
    text = path.read_text("utf-8")
    if "\nddsrta:" in f"\n{text}":
        assert refused(text) == []


def test_examples_are_accepted() -> None:
    assert refused(TWO_THREADS) == []


def test_the_contract_is_accepted() -> None:
    text = CONTRACT.read_text("utf-8")
    assert refused(text) == []


@pytest.mark.parametrize("path", WRONG_SHAPE, ids=lambda path: path.stem)
def test_wrong_shapes_are_refused(path: Path) -> None:
    assert refused(path.read_text("utf-8"))


def test_there_are_wrong_shapes() -> None:
    assert len(WRONG_SHAPE) > 40


SCALARS = [
    "0ms", "1ms", "+5 ms", "10\u00a0us", "1.50s", " 3kB ", "0.0us", "00.10ms", "0B", "1 KiB", "007s",
    "1", "+1", "-1", "-0", "2147483647", "yes", "true", "1:30", "1e5", "0x10", ".5", "null", "~",
    "''", "'1'", "FIFO", "and", "a name", "'10 ms'", "x" * 200, "c0", "ecu1/c0", "5µs", "5μs", "",
]  # fmt: skip
places = st.sampled_from([m.span() for m in re.finditer(r"(?<=[:\[,] )[\w./-]+(?: ?\w+)?", FULL)])


@settings(max_examples=draws(60, of=200), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(places, st.sampled_from(SCALARS)), max_size=2))
def test_what_the_reader_accepts_the_schema_accepts(
    changes: list[tuple[tuple[int, int], str]],
) -> None:
    text = FULL
    for (start, end), scalar in sorted(changes, reverse=True):
        text = text[:start] + scalar + text[end:]
    try:
        ddsrta.loads(text.replace("trace: releases.txt", f"trace: '{HERE / 'releases.txt'}'"))
    except ddsrta.InputError:
        return
    assert refused(text) == []


@pytest.mark.parametrize(
    "scalar", ["0ms", "1", "10", "1msec", "-1ms", "1:30", "''", "[]", "{}", "~", "1e3us", "０ms"]
)
def test_times_that_the_reader_refuses_the_schema_refuses(scalar: str) -> None:
    text = TWO_THREADS.replace("period: 10ms", f"period: {scalar}")
    with pytest.raises(ddsrta.InputError):
        ddsrta.loads(text)
    assert refused(text)


def test_every_key_is_described() -> None:
    def walk(schema: dict[str, Any]) -> None:
        for name, part in schema.get("properties", {}).items():
            assert part["description"], name
            walk(part)
        for part in (schema.get("items"), schema.get("additionalProperties")):
            if isinstance(part, dict):
                walk(part)
        for part in schema.get("anyOf", []):
            walk(part)

    walk(json_schema())
