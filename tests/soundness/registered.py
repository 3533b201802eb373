"""Any drawn system with any policy that is registered, and what that policy's own keys need."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from ddsrta.policies import POLICIES, PUBLICATION_KEYS
from ddsrta.ros2 import KINDS

NEW = tuple(name for name, policy in POLICIES.items() if not policy.of_fast_dds)


def with_policy(system, name, seed=0, most=400):
    """The system with this policy in each flow controller, and values for its keys."""
    random, policy = Random(f"{system.name} {name} {seed}"), POLICIES[name]
    controllers = {k: replace(c, policy=name) for k, c in system.flow_controllers.items()}
    topics = {
        key: replace(
            topic, settings={k: random.choice((1, most // 8, most)) for k in policy.topic_keys}
        )
        for key, topic in system.topics.items()
    }
    threads = {
        key: replace(
            thread,
            publishes=tuple(
                replace(p, settings={k: random.randint(1, 4) for k in own(policy, p)})
                for p in thread.publishes
            ),
        )
        for key, thread in system.threads.items()
    }
    return replace(system, flow_controllers=controllers, topics=topics, threads=threads)


def own(policy, publication):
    """The keys that a publication has under a policy."""
    return (
        [k for k in PUBLICATION_KEYS if k in policy.publication_keys]
        if publication.mode == "async"
        else []
    )


def _of_kind(executor, kind):
    release = executor.release if executor.release in kind.releases else None
    return replace(executor, kind=kind.name, threads=1, release=release)


def with_kind(system, name):
    """The system with executors of this kind, each with as many threads as it has there."""
    executors = {
        key: executor if executor.is_pool else _of_kind(executor, KINDS[name])
        for key, executor in system.executors.items()
    }
    urgent = KINDS[name].by_priority
    threads = {
        key: replace(thread, urgency=len(key) % 3 if urgent and thread.executor else 0)
        for key, thread in system.threads.items()
    }
    processes = {
        key: process if KINDS[name].intra_process else replace(process, intra_process=False)
        for key, process in system.processes.items()
    }
    return replace(system, executors=executors, threads=threads, processes=processes)
