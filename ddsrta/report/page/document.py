"""The frame of a page: its head, its sections and the way to each. One file, without a network."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import NamedTuple

from ddsrta.base.version import VERSION
from ddsrta.report.elements import text


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
        f"<title>{text(title)}</title>\n<style>\n{style('page')}{style('bars')}</style></head>\n<body>\n"
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


def style(name: str) -> str:
    """A style sheet: that of pages, or that of bars, which notebooks show, too."""
    return _read(f"{name}.css")


def _read(name: str) -> str:
    return files("ddsrta.report.page").joinpath(name).read_text("utf-8")
