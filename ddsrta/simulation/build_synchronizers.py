"""Which synchronizers the engine can do: those that come to matching messages by number."""

from __future__ import annotations

from ddsrta.models.diagnostics import Diagnostic, InputError
from ddsrta.models.graph import inputs
from ddsrta.models.system import System, Thread
from ddsrta.models.validate_synchronizers import message_origin, origins


def refuse_synchronizers(system: System) -> None:
    """Raises InputError for those that the engine does not know.

    >>> from ddsrta.examples import two_threads
    >>> refuse_synchronizers(two_threads())
    """
    for thread in system.threads.values():
        if thread.synchronizer is not None and not _is_by_number(system, thread):
            message = f"'{thread.name}' synchronizes messages in a way that is not simulated yet"
            where = system.where("threads", thread.name, "subscribes", "synchronize")
            advice = "its bounds are there: ddsrta analyze"
            raise InputError([Diagnostic(where, message, advice)])


def _is_by_number(system: System, thread: Thread) -> bool:
    """Equal stamps of one source, none of which is lost or occurs twice: the n-th of each topic."""
    assert thread.synchronizer is not None
    if not thread.synchronizer.keeps_numbers or thread.synchronizer.queue is not None:
        return False
    known = origins(system)
    found = {message_origin(system, hop, known) for hop in inputs(system, thread)}
    one = found.pop() if len(found) == 1 else None
    if one is None or one.messages != 1:
        return False
    arrival = system.threads[one.thread].arrival
    return arrival is not None and arrival.least_distance(2) > 0
