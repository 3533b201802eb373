"""Systems whose flow controllers may send so many bytes each period, made of other random ones."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from ddsrta.models.bandwidth import counted, sent_by
from ddsrta.models.middleware import Limit
from ddsrta.models.system import System
from ddsrta.policies.reserved import Reserved
from tests.soundness.generator import random_system
from tests.soundness.middleware import _apart, _rarer, fastdds_system
from tests.soundness.ros2 import ros2_system
from tests.soundness.synchronized import synchronized_system


def limited_system(seed: int, **knobs) -> System:
    """A valid system, one of four with the locks of Fast DDS; the same seed draws the same one."""
    random = Random(f"limited {seed}")
    kind = random.random()
    if kind < 0.2:
        return with_limits(fastdds_system(seed, **knobs), random)
    if kind < 0.4 and not knobs:
        return with_limits((ros2_system if kind < 0.3 else synchronized_system)(seed), random)
    system = random_system(seed, **{"utilisation": 0.3, "reservations": 0.1, **knobs})
    rarer = random.choice((1, 3, 10, 30))
    threads = {
        name: replace(thread, arrival=thread.arrival and _rarer(thread.arrival, rarer))
        for name, thread in system.threads.items()
    }
    system = replace(system, threads=threads)
    return with_limits(_apart(system) if random.random() < 0.5 else system, random)


def with_limits(system: System, random: Random) -> System:
    """Limits for most flow controllers, and parts of them for some writers."""
    if any(executor.is_pool for executor in system.executors.values()):
        return system
    topics = {
        name: replace(topic, size=min(topic.size, 60_000)) for name, topic in system.topics.items()
    }
    system = replace(system, topics=topics)
    controllers = dict(system.flow_controllers)
    for name, controller in controllers.items():
        sizes = [counted(topics[p.topic].size) for _, p in sent_by(system, name)]
        if not sizes or random.random() < 0.2:
            continue
        size = max(sizes) * random.randint(1, 5) + random.choice((0, 0, 1, 100))
        limit = Limit(size, random.choice((1, 3, 10, 30, 100)))
        policy = Reserved.name if random.random() < 0.4 else controller.policy
        controllers[name] = replace(controller, limit=limit, policy=policy)
    threads = {}
    for thread in system.threads.values():
        publishes = tuple(
            replace(p, reserved=random.choice((0, 30, 50, 100)))
            if p.flow_controller and _reserves(controllers[p.flow_controller])
            else p
            for p in thread.publishes
        )
        threads[thread.name] = replace(thread, publishes=publishes)
    return replace(system, flow_controllers=controllers, threads=threads)


def _reserves(controller) -> bool:
    return controller.policy == Reserved.name and controller.limit is not None
