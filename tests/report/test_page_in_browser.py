"""The page in headless Chromium: clicks, keys, widths, schemes, and that it can be read by all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ddsrta.__main__ import main
from ddsrta.report.study_html import study_page
from tests.exploration.study.cases import BOTH, explored
from tests.report.browser import PROGRAM, Browser

CASES = Path(__file__).parents[2] / "casestudies"
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium")
LIT = "[...document.querySelectorAll('.net g.on > title')].map(e => e.textContent.split(':')[0])"
# The contrast of each text with what is behind it (WCAG 2.1), those below what is wanted.
PALE = """(() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = (css) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = css; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const back = light(rgb(getComputedStyle(document.body).backgroundColor));
  const found = [];
  for (const e of document.querySelectorAll('h1,h2,h3,p,li,td,th,a,summary,button,b.badge,span')) {
    if (!e.textContent.trim() || e.closest('.stages') || !e.getClientRects().length) continue;
    const fore = light(rgb(getComputedStyle(e).color));
    const contrast = (Math.max(fore, back) + 0.05) / (Math.min(fore, back) + 0.05);
    if (contrast < 4.5) found.push([e.tagName, e.className, e.textContent.slice(0, 30), contrast]);
  }
  return found;
})()"""
# What cannot be reached or has no name.
UNREACHABLE = """(() => {
  const found = [];
  for (const e of document.querySelectorAll('a,button,summary,[role=img],[role=region]'))
    if (!(e.getAttribute('aria-label') || e.textContent).trim()) found.push(e.outerHTML.slice(0, 80));
  for (const e of document.querySelectorAll('main *'))
    if (/auto|scroll/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0)
      found.push('cannot be scrolled by keys: ' + e.outerHTML.slice(0, 80));
  const levels = [...document.querySelectorAll('h1,h2,h3,h4')].map(e => +e.tagName[1]);
  levels.forEach((level, i) => { if (level > (levels[i - 1] || 0) + 1) found.push('a level of headings is left out'); });
  if (!document.documentElement.lang || !document.title) found.push('no language or title');
  return found;
})()"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    robot = str(CASES / "late_robot/robot.yaml")
    repaired = str(CASES / "late_robot/repaired.yaml")
    calls = {
        "robot": [robot, "--baseline", repaired],
        "ars": [str(CASES / "ars/F.yaml"), "--runs", "20"],
    }
    for name, call in calls.items():
        assert main(["report", *call, "--output", str(folder / f"{name}.html")]) in (0, 1)
    page = study_page(explored(objectives=[*BOTH, {"minimize": "changes"}]))
    (folder / "study.html").write_text(page, "utf-8")
    return {name: folder / f"{name}.html" for name in (*calls, "study")}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    started = Browser()
    yield started
    started.close()


@pytest.fixture(autouse=True)
def _quiet(browser: Browser) -> Iterator[None]:
    browser.complaints.clear()
    yield
    assert browser.complaints == []


def test_pointing_at_a_chain_lights_its_way_and_nothing_else(
    browser: Browser, pages: dict[str, Path]
) -> None:
    browser.open(pages["robot"])
    assert browser.find(LIT) == []
    browser.point("tr[data-chain='1'] a")
    browser.find(
        "document.querySelector('tr[data-chain=\"1\"]').dispatchEvent(new Event('mouseenter'))"
    )
    assert sorted(browser.find(LIT)) == ["lidar", "localizer"]
    assert browser.find("document.querySelector('.net').classList.contains('dim')")
    browser.find(
        "document.querySelector('tr[data-chain=\"1\"]').dispatchEvent(new Event('mouseleave'))"
    )
    assert browser.find(LIT) == []


def test_a_chain_that_is_chosen_stays_lit_until_escape(
    browser: Browser, pages: dict[str, Path]
) -> None:
    browser.open(pages["robot"])
    browser.find(
        "void (window.told = new Promise(done => "
        "addEventListener('hashchange', () => done(location.hash), {once: true})))"
    )
    browser.point("tr[data-chain='2'] a", click=True)
    assert browser.find("window.told") == "#chain-2"  # the page hears of it later than it is so
    browser.find("document.activeElement.blur()")
    assert sorted(browser.find(LIT)) == ["camera", "detector", "planner"]
    assert browser.find("document.querySelector('#chain-2').classList.contains('on')")
    browser.press("Escape")
    assert browser.find(LIT) == []


def test_keys_reach_a_chain_and_choose_it(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["robot"])
    browser.press("Tab")
    assert browser.find("document.activeElement.className") == "skip"
    for _ in range(40):
        browser.press("Tab")
        if browser.find("document.activeElement.hash") == "#chain-0":
            break
    assert sorted(browser.find(LIT)) == ["controller", "imu_driver", "motors"]
    browser.press("Enter")
    assert browser.find("location.hash") == "#chain-0"


def test_the_graph_can_be_enlarged(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["ars"])
    wide = "document.querySelector('.net').getBoundingClientRect().width"
    before = browser.find(wide)
    browser.point("[data-zoom='1.25']", click=True)
    assert browser.find(wide) == pytest.approx(1.25 * before, rel=0.01)
    browser.point("[data-zoom='fit']", click=True)
    assert browser.find(wide) <= browser.find("document.querySelector('.graph').clientWidth") + 1


@pytest.mark.parametrize("name", ["robot", "ars", "study"])
@pytest.mark.parametrize("wide", [390, 1200])
def test_a_page_is_no_wider_than_its_screen(
    browser: Browser, pages: dict[str, Path], name: str, wide: int
) -> None:
    browser.open(pages[name], wide)
    assert browser.find("document.documentElement.scrollWidth") <= wide
    assert browser.find(UNREACHABLE) == []


@pytest.mark.parametrize("dark", [False, True])
def test_each_text_stands_out_from_what_is_behind_it(
    browser: Browser, pages: dict[str, Path], dark: bool
) -> None:
    browser.open(pages["robot"], dark=dark)
    assert browser.find(PALE) == []


def test_without_scripts_the_page_can_be_read(browser: Browser, pages: dict[str, Path]) -> None:
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(pages["robot"])
    browser.ask("Emulation.setScriptExecutionDisabled", value=False)
    assert browser.find("document.querySelectorAll('.net g.late').length") > 5
    assert browser.find("document.querySelector('.tools').hidden")
