"""What a trace says of itself: TSDL as tracers write it, and as nobody should."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from ddsrta.formats.ctf import TraceError
from ddsrta.formats.ctf.metadata import Metadata, load_metadata, parse_metadata
from ddsrta.formats.ctf.tokens import Source
from ddsrta.formats.ctf.types import Array, Enum, Float, Integer, String, Struct, Variant
from tests.effort import ends
from tests.formats.ctf_writer import CALLBACKS, TraceWriter

TRACE = "/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };\n"
BYTE = "integer { size = 8; }"


def parsed(text: str) -> Metadata:
    return parse_metadata(Source("metadata", TRACE + text))


def fields(text: str, before: str = "") -> dict[str, object]:
    """The fields of an event declared so."""
    event = f'event {{ name = "e"; id = 0; stream_id = 0; fields := struct {{ {text} }}; }};'
    metadata = parsed(f"{before} stream {{ id = 0; }}; {event}")
    return dict(metadata.streams[0].events[0].fields.fields)


def refused(text: str) -> TraceError:
    with pytest.raises(TraceError) as caught:
        parsed(text)
    return caught.value


def test_integers_say_all_they_can() -> None:
    found = fields(
        "integer { size = 27; align = 1; signed = true; byte_order = be; base = 16;"
        " encoding = none; map = clock.monotonic.value; } x; integer { size = 16; } y;"
    )
    x, y = found["x"], found["y"]
    assert isinstance(x, Integer) and isinstance(y, Integer)
    assert (x.size, x.align, x.signed, x.order, x.clock) == (27, 1, True, "be", "monotonic")
    assert (y.size, y.align, y.signed, y.order, y.clock) == (16, 8, False, None, None)


def test_a_size_of_no_whole_bytes_is_aligned_to_bits() -> None:
    x = fields("integer { size = 5; } x;")["x"]
    assert isinstance(x, Integer) and x.align == 1


def test_names_for_types() -> None:
    found = fields(
        "uint8_t a, b[3]; unsigned long c; my_t d; struct pair p; enum state s;",
        "typealias integer { size = 8; } := uint8_t;"
        "typealias integer { size = 64; } := unsigned long;"
        "typedef unsigned long my_t;"
        "struct pair { uint8_t x; uint8_t y; };"
        'enum state : uint8_t { ON, OFF = 7, MANY = 10 ... 12, "last one" };',
    )
    assert [found[name].size for name in "acd"] == [8, 64, 64]  # type: ignore[attr-defined]
    assert isinstance(found["b"], Array) and found["b"].length == 3
    assert isinstance(found["p"], Struct) and [n for n, _ in found["p"].fields] == ["x", "y"]
    assert isinstance(found["s"], Enum)
    assert found["s"].ranges == (
        ("ON", 0, 0),
        ("OFF", 7, 7),
        ("MANY", 10, 12),
        ("last one", 13, 13),
    )


def test_an_inner_name_ends_with_its_block() -> None:
    text = f"trace_t x; struct {{ typealias {BYTE} := inner_t; inner_t y; }} s; inner_t z;"
    error = None
    with pytest.raises(TraceError) as caught:
        fields(text, f"typealias {BYTE} := trace_t;")
    error = caught.value
    assert "no type is named 'inner_t'" in str(error)


def test_floats_strings_sequences_variants() -> None:
    found = fields(
        f"floating_point {{ exp_dig = 11; mant_dig = 53; align = 8; }} f; string s;"
        f"string {{ encoding = UTF8; }} u; {BYTE} len; {BYTE} seq[len]; {BYTE} grid[2][3];"
        f"enum : {BYTE} {{ a, b }} tag; variant <tag> {{ {BYTE} a; string b; }} v;"
    )
    assert isinstance(found["f"], Float) and found["f"].size == 64
    assert isinstance(found["s"], String) and isinstance(found["u"], String)
    assert isinstance(found["seq"], Array) and found["seq"].length == ("len",)
    grid = found["grid"]
    assert isinstance(grid, Array) and isinstance(grid.element, Array)
    assert (grid.length, grid.element.length) == (2, 3)
    variant = found["v"]
    assert isinstance(variant, Variant) and variant.tag == ("tag",)
    assert [name for name, _ in variant.options] == ["a", "b"]


def test_clock_environment_and_comments() -> None:
    metadata = parsed(
        'env { domain = "kernel"; major = -2; };  // one\n/* two\n * lines */'
        'clock { name = m; freq = 1000; offset_s = 7; offset = 0x10; description = "a \\"b\\""; };'
    )
    assert metadata.environment == {"domain": "kernel", "major": -2}
    assert metadata.clocks["m"].nanoseconds(4) == 7_020_000_000


@pytest.mark.parametrize("packets", [0, 1, 50, 4000])
@pytest.mark.parametrize("order", ["le", "be"])
def test_packets_and_plain_text_say_the_same(tmp_path: Path, order: str, packets: int) -> None:
    writer = TraceWriter(CALLBACKS, order=order)
    writer.write_metadata(tmp_path, packets)
    metadata = load_metadata(tmp_path / "metadata")
    assert metadata.byte_order == order
    names = [event.name for event in metadata.streams[0].events.values()]
    assert names == list(CALLBACKS)


def test_an_error_names_the_byte_of_the_file(tmp_path: Path) -> None:
    head = struct.pack("<I16sIIIBBBBB", 0x75D11D57, b"u" * 16, 0, 8 * 77, 8 * 100, 0, 0, 0, 1, 8)
    first = (head + b"/* CTF 1.8 */".ljust(40)).ljust(100, b"\0")
    text = b"   trace { oops }".ljust(40)
    (tmp_path / "metadata").write_bytes(first + (head + text).ljust(100, b"\0"))
    with pytest.raises(TraceError) as caught:
        load_metadata(tmp_path / "metadata")
    assert caught.value.offset == 137 + text.index(b"}")
    assert f"metadata: byte {caught.value.offset}: expected '=', found '}}'" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("oops", "expected a declaration, found 'oops'"),
        ("env { a = 1 };", "expected ';', found '}'"),
        ("/* no end", "this comment never ends"),
        ("env { a = 'x'; };", "unexpected character"),
        ("typealias nothing := x;", "no type is named 'nothing'"),
        ("typealias integer { align = 8; } := x;", "'size' is missing"),
        ("typealias integer { size = 65; } := x;", "'size' is '65'; expected an integer from 1 to 64"),
        ("typealias integer { size = 0; } := x;", "'size' is '0'"),
        ("typealias integer { size = 8; align = 3; } := x;", "an alignment of 3; expected a power of two"),
        ("typealias integer { size = 8; signed = perhaps; } := x;", "'signed' is 'perhaps'"),
        ("typealias integer { size = 8; byte_order = middle; } := x;", "expected one of: le, be"),
        (f"typealias integer {{ size = {'9' * 99}; }} := x;", "is too large"),
        ("typealias integer { size = 09; } := x;", "'09' is no integer"),
        ("typealias floating_point { exp_dig = 5; mant_dig = 11; } := x;", "32 or 64 bits"),
        (f"enum e : {BYTE} {{ a = 5 ... 4 }};", "the range of 'a' ends before it begins"),
        ("enum e { a };", "an enum needs an integer type"),
        (f"struct s {{ {BYTE} a; {BYTE} a; }};", "the field 'a' is declared twice"),
        (f"struct s {{ {BYTE} *a; }};", "a pointer is no type of a trace"),
        (f"struct s {{ {BYTE} a[-1]; }};", "an array of -1 elements"),
        (f"struct s {{ {BYTE} a[99999999999999]; }};", "an array of 99999999999999 elements"),
        ("struct s { struct {} a[4000000000]; };", "elements without any size"),
        ("event { stream_id = 3; };", "an event of stream 3, which is not declared"),
        ("stream { id = 0; }; stream { id = 0; };", "the stream 0 is declared twice"),
        ("stream { id = 0; }; event { id = 1; }; event { id = 1; };", "the event 1 of stream 0 is declared twice"),
        ("stream { event.header := string; };", "'event.header' is no struct"),
        ("clock { name = a; freq = 0; };", "a clock of 0 Hz"),
        ('clock { name = a; freq = "fast"; };', "'freq' is 'fast', not an integer"),
        ("trace { byte_order = le; };", "a second trace block"),
        ("env {", "the end of the metadata"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(text: str, message: str) -> None:
    assert message in str(refused(text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("trace { major = 2; minor = 0; byte_order = le; };", "CTF 2.0 is not supported"),
        ("trace { byte_order = middle; };", "neither le nor be"),
        ("env { a = 1; };", "no trace block"),
        ('trace { byte_order = le; uuid = "x"; };', "uuid is 'x'"),
    ],
)
def test_what_a_trace_needs(text: str, message: str) -> None:
    with pytest.raises(TraceError, match=message):
        parse_metadata(Source("metadata", text))


HOSTILE = {
    "structs in structs": "struct a { " * 100_000,
    "enums of enums": "enum : " * 100_000,
    "blocks in blocks": "typealias struct { typealias " * 50_000,
    "dimensions": f"struct s {{ {BYTE} a{'[1]' * 1000}; }};",
    "doubling": f"struct s0 {{ {BYTE} x; }};"
    + "".join(f"struct s{i + 1} {{ struct s{i} a; struct s{i} b; }};" for i in range(45)),
    "doubling nothing": "struct s0 { };"
    + "".join(f"struct s{i + 1} {{ struct s{i} a; struct s{i} b; }};" for i in range(45)),
    "comments without end": "/*" * 500_000,
    "many comments": "/**/" * 500_000 + "oops",
    "stars": "/* " + "* " * 1_000_000,
    "a long string": '"' + "\\a" * 500_000,
    "a long name": "a" * 2_000_000,
    "a long number": "env { a = " + "9" * 2_000_000 + "; };",
    "signs": "env { a = " + "-" * 100_000 + "1; };",
    "dots": "env { a = " + "a." * 500_000,
    "enumerators": f"enum : {BYTE} {{" + "".join(f"a{i}," for i in range(200_000)),
    "words": "typealias " + "a " * 500_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_metadata_is_refused_soon(name: str) -> None:
    with ends():
        refused(HOSTILE[name])


@pytest.mark.parametrize("length", [1, 3, 20, 36, 40, 500])
def test_packets_that_are_cut_off(tmp_path: Path, length: int) -> None:
    TraceWriter(CALLBACKS).write_metadata(tmp_path, packets=1000)
    whole = (tmp_path / "metadata").read_bytes()
    (tmp_path / "metadata").write_bytes(whole[:length])
    with pytest.raises(TraceError, match=r"cut off|no metadata"):
        load_metadata(tmp_path / "metadata")


def test_no_metadata_at_all(tmp_path: Path) -> None:
    (tmp_path / "metadata").write_bytes(bytes(1000))
    with pytest.raises(TraceError, match=r"this is no metadata of CTF 1\.8"):
        load_metadata(tmp_path / "metadata")
    with open(tmp_path / "metadata", "wb") as stream:
        stream.truncate(1 << 30)
    with pytest.raises(TraceError, match="more than 16 MiB"):
        load_metadata(tmp_path / "metadata")
