"""What modes make of a reactor: the order of its reactions, and a tag behind each change.

Two modes are never active at one tag, so lfc (127d4c4) lets no reaction of one wait for one of
another: that could be a circle where the program has none.
"""

from __future__ import annotations

from ddsrta.formats.draft import Mapping


class Order:
    """What each reaction of a reactor comes after, in the order of the program.

    >>> order = Order("r")
    >>> order.of("a", "ONE"), order.of("b", "TWO")
    ({'reactor': 'r/ONE'}, {'reactor': 'r/TWO'})
    >>> order.of("c", ""), order.of("d", "ONE")
    ({'reactor': 'r', 'after': ['a', 'b']}, {'reactor': 'r/ONE', 'after': ['c']})
    """

    def __init__(self, reactor: str) -> None:
        self.reactor = reactor
        self.parts: dict[str, None] = {}
        self.last: dict[str, str] = {}  # by mode; '' is what is in none

    def of(self, name: str, mode: str) -> Mapping:
        """The reactor of the next reaction, and what it is behind in other parts of it."""
        others = [other for where, other in self.last.items() if not mode or not where]
        after = [other for other in others if other != self.last.get(mode)]
        self.last[mode] = name
        part = "/".join(filter(None, (self.reactor, mode)))
        if part:
            self.parts[part] = None
        entry: Mapping = {"reactor": part} if part else {}
        return entry | ({"after": list(after)} if after else {})


def change_of(reactor: str) -> str:
    """The name of what brings a tag behind a change of modes, whether or not anything is at it.

    A mode that is entered by a reset, or for the first time, has its reactions to that one
    microstep later: the runtime puts an empty event there (`_lf_process_mode_changes`, 282c75d).

    >>> change_of("m"), change_of("")
    ('m mode', 'mode')
    """
    return f"{reactor} mode".strip()
