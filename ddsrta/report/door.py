"""What things that show themselves look like (`base/shown.py`)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ddsrta.bounds.result import Result
from ddsrta.models.system import System
from ddsrta.report.json import document as document  # noqa: PLC0414

# What is shown as text, by whom.
_TEXTS = {
    "ChainResult": ("things", "chain_text"),
    "Exact": ("exact", "exact_text"),
    "Explained": ("explanation", "explained_text"),
    "Improvement": ("improve", "improve_text"),
    "Result": ("terminal", "result_text"),
    "Sensitivity": ("sensitivity", "sensitivity_text"),
    "Simulation": ("simulation", "simulation_text"),
    "Study": ("study", "study_text"),
    "System": ("things", "system_text"),
    "Validation": ("validation", "validation_text"),
}

# What is shown as a fragment of a page, by whom.
_TABLES = {
    "ChainResult": ("html", "chain_html"),
    "Exact": ("exact_html", "exact_html"),
    "Improvement": ("improve_html", "improvement_html"),
    "Sensitivity": ("sensitivity_html", "sensitivity_html"),
    "Simulation": ("simulation_html", "simulation_html"),
    "Validation": ("validation_html", "validation_fragment"),
}


def text(thing: object) -> str:
    """A thing as the command that makes it prints it.

    >>> from ddsrta.examples import two_threads
    >>> "control loop" in text(two_threads())
    True
    """
    room, name = _TEXTS[type(thing).__name__]
    return str(getattr(import_module(f"ddsrta.report.{room}"), name)(thing)).rstrip("\n")


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
    if (made := _TABLES.get(type(thing).__name__)) is not None:
        return str(getattr(import_module(f"ddsrta.report.{made[0]}"), made[1])(thing))
    from ddsrta.exploration.study.study import Study
    from ddsrta.report.study_html import study_html

    assert isinstance(thing, Study)
    return study_html(thing)


def plot(thing: object, axes: Any = None) -> Any:
    """A picture by matplotlib."""
    if type(thing).__name__ == "Study":
        return import_module("ddsrta.report.front_plot").front_plot(thing, axes)
    return import_module("ddsrta.report.plots").plot(thing, axes)


def table(columns: dict[str, list[Any]]) -> Any:
    """Columns as a table of pandas."""
    return import_module("ddsrta.report.frames").table(columns)


def frame(thing: object, kind: str = "") -> Any:
    """A table for pandas."""
    return import_module("ddsrta.report.frames").frame(thing, kind)


def graph(thing: object) -> Any:
    """A graph for networkx."""
    return import_module("ddsrta.report.frames").graph(thing)
