"""What bounds rest on where the model cannot show it."""

from __future__ import annotations

from ddsrta.base.diagnostics import Position
from ddsrta.base.frozen import frozen


@frozen
class Assumption:
    """Something that has to be true of what runs, or the bounds of a result say nothing.

    It is stated in results, reports and certificates; `rule` is a word that stays.
    """

    rule: str
    message: str
    position: Position | None = None
