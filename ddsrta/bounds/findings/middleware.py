"""What Fast DDS makes of flow controllers and topic priorities."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.priorities import FAIR
from ddsrta.bounds.findings.places import listed, sends, sent_by, supplies
from ddsrta.bounds.findings.rules import finding
from ddsrta.bounds.result import Finding
from ddsrta.models.fastdds import senders
from ddsrta.models.groups import pool_of
from ddsrta.models.senders import policy_of
from ddsrta.models.system import Middleware, System, Thread
from ddsrta.policies import POLICIES


def _compete(system: System, controller: Middleware, thread: Thread) -> bool:
    """Whether both may run by priority on the same core, so that one can starve the other."""
    by_priority = controller.reservation is None and thread.reservation is None
    here = controller.core in _cores(system, thread) and controller.partition == thread.partition
    return by_priority and here


def _cores(system: System, thread: Thread) -> tuple[str, ...]:
    pool = pool_of(system, thread)
    return (pool.cores if pool else thread.cores) or (thread.core,)


def livelock(system: System) -> Iterator[Finding]:
    """The controller retries try_lock() without sleeping; write() wakes it with the lock held."""
    for name, sent in sent_by(system).items():
        controller = system.flow_controllers[name]
        starved = {
            thread.name: thread.priority
            for thread, _ in sent
            if _compete(system, controller, thread) and controller.priority > thread.priority
        }
        if starved:
            least = min(starved.values())
            # The lowest of SCHED_FIFO is above all of SCHED_OTHER.
            other = f"at most {least}" if least > FAIR else "publishers of SCHED_FIFO"
            yield finding(
                system,
                "livelock",
                ("flow_controllers", name, "priority"),
                f"flow controller '{name}' has priority {controller.priority} on the core of "
                f"{listed(list(starved))}, and is more urgent: woken by write(), it spins "
                "on the lock that the publisher still holds, and neither goes on; give it "
                f"{other}, or another core",
            )


def spin_across_cores(system: System) -> Iterator[Finding]:
    """The same loop on a core of its own: it lasts while the publisher is preempted in write()."""
    if system.fastdds is not None:
        return  # counted (lemma sleeping-window)
    placed = supplies(system) if system.flow_controllers else {}
    for name, sent in sent_by(system).items():
        controller = system.flow_controllers[name]
        here = placed.get((controller.core, controller.partition), [])
        robbed = [other.name for other in here if other.priority < controller.priority]
        if controller.reservation or not robbed:
            continue
        preempted = [
            thread.name
            for thread, _ in sent
            if thread.reservation is None
            and any(
                other.priority > thread.priority
                for core in _cores(system, thread)
                if core != controller.core
                for other in placed[core, thread.partition]
            )
        ]
        if preempted:
            yield finding(
                system,
                "spin-across-cores",
                ("flow_controllers", name, "core"),
                f"while {listed(list(dict.fromkeys(preempted)))} is preempted in write(), flow "
                f"controller '{name}' spins on its own core and takes time from {listed(robbed)}, "
                "which no bound counts without 'middleware'; make the publisher the most urgent of "
                "its core, or the controller the least of its own",
            )


def shared_participant(system: System) -> Iterator[Finding]:
    """Threads whose participant is not known: those of a machine are taken to share its locks."""
    if system.fastdds is None:
        return
    machines: dict[str, list[str]] = {}
    for thread, _ in senders(system):
        if thread.process is None:
            machines.setdefault(system.machine_of(thread.core), []).append(thread.declared_as)
    for names in machines.values():
        together = list(dict.fromkeys(names))
        if len(together) > 1:
            yield finding(
                system,
                "shared-participant",
                ("threads", next(n for n in names)),
                f"{listed(together)} name no process, and so are taken to share the locks of one "
                "participant; name the process of each",
            )


def unknown_write(system: System) -> Iterator[Finding]:
    """A flow controller on another supply tries for a lock as long as write() holds it."""
    if system.fastdds is None or system.fastdds.write is not None:
        return
    if any(controller is not None for _, controller in senders(system)):
        yield finding(
            system,
            "unknown-write",
            ("middleware",),
            "how long write() takes is not given, so it is taken to last as long as the job that "
            "calls it; measure it, and give 'write'",
        )


def sync_with_flow_controller(system: System) -> Iterator[Finding]:
    """Fast DDS creates no SYNCHRONOUS writer with a custom flow controller."""
    for thread in system.threads.values():
        for index, publication in enumerate(thread.publishes):
            if publication.mode == "sync" and publication.flow_controller is not None:
                yield finding(
                    system,
                    "sync-with-flow-controller",
                    ("threads", thread.name, "publishes", index, "flow_controller"),
                    f"'{thread.name}' publishes '{publication.topic}' synchronously and names flow "
                    f"controller '{publication.flow_controller}', which Fast DDS rejects; use "
                    "mode: async, or remove the flow controller",
                )


def not_of_fast_dds(system: System) -> Iterator[Finding]:
    """Policies for senders of one's own."""
    for name, controller in system.flow_controllers.items():
        if not POLICIES[controller.policy].of_fast_dds:
            yield finding(
                system,
                "not-of-fastdds",
                ("flow_controllers", name, "policy"),
                f"flow controller '{name}' is {controller.policy}, which Fast DDS does not have: "
                "its bounds are for a sender of your own; see docs/reference/policies.md",
            )


def topic_priorities(system: System) -> Iterator[Finding]:
    """Priorities that no policy looks at, and a policy that finds none to look at."""
    for name, sent in sent_by(system).items():
        policy = policy_of(system, name)
        topics = dict.fromkeys(publication.topic for _, publication in sent)
        priorities = {system.topics[topic].priority for topic in topics}
        if not policy.by_priority and len(priorities) > 1:
            yield finding(
                system,
                "priority-without-effect",
                ("flow_controllers", name, "policy"),
                f"flow controller '{name}' is {policy.name} and does not look at the priorities of "
                f"{listed(list(topics))}; use HIGH_PRIORITY if their order matters",
            )
        elif policy.by_priority and len(topics) > 1 and len(priorities) == 1:
            yield finding(
                system,
                "equal-topic-priorities",
                ("flow_controllers", name, "policy"),
                f"all topics of {policy.name} flow controller '{name}' have priority "
                f"{priorities.pop()}: {policy.among_equals}; give the urgent ones a smaller one",
            )


def topic_priority_range(system: System) -> Iterator[Finding]:
    """fastdds.sfc.priority is -10 … 10, and 10 in place of anything else."""
    odd = [each for each in system.topics.values() if not -10 <= int(each.priority) <= 10]
    ordered = {
        publication.topic
        for _, _, publication in (sends(system) if odd else ())
        if (controller := system.flow_controllers.get(publication.flow_controller or ""))
        and POLICIES[controller.policy].by_priority
    }
    for topic in odd:
        yield finding(
            system,
            "priority-range",
            ("topics", topic.name, "priority"),
            f"topic '{topic.name}' has priority {topic.priority}, for which Fast DDS takes 10, "
            "the least urgent; choose one within -10 … 10",
            severity="error" if topic.name in ordered else "warning",
        )
