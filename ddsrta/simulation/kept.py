"""What a reader of traces remembers of messages that came to synchronizers."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")
OLDER = 1000  # messages that are remembered behind the last one taken


class Kept(Generic[T]):
    """The messages of each hop, which the trace names by their numbers there.

    Of a hop, no set has an older message than the one before it, unless stamps do not grow: what
    is much older is forgotten.

    >>> kept: Kept[str] = Kept(1)
    >>> kept.add(0, "first"), kept.add(0, "second"), kept.take(0, 1), kept.take(0, 1)
    (None, None, 'second', 'second')
    """

    def __init__(self, hops: int) -> None:
        self._of: list[dict[int, T]] = [{} for _ in range(hops)]
        self._came = [0] * hops

    def add(self, hop: int, message: T) -> None:
        """One more has come."""
        self._of[hop][self._came[hop]] = message
        self._came[hop] += 1

    def take(self, hop: int, number: int) -> T | None:
        """It is in a set, and may be in the next one, too; None where it is forgotten."""
        messages = self._of[hop]
        while messages and (first := next(iter(messages))) < number - OLDER:
            del messages[first]
        return messages.get(number)

    def change(self, hop: int, number: int, message: T) -> None:
        """It is something else from now on."""
        self._of[hop][number] = message
