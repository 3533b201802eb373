"""What is refused of flow controllers with a limit of bytes, as it is not modelled (lemma
byte-limit)."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic
from ddsrta.base.units import Size, format_size
from ddsrta.models.bandwidth import counted, limited, sent_by
from ddsrta.models.fastdds import FRAGMENT
from ddsrta.models.system import Middleware, System
from ddsrta.policies import POLICIES


def bandwidth_problems(system: System) -> Iterator[Diagnostic]:
    """Nothing where no flow controller has a limit, and nothing is reserved."""
    yield from _reserved(system)
    if not limited(system):
        return
    for executor in system.executors.values():
        if executor.is_pool:
            yield Diagnostic(
                system.where("executors", executor.name, "cores"),
                f"the threads of executor '{executor.name}' are on several cores, and a flow "
                "controller sleeps for its limit",
                "this is not modelled: put it on one core, or leave 'limit' out",
            )
    for controller in system.flow_controllers.values():
        if controller.limit is not None:
            yield from _sizes(system, controller)


def _reserved(system: System) -> Iterator[Diagnostic]:
    for thread in system.threads.values():
        for index, publication in enumerate(thread.publishes):
            where = system.where("threads", thread.name, "publishes", index, "reservation")
            controller = system.flow_controllers.get(publication.flow_controller or "")
            if not publication.reserved or controller is None:
                continue
            policy = POLICIES.get(controller.policy)
            if policy is None or not policy.reserves or controller.limit is None:
                yield Diagnostic(
                    where,
                    f"flow controller '{controller.name}' has nothing to reserve",
                    f"a reservation is a part of its 'limit', with the policy {_reserving()}",
                )


def _reserving() -> str:
    return " or ".join(name for name, policy in POLICIES.items() if policy.reserves)


def _sizes(system: System, controller: Middleware) -> Iterator[Diagnostic]:
    assert controller.limit is not None
    for topic in dict.fromkeys(p.topic for _, p in sent_by(system, controller.name)):
        size = system.topics[topic].size
        if size > Size(FRAGMENT):
            yield Diagnostic(
                system.where("topics", topic, "size"),
                f"samples of '{topic}' are sent in fragments, by '{controller.name}', which has a "
                "limit",
                f"this is not modelled: at most {format_size(FRAGMENT)}",
            )
        elif counted(size) > controller.limit.bytes:
            yield Diagnostic(
                system.where("flow_controllers", controller.name, "limit"),
                f"the limit of '{controller.name}' may cut samples of '{topic}', which count "
                f"{counted(size)} B each with what is sent beside them",
                "this is not modelled: raise 'bytes'",
            )
