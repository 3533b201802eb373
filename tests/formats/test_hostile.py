"""Hostile files end soon, in little memory, with a place and a reason."""

from __future__ import annotations

import random
import tracemalloc
from importlib import import_module
from pathlib import Path

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.formats.fastdds_merge import merge
from ddsrta.formats.fastdds_xml import profiles_of
from ddsrta.formats.xml_tree import DEEPEST_NESTING, MOST_ELEMENTS, parse_xml
from ddsrta.models.reader import loads
from tests.effort import ends

from .profiles import PROFILES
from .test_caret import ROBOT
from .test_fastdds_merge import SYSTEM

LAUGHS = "<!DOCTYPE dds [<!ENTITY a 'ha'>{}]><dds><profiles>&i;</profiles></dds>".format(
    "".join(f"<!ENTITY {b} '{f'&{a};' * 10}'>" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
)
OUTSIDE = "<!DOCTYPE dds [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><dds>&x;</dds>"
XML = {
    "an entity bomb": (LAUGHS, "a document type (<!DOCTYPE …>) is refused"),
    "an external entity": (OUTSIDE, "a document type (<!DOCTYPE …>) is refused"),
    "an external DTD": ("<!DOCTYPE dds SYSTEM 'http://x/y.dtd'><dds/>", "a document type"),
    "10 MB of nesting": ("<a>" * 3_400_000, f"nested more than {DEEPEST_NESTING} levels deep"),
    "many elements": (f"<dds>{'<a/>' * (MOST_ELEMENTS + 1)}</dds>", "more than 100000 elements"),
    "too large": (f"<dds>{' ' * (17 << 20)}</dds>", "the file is too large: the limit is 16 MiB"),
    "half a file": (PROFILES[: len(PROFILES) // 2], "the file ends inside <"),
    "a wrong end": ("<dds><profiles></dds>", "mismatched tag; inside <profiles>, opened at line 1"),
    "an attribute twice": ("<dds a='1' a='2'/>", "duplicate attribute"),
    "an unknown entity": ("<dds>&nothing;</dds>", "undefined entity"),
    "an unknown encoding": ("<?xml version='1.0' encoding='klingon'?><dds/>", "unknown encoding"),
    "a NUL character": ("<dds>\0</dds>", "not valid XML: not well-formed"),
    "two roots": ("<dds/><dds/>", "junk after document element"),
}


@pytest.mark.parametrize("kind", XML)
def test_xml(kind: str) -> None:
    text, reason = XML[kind]
    with ends(), pytest.raises(InputError) as caught:
        parse_xml(text.encode(), "bad.xml")
    assert str(caught.value).startswith("bad.xml:1:") or kind == "half a file"
    assert reason in str(caught.value)


def test_deep_nesting_takes_no_memory() -> None:
    data = b"<a>" * 3_400_000
    tracemalloc.start()
    with pytest.raises(InputError):
        parse_xml(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 << 20


BOMB = "k: &b0 [x, x]\n" + "".join(
    f"k{i}: &b{i + 1} [{', '.join([f'*b{i}'] * 10)}]\n" for i in range(20)
)
OTHERS = {
    "an alias bomb": (BOMB, "the aliases repeat more than 1000000 values"),
    "10 MB of nesting": ("[" * 10_000_000, "nested more than 32 levels deep"),
    "a deep object": ('{"nodes": ' * 100_000, "nested more than 32 levels deep"),
    "a long line": ("a" * 10_000_000, "expected a mapping"),
    "a tag": ("nodes: !!python/object/apply:os.system ['exit 7']\n", "tags such as"),
}


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("format_", ["caret", "irobot"])
def test_yaml_and_json(format_: str, kind: str, tmp_path: Path) -> None:
    text, reason = OTHERS[kind]
    path = tmp_path / "bad.txt"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        import_module(f"ddsrta.formats.{format_}").read([str(path)])
    assert str(caught.value).startswith(f"{path}:")
    assert reason in str(caught.value)


def test_many_copies_of_many_nodes_are_too_many(tmp_path: Path) -> None:
    node = '{"node_name": "n%d", "number": 9000, "subscribers": []}'
    path = tmp_path / "many.json"
    path.write_text('{"nodes": [' + ", ".join(node % i for i in range(100)) + "]}")
    with pytest.raises(InputError, match="more than 10000 nodes"):
        import_module("ddsrta.formats.irobot").read([str(path)])


@pytest.mark.parametrize(
    ("format_", "text"), [("fastdds_xml", PROFILES), ("caret", ROBOT), ("irobot", None)]
)
def test_torn_files_are_read_or_refused(format_: str, text: str | None, tmp_path: Path) -> None:
    """Whatever is cut, doubled or changed: a draft that can be written, or an InputError."""
    from ddsrta.formats.yaml_writer import write

    text = text or '{"nodes": [{"node_name": "a", "publishers": [{"topic_name": "t", "msg_type": '
    text += "" if format_ != "irobot" else '"stamped_vector", "msg_size": 5, "freq_hz": 3}]}]}'
    draw = random.Random(format_)
    path = tmp_path / "torn.txt"
    outcomes = set()
    for _ in range(300):
        path.write_text(torn(text, draw), encoding="utf-8")
        try:
            write(import_module(f"ddsrta.formats.{format_}").read([str(path)]))
            outcomes.add("read")
        except InputError as error:
            assert all(d.position is not None for d in error.diagnostics)
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}


def torn(text: str, draw: random.Random) -> str:
    """The text with up to three places cut, doubled or replaced."""
    for _ in range(draw.randint(1, 3)):
        at, length = draw.randrange(len(text)), draw.randint(1, 12)
        pieces = ["", text[at : at + length] * 2, "[", "{", "-1", "~", "\u2028", ":", "\r", "&a "]
        text = text[:at] + draw.choice(pieces) + text[at + length :]
    return text


def test_torn_profiles_go_into_torn_systems_or_are_refused(tmp_path: Path) -> None:
    """What is merged reads back, or says why not; comments are kept or said to be lost."""
    draw = random.Random("merge")
    path = tmp_path / "torn.xml"
    outcomes = set()
    for _ in range(300):
        profiles = torn(PROFILES, draw) if draw.random() < 0.5 else PROFILES
        system = torn(SYSTEM, draw) if draw.random() < 0.7 else SYSTEM
        path.write_text(profiles, encoding="utf-8")
        try:
            merged = merge(profiles_of([str(path)]), system.encode(), "torn.yaml")
        except InputError as error:
            assert all(d.position is not None for d in error.diagnostics)
            outcomes.add("refused")
            continue
        outcomes.add("valid" if not merged.problems else "not valid yet")
        if not merged.problems:
            before, after = loads(system), loads(merged.text)
            assert before.threads.keys() == after.threads.keys()
            assert before.chains == after.chains and before.links == after.links
    assert outcomes >= {"refused", "valid"}
