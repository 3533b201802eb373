"""What is refused of flow controllers, as their policies do not know it."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic, did_you_mean, shown
from ddsrta.models.system import Publication, System, Thread
from ddsrta.policies import POLICIES, PUBLICATION_KEYS


def policy_problems(system: System) -> Iterator[Diagnostic]:
    """Keys that a policy needs, or has no use for; and what only those of Fast DDS go with."""
    for controller in system.flow_controllers.values():
        policy = POLICIES.get(controller.policy)
        where = system.where("flow_controllers", controller.name, "policy")
        if policy is None:  # of a system made in Python: the grammar knows the names
            advice = did_you_mean(controller.policy, POLICIES)
            yield Diagnostic(where, f"there is no policy {shown(controller.policy)}", advice)
        elif not policy.of_fast_dds and (
            controller.limit is not None or system.fastdds is not None
        ):
            key = "limit" if controller.limit is not None else "middleware"
            yield Diagnostic(
                where,
                f"Fast DDS has no policy {policy.name}, and '{key}' is what Fast DDS does",
                f"leave out '{key}', or use another policy",
            )
    for thread in system.threads.values():
        for index, publication in enumerate(thread.publishes):
            yield from _publication(system, thread, index, publication)


def _publication(
    system: System, thread: Thread, index: int, publication: Publication
) -> Iterator[Diagnostic]:
    name = publication.flow_controller if publication.mode == "async" else None
    controller = system.flow_controllers.get(name or "")
    policy = POLICIES.get(controller.policy) if controller else None
    for key in publication.settings.keys() & PUBLICATION_KEYS.keys():
        if policy is None or key not in policy.publication_keys:
            yield Diagnostic(
                system.where("threads", thread.name, "publishes", index, key),
                f"'{key}' has no effect here",
                f"it is for flow controllers with the policy {_knowing(key)}",
            )
    topic = system.topics.get(publication.topic)
    for key, detail in policy.topic_keys.items() if policy and topic else ():
        if topic and detail.required and key not in topic.settings:
            yield Diagnostic(
                system.where("topics", topic.name),
                f"'{key}' of topic '{topic.name}' is missing, by which '{name}' sends"
                + (" (topics of services have none)" if "/" in topic.name else ""),
                detail.meaning,
            )


def _knowing(key: str) -> str:
    assert key in PUBLICATION_KEYS, key
    return " or ".join(n for n, policy in POLICIES.items() if key in policy.publication_keys)
