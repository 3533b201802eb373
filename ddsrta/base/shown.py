"""How things show themselves: the one door to `report`, which is above all that it shows."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def _door() -> Any:
    return import_module("ddsrta.report.door")


def document(thing: object) -> dict[str, Any]:
    """The JSON form of a thing: times in integer nanoseconds."""
    found: dict[str, Any] = _door().document(thing)
    return found


def text(thing: object) -> str:
    """A thing as it is printed."""
    found: str = _door().text(thing)
    return found


def page(thing: object) -> str:
    """A thing as notebooks show it."""
    found: str = _door().page(thing)
    return found


def plot(thing: object, axes: Any = None) -> Any:
    """A thing as a picture of matplotlib."""
    return _door().plot(thing, axes)


def table(columns: dict[str, list[Any]]) -> Any:
    """Columns as a table of pandas."""
    return _door().table(columns)


def graph(thing: object) -> Any:
    """The graph of a thing for networkx."""
    return _door().graph(thing)


class Shown:
    """What documents, notebooks and tables show."""

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: times in integer nanoseconds, None for unbounded."""
        return document(self)

    def to_frame(self, kind: str = "") -> Any:
        """One of its tables for pandas, by the key of the JSON form ("messages", say): times in
        integer nanoseconds, missing where there is no bound or nothing was seen."""
        return _door().frame(self, kind)

    def plot(self, axes: Any = None) -> Any:
        """A picture of it by matplotlib, in `axes` if there are some; returns the axes."""
        return plot(self, axes)

    def __str__(self) -> str:
        return text(self)

    def _repr_html_(self) -> str:
        return page(self)
