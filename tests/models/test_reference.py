"""The reference page is in step with the grammar, and what it says is so."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import ddsrta
from ddsrta.base.units import BYTES, NANOSECONDS
from ddsrta.examples import TWO_THREADS
from ddsrta.models.arrivals import Arrival
from ddsrta.models.reference import records, reference
from ddsrta.models.schema import json_schema

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "system.md"
TEXT = PAGE.read_text("utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", TEXT, re.S)
ARRIVALS = re.findall(r"^\| `((?:period|arrival): .*?)` \|", TEXT, re.M)
MS = 1_000_000


def sections(text: str, indent: str) -> dict[str, str]:
    """The blocks under the keys of one level."""
    parts = re.split(rf"^(?={indent}[\w])", text, flags=re.M)
    return {part.split(":")[0].strip(): part for part in parts if ":" in part}


def put_into_the_first(example: str) -> str:
    """The page's first system, with the parts of another example in place of its own."""
    whole = sections(EXAMPLES[0], "")
    for key, part in sections(example, "").items():
        if key in ("threads", "chains"):
            head, _, old = whole.get(key, f"{key}:\n").partition("\n")
            body = part.partition("\n")[2]
            merged = {**sections(old, "  "), **sections(body, "  ")}
            whole[key] = head + "\n" + "".join(merged.values())
        else:
            whole[key] = part
    return "".join(whole.values())


def read(arrival: str) -> Arrival:
    text = EXAMPLES[0].replace("period: 10ms", arrival.replace("releases.csv", "releases.txt"))
    system = ddsrta.loads(text.replace("releases.txt", f"'{Path(__file__).parent}/releases.txt'"))
    found = system.threads["sensor"].arrival
    assert found
    return found


def test_the_page_is_what_the_grammar_writes() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "ddsrta.models.reference"], capture_output=True, check=True
    )
    assert result.stdout.decode("utf-8") == TEXT == reference()


def test_every_key_has_a_row() -> None:
    for record in records():
        assert record.title
        table = TEXT.split(f"### {record.title}\n")[1].split("\n### ")[0]
        assert re.findall(r"^\| `(\w+)` \|", table, re.M) == [*record.keys, *record.later]
    assert len({record.title for record in records()}) == len(records()) > 10


def test_links_lead_somewhere() -> None:
    headings = {h.lower().replace(" ", "-") for h in re.findall(r"^#+ (.*)$", TEXT, re.M)}
    assert set(re.findall(r"\]\(#([\w-]+)\)", TEXT)) <= headings


def test_the_first_example_is_the_one_of_the_package() -> None:
    assert EXAMPLES[0] == TWO_THREADS


@pytest.mark.parametrize("example", EXAMPLES[1:])
def test_examples_fit_into_the_first(example: str) -> None:
    assert ddsrta.loads(put_into_the_first(example)) != ddsrta.loads(TWO_THREADS)


def test_releases_are_as_the_table_says() -> None:
    assert len(ARRIVALS) == 8
    distances = [[read(text).least_distance(q) / MS for q in (1, 2, 3, 4)] for text in ARRIVALS]
    assert distances == [
        [0, 10, 20, 30],
        [0, 7, 17, 27],
        [0, 10, 20, 30],
        [0, 7, 17, 27],
        [0, 1, 2, 100],
        [0, 1, 20, 21],
        [0, 9.50025, 20.00025, 30.00025],
        [0, 9.50025, 20.00025, 30.00025],
    ]
    gaps = [read(text).largest_gap for text in ARRIVALS]
    assert gaps == [10 * MS, 13 * MS, 10 * MS, None, None, None, None, 50 * MS]


def test_a_curve_with_a_period_recurs() -> None:
    sensor = ddsrta.loads(put_into_the_first(EXAMPLES[3])).threads["sensor"].arrival
    assert sensor
    assert [sensor.least_distance(q) // MS for q in (1, 2, 3, 4, 5)] == [0, 1, 2, 21, 22]


def test_a_register_has_an_age_and_no_latency() -> None:
    system = ddsrta.loads(put_into_the_first(EXAMPLES[5]))
    chain = ddsrta.analyze(system).chains["control loop"]
    assert chain.latency is None
    assert chain.data_age is not None
    assert chain.met
    with pytest.raises(ddsrta.InputError, match="data_age or reaction_time"):
        ddsrta.loads(put_into_the_first(EXAMPLES[5].replace("data_age", "latency")))


def test_an_and_needs_all_inputs() -> None:
    both = put_into_the_first(EXAMPLES[4])
    assert ddsrta.loads(both).threads["control"].activation == "and"
    with pytest.raises(ddsrta.InputError, match="different activations"):
        ddsrta.loads(both.replace("activation: and, delay", "activation: or, delay"))


def test_units_are_listed() -> None:
    line = re.search(r"^Units of time: (.*)\. Units of size: (.*)\.$", TEXT, re.M)
    assert line
    assert set(re.findall(r"`(\w+)`", line[1])) | {"μs"} == set(NANOSECONDS)
    assert set(re.findall(r"`(\w+)`", line[2])) == set(BYTES)


def test_editors_show_the_same_titles() -> None:
    assert json_schema()["properties"]["topics"]["additionalProperties"]["title"] == "topic"
