"""What the flow controllers of a system send, as their policies see it."""

from __future__ import annotations

from ddsrta.models.bandwidth import share
from ddsrta.models.system import Publication, System
from ddsrta.policies import POLICIES
from ddsrta.policies.policy import Policy, Sender

Name = tuple[str, str]  # of a publication: its thread and its topic


def policy_of(system: System, controller: str) -> Policy:
    """The policy of a flow controller.

    >>> from ddsrta.examples import two_threads
    >>> policy_of(two_threads(), "F").name
    'HIGH_PRIORITY'
    """
    return POLICIES[system.flow_controllers[controller].policy]


def senders(system: System) -> dict[str, dict[Name, Sender]]:
    """All that each flow controller sends to somebody, in the order of the file.

    >>> from ddsrta.examples import two_threads
    >>> senders(two_threads())["F"]["sensor", "speed"].priority
    0
    """
    found: dict[str, dict[Name, Sender]] = {name: {} for name in system.flow_controllers}
    for thread in system.threads.values():
        for publication in thread.publishes:
            if publication.mode != "async" or not system.is_sent(thread, publication.topic):
                continue
            mine = found[publication.flow_controller or ""]
            mine[thread.name, publication.topic] = sender_of(system, publication, len(mine))
    return found


def sender_of(system: System, publication: Publication, place: int) -> Sender:
    """What a policy sees of a publication, the `place`-th of those in question."""
    topic = system.topics[publication.topic]
    said = {**topic.settings, **publication.settings}
    return Sender(topic.priority, place, share(system, publication) > 0, said)
