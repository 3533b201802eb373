"""When a job hands over what it publishes, at the earliest (definition stage-graph)."""

from __future__ import annotations

from ddsrta.models.costs import EPSILON
from ddsrta.models.messages import Publication
from ddsrta.models.system import System
from ddsrta.models.threads import Thread


def handed_over(system: System, writer: Thread, publication: Publication) -> int:
    """The least execution time of a job before the first message of a publication. Where more is
    handed over then, what is more urgent may come between: not quite all of the job's time is over.

    >>> from ddsrta.examples import two_threads
    >>> system = two_threads()
    >>> sensor = system.threads["sensor"]
    >>> handed_over(system, sensor, sensor.publishes[0])
    1
    """
    earliest = publication.earliest
    if earliest < writer.wcet or _is_last(system, writer, publication):
        return earliest
    return min(earliest, max(EPSILON, writer.wcet - EPSILON))


def _is_last(system: System, writer: Thread, publication: Publication) -> bool:
    """Whether it is one message for one taker, and the last that a job hands over."""
    last = writer.publishes[-1]
    instead = publication.one_of is not None and publication.one_of == last.one_of
    if publication.count > 1 or not (publication.topic == last.topic or instead):
        return False
    if publication.mode == "async" and not system.neighbours(writer, publication.topic):
        return True
    return len(system.readers(publication.topic)) <= 1
