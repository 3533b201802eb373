"""The confirmed windows of all stages."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ddsrta.checker.budget import Budget, ExhaustedError
from ddsrta.checker.stages import Key
from ddsrta.checker.sums import RefutedError
from ddsrta.checker.windows import Origin, Window

GLANCE = 300  # evaluations of a window


class Points:
    """Windows by stage, and what was found in them. Where groups confirm what is claimed of a
    stage, its window only lowers bounds of paths: it may take long, and is looked at when a path
    asks for it.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.windows: dict[Key, Window] = {}
        # stages of which paths ask for the window of one message (lemma turns-in-order)
        self.swapping: set[Key] = set()
        self.found: dict[tuple[Key, Origin, int], int | None] = {}
        self.waiting: dict[Key, Callable[[], Window]] = {}
        self.spare: set[Key] = set()  # what was confirmed without its window
        self.long: set[Key] = set()  # what takes more than a glance
        self.skipped: set[Key] = set()  # what took too long
        self.quiet: frozenset[Key] = frozenset()  # what was confirmed before

    def of(self, key: Key) -> Key:
        """The name of the window of a stage that paths ask for."""
        return ("taken", *key) if key in self.swapping else key

    def __contains__(self, key: Key) -> bool:
        return self.of(key) in self.windows

    def add(self, key: Key, window: Window) -> int:
        """Confirms what is claimed of a stage; by how many finishes."""
        looks = window.confirm()
        self.windows[key] = window
        return looks

    def late(self, key: Key, origin: Origin, floor: int = 0) -> int | None:
        """The most from an origin to the end of a stage; None where that takes too long."""
        key = self.of(key)
        asked = key, origin, floor
        if asked not in self.found:
            rows = [one.row(origin, floor) for one in self.windows[key].by]
            self.found[asked] = self.spared(key, lambda: max(row.most() for row in rows))
        return self.found[asked]

    def spared(self, key: Key, look: Callable[[], int]) -> int | None:
        """What is found at a stage; None where it is no number, or takes too long."""
        (self.budget.renew_spare if key in self.spare else self.budget.renew)()
        try:
            return look()
        except RefutedError:
            return None
        except ExhaustedError:
            self.skipped.add(key)
            return None
        finally:
            self.budget.renew()

    def later(self, key: Key, make: Callable[[], Window]) -> None:
        """Keeps a window until a path asks for it."""
        self.spare.add(key)
        self.waiting[key] = make

    def glance(self, keys: Iterable[Key]) -> None:
        """Looks at those windows that take little."""
        for key in map(self.of, keys):
            if key in self.waiting and key not in self.long and key not in self.quiet:
                self._look(key, GLANCE)

    def look(self, keys: Iterable[Key]) -> None:
        """Looks at the windows of these stages that were kept."""
        for key in map(self.of, keys):
            if key in self.waiting:
                self._look(key, None)

    def _look(self, key: Key, most: int | None) -> None:
        self.budget.renew_spare(most)
        try:
            self.add(key, self.waiting[key]())
        except RefutedError:
            pass  # it has no window
        except ExhaustedError:
            (self.skipped if most is None else self.long).add(key)
        self.budget.renew()
        if most is None or key not in self.long:
            del self.waiting[key]
