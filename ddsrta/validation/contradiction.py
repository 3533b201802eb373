"""What a run shows that the model does not allow: an assumption of every bound that is broken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

Subject = Literal[
    "releases", "execution times", "messages per job", "edges", "threads", "cores", "priorities",
    "queues", "deliveries", "clocks", "plan", "findings",
]  # fmt: skip
SUBJECTS: tuple[Subject, ...] = Subject.__args__  # type: ignore[attr-defined]
_MOST_OF_ONE = 100  # texts


class Contradiction(NamedTuple):
    """What of the model, of which part of it, and how the run contradicts it."""

    subject: Subject
    name: str
    text: str


class Held:
    """What of a model was held against a run, how many of it, and what contradicts it.

    >>> held = Held()
    >>> held.count("cores", 2); held.contradict("cores", "F", "CPU 1 instead of 0")
    >>> held.words, [one.name for one in held.contradictions]
    ('2 cores', ['F'])
    """

    def __init__(self) -> None:
        self._counts: dict[Subject, int] = {}
        self._found: dict[Subject, dict[tuple[str, str], Contradiction]] = {}

    def count(self, subject: Subject, more: int = 1) -> None:
        """So many were looked at."""
        self._counts[subject] = self._counts.get(subject, 0) + more

    def contradict(self, subject: Subject, name: str, text: str, kind: str = "") -> None:
        """One more; of one `kind` (or text) and name the first is told."""
        of_it = self._found.setdefault(subject, {})
        if len(of_it) < _MOST_OF_ONE:
            of_it.setdefault((name, kind or text), Contradiction(subject, name, text))

    @property
    def contradictions(self) -> tuple[Contradiction, ...]:
        """All of them, by subject."""
        return tuple(self._ordered())

    def _ordered(self) -> Iterator[Contradiction]:
        for subject in SUBJECTS:
            yield from self._found.get(subject, {}).values()

    @property
    def words(self) -> str:
        """What was looked at; empty where nothing was."""
        found = (f"{self._counts[one]:,} {one}" for one in SUBJECTS if self._counts.get(one))
        return ", ".join(found)
