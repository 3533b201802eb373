"""A system as the engine's flat arrays. Measures, by kind and what they are of:

`response` and `pending` of a stage, ("job", t), ("sample", p, topic) or ("message", p, topic, s);
`pending` of an executor, flow controller or listener by name, and of ("reader", s, topic):
messages whose jobs are not complete, or ("direct", s, topic), those from its own process; `ddl` of
(p, topic, s); `latency`, `trigger_latency`, `data_age` and `reaction_time` of a path of threads and
topics. What is measured of synchronizers: see build_synchronizers.
"""

from __future__ import annotations

from ddsrta.models.bandwidth import counted, share
from ddsrta.models.executors import Executor
from ddsrta.models.graph import Hop, all_inputs
from ddsrta.models.groups import is_timer
from ddsrta.models.handing_over import handed_over
from ddsrta.models.senders import policy_of, senders
from ddsrta.models.system import EPSILON, Cost, Middleware, Publication, System, Thread
from ddsrta.ros2 import kind_of
from ddsrta.simulation.build_executors import groups_of, is_direct, mixes, queues_of
from ddsrta.simulation.build_left_out import add_left_out
from ddsrta.simulation.build_links import (
    BEGUN,
    LINK,
    add_beside,
    add_transfer,
    beside,
    queues_on,
    servers_of,
    transfer,
)
from ddsrta.simulation.build_locals import add_locals
from ddsrta.simulation.build_locks import add_locks
from ddsrta.simulation.build_paths import add_origins
from ddsrta.simulation.build_places import add_places
from ddsrta.simulation.build_sources import add_sources
from ddsrta.simulation.build_synchronizers import add_synchronizers
from ddsrta_simulator import Measure, Program
from ddsrta_simulator.orders import ARRIVAL, POOL, TIMERS
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
        self.senders = senders(system)
        self.server = add_places(system, self.program)
        self._hops()
        self._servers()
        self._threads()
        add_synchronizers(system, self.program)
        self._publications()
        add_locals(self.program, system, self.live, self.hop_number, self._decision)
        add_left_out(system, self.program, self.live, self._decision)
        add_locks(system, self.program, self.live, self._decision, self.server)
        self._links()
        add_sources(self.program, system)
        add_origins(system, self.program, self.hop_number)
        if system.media:
            add_beside(self.program, system, self.server, self._decision)

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
            if thread.executor is None:
                self._server(ARRIVAL, count, -1)
                p.server_place[-1] = self._decision(("place", thread.name), bool(thread.cores))
                queues["job", thread.name] = count
                count += 1
        p.queue_turn.extend([0] * count)
        p.queue_late.extend([0] * count)
        p.queue_group.extend([-1] * count)
        for executor in system.executors.values():
            count = self._executor(executor, queues, count)
        for controller in system.flow_controllers.values():
            pending = self._measure("pending", controller.name)
            self._server(policy_of(system, controller.name).serves, count, pending)
            if controller.limit is not None:
                p.server_limit[-1] = controller.limit.bytes
                p.server_period[-1] = controller.limit.period
                what = ("limit", controller.name)
                p.server_phase[-1] = self._decision(what, controller.limit.period > 1)
            count = self._controller_queues(controller, queues, count)
        for listener in system.listeners.values():
            pending = self._measure("pending", listener.name)
            self._server(ARRIVAL, count, pending)
            queues["listener", listener.name] = count
            count += 1
        for kind, medium, name, _ in servers_of(system):
            pending = -1 if kind == BEGUN else self._measure("pending", name)
            self._server(medium.rules.serves, count, pending)
            for key in [(BEGUN, medium.name)] if kind == BEGUN else queues_on(system, medium):
                queues[key] = count
                count += 1
        p.server_queue.append(count)
        p.queue_turn.extend([0] * (count - len(p.queue_turn)))
        p.queue_late.extend([0] * (count - len(p.queue_late)))
        p.queue_group.extend([-1] * (count - len(p.queue_group)))
        p.queue_share.extend([0] * count)
        p.queue_due.extend([0] * count)
        p.queue_weight.extend([1] * count)
        for thread, publication in self.live:
            sample = ("sample", thread.name, publication.topic)
            if sample in queues:
                queue = queues[sample]
                by = publication.flow_controller or ""
                policy, sender = policy_of(system, by), self.senders[by][sample[1:]]
                p.queue_share[queue] = share(system, publication)
                p.queue_due[queue] = policy.due(sender)
                p.queue_weight[queue] = policy.weight(sender)
        self._stages(queues)
        self._hop_queues(queues)

    def _server(self, order: int, queue: int, pending: int) -> None:
        p = self.program
        p.server_order.append(order)
        p.server_queue.append(queue)
        p.server_pending.append(pending)
        of_executors = (p.server_turns, p.server_poll, p.server_late, p.server_pick, p.server_baton)
        for decisions in (p.server_place, *of_executors):
            decisions.append(-1)
        p.server_limit.append(0)
        p.server_period.append(0)
        p.server_phase.append(-1)
        p.server_begun.append(-1)

    def _executor(self, executor: Executor, queues: dict[tuple[str, ...], int], count: int) -> int:
        """The queues of an executor, and what it leaves open."""
        p, name = self.program, executor.name
        service = kind_of(executor).service(executor)
        self._server(service.serves, count, self._measure("pending", name))
        found = queues_of(self.system, executor, service)
        p.queue_group.extend(groups_of(self.system, found, count))
        for queue in found:
            p.queue_turn.append(queue.turn)
            p.queue_late.append(queue.late)
            for key in queue.keys:
                queues[key] = count
            count += 1
        is_open = service.decisions(found[1:])
        p.server_turns[-1] = self._decision(("turns", name), is_open.turns)
        p.server_poll[-1] = self._decision(("poll", name), is_open.poll)
        p.server_late[-1] = self._decision(("late", name), is_open.late)
        p.server_pick[-1] = self._decision(("pick", name), is_open.pick)
        if executor.is_pool:
            p.server_baton[-1] = self._decision(("baton", name), True)
            place = self._decision(("place", name), executor.moves)
            p.server_place[-1] = place
            for _ in executor.places[1:]:
                self._server(POOL, count, -1)
                p.server_place[-1] = place
        if ("timers", name) in self.server:
            self._server(TIMERS, count, -1)
            p.queue_turn.append(0)
            p.queue_late.append(0)
            p.queue_group.append(-1)
            count += 1
        return count

    def _hop_queues(self, queues: dict[tuple[str, ...], int]) -> None:
        """Where the jobs wait that a hop releases."""
        for hop in self.program.hops:
            own = "direct" if is_direct(self.system, hop) else "job"
            key = (own, hop.target)
            self.program.hop_queue.append(queues[key if key in queues else ("job", hop.target)])

    def _controller_queues(
        self, controller: Middleware, queues: dict[tuple[str, ...], int], count: int
    ) -> int:
        """The queues of a controller, in the order of the numbers that its policy gives them."""
        policy = policy_of(self.system, controller.name)
        found = {
            name: policy.queue(sender) for name, sender in self.senders[controller.name].items()
        }
        places = {queue: count + i for i, queue in enumerate(sorted(set(found.values())))}
        for (publisher, topic), queue in found.items():
            queues["sample", publisher, topic] = places[queue]
        return count + max(1, len(places))

    def _stages(self, queues: dict[tuple[str, ...], int]) -> None:
        system = self.system
        for thread in system.threads.values():
            job, direct = ("job", thread.name), ("direct", thread.name)
            server = ("executor", thread.executor) if thread.executor else ("thread", thread.name)
            self._stage(job, server, queues[job if job in queues else direct])
        for each in beside(system):
            self._stage(each.stage, each.server, queues[each.queue])
        for thread, publication in self.live:
            if publication.flow_controller and self._copies(thread, publication):
                sample = ("sample", thread.name, publication.topic)
                self._stage(sample, ("middleware", publication.flow_controller), queues[sample])
        for thread, publication in self.live:
            for reader in system.receivers(thread, publication.topic):
                if over := transfer(system, thread, publication, reader):
                    self._stage(over.stage, (LINK, over.medium.name), queues[over.queue])
        for thread, publication in self.live:
            for reader in system.receivers(thread, publication.topic):
                listener = _listener(reader)
                message = ("message", thread.name, publication.topic, reader.name)
                self._stage(message, ("middleware", listener), queues["listener", listener])

    def _copies(self, thread: Thread, publication: Publication) -> bool:
        """Whether a flow controller has copies of it to send."""
        is_sent = self.system.is_sent(thread, publication.topic)
        return publication.mode == "async" and is_sent

    def _stage(self, stage: tuple[str, ...], server: tuple[str, str], queue: int) -> None:
        p = self.program
        p.stages.append(stage)
        p.stage_server.append(self.server[server])
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
            take = system.taking_cost(thread)
            sent = (handed_over(system, thread, pub) for pub in live if pub.part is None)
            least = max([least + take.best, *sent])
            worst = thread.wcet + take.worst
            p.thread_activation.append(_activation(thread))
            p.thread_caller.append(self._caller(thread))
            p.thread_inline.append(int(thread.entity == "inline"))
            p.thread_best.append(least)
            p.thread_worst.append(worst)
            p.thread_decision.append(self._decision(("job", thread.name), least < worst))
            p.thread_point.append(self._decision(("point", thread.name), bool(live)))
            p.thread_taken.append(self._decision(("taken", thread.name), mixes(system, thread)))
            p.thread_step.append(len(p.step_publication))
            for publication in live:
                p.step_publication.extend([publications] * publication.count)
                publications += 1
        p.thread_step.append(len(p.step_publication))

    def _caller(self, thread: Thread) -> int:
        """The server that calls a timer."""
        if not is_timer(thread):
            return -1
        executor = str(thread.executor)
        return self.server.get(("timers", executor), self.server["executor", executor])

    def _publications(self) -> None:
        p = self.program
        stage_number = {stage: i for i, stage in enumerate(p.stages)}
        for thread, publication in self.live:
            readers = self.system.receivers(thread, publication.topic)
            within = self.system.neighbours(thread, publication.topic)
            neighbours = [one for one in within if self.system.is_direct(thread, one)]
            is_open = self.system.topics[publication.topic].copies == "unknown"
            sends = readers or len(neighbours) < len(within)
            is_async = publication.mode == "async" or not sends
            what = ("sample" if is_async else "sync", thread.name, publication.topic)
            direct = ("direct", thread.name, publication.topic)
            cost = self.system.sending_cost(publication)
            p.publication_bytes.append(counted(self.system.topics[publication.topic].size))
            p.publication_thread.append(self.place[thread.name])
            p.publication_mode.append(ASYNC if is_async else SYNC)
            p.publication_earliest.append(handed_over(self.system, thread, publication))
            p.publication_best.append(cost.best)
            p.publication_worst.append(cost.worst)
            p.publication_decision.append(self._choice(what, cost))
            p.publication_readers.append(
                self._decision(("readers", *what), is_open and len(readers) > 1)
            )
            p.publication_stage.append(stage_number.get(what, -1))
            p.publication_stream.append(len(p.streams))
            p.publication_direct.append(len(p.direct_hop))
            p.publication_first.append(self._decision(direct, bool(neighbours) and not is_async))
            for reader in neighbours:
                hop = Hop(thread.name, publication.topic, reader.name)
                p.direct_hop.append(self.hop_number[hop])
            for reader in readers:
                self._stream(thread, publication, reader, stage_number)
        p.publication_stream.append(len(p.streams))
        p.publication_direct.append(len(p.direct_hop))
        p.stream_transfer.append(len(p.transfer_stage))
        p.transfer_frame.append(len(p.frame_worst))

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
        p.stream_transfer.append(len(p.transfer_stage))
        if over := transfer(system, thread, publication, reader):
            add_transfer(p, system, over, stage_number[over.stage], self._decision)
        p.net_best.append(net.best)
        p.net_worst.append(net.worst)
        p.net_decision.append(self._choice(("net", *name), net))
        p.net_loose.append(self.system.overtakes(*name))
        p.read_best.append(read.best)
        p.read_worst.append(read.worst)
        p.read_decision.append(self._choice(("message", *name), read))

    # Who is told of what

    def _hops(self) -> None:
        p = self.program
        readers: dict[tuple[str, str, str], int] = {}
        entered = {target for _, _, target in self.system.closing}
        for thread in self.system.threads.values():
            p.thread_hop.append(len(p.hops))
            for hop in all_inputs(self.system, thread):
                self.hop_number[hop] = len(p.hops)
                p.hops.append(hop)
                p.hop_target.append(self.place[thread.name])
                reader = -1
                if hop.topic is not None and _activation(thread) == EACH:
                    kind = "direct" if is_direct(self.system, hop) else "reader"
                    key = (kind, thread.name, hop.topic)
                    if key not in readers:
                        readers[key] = self._measure("pending", key)
                    reader = readers[key]
                p.hop_reader.append(reader)
                comes_in = -1 if hop.target in entered else 0
                p.hop_round.append(1 if hop in self.system.closing else comes_in)
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
                p.link_loose.append(self.system.overtakes(*hop))
        p.thread_link.append(len(p.link_hop))


def _activation(thread: Thread) -> int:
    if thread.arrival is not None:
        return TIMED
    return ALL if thread.activation == "and" else EACH


def _listener(reader: Thread) -> str:
    assert reader.subscribes
    return reader.subscribes.listener
