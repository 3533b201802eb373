"""A model held against what a ROS 2 trace shows of it."""

from __future__ import annotations

from collections.abc import Callable

from ddsrta.base.text import plural
from ddsrta.base.units import format_duration
from ddsrta.formats.ros2_draft import own_name
from ddsrta.formats.ros2_trace import Observation, ObservedCallback
from ddsrta.formats.ros2_trace.observed import ObservedLink, ObservedPublication
from ddsrta.models.services import REPLY, REQUEST
from ddsrta.models.system import Publication, System, Thread
from ddsrta.validation.contradiction import Held
from ddsrta.validation.measured import TO_THE_END, Key
from ddsrta.validation.releases import ReleaseCheck

_HOUSEKEEPING = ("/rosout", "/parameter_events", "/clock")


def hold_ros2(
    system: System, observation: Observation, limit_of: Callable[[Key], int | None]
) -> Held:
    """Callbacks, timers, executions, publications, edges, cores, queues, deliveries and clocks."""
    held = Held()
    seen = {
        own_name(one.name): one
        for one in observation.callbacks.values()
        if one.topic not in _HOUSEKEEPING and one.kind != "unknown"
    }
    _hold_names(system, seen, held)
    untraced = _of_services(system)
    for name, one in seen.items():
        thread = system.threads.get(name)
        if thread is None or not one.durations.count:
            continue
        bound = limit_of(Key("response", (name,)))
        _hold_timer(thread, one, bound, held)
        _hold_wall_time(thread, one, bound, held)
        _hold_publications(thread, one, untraced, held)
        _hold_alternatives(thread, one, held)
        _hold_queue(system, thread, one, held)
    _hold_edges(system, observation, seen, held)
    _hold_rounds(system, observation, held)
    _hold_places(system, seen, held)
    for link in observation.links:
        _hold_deliveries(system, link, limit_of, held)
    if observation.backwards:
        held.contradict("clocks", system.name, f"{observation.backwards} messages were taken "
                        "before they were published: the clocks in the trace differ")  # fmt: skip
    return held


def _hold_names(system: System, seen: dict[str, ObservedCallback], held: Held) -> None:
    for name, one in seen.items():
        held.count("threads")
        if name not in system.threads and one.durations.count:
            held.contradict("threads", name, "this callback ran and is not in the model")
    for name, thread in system.threads.items():
        if thread.entity == "client":
            continue  # rclcpp does not trace its callbacks
        if thread.declared_as not in seen and name not in seen:
            held.contradict("threads", name, "it is in the model and not in the trace")
            continue
        comes = thread.arrival is not None and thread.arrival.largest_gap is not None
        if comes and name in seen and not seen[name].durations.count:
            held.contradict("releases", name, "its timer never fired in the trace")


def _hold_timer(thread: Thread, one: ObservedCallback, bound: int | None, held: Held) -> None:
    """The period that the program asked for; and starts, each within a response of its release."""
    arrival = thread.arrival
    if (arrival is not None) != (one.kind == "timer"):
        how = "a timer releases it" if one.kind == "timer" else "no timer releases it"
        held.contradict("releases", thread.name, f"{how}, other than in the model")
        return
    if arrival is None:
        return
    held.count("releases", one.durations.count)
    if one.period is not None:
        gap = arrival.largest_gap
        if arrival.least_distance(2) > one.period or (gap is not None and gap < one.period):
            text = f"its timer has a period of {format_duration(one.period)}, not the modelled one"
            held.contradict("releases", thread.name, text)
    if bound is None:
        return
    check, time = ReleaseCheck(arrival, slack=bound), 0
    check.see(time)
    for gap in one.gaps.values:
        time += gap
        check.see(time)
    for text in check.broken():
        held.contradict("releases", thread.name, f"{text} (starts, up to {format_duration(bound)} "
                        "after their release)", text.partition(":")[0])  # fmt: skip


def _hold_wall_time(thread: Thread, one: ObservedCallback, bound: int | None, held: Held) -> None:
    """From its start to its end a job takes no longer than from its release, and no less than its
    best case."""
    most, least = one.durations.most, one.durations.least
    if least is not None and least < (thread.bcet or 0):
        text = f"a job took {format_duration(least)}, less than its bcet of "
        held.contradict(
            "execution times", thread.name, f"{text}{format_duration(thread.bcet or 0)}"
        )
    held.count("execution times", one.durations.count)
    if bound is not None and most is not None and most > bound:
        text = f"a job took {format_duration(most)} from its start to its end, longer than the "
        text += f"bound of its response, {format_duration(bound)}"
        held.contradict("execution times", thread.name, text)


def _hold_publications(
    thread: Thread, one: ObservedCallback, untraced: set[str], held: Held
) -> None:
    """What it published."""
    modelled = {publication.topic: publication for publication in thread.publishes}
    absent = {topic for topic, publication in modelled.items() if publication.part is None}
    jobs = one.durations.count
    for seen in one.publishes:
        if seen.topic in _HOUSEKEEPING:
            continue
        held.count("messages per job", seen.jobs)
        absent.discard(seen.topic)
        publication = modelled.get(seen.topic)
        if publication is None:
            text = f"that it publishes '{seen.topic}' is in the trace and not in the model"
            held.contradict("edges", thread.name, text)
            continue
        if said := _too_often(publication, seen, jobs):
            held.contradict("messages per job", thread.name, f"'{seen.topic}': {said}")
    for topic in sorted(absent - untraced):
        text = f"it published nothing on '{topic}' in {jobs:,} jobs"
        held.contradict("edges", thread.name, text)


def _of_services(system: System) -> set[str]:
    """The topics of requests and replies, which are in no trace."""
    servers = (one for one in system.threads.values() if one.entity == "service")
    read = [topic for one in servers if one.subscribes for topic in one.subscribes.topics]
    return {*read, *(topic.removesuffix(REQUEST) + REPLY for topic in read)}


def _too_often(publication: Publication, seen: ObservedPublication, jobs: int) -> str:
    """What a trace says against how often jobs publish on a topic, and how much; one that had not
    ended may be the one that did not."""
    part, each = publication.part, "each publishes"
    row = seen.fewest(part.most + 1) if part else None
    if part is not None:
        each = f"{part.most} of {part.of} publish"
        if row is not None and row <= part.of:
            return f"{part.most + 1} of {row} jobs in a row published, and {each} in the model"
    if seen.most_per_job == publication.count and (part or seen.jobs + 1 >= jobs):
        return ""
    said = f"{seen.jobs:,} of {jobs:,} jobs published, up to {seen.most_per_job} messages"
    return f"{said}, and {each} {publication.count} in the model"


def _hold_alternatives(thread: Thread, one: ObservedCallback, held: Held) -> None:
    """No job sends two of one name."""
    names = {publication.topic: publication.one_of for publication in thread.publishes}
    for first, second in one.together:
        if (name := names.get(first)) is not None and name == names.get(second):
            text = f"a job published '{first}' and '{second}', of which each sends one in the model"
            held.contradict("messages per job", thread.name, text)


def _hold_rounds(system: System, observation: Observation, held: Held) -> None:
    """What went round, one message after the other, no more often than a counter lets it."""
    closing = {(own_name(c.callbacks[-1]), c.topic): c for c in observation.circles}
    for circle in system.closed:
        last, topic, _ = circle.closes
        seen = closing.get((last, topic or ""))
        if seen is None or seen.because:
            continue
        held.count("messages per job", seen.messages)
        if seen.rounds > circle.rounds:
            text = f"'{topic}' went round {seen.rounds} times, {circle.rounds} at most in the model"
            held.contradict("messages per job", last, text)


def _hold_queue(system: System, thread: Thread, one: ObservedCallback, held: Held) -> None:
    topic = system.topics.get(one.topic or "")
    if one.queue_depth is None or topic is None or topic.history is None:
        return
    held.count("queues")
    if one.queue_depth != topic.history:
        text = f"'{topic.name}' has a depth of {one.queue_depth} there, and a history of "
        held.contradict("queues", thread.name, f"{text}{topic.history} in the model")


def _hold_edges(
    system: System, observation: Observation, seen: dict[str, ObservedCallback], held: Held
) -> None:
    for link in observation.links:
        if link.publisher is None or link.topic in _HOUSEKEEPING:
            continue
        held.count("edges")
        ends = own_name(link.publisher), own_name(link.subscriber)
        source, target = (system.threads.get(name) for name in ends)
        if source is None or target is None:
            continue
        writes = any(one.topic == link.topic for one in source.publishes)
        if not writes or all(one.name != target.name for one in system.readers(link.topic)):
            text = f"messages on '{link.topic}' to {target.name} are in the trace, not in the model"
            held.contradict("edges", source.name, text)
    for name, one in seen.items():
        thread = system.threads.get(name)
        read = thread.subscribes.topics if thread and thread.subscribes else ()
        if one.kind == "subscription" and thread is not None and one.topic not in read:
            held.contradict("edges", name, f"it reads '{one.topic}' in the trace, not in the model")


def _hold_places(system: System, seen: dict[str, ObservedCallback], held: Held) -> None:
    """How many threads and CPUs the callbacks of an executor ran on."""
    for executor in system.executors.values():
        mine = [one for name, one in seen.items() if name in system.threads
                and system.threads[name].executor == executor.name]  # fmt: skip
        threads = frozenset[int]().union(*(one.threads for one in mine))
        cpus = frozenset[int]().union(*(one.cpus for one in mine))
        held.count("cores", len(cpus))
        most = max(executor.threads, 0 if executor.moves else len(executor.cores))
        if len(threads) > most:
            text = f"its callbacks ran in {len(threads)} threads, and it has {most} in the model"
            held.contradict("threads", executor.name, text)
        if len(cpus) > max(1, len(executor.cores)):
            listed = ", ".join(map(str, sorted(cpus)))
            text = (
                f"its callbacks ran on CPUs {listed}, and it has {len(executor.cores) or 1} in the "
                "model: pin its threads, or let those of a multi_threaded one move ('cores', "
                "'pinned: false')"
            )
            held.contradict("cores", executor.name, text)


def _hold_deliveries(
    system: System, link: ObservedLink, limit_of: Callable[[Key], int | None], held: Held
) -> None:
    """That each message came, where that shows: each bound takes it that none is lost."""
    if link.publisher is None or own_name(link.subscriber) not in system.threads:
        return
    if link.passed is None or link.waiting is None:
        return
    name = own_name(link.publisher), link.topic, own_name(link.subscriber)
    limit = limit_of(Key("message", name, TO_THE_END))
    waiting = sum(limit is not None and each > limit for each in link.waiting.values)
    held.count("deliveries", link.to_take.count + link.passed.count + waiting)
    text = f"on '{link.topic}' to {name[2]} did not come"
    if lost := link.passed.count:
        text = (
            f"{plural(lost, 'message')} {text}, although later ones did: none is lost in the model"
        )
        held.contradict("deliveries", name[0], text)
    elif waiting:
        text = f"the last {plural(waiting, 'message')} {text} within the bound, nor later"
        held.contradict("deliveries", name[0], text)
