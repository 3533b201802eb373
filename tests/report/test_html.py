"""HTML for notebooks: self-contained, well-formed, and safe against names."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import ddsrta
from ddsrta.examples import TWO_THREADS
from ddsrta.models.reader import loads
from ddsrta.report.html import result_html, system_html
from ddsrta.report.svg import chain_bar
from ddsrta.report.table import cells
from ddsrta.report.tables import all_tables, chains
from tests.report import results

KNOWN_TAGS = {
    "style", "div", "p", "b", "span", "table", "thead", "tbody", "tr", "th", "td", "ul", "li",
    "details", "summary", "svg", "title", "rect", "line",
}  # fmt: skip


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.texts = set(), set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data):
        self.texts.append(data)


def parsed(html):
    ElementTree.fromstring(f"<html>{html}</html>")  # also well-formed XML
    parser = Tags()
    parser.feed(html)
    return parser


@pytest.mark.parametrize("make", [results.result, results.late, results.overloaded])
def test_the_fragment_is_well_formed_and_needs_nothing_from_outside(make):
    html = result_html(make())
    assert parsed(html).tags <= KNOWN_TAGS
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "")


def test_what_stands_in_a_notebook_changes_nothing_else_of_it():
    """Several may stand below each other: no names that clash, no rules for other cells."""
    system = loads(TWO_THREADS)
    for html in (ddsrta.explain(system)._repr_html_(), result_html(results.late())):
        assert "id" not in parsed(html).attributes
        rules = re.findall(r"[^{}]+(?=\{)", html.partition("</style>")[0].partition("<style>")[2])
        selectors = [each for rule in rules for each in rule.split(",")]
        assert [each for each in selectors if not re.search(r"\.ddsrta\b", each)] == []


def test_hostile_names_stay_text():
    page = parsed(result_html(results.hostile()))
    assert page.tags <= KNOWN_TAGS
    assert not any(name.startswith("on") for name in page.attributes)
    assert any("<b onmouseover=" in text for text in page.texts)
    assert "\x1b" not in "".join(page.texts)


def test_a_hostile_system_stays_text():
    text = TWO_THREADS.replace("sensor", '"<script>alert(1)</script>"')
    page = parsed(system_html(loads(text)))
    assert "script" not in page.tags
    assert any("<script>" in text for text in page.texts)


def test_a_system_shows_what_releases_its_threads():
    texts = " ".join(parsed(system_html(loads(TWO_THREADS))).texts)
    assert "periodic, 10 ms" in texts
    assert "2 cores, 2 threads, 1 topic, 1 chain" in texts


def test_every_kind_of_arrival_can_be_shown():
    for arrival in (
        "{sporadic: 5ms}",
        "{burst: {count: 2, distance: 1ms, period: 9ms}}",
        "{curve: [0ms, 3ms], period: 8ms}",
    ):
        text = TWO_THREADS.replace("period: 10ms", f"arrival: {arrival}")
        assert "ms" in system_html(loads(text))


def rectangles(bar):
    svg = ElementTree.fromstring(bar)
    return [
        (int(r.get("x")), int(r.get("width"))) for r in svg.iter("{http://www.w3.org/2000/svg}rect")
    ]


@pytest.mark.parametrize("make", [results.result, results.late, results.overloaded])
def test_a_page_has_the_tables_of_the_terminal(make):
    found = make()
    texts = set(parsed(result_html(found)).texts)
    for made in (chains(found), *all_tables(found)):
        for row in cells(made.rows):
            assert {cell.text for cell in row} - {""} <= texts


def test_the_bar_ends_left_of_the_line_in_time_and_right_of_it_late():
    _, bar, line = rectangles(chain_bar(5_000_000, 20_000_000, "met"))
    assert bar[1] <= line[0]
    _, bar, line = rectangles(chain_bar(20_000_001, 20_000_000, "missed"))
    assert bar[1] >= line[0] + line[1]


def test_a_chain_without_a_deadline_has_no_bar():
    assert "<svg" not in result_html(results.result(chains={"c": results.chain(5)}))
