"""What is released in a part of a closed window, and what that has to do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from operator import mul


class Released(ABC):
    """How much comes of what is released in windows of any length that open when nothing is
    pending."""

    counted = 1  # stages, each as often as it is counted for one length

    def __init__(self) -> None:
        self.known: dict[int, Sequence[int]] = {}

    @abstractmethod
    def events(self, length: int) -> Sequence[int]:
        """What is counted, of a window."""

    @abstractmethod
    def weights(self, each: Mapping[int, int]) -> Sequence[int]:
        """What each of that adds, where a unit of a stage adds so much, and of others nothing."""

    def work(self, each: Mapping[int, int]) -> Callable[[int], int]:
        """What all units of a window add."""
        weights, known = self.weights(each), self.known

        def work(length: int) -> int:
            if length not in known:
                known[length] = self.events(length)
            return sum(map(mul, known[length], weights))

        return work
