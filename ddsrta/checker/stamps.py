"""Whether what comes to a synchronizer comes in the order of its stamps (lemma set-response)."""

from __future__ import annotations

from ddsrta.checker.things import System, Thread


def stamped_in_order(system: System, name: str) -> bool:
    """Whether no thread on the way of its messages takes what any of several sends it, and nothing
    overtakes what went before."""
    seen, ahead = {name}, [name]
    while ahead:
        reader = ahead.pop()
        thread = system.threads[reader]
        if thread.arrival is not None:
            continue
        sent = [one for topic in thread.topics for one in system.writers.get(topic, ())]
        before = [*sent, *thread.follows]
        if len(before) > 1 and not _by_number(system, thread):
            return False
        if any(system.overlaps(one) or _may_pass(system, one, reader) for one in before):
            return False
        ahead += set(before) - seen
        seen.update(before)
    return True


def _by_number(system: System, thread: Thread) -> bool:
    """Whether each job takes one of each input, all of which go on."""
    several = any(len(system.writers.get(topic, ())) > 1 for topic in thread.topics)
    policy = thread.synchronizer.policy if thread.synchronizer else "exact_time"
    return thread.joins and policy == "exact_time" and not several


def _may_pass(system: System, source: str, reader: str) -> bool:
    """Whether what comes from one thread to another may come in another order."""
    thread = system.threads[reader]
    if source in thread.follows and thread.loose and thread.delay.best < thread.delay.worst:
        return True
    ends = system.threads[source].place.machine, thread.place.machine
    way = system.links.get(ends)
    return ends in system.loose and way is not None and way.best < way.worst
