"""What things that show themselves look like (`base/shown.py`)."""

from __future__ import annotations

from ddsrta.bounds.result import Result
from ddsrta.models.system import System
from ddsrta.report.json import document as document  # noqa: PLC0414


def page(thing: object) -> str:
    """A result, a system, explanations or a study as HTML.

    >>> from ddsrta.examples import two_threads
    >>> "sensor" in page(two_threads())
    True
    """
    from ddsrta.bounds.evidence.explained import Explained
    from ddsrta.report.html import explained_fragment, result_html, system_html

    if isinstance(thing, Result):
        return result_html(thing)
    if isinstance(thing, Explained):
        return explained_fragment(thing)
    if isinstance(thing, System):
        return system_html(thing)
    from ddsrta.exploration.study.study import Study
    from ddsrta.report.study_html import study_html

    assert isinstance(thing, Study)
    return study_html(thing)
