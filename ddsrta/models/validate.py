"""What must be true of a whole system before it can be analysed, beyond the shape of its parts."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.models.diagnostics import Diagnostic, did_you_mean
from ddsrta.models.graph import activation_cycle, hops_of_path, inputs, paths_between
from ddsrta.models.system import Chain, Middleware, Publication, System, Thread

Declared = Mapping[str, frozenset[str]]


def validate(system: System, declared: Declared | None = None) -> list[Diagnostic]:
    """Everything that contradicts itself or leads nowhere.

    `declared` holds names whose definitions were found wrong already: references to them are not
    reported a second time.
    """
    check = _Check(system, declared or {})
    for kind in ("flow_controllers", "listeners"):
        for name, middleware in getattr(system, kind).items():
            check.placement(middleware, kind, name)
    for thread in system.threads.values():
        check.thread(thread)
    if cycle := activation_cycle(system):
        check.report(
            "threads release each other in a circle that nothing starts: " + " → ".join(cycle),
            "threads", cycle[0],
            advice="give one of them a period",
        )
    elif not check.found and not check.incomplete:
        for chain in system.chains.values():
            check.chain(chain)
    return check.found


class _Check:
    def __init__(self, system: System, declared: Declared) -> None:
        self.system = system
        self.declared = declared
        self.found: list[Diagnostic] = []
        # Definitions that could not be read: what refers to them may be right.
        self.incomplete = any(
            name not in getattr(system, kind)
            for kind in ("topics", "threads")
            for name in self.declared.get(kind, ())
        )

    def report(self, message: str, *path: str | int, advice: str = "") -> None:
        self.found.append(Diagnostic(self.system.where(*path), message, advice))

    def known(self, kind: str, name: str, *path: str | int) -> bool:
        """Whether the thing exists; says so where it does not and nobody said it before."""
        things = getattr(self.system, kind)
        if name in things:
            return True
        if not self.declared:
            what = kind.removesuffix("s").replace("_", " ")
            self.report(f"there is no {what} '{name}'", *path, advice=did_you_mean(name, things))
        return False

    def placement(self, thing: Thread | Middleware, kind: str, name: str) -> None:
        if not self.known("cores", thing.core, kind, name, "core"):
            return
        core = self.system.cores[thing.core]
        if core.partitions and thing.reservation:
            self.report("a partitioned core serves no reservations of threads",
                        kind, name, "reservation")
        elif core.partitions and thing.partition not in core.partitions:
            self.report(
                f"core {core.path} is partitioned: name one of its partitions",
                kind, name, "partition" if thing.partition else "core",
                advice=did_you_mean(thing.partition or "", core.partitions),
            )
        elif thing.partition and not core.partitions:
            self.report(f"core {core.path} has no partitions", kind, name, "partition")
        elif thing.reservation and core.reservation:
            self.report("the core supplies a reservation already", kind, name, "reservation")

    def thread(self, thread: Thread) -> None:
        name = thread.name
        self.placement(thread, "threads", name)
        if thread.bcet is not None and thread.bcet > thread.wcet:
            self.report("the best case is above the worst", "threads", name, "bcet")
        if thread.follows and thread.follows.best > thread.follows.delay:
            self.report("the best case is above the worst", "threads", name, "follows", "best")
        topics: set[str] = set()
        for index, publication in enumerate(thread.publishes):
            path = ("threads", name, "publishes", index)
            if publication.topic in topics:
                self.report(f"'{publication.topic}' is published twice", *path, "topic",
                            advice="use 'count' for several messages a job")
            topics.add(publication.topic)
            self.publication(thread, publication, *path)
        self.inputs(thread)

    def publication(self, thread: Thread, publication: Publication, *path: str | int) -> None:
        system = self.system
        if not self.known("topics", publication.topic, *path, "topic"):
            return
        if publication.earliest > thread.wcet:
            self.report("the job has ended by then: 'earliest' exceeds its wcet",
                        *path, "earliest")
        if publication.mode == "async":
            if publication.flow_controller is None:
                self.report("asynchronous publishing needs a flow_controller", *path)
                return
            if not self.known(
                "flow_controllers", publication.flow_controller, *path, "flow_controller"
            ):
                return
            controller = system.flow_controllers[publication.flow_controller]
            self.same_machine(thread, controller, *path, "flow_controller")
        if not system.readers(publication.topic):
            return
        try:
            system.sending_cost(publication)
        except LookupError:
            column = "publisher" if publication.mode == "sync" else "flow_controller"
            self.no_row(column, publication.topic, *path)
        for reader in system.readers(publication.topic):
            self.link(thread, reader, *path)

    def no_row(self, column: str, topic: str, *path: str | int) -> None:
        size = self.system.topics[topic].size
        self.report(
            f"delays.{column} has no row for {size} bytes or more (topic '{topic}')", *path,
            advice="add a row, or give 'delay' here",
        )

    def same_machine(self, thread: Thread, middleware: Middleware, *path: str | int) -> None:
        cores = self.system.cores
        if thread.core not in cores or middleware.core not in cores:
            return
        here, there = cores[thread.core].machine, cores[middleware.core].machine
        if here != there:
            self.report(
                f"'{middleware.name}' runs on machine '{there}', the thread on '{here}'", *path,
                advice="a thread uses middleware threads of its own machine",
            )

    def link(self, writer: Thread, reader: Thread, *path: str | int) -> None:
        cores = self.system.cores
        if writer.core not in cores or reader.core not in cores:
            return
        pair = (cores[writer.core].machine, cores[reader.core].machine)
        if pair[0] != pair[1] and pair not in self.system.links:
            self.report(
                f"no network entry from '{pair[0]}' to '{pair[1]}', where '{reader.name}' reads it",
                *path,
                advice="add one under 'network'",
            )

    def inputs(self, thread: Thread) -> None:
        system, name = self.system, thread.name
        if (subscription := thread.subscribes) is not None:
            path = ("threads", name, "subscribes")
            if self.known("listeners", subscription.listener, *path, "listener"):
                listener = system.listeners[subscription.listener]
                self.same_machine(thread, listener, *path, "listener")
            if len(set(subscription.topics)) < len(subscription.topics):
                self.report("a topic is listed twice", *path, "topics")
            for index, topic in enumerate(subscription.topics):
                if not self.known("topics", topic, *path, "topics", index):
                    continue
                try:
                    system.listening_cost(subscription, topic)
                except LookupError:
                    self.no_row("listener", topic, *path, "topics", index)
        if thread.follows:
            for index, other in enumerate(thread.follows.threads):
                self.known("threads", other, "threads", name, "follows", "threads", index)
        if thread.arrival is None:
            self.released(thread)

    def released(self, thread: Thread) -> None:
        """A thread without a period must be released by somebody."""
        name = thread.name
        if not thread.subscribes and not thread.follows:
            self.report("nothing releases this thread", "threads", name,
                        advice="give it a period, an arrival, 'subscribes' or 'follows'")
            return
        if self.incomplete:
            return
        silent = [
            topic
            for topic in (thread.subscribes.topics if thread.subscribes else ())
            if not self.system.writers(topic)
        ]
        live = inputs(self.system, thread)
        if silent and (thread.activation == "and" or not live):
            self.report(f"nobody publishes '{silent[0]}', so this thread is never released",
                        "threads", name, "subscribes", "topics")

    def chain(self, chain: Chain) -> None:
        system = self.system
        if chain.ends:
            for key, name in zip(("from", "to"), chain.ends, strict=True):
                if not self.known("threads", name, "chains", chain.name, key):
                    return
            paths = paths_between(system, *chain.ends, limit=1).paths
            if not paths:
                self.report(f"no path leads from '{chain.ends[0]}' to '{chain.ends[1]}'",
                            "chains", chain.name)
            return
        hops = hops_of_path(system, chain.path) if chain.path else "the path is empty"
        if isinstance(hops, str):
            self.report(hops, "chains", chain.name, "path")
            return
        sampling = [hop.target for hop in hops if system.threads[hop.target].arrival is not None]
        if chain.deadline is not None and chain.constraint == "latency" and sampling:
            self.report(
                f"'{sampling[0]}' is released by time and samples its input, so no event passes",
                "chains", chain.name, "constraint" if system.tree else "path",
                advice="say what the deadline is for: constraint: data_age or reaction_time",
            )
