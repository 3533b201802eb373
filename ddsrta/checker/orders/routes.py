"""The ways of messages to a subscriber, from the jobs that they stem from (lemma message-order)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ddsrta.checker.budget import Budget, ExhaustedError
from ddsrta.checker.paths import Hop
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.things import System

Route = tuple[Hop, ...]  # from a job of the origin to the subscriber
_MOST = 4096


def routes_to(
    system: System, subscriber: str, topics: tuple[str, ...], budget: Budget
) -> dict[str, dict[str, list[Route]]]:
    """All that end with a message on these topics, by origin and topic: of the threads from whose
    jobs messages on all of them stem."""
    found: dict[str, dict[str, list[Route]]] = {}
    for count, route in enumerate(_all(system, subscriber, budget)):
        if count == _MOST:
            raise ExhaustedError
        topic = route[-1].topic
        if topic is not None and topic in topics:
            found.setdefault(route[0].source, {}).setdefault(topic, []).append(route)
    return {origin: ways for origin, ways in found.items() if len(ways) == len(set(topics))}


def _all(system: System, subscriber: str, budget: Budget) -> Iterator[Route]:
    """Backwards from the messages; a thread that is released by time ends what came before."""
    ahead: list[Route] = [(hop,) for hop in _into(system, subscriber) if hop.topic is not None]
    while ahead:
        route = ahead.pop()
        budget.curve(len(route))
        yield route
        origin = route[0].source
        if system.threads[origin].arrival is None:
            ahead += [(hop, *route) for hop in _into(system, origin)]


def _into(system: System, name: str) -> list[Hop]:
    thread = system.threads[name]
    topics = [Hop(w, topic, name) for topic in thread.topics for w in system.writers.get(topic, ())]
    return [*topics, *(Hop(other, None, name) for other in thread.follows)]


def parts(ways: dict[str, list[Route]]) -> bool:
    """Whether two routes to different topics part right behind the origin."""
    begins = {topic: {route[0] for route in routes} for topic, routes in ways.items()}
    return any(
        one != other
        for topic, first in begins.items()
        for second_topic, second in begins.items()
        if topic < second_topic
        for one in first
        for other in second
    )


def brings_one(system: System, route: Route, passed: Route) -> bool:
    """Whether one job at the start of a route brings one job, or message, at its end; each thread
    at the end of the hops that are passed brings as many as it gets, if it leaves none out and
    takes none again."""
    for source, topic, _ in route:
        if topic is not None and system.threads[source].publishes[topic].messages > 1:
            return False
    synchronizers = (system.threads[hop.target].synchronizer for hop in passed)
    return all(each is None or each.policy == "exact_time" for each in synchronizers)


def stages_of(system: System, route: Route) -> list[Key]:
    """From the job at its start to the message at its end."""
    keys: list[Key] = [("job", route[0].source)]
    for source, topic, target in route:
        if topic is not None:
            if system.threads[source].publishes[topic].controller is not None:
                keys.append(("sample", source, topic))
            keys.append(("message", source, topic, target))
        keys.append(("job", target))
    return keys[:-1]


def is_modelled(system: System, route: Route) -> bool:
    """Whether lemma message-order speaks of it: of threads, messages through the middleware, and
    ways that keep their order."""
    for source, topic, target in route:
        if system.threads[source].executor or system.threads[target].executor:
            return False
        if topic is None:
            delay = system.threads[target].delay
            if system.threads[target].loose and delay.best < delay.worst:
                return False
            continue
        ends = system.threads[source].place.machine, system.threads[target].place.machine
        if system.is_within(source, target) or ends in system.loose:
            return False
    return True


def keeps_events(stages: Mapping[Key, Stage], route: Route) -> bool:
    """Whether no job on it may take messages of different events together: what an input lost, or
    what overtakes, shifts it against others (lemmas room-overflow and overtaking-jobs)."""
    jobs = (stages["job", hop.target] for hop in route)
    return not any(job.anew and job.joins and len(job.inputs) > 1 for job in jobs)
