"""The confirmed finishes in the windows of all stages."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ddsrta.checker.budget import Budget, ExhaustedError
from ddsrta.checker.stages import Key
from ddsrta.checker.sums import RefutedError
from ddsrta.checker.windows import Point, Window

GLANCE = 300  # evaluations of a window


class Points:
    """Windows and their points, by stage. Where groups confirm what is claimed of a stage, its
    window only lowers bounds of paths: it may take long, and is looked at when a path asks for it.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.windows: dict[Key, Window] = {}
        self.found: dict[Key, list[Point]] = {}
        self.waiting: dict[Key, Callable[[], Window]] = {}
        self.long: set[Key] = set()  # what takes more than a glance
        self.skipped: set[Key] = set()  # what took too long

    def __contains__(self, key: Key) -> bool:
        return key in self.found

    def __getitem__(self, key: Key) -> list[Point]:
        return self.found[key]

    def add(self, key: Key, window: Window) -> int:
        """Confirms the points of a stage; how many they are."""
        self.found[key] = window.points()
        self.windows[key] = window
        return len(self.found[key])

    def later(self, key: Key, make: Callable[[], Window]) -> None:
        """Keeps a window until a path asks for it."""
        self.waiting[key] = make

    def glance(self, keys: Iterable[Key]) -> bool:
        """Looks at those windows that take little; whether there were any."""
        before = len(self.found)
        for key in keys:
            if key in self.waiting and key not in self.long:
                self._look(key, GLANCE)
        return len(self.found) > before

    def look(self, keys: Iterable[Key]) -> None:
        """Looks at the windows of these stages that were kept."""
        for key in keys:
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
