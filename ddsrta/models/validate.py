"""What must be true of a whole system before it can be analysed, beyond the shape of its parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ddsrta.base.diagnostics import Diagnostic, InputError, did_you_mean, shown
from ddsrta.base.priorities import FAIR
from ddsrta.models.executors import Executor
from ddsrta.models.graph import activation_cycles, walk
from ddsrta.models.paths import is_reachable
from ddsrta.models.services import said_twice
from ddsrta.models.system import (
    Chain,
    Middleware,
    Publication,
    Subscription,
    System,
    Thread,
    moving,
)
from ddsrta.models.validate_bandwidth import bandwidth_problems
from ddsrta.models.validate_fastdds import fastdds_problems
from ddsrta.models.validate_names import name_problems
from ddsrta.models.validate_orders import order_problems
from ddsrta.models.validate_policies import policy_problems
from ddsrta.models.validate_processes import process_problems
from ddsrta.models.validate_synchronizers import synchronizer_problems

_BEST_ABOVE_WORST = "the best case is above the worst"
_LONGEST_CIRCLE = 10


class Unread(NamedTuple):
    """What a file declares and whose reading failed, and was reported: no reason to report again.

    `names` holds all declared names by kind, None where not even those can be told; `sections` the
    keys of the file of which nothing could be read.
    """

    names: Mapping[str, frozenset[str] | None]
    sections: frozenset[str]


def link_problems(system: System) -> Iterator[Diagnostic]:
    """What is wrong with the shared links of a system that is otherwise right."""
    if not system.media and all(link.medium is None for link in system.links.values()):
        return
    from ddsrta.models import validate_links

    yield from validate_links.link_problems(system)


def scheduling_problems(system: System) -> Iterator[Diagnostic]:
    """What is wrong with threads of SCHED_OTHER, and with those that move between cores."""
    if any(thread.priority == FAIR for thread in system.threads.values()):
        from ddsrta.models.fair import fair_problems

        yield from fair_problems(system)
    if any(moving(system)):
        from ddsrta.models.validate_sets import set_problems

        yield from set_problems(system)


def flow_problems(system: System) -> Iterator[Diagnostic]:
    """What is wrong with messages that jobs may leave out."""
    if any(one.part for thread in system.threads.values() for one in thread.publishes):
        from ddsrta.models import validate_flow

        yield from validate_flow.flow_problems(system)


# asked where all else is right
LAST = (link_problems, synchronizer_problems, order_problems, flow_problems)


def refuse_invalid(system: System) -> None:
    """Raise what is wrong with a system that was not read from a file, or is none."""
    if not isinstance(system, System):
        raise TypeError(f"wanted: a System, as of ddsrta.load(FILE), not {type(system).__name__}")
    if not system.is_valid and (problems := validate(system)):
        raise InputError(problems)


def validate(system: System, unread: Unread | None = None) -> list[Diagnostic]:
    """Everything that contradicts itself or leads nowhere.

    >>> from ddsrta.examples import two_threads
    >>> validate(two_threads())
    []
    """
    check = _Check(system, unread)
    for kind in ("flow_controllers", "listeners", "executors"):
        for name, middleware in getattr(system, kind).items():
            check.placement(middleware, kind, name)
    check.found += name_problems(system)
    for thread in system.threads.values():
        if check.times(thread):
            check.thread(thread)
    if check.lacking and not (unread and "delays" in unread.sections):
        from ddsrta.models.validate_delays import row_problems

        check.found += row_problems(system, check.lacking)
    for circle in activation_cycles(system):
        check.circle(circle)
    check.order_behind_synchronizers()
    for chain in system.chains.values():
        check.chain(chain)
    if not check.incomplete:
        check.found += process_problems(system)
        if system.executors:
            from ddsrta.models.validate_executors import executor_problems

            check.found += executor_problems(system)
        check.found += policy_problems(system)
        check.found += [*fastdds_problems(system), *bandwidth_problems(system)]
        check.found += scheduling_problems(system)
    if unread is None and not check.found:  # the reader asks where it has read everything
        return [problem for each in LAST for problem in each(system)]
    return check.found


class _Check:
    def __init__(self, system: System, unread: Unread | None) -> None:
        self.system = system
        self.unread = unread
        self.found: list[Diagnostic] = []
        # Threads or topics that could not be read: what seems to lead nowhere may be right.
        things = {"topics": system.topics, "threads": system.threads, "callbacks": system.threads}
        self.incomplete = unread is not None and any(
            (names := unread.names.get(kind, frozenset())) is None or names - known.keys()
            for kind, known in things.items()
        )
        self.readers_on: dict[str, dict[str, Thread]] = {}
        # topics that a table of δ has no row for, and where the first of them asks for one
        self.lacking: dict[str, dict[str, tuple[str | int, ...]]] = {}

    def report(self, message: str, *path: str | int, advice: str = "") -> None:
        self.found.append(Diagnostic(self.system.where(*path), message, advice))

    def times(self, thread: Thread) -> bool:
        """Systems made in Python are not read by shapes: whole nanoseconds, nothing else."""
        name = thread.name
        for key in ("wcet", "bcet", "priority"):
            value: object = getattr(thread, key)
            if not isinstance(value, int) and not (key == "bcet" and value is None):
                self.report(f"{key} of '{name}' is {value!r}, not a whole number",
                            "threads", name, key, advice="times are in nanoseconds")  # fmt: skip
                return False
        if thread.wcet <= 0:
            self.report(f"wcet of '{name}' must be positive", "threads", name, "wcet")
        return thread.wcet > 0

    def known(self, kind: str, name: str, *path: str | int) -> bool:
        """Whether the thing exists; says so where it does not and the reader has not said it."""
        things = getattr(self.system, kind)
        if name in things:
            return True
        if self.unread is None:
            what = kind.removesuffix("s").replace("_", " ")
            advice = did_you_mean(name, things)
            self.report(f"there is no {what} {shown(name)}", *path, advice=advice)
        return False

    def placement(self, thing: Thread | Middleware | Executor, kind: str, name: str) -> None:
        cores: tuple[str, ...] = getattr(thing, "cores", ())
        if not all(self.known("cores", core, kind, name, "cores") for core in cores):
            return
        if not cores and not self.known("cores", thing.core, kind, name, "core"):
            return
        core = self.system.cores[thing.core]
        if core.partitions and thing.reservation:
            self.report("a partitioned core serves no reservations of threads",
                        kind, name, "reservation")  # fmt: skip
        elif core.partitions and thing.partition not in core.partitions:
            self.report(
                f"core {core.path} is partitioned: name one of its partitions",
                kind, name, "partition" if thing.partition else "core",
                advice=did_you_mean(thing.partition or "", core.partitions),
            )  # fmt: skip
        elif thing.partition and not core.partitions:
            self.report(f"core {core.path} has no partitions", kind, name, "partition")
        elif thing.reservation and core.reservation:
            self.report("the core supplies a reservation already", kind, name, "reservation")

    def thread(self, thread: Thread) -> None:
        name = thread.name
        if thread.executor is None:
            self.placement(thread, "threads", name)
        if thread.bcet is not None and thread.bcet > thread.wcet:
            self.report(_BEST_ABOVE_WORST, "threads", name, "bcet")
        if thread.follows:
            self.follows(thread)
        topics: set[str] = set()
        for index, publication in enumerate(thread.publishes):
            path = ("threads", name, "publishes", index)
            if publication.topic in topics:
                services = self.system.tree.names("services") if self.system.tree else ()
                message, advice = said_twice(publication.topic, services)
                self.report(message, *path, "topic", advice=advice)
            topics.add(publication.topic)
            self.publication(thread, publication, *path)
        if thread.subscribes:
            self.subscription(thread, thread.subscribes)
        if thread.arrival is None:
            self.released(thread)

    def publication(self, thread: Thread, publication: Publication, *path: str | int) -> None:
        system, topic = self.system, publication.topic
        if not self.known("topics", topic, *path, "topic"):
            return
        if publication.earliest > thread.wcet:
            self.report("the job has ended by then: 'earliest' exceeds its wcet",
                        *path, "earliest")  # fmt: skip
        if publication.count < 1:
            self.report("a job publishes at least one message", *path, "count")
        if publication.mode == "async":
            controller = publication.flow_controller
            if controller is None:
                self.report("asynchronous publishing needs a flow_controller", *path)
                return
            if not self.known("flow_controllers", controller, *path, "flow_controller"):
                return
            self.same_machine(thread, system.flow_controllers[controller], *path, "flow_controller")
        if not system.readers(topic):
            return
        try:
            system.sending_cost(publication)
        except LookupError:
            self.no_row(publication.table, topic, *path)
        self.links(thread, topic, *path)

    def no_row(self, column: str, topic: str, *path: str | int) -> None:
        self.lacking.setdefault(column, {}).setdefault(topic, path)

    def same_machine(self, thread: Thread, middleware: Middleware, *path: str | int) -> None:
        cores = self.system.cores
        if thread.core not in cores or middleware.core not in cores:
            return
        here, there = cores[thread.core].machine, cores[middleware.core].machine
        if here != there:
            self.report(
                f"'{middleware.name}' runs on machine '{there}', the thread on '{here}'", *path,
                advice="a thread uses middleware threads of its own machine",
            )  # fmt: skip

    def links(self, writer: Thread, topic: str, *path: str | int) -> None:
        """A way over the network to each machine that reads; one of its readers is named."""
        cores = self.system.cores
        if writer.core not in cores or (self.unread and "network" in self.unread.sections):
            return
        if topic not in self.readers_on:
            self.readers_on[topic] = {
                cores[reader.core].machine: reader
                for reader in reversed(self.system.readers(topic))
                if reader.core in cores
            }
        here = cores[writer.core].machine
        for there, reader in self.readers_on[topic].items():
            if here != there and (here, there) not in self.system.links:
                self.report(
                    f"no network entry from '{here}' to '{there}', where '{reader.name}' reads it",
                    *path,
                    advice="add one under 'network'",
                )

    def subscription(self, thread: Thread, subscription: Subscription) -> None:
        system, path = self.system, ("threads", thread.name, "subscribes")
        if self.known("listeners", subscription.listener, *path, "listener"):
            listener = system.listeners[subscription.listener]
            self.same_machine(thread, listener, *path, "listener")
        for index, topic in enumerate(subscription.topics):
            if not self.known("topics", topic, *path, "topics", index) or not system.writers(topic):
                continue
            try:
                system.listening_cost(subscription, topic)
            except LookupError:
                self.no_row("listener", topic, *path, "topics", index)
            try:
                system.taking_cost(thread)
            except LookupError:
                self.no_row("take", topic, *path, "topics", index)
        self.unique(subscription.topics, "topic", *path, "topics")

    def follows(self, thread: Thread) -> None:
        assert thread.follows is not None
        path = ("threads", thread.name, "follows")
        if thread.follows.best > thread.follows.delay:
            self.report(_BEST_ABOVE_WORST, *path, "best")
        for index, other in enumerate(thread.follows.threads):
            self.known("threads", other, *path, "threads", index)
        self.unique(thread.follows.threads, "thread", *path, "threads")

    def unique(self, names: tuple[str, ...], what: str, *path: str | int) -> None:
        if len(set(names)) < len(names):
            seen: set[str] = set()
            for index, name in enumerate(names):
                if name in seen:
                    self.report(f"{what} '{name}' is listed twice", *path, index)
                seen.add(name)

    def released(self, thread: Thread) -> None:
        """A thread without a period must be released by somebody."""
        name = thread.name
        if not thread.subscribes and not thread.follows:
            advice = "give it a period, an arrival, 'subscribes' or 'follows'"
            self.report("nothing releases this thread", "threads", name, advice=advice)
            return
        topics = thread.subscribes.topics if thread.subscribes else ()
        if thread.activation == "and":
            self.single_writers(thread, topics)
        silent = [i for i, topic in enumerate(topics) if not self.system.writers(topic)]
        if not silent or self.incomplete:
            return
        others = len(topics) > len(silent) or thread.follows is not None
        if thread.activation == "and" or not others:
            topic = topics[silent[0]]
            self.report(f"nobody publishes '{topic}', so this thread is never released",
                        "threads", name, "subscribes", "topics", silent[0])  # fmt: skip

    def single_writers(self, thread: Thread, topics: tuple[str, ...]) -> None:
        """Whose messages would make the tokens of a topic with several writers is not modelled."""
        for index, topic in enumerate(topics):
            names = [writer.name for writer in self.system.writers(topic)]
            if len(names) > 1:
                self.report(
                    f"'{topic}' has several writers ({names[0]}, {names[1]}, …), which AND "
                    f"activation does not support yet" if len(names) > 2 else
                    f"'{topic}' has two writers ({names[0]}, {names[1]}), which AND activation "
                    "does not support yet",
                    "threads", thread.name, "subscribes", "topics", index,
                    advice="give each writer a topic of its own, or use 'activation: or'",
                )  # fmt: skip

    def order_behind_synchronizers(self) -> None:
        """Synchronizers of messages that overtake each other are not modelled."""
        system = self.system
        if not any(thread.synchronizer for thread in system.threads.values()):
            return
        advice = "leave 'ordered: false' out, or the synchronizers"
        message = "with synchronizers, messages that overtake each other are not modelled"
        for index, link in enumerate(system.links.values()):
            if not link.ordered and link.best < link.delay:
                self.report(message, "network", index, "ordered", advice=advice)
        for thread in system.threads.values():
            follows = thread.follows
            if follows and not follows.ordered and follows.best < follows.delay:
                self.report(message, "threads", thread.name, "follows", "ordered", advice=advice)

    def circle(self, circle: list[str]) -> None:
        names = circle[:_LONGEST_CIRCLE] + ["…"] * (len(circle) > _LONGEST_CIRCLE)
        told = (why for (name, _), why in self.system.circles.items() if name in circle)
        why = next((f": {one}" for one in told if isinstance(one, str)), "")
        self.report(
            "threads release each other in a circle: " + " → ".join([*names, circle[0]]),
            "threads", circle[0],
            advice="give one of them a period: then it samples its input; "
            f"or, if a counter ends it, say 'rounds' where it closes{why}",
        )  # fmt: skip

    def chain(self, chain: Chain) -> None:
        system = self.system
        if chain.ends:
            for name in system.chains:
                if name.startswith(f"{chain.name}/") and name[len(chain.name) + 1 :].isdigit():
                    self.report(f"the paths of chain '{chain.name}' have names like '{name}'",
                                "chains", name, advice="give this chain another name")  # fmt: skip
            ends = zip(("from", "to"), chain.ends, strict=True)
            known = [self.known("threads", name, "chains", chain.name, key) for key, name in ends]
            if not all(known):
                return
            if not self.incomplete and not is_reachable(system, *chain.ends):
                self.report(f"no path leads from '{chain.ends[0]}' to '{chain.ends[1]}'",
                            "chains", chain.name)  # fmt: skip
        elif not chain.path:
            self.report("the path is empty", "chains", chain.name, "path")
        elif self.unread is None or all(
            name in system.threads or name in system.topics for name in chain.path
        ):
            self.path(chain)

    def path(self, chain: Chain) -> None:
        hops, problem = walk(self.system, chain.path)
        if problem:
            path = ("chains", chain.name, "path", problem.at)
            self.report(problem.message, *path, advice=problem.advice)
            return
        sampling = [h.target for h in hops if self.system.threads[h.target].arrival is not None]
        if chain.deadline is not None and chain.constraint.endswith("latency") and sampling:
            self.report(
                f"'{sampling[0]}' is released by time and samples its input, so no event passes",
                "chains", chain.name, "constraint",
                advice="say what the deadline is for: constraint: data_age or reaction_time",
            )  # fmt: skip
