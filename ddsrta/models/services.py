"""Services of ROS 2: requests and replies, and what a file says of who sends and receives them."""

from __future__ import annotations

from collections.abc import Container

from ddsrta.base.priorities import Rank
from ddsrta.base.records import again, key, record, shape_of
from ddsrta.base.shapes import SIZE, Integer, Reference
from ddsrta.base.units import Size
from ddsrta.models.costs import Cost
from ddsrta.models.messages import Mode, Publication, Subscription, SubscriptionDeclaration
from ddsrta.models.topics import Topic

REQUEST, REPLY = "request", "reply"
_SERVICE = Reference(("services",))


@record("service")
class Service:
    """Requests and replies, each a topic of its own."""

    name: str
    request: Size = key(SIZE, "payload size of a request")
    reply: Size = key(SIZE, "payload size of a reply")
    priority: Rank = key(Integer(), "fastdds.sfc.priority of both", default=10)
    history: int | None = key(Integer(1, 1_000_000), "history depth of both", default=None)

    def topics(self) -> dict[str, Topic]:
        """Both, by name."""
        sizes = {f"{self.name}/{REQUEST}": self.request, f"{self.name}/{REPLY}": self.reply}
        return {n: Topic(n, size, self.priority, self.history) for n, size in sizes.items()}


@record("reply", optional=True, kw_only=True)
class Sending:
    """How a request or a reply is sent."""

    mode: Mode = again(Publication, "mode")
    flow_controller: str | None = again(Publication, "flow_controller")
    cost: Cost | None = again(Publication, "cost")
    earliest: int = again(Publication, "earliest")

    def publication(self, topic: str) -> Publication:
        """What is sent on a topic."""
        return Publication(
            topic, self.mode, self.flow_controller, cost=self.cost, earliest=self.earliest
        )


@record("call", usual="service", first="service", kw_only=True)
class Call(Sending):
    """A request that is sent."""

    service: str = key(_SERVICE, "the service")


@record("client", usual="service", kw_only=True)
class Receiving:
    """How requests or replies are received."""

    service: str = key(_SERVICE, "the service")
    listener: str = again(SubscriptionDeclaration, "listener")
    cost: Cost | None = again(SubscriptionDeclaration, "cost")
    take: Cost | None = again(SubscriptionDeclaration, "take")

    def subscription(self, part: str) -> Subscription:
        """The requests, or the replies."""
        return Subscription((f"{self.service}/{part}",), self.listener, self.cost, self.take)


@record("server", kw_only=True)
class Server(Receiving):
    """What serves requests."""

    reply: Sending | None = key(shape_of(Sending), "how the reply is sent", default=None)


def said_twice(topic: str, services: Container[str]) -> tuple[str, str]:
    """That a job names a topic, or calls one of the services that there are, again; what to do.

    >>> said_twice("map/request", {"map"})[0], said_twice("map/request", ())[0]
    ("service 'map' is called twice", "'map/request' is published twice")
    """
    service, _, part = topic.rpartition("/")
    if part == REQUEST and service in services:
        return f"service '{service}' is called twice", "let another callback call it again"
    return f"'{topic}' is published twice", "use 'count' for several messages a job"
