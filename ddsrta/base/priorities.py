"""Numbers that say how urgent something is: each kind compares with its own alone.

They are whole numbers; a type checker takes them for what they are, and refuses what mixes them up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self

    class Own:
        def __new__(cls, number: int, /) -> Self: ...
        def __lt__(self, other: Self, /) -> bool: ...
        def __gt__(self, other: Self, /) -> bool: ...
        def __le__(self, other: Self, /) -> bool: ...
        def __ge__(self, other: Self, /) -> bool: ...
        def __int__(self) -> int: ...

    class Rank(Own):
        """Of what waits for one thread or link, such as messages by the priorities of their topics:
        the smaller the more urgent."""

    class Priority(Own):
        """Of threads on a core (SCHED_FIFO), and of callbacks in an executor: the bigger the more
        urgent."""

        def __neg__(self) -> Rank: ...

else:
    Priority = Rank = int

ALIKE = Rank(0)  # of what says nothing else
FAIR = Priority(-(2**31) - 1)  # of SCHED_OTHER: below all that a file can say
