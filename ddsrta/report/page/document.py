"""The frame of a page: its head, its sections and the way to each. One file, without a network."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import NamedTuple

from ddsrta.base.version import VERSION
from ddsrta.report.elements import text

_LIGHT = "--good:#1a7f45;--bad:#c4321f;--unsure:#8a6100;--link:#1f66b8"
_DARK = "--good:#4cc38a;--bad:#ff8373;--unsure:#e0b040;--link:#7ab8ff"
_PAGE = f"""\
:root{{color-scheme:light dark;--line:#8883;--soft:#8881;{_LIGHT}}}
@media(prefers-color-scheme:dark){{:root{{{_DARK}}}}}
"""
_NOTEBOOK = f"""\
[data-jp-theme-light=true] .ddsrta,.vscode-light .ddsrta{{{_LIGHT}}}
[data-jp-theme-light=false] .ddsrta,.vscode-dark .ddsrta{{{_DARK}}}
"""


class Section(NamedTuple):
    """A part of a page; one without a body is left out."""

    name: str  # of its place: what a link to it says behind the '#'
    title: str
    body: str


def document(title: str, head: str, sections: Sequence[Section], foot: str) -> str:
    """A whole page; title and titles of sections are words, the rest is HTML.

    >>> page = document("a <b>", "<p>met</p>", [Section("chains", "Chains", "<p>none</p>")], "")
    >>> "<title>a &lt;b&gt;</title>" in page, "<a href='#chains'>Chains</a>" in page
    (True, True)
    """
    kept = [section for section in sections if section.body]
    links = "".join(f"<li><a href='#{s.name}'>{text(s.title)}</a></li>" for s in kept)
    bodies = "\n".join(
        f"<section id='{s.name}' aria-labelledby='{s.name}-title'>"
        f"<h2 id='{s.name}-title'>{text(s.title)}</h2>\n{s.body}\n</section>"
        for s in kept
    )
    script = f"<script>\n{_read('page.js')}</script>\n" if "data-chain=" in bodies else ""
    return (
        "<!doctype html>\n<html lang='en'>\n<head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width,initial-scale=1'>"
        f"<title>{text(title)}</title>\n<style>\n{page_style()}</style></head>\n<body>\n"
        f"<a class='skip' href='#main'>to the content</a>\n<header>{head}</header>\n"
        f"<nav aria-label='sections'><ul>{links}</ul></nav>\n<main id='main'>\n{bodies}\n</main>\n"
        f"<footer>{foot}</footer>\n{script}</body>\n</html>\n"
    )


def foot(*lines: str) -> str:
    """What a page came from: these lines, and the versions.

    >>> foot("profile published").startswith("<p>profile published</p><p>ddsrta ")
    True
    """
    import platform

    import ddsrta_kernel

    kernel = "compiled" if ddsrta_kernel.COMPILED else "plain Python"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    versions = f"ddsrta {VERSION}, kernel: {kernel}, {python}"
    return "".join(f"<p>{text(line)}</p>" for line in (*lines, versions))


def page_style() -> str:
    """The style sheet of pages, which follow the scheme of the browser."""
    return _PAGE + _read("page.css") + _read("bars.css")


def notebook_style() -> str:
    """That of bars for what stands in a notebook, and in nothing else of it: its scheme is that of
    JupyterLab or of Visual Studio Code; elsewhere colours stay those that both can have.

    >>> all(line.count(".ddsrta") for line in notebook_style().splitlines())
    True
    """
    bars = "".join(f".ddsrta {line}\n" for line in _read("bars.css").splitlines())
    return _NOTEBOOK + bars


def _read(name: str) -> str:
    return files("ddsrta.report.page").joinpath(name).read_text("utf-8")
