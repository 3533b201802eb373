"""A few integers that belong together: C structs that are handed over as they are."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta_kernel.basis import Int


class Work(NamedTuple):
    """Work that is ahead, counted both ways."""

    plain: Int
    loaded: Int


class Span(NamedTuple):
    """What all windows from the least to the most count."""

    events: Int
    least: Int
    most: Int


class Served(NamedTuple):
    """When a unit starts and is done at the latest."""

    start: Int
    finish: Int
