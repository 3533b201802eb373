"""Whether what a synchronizer waits for comes in the order of its stamps."""

from __future__ import annotations

from ddsrta.models.graph import all_inputs
from ddsrta.models.groups import overlaps
from ddsrta.models.system import System, Thread
from ddsrta.models.validate_synchronizers import origins


def in_order_of_stamps(system: System, thread: Thread) -> bool:
    """Whether all messages of each of its topics do: those of one source, on one way, none of which
    overtakes another or goes round.

    >>> from ddsrta.examples import two_threads
    >>> in_order_of_stamps(two_threads(), two_threads().threads["control"])
    True
    """
    known = origins(system)
    seen, ahead = {thread.name}, [thread]
    while ahead:
        one = ahead.pop()
        for hop in all_inputs(system, one) if one.arrival is None else ():
            source = system.threads[hop.source]
            if known[source.name] is None or hop in system.closing or overlaps(system, source):
                return False
            if source.name not in seen:
                seen.add(source.name)
                ahead.append(source)
    return True
