"""A system as the engine's flat arrays. Measures, by kind and what they are of:

`response` and `pending` of a stage, ("job", t), ("sample", p, topic) or ("message", p, topic, s);
`pending` of a flow controller or listener by name, and of ("reader", s, topic): messages whose jobs
are not complete; `ddl` of (p, topic, s); `latency`, `data_latency`, `data_age` and `reaction_time`
of a path of threads and topics.
"""

from __future__ import annotations

from ddsrta.models.graph import Hop, inputs
from ddsrta.models.system import EPSILON, Cost, Middleware, Publication, System, Thread
from ddsrta.policies import MIDDLEWARE
from ddsrta.policies.fixed_priority import APPLICATION
from ddsrta.simulation.build_paths import add_origins
from ddsrta.simulation.build_places import add_places
from ddsrta.simulation.build_sources import add_source
from ddsrta_simulator import Measure, Program
from ddsrta_simulator.program import ALL, ASYNC, EACH, SYNC, TIMED


def program_of(system: System) -> Program:
    """What the engine needs to know of a valid system.

    >>> from ddsrta.examples import two_threads
    >>> program_of(two_threads()).stages[:2]
    [('job', 'sensor'), ('job', 'control')]
    """
    return _Build(system).program


class _Build:
    """The arrays, group by group."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.program = Program()
        self.hop_number: dict[Hop, int] = {}
        self.place = {name: i for i, name in enumerate(system.threads)}
        self.live = [
            (thread, publication)
            for thread in system.threads.values()
            for publication in thread.publishes
            if system.readers(publication.topic)
        ]
        self.server = add_places(system, self.program)
        self._hops()
        self._servers()
        self._threads()
        self._publications()
        self._links()
        for thread in system.threads.values():
            if thread.arrival is not None:
                add_source(self.program, self.place[thread.name], thread)
        self.program.source_distance.append(len(self.program.distances))
        add_origins(system, self.program, self.hop_number)

    def _measure(self, kind: str, of: object) -> int:
        self.program.measures.append(Measure(kind, of))
        return len(self.program.measures) - 1

    def _decision(self, what: tuple[object, ...], is_open: bool) -> int:
        """A number for a decision, or none where there is nothing to decide."""
        if not is_open:
            return -1
        self.program.decisions.append(what)
        return len(self.program.decisions) - 1

    def _choice(self, what: tuple[object, ...], cost: Cost) -> int:
        return self._decision(what, cost.best < cost.worst)

    # Threads and their queues

    def _servers(self) -> None:
        """Queues and stages: jobs first, then samples, then messages."""
        p, system = self.program, self.system
        queues: dict[tuple[str, ...], int] = {}
        count = 0
        for thread in system.threads.values():
            self._server(APPLICATION.serves, count, -1)
            queues["job", thread.name] = count
            count += 1
        for controller in system.flow_controllers.values():
            pending = self._measure("pending", controller.name)
            order = MIDDLEWARE[controller.policy].serves
            self._server(order, count, pending)
            count = self._controller_queues(controller, queues, count)
        for listener in system.listeners.values():
            pending = self._measure("pending", listener.name)
            self._server(MIDDLEWARE[listener.policy].serves, count, pending)
            queues["listener", listener.name] = count
            count += 1
        p.server_queue.append(count)
        self._stages(queues)

    def _server(self, order: int, queue: int, pending: int) -> None:
        self.program.server_order.append(order)
        self.program.server_queue.append(queue)
        self.program.server_pending.append(pending)

    def _controller_queues(
        self, controller: Middleware, queues: dict[tuple[str, ...], int], count: int
    ) -> int:
        """The queues of a controller, in the order of the ranks that its policy gives to stages."""
        served = [
            (thread.name, publication.topic)
            for thread, publication in self.live
            if publication.flow_controller == controller.name
        ]
        rank = MIDDLEWARE[controller.policy].rank
        keys = [rank(self.system.topics[topic].priority, i) for i, (_, topic) in enumerate(served)]
        ranks = {key: count + i for i, key in enumerate(sorted(set(keys)))}
        for (publisher, topic), key in zip(served, keys, strict=True):
            queues["sample", publisher, topic] = ranks[key]
        return count + max(1, len(ranks))

    def _stages(self, queues: dict[tuple[str, ...], int]) -> None:
        system = self.system
        for thread in system.threads.values():
            self._stage(("job", thread.name), thread.name, queues["job", thread.name])
        for thread, publication in self.live:
            if publication.flow_controller and publication.mode == "async":
                sample = ("sample", thread.name, publication.topic)
                self._stage(sample, publication.flow_controller, queues[sample])
        for thread, publication in self.live:
            for reader in system.readers(publication.topic):
                listener = _listener(reader)
                message = ("message", thread.name, publication.topic, reader.name)
                self._stage(message, listener, queues["listener", listener])

    def _stage(self, stage: tuple[str, ...], server: str, queue: int) -> None:
        p = self.program
        p.stages.append(stage)
        kind = "thread" if stage[0] == "job" else "middleware"
        p.stage_server.append(self.server[kind, server])
        p.stage_queue.append(queue)
        p.stage_response.append(self._measure("response", stage))
        p.stage_pending.append(self._measure("pending", stage))

    # What threads do

    def _threads(self) -> None:
        p, system = self.program, self.system
        publications = 0
        for thread in system.threads.values():
            live = [pub for pub in thread.publishes if system.readers(pub.topic)]
            least = EPSILON if thread.bcet is None else thread.bcet
            least = max([least, *(pub.earliest for pub in live)])
            p.thread_activation.append(_activation(thread))
            p.thread_best.append(least)
            p.thread_worst.append(thread.wcet)
            p.thread_decision.append(self._decision(("job", thread.name), least < thread.wcet))
            p.thread_point.append(self._decision(("point", thread.name), bool(live)))
            p.thread_step.append(len(p.step_publication))
            for publication in live:
                p.step_publication.extend([publications] * publication.count)
                publications += 1
        p.thread_step.append(len(p.step_publication))

    def _publications(self) -> None:
        p = self.program
        stage_number = {stage: i for i, stage in enumerate(p.stages)}
        for thread, publication in self.live:
            readers = self.system.readers(publication.topic)
            is_async = publication.mode == "async"
            what = ("sample" if is_async else "sync", thread.name, publication.topic)
            cost = self.system.sending_cost(publication)
            p.publication_thread.append(self.place[thread.name])
            p.publication_mode.append(ASYNC if is_async else SYNC)
            p.publication_earliest.append(publication.earliest)
            p.publication_best.append(cost.best)
            p.publication_worst.append(cost.worst)
            p.publication_decision.append(self._choice(what, cost))
            p.publication_readers.append(self._decision(("readers", *what), len(readers) > 1))
            p.publication_stage.append(stage_number[what] if is_async else -1)
            p.publication_stream.append(len(p.streams))
            for reader in readers:
                self._stream(thread, publication, reader, stage_number)
        p.publication_stream.append(len(p.streams))

    def _stream(
        self,
        thread: Thread,
        publication: Publication,
        reader: Thread,
        stage_number: dict[tuple[str, ...], int],
    ) -> None:
        p, system = self.program, self.system
        name = (thread.name, publication.topic, reader.name)
        assert reader.subscribes
        net = system.network(system.machine_of(thread.core), system.machine_of(reader.core))
        read = system.listening_cost(reader.subscribes, publication.topic)
        p.streams.append(name)
        p.stream_hop.append(self.hop_number[Hop(*name)])
        p.stream_stage.append(stage_number["message", *name])
        p.stream_ddl.append(self._measure("ddl", name))
        p.net_best.append(net.best)
        p.net_worst.append(net.worst)
        p.net_decision.append(self._choice(("net", *name), net))
        p.read_best.append(read.best)
        p.read_worst.append(read.worst)
        p.read_decision.append(self._choice(("message", *name), read))

    # Who is told of what

    def _hops(self) -> None:
        p = self.program
        readers: dict[tuple[str, str], int] = {}
        for thread in self.system.threads.values():
            p.thread_hop.append(len(p.hops))
            for hop in inputs(self.system, thread):
                self.hop_number[hop] = len(p.hops)
                p.hops.append(hop)
                p.hop_target.append(self.place[thread.name])
                reader = -1
                if hop.topic is not None and _activation(thread) == EACH:
                    key = (thread.name, hop.topic)
                    if key not in readers:
                        readers[key] = self._measure("pending", ("reader", *key))
                    reader = readers[key]
                p.hop_reader.append(reader)
        p.thread_hop.append(len(p.hops))

    def _links(self) -> None:
        p = self.program
        for thread in self.system.threads.values():
            p.thread_link.append(len(p.link_hop))
            for follower in self.system.followers(thread.name):
                assert follower.follows
                hop = Hop(thread.name, None, follower.name)
                cost = Cost(follower.follows.delay, follower.follows.best)
                p.link_hop.append(self.hop_number[hop])
                p.link_best.append(cost.best)
                p.link_worst.append(cost.worst)
                p.link_decision.append(self._choice(("follow", *hop), cost))
        p.thread_link.append(len(p.link_hop))


def _activation(thread: Thread) -> int:
    if thread.arrival is not None:
        return TIMED
    return ALL if thread.activation == "and" else EACH


def _listener(reader: Thread) -> str:
    assert reader.subscribes
    return reader.subscribes.listener
