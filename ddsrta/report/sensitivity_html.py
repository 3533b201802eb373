"""How far each value can go, as a part of a page and as notebooks show it."""

from __future__ import annotations

from ddsrta.exploration.sensitivity import Sensitivity
from ddsrta.report.elements import details, text
from ddsrta.report.html import fragment
from ddsrta.report.sensitivity import drawn, sensitivity_text, tornado_svg


def sensitivity_html(found: Sensitivity) -> str:
    """A fragment.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.exploration.sensitivity import sensitivity
    >>> "sensor: wcet" in sensitivity_html(sensitivity(two_threads()))
    True
    """
    return fragment(margins_html(found))


def margins_html(found: Sensitivity) -> str:
    """The narrowest margins as bars, or the smallest repairs, and all of them as text."""
    lines = text(sensitivity_text(found, every=True)).replace("\\n", "\n")
    drawing = f"<div class='gantt' tabindex='0'>{tornado_svg(found)}</div>" if drawn(found) else ""
    listed = f"<pre class='scroll' tabindex='0'>{lines}</pre>"
    return drawing + details("all values", listed, "" if drawing else " open")
