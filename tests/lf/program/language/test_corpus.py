"""Every program of lingua-franca's own tests is read, and counts agree with a simple search."""

from __future__ import annotations

import re
from collections import Counter

from ddsrta.base.diagnostics import InputError
from ddsrta.lf.program.language import parse
from tests.lf.checkout import programs

# What a search finds in a text without comments and code; it is fooled by texts with '//' in them.
SEARCHES = {
    "Reaction": r"\b(?:reaction|mutation)\b\s*\w*\s*(?:[({]|->)",
    "Instance": r"=\s*new\b",
    "Timer": r"\btimer\s+\w+",
    "Mode": r"\bmode\s+\w+\s*\{",
}
FOOLED = 25  # 2 to 4 of 1,277 programs of v0.13; of others a few more


def without_code(text: str) -> str:
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\{=.*?=\}", "{}", text, flags=re.DOTALL)
    return re.sub(r'"[^"\n]*"|//[^\n]*|#[^\n]*', "", text)


def test_all_programs_of_lingua_franca_are_read():
    read, differs = 0, []
    for path, text in programs("test"):
        try:
            program = parse(text, path)
        except InputError as error:
            (diagnostic,) = error.diagnostics
            assert diagnostic.position is not None and diagnostic.position.file == path
            continue
        read += 1
        counts = Counter(type(m).__name__ for r in program.reactors for m in r.members)
        plain = without_code(text)
        for kind, pattern in SEARCHES.items():
            if len(re.findall(pattern, plain)) != counts[kind]:
                differs.append((path, kind, counts[kind]))
    assert read >= 1200
    assert len(differs) <= FOOLED, differs
