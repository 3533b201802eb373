"""Federation documents: what is read, what is refused and where, what hostile ones do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ddsrta.base.diagnostics import InputError
from ddsrta.base.structures import Either, ListOf, MapOf, Record
from ddsrta.base.yaml_reader import read_text
from ddsrta.base.yaml_tree import Node
from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.program.examples import TWO_FEDERATES
from ddsrta.lf.program.federates import Action, InnerConnection, Span, Timer
from ddsrta.lf.program.grammar import FEDERATION
from ddsrta.lf.program.levels import levels
from ddsrta.lf.program.reader import load, loads
from ddsrta.lf.program.schema import federation_schema
from ddsrta.lf.program.shapes import FOREVER
from ddsrta.lf.program.tags import MICROSTEP, SAME, Shift
from tests.effort import draws, ends
from tests.models.test_schema import as_json

HERE = Path(__file__).parent
FULL = (HERE / "full.yaml").read_text("utf-8")
INVALID = sorted((HERE / "invalid").glob("*.yaml"))
VALIDATOR = jsonschema.Draft7Validator(federation_schema())
EXPECT = "# expect: "
MS, US = 1_000_000, 1_000


def refused(text: str) -> list[str]:
    return [error.message for error in VALIDATOR.iter_errors(as_json(read_text(text).root))]


def test_what_the_example_means() -> None:
    federation = load(HERE / "full.yaml")
    source, sink = federation.federates.values()
    assert (source.maxwait, sink.maxwait) == (0, FOREVER)
    assert source.timers == {"tick": Timer("tick", MS, 5 * MS), "once": Timer("once")}
    assert source.actions["pressed"] == Action("pressed", "physical", MS, 20 * MS, "drop")
    assert (source.workers, source.scheduler, source.overhead) == (2, "GEDF_NP", 10 * US)
    assert source.rti_hop == Span(40 * US)
    assert source.connections == (InnerConnection("filter.out", "out", MICROSTEP),)
    assert source.enclaves["slow"].reactors == ("filter",)
    assert levels(source) == {"produce": 0, "note": 1, "smooth": 2}
    assert source.reactions["produce"].always
    assert sink.reactions["consume"].tardy
    first, second = federation.connections
    assert (first.output, second.output) == ("out", "filter.out")
    assert (first.shift, second.shift) == (Shift(MS), SAME)
    assert federation.latency(first) == Span(2 * MS, MS)
    assert federation.absent_after(first) == 2 * MS
    assert federation.clock_error("source", "sink") == 80 * US
    assert federation.rti.hop == Span(60 * US, 10 * US)
    assert not federation.rti.dnet
    assert federation.chains["all"].target == ("sink", "consume")


def test_a_port_says_how_long_it_waits_where_the_connection_does_not() -> None:
    federation = loads(FULL.replace(", absent_after: 2ms", ""))
    assert federation.absent_after(federation.connections[0]) == MS


def test_the_example_of_all_keys_has_all_keys() -> None:
    unused: set[tuple[int, str]] = set()
    used: set[tuple[int, str]] = set()

    def walk(shape: Any, node: Node | None) -> None:
        value = node.value if node else None
        if isinstance(shape, Record):
            unused.update((id(shape), name) for name in shape.keys)
            for name, key in shape.keys.items():
                entry = value.get(name) if isinstance(value, dict) else None
                if entry:
                    used.add((id(shape), name))
                walk(key.shape, entry.node if entry else None)
        elif isinstance(shape, MapOf):
            for entry in list(value.values()) if isinstance(value, dict) else []:
                walk(shape.item, entry.node)
        elif isinstance(shape, ListOf):
            for item in value if isinstance(value, list) else []:
                walk(shape.item, item)
        elif isinstance(shape, Either):
            for part, kind in ((shape.scalar, str), (shape.sequence, list), (shape.mapping, dict)):
                if part and isinstance(value, kind):
                    walk(part, node)

    walk(FEDERATION, read_text(FULL).root)
    assert {name for _, name in unused - used} == set()
    assert len(used) > 60


@pytest.mark.parametrize("path", INVALID, ids=lambda path: path.stem)
def test_the_errors_of_a_file_are_those_it_names(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    expected = [line.removeprefix(EXPECT) for line in lines if line.startswith(EXPECT)]
    assert expected
    with pytest.raises(InputError) as caught:
        load(path)
    assert str(caught.value).replace(f"{path}:", "").splitlines() == expected


def test_there_are_invalid_files() -> None:
    assert len(INVALID) > 20


def test_the_schema_accepts_what_is_right() -> None:
    jsonschema.Draft7Validator.check_schema(federation_schema())
    assert refused(FULL) == []
    assert refused(TWO_FEDERATES) == []


@pytest.mark.parametrize(
    "name",
    ["no_version", "system_version", "bare_time", "maxwait_word", "old_word", "coordination"],
)
def test_the_schema_refuses_wrong_shapes(name: str) -> None:
    assert refused((HERE / "invalid" / f"{name}.yaml").read_text("utf-8"))


SCALARS = ["0ms", "1ms", "0", "1", "forever", "yes", "true", "~", "''", "'1'", "x" * 201, "source",
           "sink.in", "[]", "{}", "104d", "99999999999999999ns", "-1ms", "1e3us", "[[]]"]  # fmt: skip
places = st.sampled_from([m.span() for m in re.finditer(r"(?<=[:\[,] )[\w./-]+(?: ?\w+)?", FULL)])


@settings(max_examples=draws(100, of=300), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(places, st.sampled_from(SCALARS)), max_size=3))
def test_a_changed_file_is_refused_with_places_or_works(
    changes: list[tuple[tuple[int, int], str]],
) -> None:
    text = FULL
    for (start, end), scalar in sorted(changes, reverse=True):
        text = text[:start] + scalar + text[end:]
    try:
        federation = loads(text)
    except InputError as error:
        assert all(d.position and d.position.line > 0 for d in error.diagnostics)
        return
    assert refused(text) == []
    assert judge(federation).verdict in ("met", "missed", "unbounded")


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(FULL)), st.integers(0, len(FULL)))
def test_a_cut_file_is_refused_with_places_or_works(start: int, end: int) -> None:
    try:
        loads(FULL[:start] + FULL[end:])
    except InputError as error:
        assert all(d.position and d.position.line > 0 for d in error.diagnostics)


def wide(count: int) -> str:
    """Reactions that all read what all write, over inner connections between all ports."""
    ports = ", ".join(f"p{i}" for i in range(count))
    inner = "\n".join(f"      - {{from: p{i}, to: p{i + 1}}}" for i in range(count - 1))
    reactions = "\n".join(
        f"      r{i}: {{reactor: x{i}, triggers: [p{i}], wcet: 1us}}" for i in range(count)
    )
    return (
        "federation: 1\ncoordination: decentralized\nhosts: {h: }\nfederates:\n  f:\n    host: h\n"
        f"    timers: {{t: {{period: 1s}}}}\n    outputs: [{ports}]\n    reactions:\n"
        f"      first: {{triggers: [t], effects: [p0], wcet: 1us}}\n{reactions}\n"
        f"    connections:\n{inner}\n"
    )


def misspelt(count: int) -> str:
    federates = "".join(f"  federate_{i}: {{host: h, outputs: [o]}}\n" for i in range(count))
    ends = "".join(f"  - {{from: fedreate_{i}.o, to: federate_{i}.i}}\n" for i in range(count))
    return (
        "federation: 1\ncoordination: decentralized\nhosts: {h: }\n"
        f"federates:\n{federates}connections:\n{ends}"
    )


@pytest.mark.parametrize("text", [wide(2000), misspelt(3000)], ids=["wide", "misspelt"])
def test_hostile_files_end_in_time(text: str) -> None:
    with ends():
        try:
            federation = loads(text)
            judge(federation)
        except InputError as error:
            assert 0 < len(error.diagnostics) <= 101


def test_aliases_are_followed_and_bombs_refused() -> None:
    shared = TWO_FEDERATES.replace(
        "    timers: {tick: {period: 5ms}}", "    timers: &t {tick: {period: 5ms}}"
    )
    assert loads(shared.replace("{own: {period: 5ms}}", "*t").replace("own", "tick"))
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12)
    )
    with pytest.raises(InputError, match="alias"):
        loads(bomb)
