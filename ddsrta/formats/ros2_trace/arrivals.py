"""Which messages of a callback came to whom, and which of them never did."""

from __future__ import annotations

from array import array

from ddsrta.formats.ros2_trace.entities import Callback, LinkKey, Publication


class Arrivals:
    """What is sent is numbered by callback and topic, where it has a stamp that finds it again."""

    def __init__(self) -> None:
        self.vague: set[str] = set()  # topics of which something was taken that nobody sent
        self._sent: dict[tuple[Callback, str], array[int]] = {}  # when
        self._taken: dict[LinkKey, set[int]] = {}

    def send(self, publication: Publication) -> None:
        """One more, if a callback sends it; it counts once."""
        if publication.callback and publication.topic and publication.number is None:
            key = publication.callback, publication.topic
            times = self._sent.setdefault(key, array("q"))
            publication.number = len(times)
            times.append(publication.time)

    def take(self, key: LinkKey, publication: Publication) -> None:
        """A subscription took it."""
        if publication.number is not None:
            self._taken.setdefault(key, set()).add(publication.number)

    def lost(self, key: LinkKey) -> tuple[array[int], array[int]] | None:
        """When those left that a subscription did not take: before others that it took, and after
        its last; None where nobody knows. What left before its first one is not for it: it may not
        have been there."""
        publisher, topic, _ = key
        if publisher is None or topic in self.vague or key not in self._taken:
            return None
        passed, last = array("q"), array("q")
        taken, times = self._taken[key], self._sent[publisher, topic]
        for number in range(min(taken), len(times)):
            if number not in taken:
                (passed if number < max(taken) else last).append(times[number])
        return passed, last
