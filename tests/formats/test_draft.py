"""A drafted system is YAML that reads back as it was meant, with every guess on its own line."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ddsrta.base.yaml_reader import read_text
from ddsrta.base.yaml_tree import Node
from ddsrta.formats.draft import Draft, LeftOut, Remark, guessed
from ddsrta.formats.yaml_writer import write

NAMES = st.text(min_size=1, max_size=12).filter(lambda text: text.isprintable() and text != "<<")
VALUES = st.recursive(
    NAMES | st.integers(-(1 << 31), 1 << 31),
    lambda parts: (
        st.lists(parts, max_size=4)
        | st.dictionaries(NAMES, parts, max_size=4)
        | st.builds(Remark, parts.filter(lambda p: not isinstance(p, Remark)), st.text())
    ),
    max_leaves=12,
)


def plain(value: Any) -> Any:
    """What a reader that knows no comments and no types sees."""
    if isinstance(value, Remark):
        return plain(value.value)
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list) else str(value)


def read(node: Node) -> Any:
    if isinstance(node.value, dict):
        return {key: read(entry.node) for key, entry in node.value.items()}
    return [read(part) for part in node.value] if isinstance(node.value, list) else node.value


@given(NAMES, st.dictionaries(NAMES, VALUES, min_size=1, max_size=4))
def test_what_is_written_reads_back(name: str, callbacks: dict[str, Any]) -> None:
    text = write(Draft(name, head=["two\nlines"], sections={"callbacks": callbacks}))
    assert read(read_text(text).root) == {
        "ddsrta": "1",
        "name": name,
        "callbacks": plain(callbacks),
    }


def test_sections_are_in_the_order_of_the_reference_and_guesses_end_their_lines() -> None:
    draft = Draft("a robot")
    draft.section("callbacks")["tick"] = {
        "executor": "ex0",
        "wcet": guessed("1ms"),
        "timer": "100ms",
        "publishes": [{"topic": "/t", "mode": guessed("sync", "the usual one")}, {"topic": "/u"}],
    }
    draft.section("callbacks")["gone"] = LeftOut("gone: a waitable")
    draft.section("topics")["/t"] = {"size": "4kB"}
    draft.sections["network"] = [guessed({"from": "a", "to": "b", "delay": "1ms"})]
    assert write(draft).splitlines() == [
        "ddsrta: 1",
        "name: a robot",
        "network:",
        "  - {from: a, to: b, delay: 1ms}  # guessed: not in the file",
        "topics:",
        "  /t: {size: 4kB}",
        "callbacks:",
        "  tick:",
        "    executor: ex0",
        "    wcet: 1ms  # guessed: not in the file",
        "    timer: 100ms",
        "    publishes:",
        "      - topic: /t",
        "        mode: sync  # guessed: the usual one",
        "      - {topic: /u}",
        "  # gone: a waitable",
    ]


def test_guesses_are_told_in_one_line_for_each_kind() -> None:
    draft = Draft("a robot")
    for name in "abcde":
        draft.section("callbacks")[name] = {"wcet": guessed("1ms"), "timer": "1s"}
    draft.section("machines")["m"] = guessed({"cores": ["c0"]})
    assert draft.guesses() == [
        "machines: m: not in the file",
        "callbacks: 'wcet' of a, b, c and 2 more: not in the file",
    ]


def test_a_comment_cannot_leave_its_line() -> None:
    draft = Draft("x", sections={"topics": {"t": Remark({}, "a\r\nthreads: {}\u2028chains: {}")}})
    assert read(read_text(write(draft)).root) == {"ddsrta": "1", "name": "x", "topics": {"t": {}}}
