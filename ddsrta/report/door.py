"""What things that show themselves look like, by the names of their classes (`base/shown.py`)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_DOCUMENTS = {
    "Result": ("ddsrta.report.json", "result_dict"),
    "Simulation": ("ddsrta.report.simulation_json", "simulation_dict"),
}
_PAGES = {
    "Result": ("ddsrta.report.html", "result_html"),
    "System": ("ddsrta.report.html", "system_html"),
}


def document(thing: object) -> dict[str, Any]:
    """The JSON form of a thing.

    >>> from ddsrta.bounds.result import Result
    >>> document(Result("s", "busy-window", "met", {}, (), {}, {}, {}, ()))["verdict"]
    'met'
    """
    found: dict[str, Any] = _called(_DOCUMENTS, thing)
    return found


def page(thing: object) -> str:
    """A thing as HTML.

    >>> from ddsrta.examples import two_threads
    >>> "sensor" in page(two_threads())
    True
    """
    found: str = _called(_PAGES, thing)
    return found


def _called(known: dict[str, tuple[str, str]], thing: object) -> Any:
    module, function = known[type(thing).__name__]
    return getattr(import_module(module), function)(thing)
