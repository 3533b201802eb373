"""How things show themselves: by `report`, which is above all that it shows."""

from __future__ import annotations

from typing import Any

from ddsrta.base.doors import behind


def document(thing: object) -> dict[str, Any]:
    """The JSON form of a thing: times in integer nanoseconds."""
    found: dict[str, Any] = behind("show").document(thing)
    return found


def text(thing: object) -> str:
    """A thing as it is printed."""
    found: str = behind("show").text(thing)
    return found


def page(thing: object) -> str:
    """A thing as notebooks show it."""
    found: str = behind("show").page(thing)
    return found


def plot(thing: object, axes: Any = None) -> Any:
    """A thing as a picture of matplotlib."""
    return behind("show").plot(thing, axes)


def table(columns: dict[str, list[Any]]) -> Any:
    """Columns as a table of pandas."""
    return behind("show").table(columns)


def graph(thing: object) -> Any:
    """The graph of a thing for networkx."""
    return behind("show").graph(thing)


class Shown:
    """What documents, notebooks and tables show."""

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: times in integer nanoseconds, None for unbounded."""
        return document(self)

    def to_frame(self, kind: str = "") -> Any:
        """One of its tables for pandas, by the key of the JSON form ("messages", say): times in
        integer nanoseconds, missing where there is no bound or nothing was seen."""
        return behind("show").frame(self, kind)

    def plot(self, axes: Any = None) -> Any:
        """A picture of it by matplotlib, in `axes` if there are some; returns the axes."""
        return plot(self, axes)

    def __str__(self) -> str:
        return text(self)

    def _repr_html_(self) -> str:
        return page(self)
