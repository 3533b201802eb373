"""Flow controllers that may send so many bytes each period, as those of Fast DDS (lemma
byte-limit)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ddsrta.base.units import Size
from ddsrta.policies import POLICIES

if TYPE_CHECKING:
    from ddsrta.models.middleware import Limit
    from ddsrta.models.system import Publication, System, Thread

# bytes at most beside the payload: of a datagram, a sample, a time, a heartbeat, from Fast DDS 2.9
# on statistics of the datagram, and whose reply or of which key it is
HEADERS = 256


def counted(size: Size) -> int:
    """The bytes that a sample counts for at most.

    >>> counted(1000)
    1256
    """
    return int(size) + HEADERS


def limited(system: System) -> bool:
    """Whether some flow controller has a limit."""
    return any(controller.limit for controller in system.flow_controllers.values())


def resets(limit: Limit, largest: int, units: int, sent: int) -> int:
    """How often a flow controller may have to wait for its next period while it begins so many
    samples, of so many bytes in all, the largest of so many."""
    return min(units // (limit.bytes // largest), sent // (limit.bytes - largest + 1))


def without_limits(system: System, controllers: Collection[str]) -> System:
    """The same system without the limits of some flow controllers."""
    if not controllers:
        return system
    changed = {
        name: replace(one, limit=None) if name in controllers else one
        for name, one in system.flow_controllers.items()
    }
    resets = {name: int(period) for name in controllers if (period := resets_of(system, name))}
    return replace(system, flow_controllers=changed, resets={**system.resets, **resets})


def resets_of(system: System, controller: str) -> int | None:
    """The period in which a flow controller with a limit wakes, whether it reaches that or not."""
    limit = system.flow_controllers[controller].limit
    return limit.period if limit else system.resets.get(controller)


def sent_by(system: System, controller: str) -> Iterator[tuple[Thread, Publication]]:
    """What a flow controller sends to somebody."""
    for thread in system.threads.values():
        for publication in thread.publishes:
            mine = publication.mode == "async" and publication.flow_controller == controller
            if mine and system.receivers(thread, publication.topic):
                yield thread, publication


def share(system: System, publication: Publication) -> int:
    """The bytes of each period for which its samples go first."""
    controller = system.flow_controllers.get(publication.flow_controller or "")
    if controller is None or controller.limit is None or not POLICIES[controller.policy].reserves:
        return 0
    return controller.limit.bytes * publication.reserved // 100
