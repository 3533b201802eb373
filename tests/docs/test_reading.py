"""docs/how-to/read.md explains each word that results use; each command has a page."""

from __future__ import annotations

import re
from typing import get_args

from ddsrta.bounds import result
from ddsrta.bounds.terms import window
from ddsrta.cli.commands import COMMANDS
from tests.docs.console import ROOT

PAGE = (ROOT / "docs" / "how-to" / "read.md").read_text(encoding="utf-8")


def test_each_verdict_and_each_way_to_a_bound_is_explained() -> None:
    for verdict in get_args(result.Verdict):
        assert f"| `{verdict.upper()}` |" in PAGE
    for by in get_args(result.Window):
        assert f"| `{by}` |" in PAGE


def test_each_word_for_a_delay_is_explained() -> None:
    parts = PAGE.partition("| part |")[2]
    for word in {*window.WORDS.values(), window.OWN_WORK}:
        assert word in parts


def test_each_command_has_its_page() -> None:
    table = (ROOT / "docs" / "how-to" / "README.md").read_text(encoding="utf-8")
    first = " ".join(re.findall(r"^\| (`[^|]*) \|", table, re.M))
    assert sorted(re.findall(r"`(\w+)`", first)) == sorted(COMMANDS)
