"""The page of a system: whole, without a network, small, and safe against names."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

import ddsrta
from benchmarks.systems import generate, to_yaml
from ddsrta.bounds.deadlines import worst_first
from ddsrta.bounds.evidence.checked import analyze_checked
from ddsrta.examples import TWO_THREADS
from ddsrta.models.reader import load, loads
from ddsrta.report.page.layered import Arrow, Box, columns_of, layered
from ddsrta.report.page.network import network_of, path_of
from ddsrta.report.page.network_svg import network_svg
from ddsrta.report.page.report import Report, report_html, reported
from tests.report import results

CASES = Path(__file__).parents[2] / "casestudies"
HOSTILE = "{0.__class__}{x}<script>alert(1)</script>' onload='x"
VOID = {"meta", "link", "br", "img"}


class Page(HTMLParser):
    """The elements of a page; each that is opened is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.attributes if key == name]


def page_of(path: Path) -> str:
    return report_html(reported(analyze_checked(load(str(path)))))


@pytest.fixture(scope="module")
def robot() -> str:
    return page_of(CASES / "late_robot/robot.yaml")


def test_each_link_leads_to_a_place_of_the_page_and_no_place_is_there_twice(robot: str) -> None:
    page = Page(robot)
    places = page.values("id")
    assert len(set(places)) == len(places)
    links = page.values("href")
    assert links
    assert all(link[0] == "#" and link[1:] in places for link in links)


@pytest.mark.parametrize("name", ["late_robot/robot", "ars/F", "three_topics/conf1_fifo"])
def test_the_page_needs_nothing_from_outside_and_is_small(name: str) -> None:
    html = page_of(CASES / f"{name}.yaml")
    assert Page(html).values("src") == []
    outside = re.findall(r"(?:https?:)?//[\w.]+", html.replace("http://www.w3.org/2000/svg", ""))
    assert not [found for found in outside if "." in found]
    assert "@import" not in html and "url(" not in html
    assert len(html) < 200_000


def test_names_of_a_system_stay_text() -> None:
    text = TWO_THREADS
    for name in ("sensor", "speed", "control loop", "two threads"):
        text = text.replace(name, f'"{HOSTILE} {name[:3]}"')
    for old, new in (("  F:", f'  "{HOSTILE} F":'), ("r: F", f'r: "{HOSTILE} F"')):
        text = text.replace(old, new)
    page = Page(report_html(reported(analyze_checked(loads(text)))))
    assert page.tags.count("script") == 1
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert any(HOSTILE in text for text in page.texts)


def test_rows_of_figures_know_the_chains_that_pass_them(robot: str) -> None:
    rows = re.findall(r"<tr data-c='([\d ]+)'><td>([^<]+)</td>", robot)
    assert ("1", "lidar → scan → localizer") in rows
    assert ("0", "motors") in rows
    assert ("2", "planner") in rows


def test_a_result_with_hostile_names_and_no_model_is_a_page() -> None:
    page = Page(report_html(Report(results.hostile())))
    assert page.tags.count("script") == 1
    assert "\x1b" not in "".join(page.texts)


@pytest.mark.parametrize("make", [results.result, results.late, results.overloaded])
def test_any_result_is_a_page(make) -> None:
    result = make()
    page = Page(report_html(Report(result)))
    assert result.verdict.upper() in page.texts


def test_chains_come_the_worst_first() -> None:
    assert [name for name, _ in worst_first(results.late())] == [
        "steer",
        "age",
        "control",
        "free",
    ]
    assert [name for name, _ in worst_first(results.overloaded())] == ["control", "other"]


def test_the_graph_has_each_thread_in_the_lane_of_its_core_and_each_message() -> None:
    system = load(str(CASES / "late_robot/robot.yaml"))
    network = network_of(system, ddsrta.analyze(system))
    titles = [lane.title.partition(" · ")[0] for lane in network.lanes]
    assert titles == ["c0", "c1", "c0", "c1", "c2"]
    assert {name: node.lane for name, node in network.nodes.items()} == {
        "camera": 0, "imu_driver": 0, "lidar": 1, "motors": 1,
        "controller": 3, "localizer": 3, "planner": 3, "detector": 4,
    }  # fmt: skip
    assert ("controller", "command", "motors") in network.ways
    assert network.lanes[2].chips == ("F_brain", "L_brain")


def test_a_path_knows_the_middleware_that_it_passes() -> None:
    system = load(str(CASES / "ars/F.yaml"))
    path = path_of(system, ddsrta.analyze(system).chains["g0"].path)
    assert "PointCloudFusion" in path.nodes
    assert ("PointCloudFusion", "point_cloud_fusion", "VoxelGridDownsampler") in path.ways
    assert {"F", "L18"} <= path.chips


def test_what_a_chain_passes_carries_its_number() -> None:
    system = load(str(CASES / "late_robot/robot.yaml"))
    result = ddsrta.analyze(system)
    paths = [path_of(system, chain.path) for chain in result.chains.values()]
    drawn = network_svg(network_of(system, result), paths)
    of_each = [
        set(re.findall(rf"data-c='(?:\d+ )*{n}(?: \d+)*'><title>(\w+):", drawn)) for n in range(3)
    ]
    assert of_each == [
        {"imu_driver", "controller", "motors"},
        {"lidar", "localizer"},
        {"camera", "detector", "planner"},
    ]


def test_boxes_do_not_overlap_and_arrows_go_to_the_right() -> None:
    tasks = generate(200, seed=3)
    boxes = [Box(task.core, 60, 30) for task in tasks]
    arrows = [Arrow(t.after, n, 5, 9) for n, t in enumerate(tasks) if t.after >= 0]
    layout = layered(boxes, arrows, [20] * 20)
    seen: dict[int, list[tuple[int, int]]] = {}
    for box, (x, y) in zip(boxes, layout.boxes, strict=True):
        top, height = layout.lanes[box.lane]
        assert top + 20 <= y and y + box.height <= top + height
        seen.setdefault(x, []).append((y, y + box.height))
    for column in seen.values():
        column.sort()
        assert all(a[1] < b[0] for a, b in pairwise(column))
    for route in layout.routes:
        assert [x for x, _ in route] == sorted(x for x, _ in route)


def test_an_arrow_that_passes_a_column_crosses_no_box_of_it() -> None:
    boxes = [Box(0, 40, 30)] * 5
    arrows = [
        Arrow(0, 1, 5, 5),
        Arrow(1, 2, 5, 5),
        Arrow(0, 2, 5, 5),
        Arrow(0, 3, 5, 5),
        Arrow(4, 3, 5, 5),
    ]
    layout = layered(boxes, arrows, [0])
    (_, (left, y), (_, also), _) = layout.routes[2]
    assert y == also
    middle = [top for x, top in layout.boxes if x == left]
    assert middle
    assert all(not top < y < top + 30 for top in middle)


def test_a_circle_has_columns_too() -> None:
    assert columns_of(3, [(0, 1), (1, 2), (2, 0)]) == [0, 1, 2]
    assert columns_of(1, [(0, 0)]) == [0]


def test_a_thousand_threads_are_a_page_of_less_than_a_megabyte() -> None:
    sizes = [
        len(report_html(reported(analyze_checked(loads(to_yaml(generate(count)))))))
        for count in (100, 1000)
    ]
    assert sizes[1] < 1_000_000
    assert sizes[1] < 15 * sizes[0]
