"""Executors, and their callbacks as the threads that they amount to.

A callback is a thread in all but the processor: it is served in the thread of its executor. One
that waits for messages of several topics becomes several: a subscription for each topic, which
takes the message, and the callback itself, which runs at once in the turn of the last of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ddsrta.base.shapes import Context
from ddsrta.models.arrivals import Sporadic
from ddsrta.models.build_arrivals import arrival
from ddsrta.models.build_threads import (
    activation,
    following,
    own_reservation,
    publication,
    subscription,
    synchronizer,
)
from ddsrta.models.executors import USUAL_KIND, Entity, Executor
from ddsrta.models.system import Following, Publication, Subscription, Thread, Topic
from ddsrta.ros2 import KINDS, kind_of

Raw = dict[str, Any]
REQUEST, REPLY = "request", "reply"


def executors(raw: Raw, context: Context) -> dict[str, Executor]:
    """All executors."""
    found = {}
    for name, value in raw.items():
        kind = value.get("kind", USUAL_KIND)
        several = KINDS[kind].several_threads
        if "threads" in value and not several:
            context.report_at(f"a {kind} executor has one thread", "executors", name, "threads")
        if several and "reservation" in value:
            context.report_at(
                "each thread would have a reservation of its own", "executors", name, "reservation",
                advice="give the executor a priority",
            )  # fmt: skip
        cores = tuple(value.get("cores", ()))
        if not _cores(name, value, kind, context):
            continue
        found[name] = Executor(
            name,
            cores[0] if cores else value["core"],
            value.get("priority", 0),
            kind,
            value.get("threads", max(2, len(cores)) if several else 1),
            value.get("order", "unknown"),
            value.get("release"),
            value.get("partition"),
            own_reservation(value, context, "executors", name),
            value.get("process"),
            cores if len(cores) > 1 else (),
        )
    return found


def _cores(name: str, value: Raw, kind: str, context: Context) -> bool:
    """Whether an executor says where its threads run, in one way."""
    cores = value.get("cores", ())
    if not cores:
        if "core" not in value:
            message = "'core' is missing"
            context.report_at(message, "executors", name, advice="the core that it is pinned to")
        return "core" in value

    def report(message: str, key: str, advice: str = "") -> None:
        context.report_at(message, "executors", name, key, advice=advice)

    if "core" in value:
        report("an executor has either a core or several", "core")
    if not KINDS[kind].several_threads:
        report(f"a {kind} executor has one thread", "cores", "write 'core'")
    if len(set(cores)) < len(cores):
        report("a core is listed twice", "cores", "one thread is pinned to each core")
    threads = value.get("threads", len(cores))
    if len(cores) > 1 and threads != len(cores):
        report(
            f"{threads} threads on {len(cores)} cores", "threads",
            "one thread is pinned to each core; threads that may move between cores, or share "
            "them, are not modelled",
        )  # fmt: skip
    for key in ("reservation", "partition"):
        if len(cores) > 1 and key in value:
            report("threads on several cores have a priority, on whole cores", key)
    return True


def service_topics(raw: Raw) -> dict[str, Topic]:
    """The two topics of each service."""
    topics = {}
    for name, value in raw.items():
        for part in (REQUEST, REPLY):
            topic = f"{name}/{part}"
            topics[topic] = Topic(
                topic, value[part], value.get("priority", 10), value.get("history")
            )
    return topics


def callbacks(
    raw: Raw, executors: dict[str, Executor], context: Context, folder: str
) -> dict[str, Thread]:
    """The threads that callbacks, and the background of executors, amount to."""
    found: dict[str, Thread] = {}
    for name, value in raw.get("callbacks", {}).items():
        executor = executors.get(value["executor"])
        if executor is not None:
            for thread in _Callback(name, value, executor, context, folder).threads():
                found[thread.name] = thread
    for name, executor in executors.items():
        for thread in _background(name, raw["executors"][name].get("background")):
            if thread.name in found:  # a subscription of a callback of the executor's name
                context.report_at(f"'{thread.name}' is defined twice", "executors", name)
            found[thread.name] = _placed(thread, executor, None)
    return found


def _background(executor: str, load: Raw | None) -> Iterator[Thread]:
    """One callback for each of the services that nobody models."""
    for number in range(load.get("services", 1) if load else 0):
        assert load is not None
        name = f"{executor}/background" + (f"/{number + 1}" if number else "")
        yield Thread(name, "", 0, load["wcet"], arrival=Sporadic(load["period"]))


class _Callback:
    def __init__(
        self, name: str, value: Raw, executor: Executor, context: Context, folder: str
    ) -> None:
        self.name = name
        self.value = value
        self.executor = executor
        self.context = context
        self.path = ("callbacks", name)
        timed = {key: value[key] for key in ("arrival",) if key in value}
        if "timer" in value:
            timed["period"] = value["timer"]
        self.arrival = arrival(timed, name, context, folder, "callbacks")

    def threads(self) -> list[Thread]:
        """The callback, and its subscriptions where it waits for several topics."""
        self.check()
        entity = self.entity()
        subscribes = self.subscribes()
        thread = Thread(
            self.name,
            "",
            0,
            self.value["wcet"],
            self.value.get("bcet"),
            self.arrival,
            tuple(self.publishes()),
            subscribes,
            following(self.value["follows"]) if "follows" in self.value else None,
            activation(self.value, self.name, self.context, "callbacks"),
            urgency=self.value.get("priority", 0),
            reentrant=self.value.get("reentrant", False),
            group=self.value.get("group"),
            synchronizer=synchronizer(self.value, self.context, *self.path),
        )
        thread = _placed(thread, self.executor, entity)
        if subscribes is None or len(subscribes.topics) == 1 or self.arrival is not None:
            return [thread]
        if thread.activation == "or":
            self.context.report_at(
                "a subscription has one topic", *self.path, "subscribes", "topics",
                advice="write one callback for each topic, or 'activation: and'",
            )  # fmt: skip
        return self.apart(thread, subscribes)

    def apart(self, thread: Thread, subscribes: Subscription) -> list[Thread]:
        """A subscription for each topic, and what runs when all have brought a message."""
        seen: set[str] = set()
        for index, topic in enumerate(subscribes.topics):
            if topic in seen:
                where = (*self.path, "subscribes", "topics", index)
                self.context.report_at(f"topic '{topic}' is listed twice", *where)
            seen.add(topic)
        takes = [
            replace(
                thread,
                name=f"{self.name}/{topic}",
                wcet=1,
                bcet=None,
                publishes=(),
                subscribes=replace(subscribes, topics=(topic,)),
                follows=None,
                activation="or",
                entity="subscription",
                synchronizer=None,
            )
            for topic in dict.fromkeys(subscribes.topics)
        ]
        others = thread.follows.threads if thread.follows else ()
        waits_for = (*(take.name for take in takes), *others)
        follows = replace(thread.follows or Following(()), threads=waits_for)
        return [replace(thread, subscribes=None, follows=follows, entity="inline"), *takes]

    def check(self) -> None:
        """One way to be released; a priority where it counts."""
        ways = [key for key in ("timer", "arrival", *_BY_OTHERS) if key in self.value]
        if not ways:
            advice = "give one of: timer, arrival, " + ", ".join(_BY_OTHERS)
            self.context.report_at("nothing releases this callback", *self.path, advice=advice)
        timed = "timer" in ways or "arrival" in ways
        for key in ways[1:]:
            details = ways[0] == "timer" and key == "arrival"  # its offset or jitter
            if not details and not (timed and key in ("subscribes", "follows")):
                message = f"'{key}' does not go with '{ways[0]}'"
                advice = "a callback is released in one way"
                self.context.report_at(message, *self.path, key, advice=advice)
        by_priority = kind_of(self.executor).by_priority
        if by_priority and "priority" not in self.value:
            advice = "its executor serves callbacks by priority, the bigger first"
            self.context.report_at("'priority' is missing", *self.path, advice=advice)
        if not by_priority and "priority" in self.value:
            message = f"a {self.executor.kind} executor does not look at priorities of callbacks"
            self.context.report_at(message, *self.path, "priority")

    def entity(self) -> Entity | None:
        """What the executor sees; None where it is not said, and may be anything."""
        if "timer" in self.value:
            return "timer"
        if self.arrival is not None:
            return None
        return next((_BY_OTHERS[key] for key in _BY_OTHERS if key in self.value), None)

    def subscribes(self) -> Subscription | None:
        """The topic of a subscription, of requests, or of replies."""
        for key, part in (("serves", REQUEST), ("receives", REPLY)):
            if key in self.value:
                raw = {**self.value[key], "topics": [f"{self.value[key]['service']}/{part}"]}
                return subscription(raw, self.context, *self.path, key)
        if "subscribes" in self.value:
            return subscription(self.value["subscribes"], self.context, *self.path, "subscribes")
        return None

    def publishes(self) -> list[Publication]:
        """What it publishes, then its requests, then its reply."""
        found = [
            publication(raw, self.context, *self.path, "publishes", index)
            for index, raw in enumerate(self.value.get("publishes", ()))
        ]
        for index, raw in enumerate(self.value.get("calls", ())):
            request = {**raw, "topic": f"{raw['service']}/{REQUEST}"}
            found.append(publication(request, self.context, *self.path, "calls", index))
        if "serves" in self.value:
            raw = self.value["serves"]
            reply = {**raw.get("reply", {}), "topic": f"{raw['service']}/{REPLY}"}
            found.append(publication(reply, self.context, *self.path, "serves", "reply"))
        return found


_BY_OTHERS: dict[str, Entity] = {
    "subscribes": "subscription",
    "serves": "service",
    "receives": "client",
    "follows": "waitable",
}


def _placed(thread: Thread, executor: Executor, entity: Entity | None) -> Thread:
    return replace(
        thread,
        core=executor.core,
        priority=executor.priority,
        partition=executor.partition,
        reservation=executor.reservation,
        process=executor.process,
        executor=executor.name,
        entity=entity,
    )
