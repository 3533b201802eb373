"""Worst cases of a small system, as notebooks show them."""

from __future__ import annotations

from ddsrta.exploration.exact.exact import Exact
from ddsrta.report.elements import scroll, table, text
from ddsrta.report.exact import NONE, REFUSED, below, figures
from ddsrta.report.html import fragment


def exact_html(found: Exact) -> str:
    """A fragment: a row for each figure, and below what it rests on.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.exploration.exact.exact import exact
    >>> "3.286 ms" in exact_html(exact(two_threads()))
    True
    """
    if not found.cases:
        return fragment(f"<p>{NONE}</p>")
    refused = found.check.status == "refuted"
    shown = f"<p class='bad'>{REFUSED}</p>" if refused else scroll(table(figures(found)))
    return fragment(shown, *(f"<p class='f'>{text(line)}</p>" for line in below(found)))
