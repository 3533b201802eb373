"""Other values at places of a system's file: what searches try, and people are told to write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ddsrta.base.frozen import frozen
from ddsrta.base.yaml_changes import Step
from ddsrta.exploration.spoken import spoken
from ddsrta.models.system import System


@frozen
class Edit:
    """What is to stand at a path of the file, as `System.replace` takes it; None takes it away."""

    path: tuple[Step, ...]  # its last step is a key of a mapping, which need not be there yet
    value: Any

    @property
    def name(self) -> str:
        """What a person would call the place."""
        return spoken(self.path)


def edited(system: System, edits: Iterable[Edit]) -> System:
    """The system with all of them, the later ones last; raises InputError where that cannot be.
    A thing that is not there need not be taken away.

    >>> from ddsrta.examples import two_threads
    >>> other = edited(two_threads(), [Edit(("threads", "sensor", "wcet"), "2ms")])
    >>> other.threads["sensor"].wcet
    2000000
    """
    assert system.written is not None
    has = system.written.tree.has
    found = (
        each for each in edits if each.value is not None or len(each.path) != 2 or has(each.path)
    )
    return system.written.edited({each.path: each.value for each in found})
