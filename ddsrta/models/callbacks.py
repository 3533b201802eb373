"""Callbacks of executors, as the threads that they amount to.

A callback is a thread in all but the processor: it is served in the thread of its executor. One
that waits for messages of several topics becomes several: a subscription for each topic, which
takes the message, and the callback itself, which runs at once in the turn of the last of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ddsrta.base.priorities import Priority
from ddsrta.base.records import again, key, record, shape_of
from ddsrta.base.shapes import PERIOD, Context, Flag, Integer, Reference, Text
from ddsrta.base.structures import ListOf
from ddsrta.models.arrivals import Sporadic
from ddsrta.models.executor_declarations import Background, ExecutorDeclaration
from ddsrta.models.executors import Executor
from ddsrta.models.messages import (
    Following,
    FollowingDeclaration,
    Publication,
    Subscription,
    SubscriptionDeclaration,
    activation,
)
from ddsrta.models.releases import ArrivalDeclaration, released
from ddsrta.models.services import REPLY, REQUEST, Call, Receiving, Sending, Server
from ddsrta.models.threads import Thread, ThreadDeclaration, callback_path
from ddsrta.ros2 import kind_of
from ddsrta.ros2.entities import Entity


@record(
    "callback",
    kw_only=True,
    hints={
        "core": "a callback runs on the core of its executor",
        "period": "write 'timer'",
        "rate": "write 'timer: 50 Hz'",
        "deadline": "a deadline belongs to a chain, under 'chains'",
        "activation": "it belongs under 'subscribes' or 'follows'",
        "topics": "they belong under 'subscribes'",
    },
)
class CallbackDeclaration:
    """A callback does what a thread does, in the thread of its executor."""

    name: str
    executor: str = key(Reference(("executors",)), "the executor that runs it")
    wcet: int = again(ThreadDeclaration, "wcet")
    bcet: int | None = again(ThreadDeclaration, "bcet")
    timer: int | None = key(PERIOD, "period, or rate, of a timer", default=None)
    arrival: ArrivalDeclaration | None = again(
        ThreadDeclaration,
        "arrival",
        meaning="other ways to be released by time; of a timer, its offset or jitter",
    )
    publishes: tuple[Publication, ...] = again(ThreadDeclaration, "publishes")
    subscribes: SubscriptionDeclaration | None = again(
        ThreadDeclaration, "subscribes", meaning="messages that release it, or that it samples"
    )
    follows: FollowingDeclaration | None = again(
        ThreadDeclaration, "follows", meaning="threads or callbacks that release it directly"
    )
    serves: Server | None = key(
        shape_of(Server),
        "the service whose requests release it, and that it replies to",
        default=None,
    )
    calls: tuple[Call, ...] = key(
        ListOf(shape_of(Call)),
        "services that it sends requests to, after what it publishes",
        default=(),
    )
    receives: Receiving | None = key(
        shape_of(Receiving), "the service whose replies release it", default=None
    )
    priority: int | None = key(
        Integer(), "in a fixed_priority executor: the bigger the more urgent", default=None
    )
    group: str | None = key(
        Text(),
        "its mutually exclusive callback group; if missing, that of all such callbacks",
        default=None,
    )
    reentrant: bool = key(
        Flag(),
        "whether jobs of it may run at the same time in a multi_threaded executor",
        default=False,
    )

    def ways(self) -> list[str]:
        """The keys that say what releases it."""
        known = ("timer", "arrival", *_BY_OTHERS)
        return [name for name in known if getattr(self, name) is not None]

    def entity(self) -> Entity | None:
        """What the executor sees; None where it is not said, and may be anything."""
        if self.timer is not None:
            return "timer"
        if self.arrival is not None:
            return None
        return next((_BY_OTHERS[way] for way in self.ways()), None)

    def subscription(self) -> Subscription | None:
        """The topic of a subscription, of requests, or of replies."""
        if self.serves:
            return self.serves.subscription(REQUEST)
        if self.receives:
            return self.receives.subscription(REPLY)
        return self.subscribes.subscription if self.subscribes else None

    def publications(self) -> Iterator[Publication]:
        """What it publishes, then its requests, then its reply."""
        yield from self.publishes
        for call in self.calls:
            yield call.publication(f"{call.service}/{REQUEST}")
        if self.serves:
            reply = self.serves.reply or shape_of(Sending).make({})
            yield reply.publication(f"{self.serves.service}/{REPLY}")


_BY_OTHERS: dict[str, Entity] = {
    "subscribes": "subscription",
    "serves": "service",
    "receives": "client",
    "follows": "waitable",
}


def callbacks(
    declared: Mapping[str, CallbackDeclaration],
    executors: Mapping[str, Executor],
    backgrounds: Mapping[str, ExecutorDeclaration],
    context: Context,
    folder: str,
) -> dict[str, Thread]:
    """The threads that callbacks, and the background of executors, amount to."""
    found: dict[str, Thread] = {}
    for said in declared.values():
        if said.executor in executors:
            built = _Built(said, executors[said.executor], context, folder)
            found |= {thread.name: thread for thread in built.threads()}
    for name, executor in executors.items():
        load = backgrounds[name].background
        group = None
        if executor.is_pool and load:
            own = (said.name for said in declared.values() if said.executor == name)
            group = _group_of_services(name, own, context)
        for thread in _background(name, load, group):
            if thread.name in found:  # a subscription of a callback of the executor's name
                context.report_at(f"'{thread.name}' is defined twice", "executors", name)
            found[thread.name] = _placed(thread, executor, None)
    return found


def _group_of_services(executor: str, own: Iterable[str], context: Context) -> str | None:
    """The group of services in a pool, each of which is in that of its node: known where all
    callbacks are of one."""
    paths = [callback_path(name, context.tree) for name in own]
    nodes = {path[1] if path[0] == "nodes" else None for path in paths}
    if len(nodes) > 1:
        context.report_at(
            "in an executor over several cores it counts whose services these are: each is in the "
            "group of its node",
            "executors", executor, "background",
            advice="write them as callbacks of their nodes, with 'arrival: {sporadic: …}'",
        )  # fmt: skip
    return next(iter(nodes), None)


def _background(executor: str, load: Background | None, group: str | None) -> Iterator[Thread]:
    """One callback for each of the services that nobody models."""
    for number in range(load.services if load else 0):
        assert load is not None
        name = f"{executor}/background" + (f"/{number + 1}" if number else "")
        arrival = Sporadic(load.period)
        yield Thread(name, "", Priority(0), load.wcet, arrival=arrival, group=group)


class _Built:
    def __init__(
        self, said: CallbackDeclaration, executor: Executor, context: Context, folder: str
    ) -> None:
        self.said = said
        self.executor = executor
        self.context = context
        self.path = callback_path(said.name, context.tree)
        self.arrival = released(said.arrival, said.timer, context, folder, *self.path)

    def threads(self) -> list[Thread]:
        """The callback, and its subscriptions where it waits for several topics."""
        self.check()
        said = self.said
        subscribes = said.subscription()
        timed = said.timer is not None or said.arrival is not None
        thread = Thread(
            said.name,
            "",
            Priority(0),
            said.wcet,
            said.bcet,
            self.arrival,
            tuple(said.publications()),
            subscribes,
            said.follows.following if said.follows else None,
            activation(said.subscribes, said.follows, timed, self.context, *self.path),
            urgency=Priority(said.priority or 0),
            reentrant=said.reentrant,
            group=said.group,
            synchronizer=said.subscribes.synchronizer if said.subscribes else None,
        )
        thread = _placed(thread, self.executor, said.entity())
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
                where: tuple[str | int, ...] = (*self.path, "subscribes", "topics", index)
                self.context.report_at(f"topic '{topic}' is listed twice", *where)
            seen.add(topic)
        takes = [
            replace(
                thread,
                name=f"{self.said.name}/{topic}",
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
        ways = self.said.ways()
        if not ways:
            advice = "give one of: timer, arrival, " + ", ".join(_BY_OTHERS)
            self.context.report_at("nothing releases this callback", *self.path, advice=advice)
        timed = "timer" in ways or "arrival" in ways
        for way in ways[1:]:
            details = ways[0] == "timer" and way == "arrival"  # its offset or jitter
            if not details and not (timed and way in ("subscribes", "follows")):
                message = f"'{way}' does not go with '{ways[0]}'"
                advice = "a callback is released in one way"
                self.context.report_at(message, *self.path, way, advice=advice)
        by_priority = kind_of(self.executor).by_priority
        if by_priority and self.said.priority is None:
            advice = "its executor serves callbacks by priority, the bigger first"
            self.context.report_at("'priority' is missing", *self.path, advice=advice)
        if not by_priority and self.said.priority is not None:
            kind = self.executor.kind
            message = f"an executor of kind '{kind}' looks at no priorities of callbacks"
            self.context.report_at(message, *self.path, "priority")


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
