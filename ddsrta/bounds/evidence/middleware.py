"""What is assumed of the middleware: of the ways of messages, between processes and within one, and
of the threads of participants that send of themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from ddsrta.base.text import plural
from ddsrta.bounds.queues.overflow import Place
from ddsrta.bounds.stages import Key
from ddsrta.models.assumptions import Assumption
from ddsrta.models.fastdds import BOTH_WAYS, fragments, participant, senders
from ddsrta.models.system import System, Thread
from ddsrta.policies import POLICIES

_OF_CONTROLLERS = (
    "; nor does a flow controller of the model send any of that (in Fast DDS 3 the default one has "
    "the announcements of a participant that declares others)"
)


def _is_3(system: System) -> bool:
    return system.fastdds is not None and system.fastdds.version.startswith("3.")


def event_threads(system: System) -> str:
    """What participants are taken to do without being asked (lemma event-threads)."""
    modelled = {participant(system, one) for one in system.threads.values() if one.datagrams}
    sent = list(senders(system))
    others = {participant(system, thread) for thread, _ in sent} - modelled
    said = (
        "what participants send of themselves (announcements, heartbeats, acknowledgements), and "
        "their event threads, cost nothing beyond what threads of the model stand for"
    )
    if not modelled:
        return said
    by_others = any(name and participant(system, one) in modelled for one, name in sent)
    apart = _OF_CONTROLLERS if by_others and _is_3(system) else ""
    these = ", ".join(repr(name) for _, name in sorted(others))
    rest = f"; those of {these} cost nothing" if these else ""
    return (
        "event threads with 'datagrams' do what these and their wcet say, and hold no lock of a "
        f"writer that is in use (as heartbeats of reliable topics do){rest}; nor does receiving "
        f"what participants send of themselves cost anything{apart}"
    )


def delivered(system: System) -> Iterator[Assumption]:
    """That nothing is lost between machines or processes, from the first message on."""
    ways = _ways(system)
    if not ways:
        return
    (machine, process), (to_machine, to_process) = ways[0]
    if machine == to_machine:
        where = system.where("processes", str(process or to_process))
        way = f"from process {process!r}" if process else f"to process {to_process!r}"
        way += f" to process {to_process!r}" if process and to_process else ""
    else:
        links = list(system.links)
        ends = (machine, to_machine)
        where = system.where("network", links.index(ends)) if ends in links else None
        way = f"from machine {machine!r} to {to_machine!r}"
    more = plural(len(ways) - 1, "more way")
    others = f" (and on {more} between machines or processes)" if ways[1:] else ""
    yield Assumption(
        "delivery",
        f"each message {way}{others} arrives, at the first attempt: none is lost, sent again or "
        "to a second address, and its writer and reader are matched before they start",
        where,
    )


# How all that a listener receives comes to one thread, and what may have another.
_TRANSPORTS = (
    "from its own machine as from others (transport UDPv4 alone, without a list of interfaces)",
    "what shared memory brings from the same machine",
)
_SHARING = (
    "without data sharing (rmw_fastrtps switches it off)",
    "each reader of messages of bounded size from the same machine",
)
_TWICE = (
    "; what is best-effort is sent by both ways to the same machine, and received by both threads"
)
_Ends = tuple[str, str | None]  # machine and process


def _ways(system: System) -> list[tuple[_Ends, _Ends]]:
    """Between which machines and processes messages go, or ends of jobs that others follow."""

    def ends(thread: Thread) -> _Ends:
        return system.machine_of(thread.core), thread.process

    found: dict[tuple[_Ends, _Ends], None] = {}
    for topic in system.topics:
        writers = dict.fromkeys(map(ends, system.writers(topic)))
        readers = dict.fromkeys(map(ends, system.readers(topic)))
        found.update(dict.fromkeys((one, other) for one in writers for other in readers))
    for name, thread in system.threads.items():
        for follower in system.followers(name):
            if ends(follower)[0] != ends(thread)[0]:
                found[ends(thread), ends(follower)] = None
    return [way for way in found if way[0] != way[1]]


def written_apart(system: System) -> Iterator[Assumption]:
    """That jobs of several threads of a process, or callbacks, have a writer each on a topic, where
    it matters which do: to locks of writers, where each has a queue (definition lock-uses), and to
    how much a history has to hold."""
    found: dict[tuple[tuple[str, str], str], list[tuple[str, str | None]]] = {}
    for thread in system.threads.values():
        for publication in thread.publishes:
            if system.receivers(thread, publication.topic):
                by = publication.flow_controller if publication.mode == "async" else None
                key = participant(system, thread), publication.topic
                found.setdefault(key, []).append((thread.name, by))
    apart = {
        topic: [name for name, _ in writers]
        for (_, topic), writers in found.items()
        if len(writers) > 1
        and (system.fastdds is not None or _wait_apart(system, topic, [by for _, by in writers]))
    }
    for topic, (one, other, *more) in islice(apart.items(), 1):
        others = f" (and {len(more)} more)" * bool(more)
        others += f" (and on {plural(len(apart) - 1, 'more topic')})" * bool(apart.keys() - {topic})
        yield Assumption(
            "own-writers",
            f"{one!r} and {other!r}{others} publish on {topic!r} with a writer (a publisher of "
            "rclcpp) each: by one writer their messages are in one queue and one history, and each "
            "may wait while one of the other's is sent",
            system.where("topics", topic),
        )


def _wait_apart(system: System, topic: str, controllers: Sequence[str | None]) -> bool:
    """Whether one of the flow controllers stands there twice, and has a queue for each writer; or
    what waits for it is in histories of a given depth, of each writer its own."""
    twice = {name for name in controllers if name and controllers.count(name) > 1}
    if system.topics[topic].history is not None:
        return bool(twice)
    return any(POLICIES[system.flow_controllers[name].policy].by_writer for name in twice)


def received_by_listeners(system: System) -> Iterator[Assumption]:
    """That messages of Fast DDS go through a listener within a process, too: by default whoever
    sends does the work of its readers there."""
    found = {
        (thread.process, publication.topic): None
        for thread in system.threads.values()
        for publication in thread.publishes
        if thread.process is not None
        and system.processes[thread.process].intraprocess_delivery is None
        and any(r.process == thread.process for r in system.receivers(thread, publication.topic))
    }
    for process, topic in list(found)[:1]:
        others = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        yield Assumption(
            "listeners-receive",
            f"messages on {topic!r}{others} within process {process!r} are received by its "
            "listener, as others are (Fast DDS with 'intraprocess_delivery' OFF; by default the "
            "thread that sends does what readers do: say which it is under 'processes')",
            system.where("processes", str(process)),
        )


def received_by_one_thread(system: System) -> Iterator[Assumption]:
    """That a listener is one thread: Fast DDS has one for each transport, by default shared memory
    for what comes from the same machine (of what is best-effort, in 2.9 and 2.10, UDP as well), and
    with data sharing one for each reader."""
    found: dict[str, list[tuple[str, str]]] = {}
    twice = system.fastdds is not None and system.fastdds.version in BOTH_WAYS
    for name, ways in _received(system).items():
        near = [is_near for is_near, _ in ways]
        shared = [is_near and may_share for is_near, may_share in ways]
        transports = any(near) and (twice or not all(near))
        words = [_TRANSPORTS] * transports + [_SHARING] * (sum(shared) > 1)
        if words:
            found[name] = words
    for name, words in islice(found.items(), 1):
        others = f" (and {plural(len(found) - 1, 'more listener')})" if len(found) > 1 else ""
        yield Assumption(
            "one-port",
            f"what listener {name!r}{others} receives comes in at one port, "
            f"{' and '.join(how for how, _ in words)}: by default Fast DDS has a thread of its own "
            f"for {' and for '.join(what for _, what in words)}, and each goes on while the other "
            "waits" + _TWICE * (twice and _TRANSPORTS in words),
            system.where("listeners", name),
        )


def _received(system: System) -> dict[str, list[tuple[bool, bool]]]:
    """Of each message that a listener has to receive, whether it comes from the same machine, and
    whether its reader may share data: rmw_fastrtps does not have the readers of callbacks do so."""
    found: dict[str, list[tuple[bool, bool]]] = {}
    for thread in system.threads.values():
        for publication in thread.publishes:
            for reader in system.receivers(thread, publication.topic):
                assert reader.subscribes is not None
                listener = reader.subscribes.listener
                here = system.machine_of(system.listeners[listener].core)
                way = system.machine_of(thread.core) == here, reader.executor is None
                found.setdefault(listener, []).append(way)
    return found


def received_whole(system: System) -> Iterator[Assumption]:
    """That what is sent in fragments costs its listener nothing before the last one is there: each
    is received as it comes, before what is sent meanwhile (definition stage-graph)."""
    found = {
        (publication.topic, reader.subscribes.listener): None
        for thread in system.threads.values()
        for publication in thread.publishes
        if fragments(system.topics[publication.topic].size) > 1
        for reader in system.receivers(thread, publication.topic)
        if reader.subscribes is not None
    }
    for topic, listener in islice(found, 1):
        others = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        yield Assumption(
            "whole-messages",
            f"listener {listener!r} receives each message on {topic!r}{others} when all of it has "
            "come: Fast DDS sends more than 64 kB in fragments, and a listener copies each as it "
            "comes, also before a message that is sent meanwhile",
            system.where("topics", topic, "size"),
        )


def done_by_senders(system: System) -> Iterator[Assumption]:
    """That who does the work of a reader of its process (definition local-readers) does not wait
    for the lock of that reader."""
    found = [
        (thread.name, reader.name)
        for thread in system.threads.values()
        for publication in (thread.publishes if thread.process else ())
        for reader in system.local_readers(thread, publication.topic)
    ]
    for writer, reader in found[:1]:
        others = f" (and {len(found) - 1} more)" if found[1:] else ""
        yield Assumption(
            "reader-locks",
            f"neither {writer!r}, which does what its reader {reader!r}{others} in the same "
            "process has to, nor who takes messages there waits for the lock of that reader, which "
            "the other one has, however long something preempts it",
            system.where("threads", writer, "publishes"),
        )


def taken_as_they_come(system: System) -> Iterator[Assumption]:
    """That what comes to a thread in several ways is taken in the order in which it arrived: one
    that waits for several readers has an order of its own (note ordered-delivery)."""
    found = [
        (reader, ways)
        for reader in system.threads.values()
        if reader.arrival is None and reader.activation != "and" and not system.mixes(reader)
        if reader.order is None and (ways := _ways_to(system, reader))[1:]
    ]
    for reader, ways in found[:1]:
        others = f" (and of {plural(len(found) - 1, 'more reader')})" if found[1:] else ""
        said = " and ".join(ways[:2]) + f" (and {len(ways) - 2} more)" * bool(ways[2:])
        reads = reader.subscribes is not None
        looked_at = "readers" if reads else "conditions"
        yield Assumption(
            "arrival-order",
            f"{'messages on ' * reads}{said} are taken by {reader.name!r}{others} in the order in "
            f"which they arrive (a thread that looks at its {looked_at} one after the other has "
            "another order: say 'order: any')",
            system.where("threads", reader.name, "subscribes" if reads else "follows"),
        )


def _ways_to(system: System, reader: Thread) -> list[str]:
    """What waits apart for a thread: each topic, what comes directly beside the rest of one, and
    jobs that it follows."""
    topics = dict.fromkeys(reader.subscribes.topics if reader.subscribes is not None else ())
    apart = [
        topic
        for topic in topics
        if len({system.is_direct(writer, reader) for writer in system.writers(topic)}) > 1
    ]
    followed = dict.fromkeys(reader.follows.threads if reader.follows is not None else ())
    return [
        *map(repr, topics),
        *(f"{topic!r}, directly," for topic in apart),
        *(f"jobs of {name!r}" for name in followed),
    ]


def taken_in_order(system: System, places: Sequence[Place]) -> Iterator[Assumption]:
    """That a reader takes the messages of one publisher in their order, where several may wait: of
    a topic with keys it takes those of one key after the other (lemma mixed-publishers)."""
    found = [keys[0] for keys in _crowded(system, places)]
    for _, _, topic, reader in found[:1]:
        others = f" (and in {plural(len(found) - 1, 'more reader')})" if found[1:] else ""
        yield Assumption(
            "no-keys",
            f"messages on {topic!r} have no keys, where several wait for {reader!r}{others}: of a "
            "topic with keys a reader of DDS takes all that waits of one key, and then of the "
            "next, so that what was sent later may be taken first",
            system.where("topics", topic),
        )


def listeners_find_locks_free(system: System, places: Sequence[Place]) -> Iterator[Assumption]:
    """That a listener does not wait for the lock of a reader, which who takes a message has, nor
    that for the listener: where several may wait, or the reader's thread looks for itself, that may
    be when another one comes."""
    found = [key[3] for keys in _crowded(system, places) for key in keys if key[0] == "message"]
    found += [
        reader.name
        for topic in system.topics
        for writer in system.writers(topic)
        for reader in system.receivers(writer, topic)
        if reader.arrival is not None
    ]
    names = list(dict.fromkeys(found))
    for reader in (system.threads[name] for name in names[:1]):
        assert reader.subscribes is not None
        others = f" (and {plural(len(names) - 1, 'more reader')})" if names[1:] else ""
        yield Assumption(
            "reader-locks",
            f"neither listener {reader.subscribes.listener!r}, which brings messages, nor who "
            f"takes them waits for the lock of reader {reader.name!r}{others}, which the other one "
            "has, however long something preempts it (whatever the listener receives next would "
            "wait, too)",
            system.where("listeners", reader.subscribes.listener),
        )


def _crowded(system: System, places: Sequence[Place]) -> list[tuple[Key, ...]]:
    """Of each reader in which several messages may wait, what these are."""
    return [
        place.keys
        for place in places
        if (place.waiting is None or place.waiting > 1) and place.where[0] == "topics"
        if any(_in_reader(system, key) for key in place.keys)
    ]


def _in_reader(system: System, key: Key) -> bool:
    """Whether such messages wait in a reader of the middleware."""
    if key[0] == "direct":
        return system.is_local(system.threads[key[1]], system.threads[key[3]])
    return key[0] == "message"
