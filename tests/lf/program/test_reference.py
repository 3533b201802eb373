"""The reference page of federations is in step with the grammar, and its examples work."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from ddsrta.lf.program.examples import TWO_FEDERATES
from ddsrta.lf.program.grammar import FEDERATION
from ddsrta.lf.program.reader import loads
from ddsrta.lf.program.reference import reference
from ddsrta.models.reference import records

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "federation.md"
TEXT = PAGE.read_text("utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", TEXT, re.S)


def test_the_page_is_what_the_grammar_writes() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "ddsrta.lf.program.reference"], capture_output=True, check=True
    )
    assert result.stdout.decode("utf-8") == TEXT == reference()


def test_every_key_has_a_row() -> None:
    for record in records(FEDERATION):
        assert record.title
        table = TEXT.split(f"### {record.title}\n")[1].split("\n### ")[0]
        assert re.findall(r"^\| `(\w+)` \|", table, re.M) == [*record.keys]
    assert len({record.title for record in records(FEDERATION)}) == len(records(FEDERATION)) > 10


def test_links_lead_somewhere() -> None:
    headings = {h.lower().replace(" ", "-") for h in re.findall(r"^#+ (.*)$", TEXT, re.M)}
    assert set(re.findall(r"\]\(#([\w-]+)\)", TEXT)) <= headings
    for page in re.findall(r"\]\(([\w./]+\.md)\)", TEXT):
        assert (PAGE.parent / page).exists()


def test_the_first_example_is_the_one_of_the_package() -> None:
    assert EXAMPLES[0] == TWO_FEDERATES


def test_the_second_example_fits_into_the_first() -> None:
    source = EXAMPLES[1].split("federates:\n")[1]
    first = EXAMPLES[0]
    start, end = first.index("  source:\n"), first.index("  sink:\n")
    federation = loads(first[:start] + source + first[end:])
    assert federation.federates["source"].reactions["smooth"].reactor == "filter"


def test_every_finding_is_explained() -> None:
    root = PAGE.parents[2]
    bounds = root / "ddsrta" / "lf" / "bounds"
    files = [bounds / "assumptions.py", *bounds.glob("*/judge.py"), *bounds.glob("*/assumed.py")]
    source = "".join(file.read_text("utf-8") for file in files)
    rules = re.findall(r'(?:Finding|Assumption)\("([\w-]+)"', source)
    page = (root / "docs" / "lf.md").read_text("utf-8")
    assert set(rules) == set(re.findall(r"^\| `([\w-]+)` \|", page, re.M))
    assert len(rules) > 8
