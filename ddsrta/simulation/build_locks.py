"""The locks of Fast DDS under which messages are sent, and what shares a datagram."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ddsrta.models.fastdds import looks, participant, samples_together
from ddsrta.models.system import Publication, System, Thread
from ddsrta_simulator import Program

Live = list[tuple[Thread, Publication]]


def add_locks(
    system: System,
    program: Program,
    live: Live,
    decision: Callable[[tuple[object, ...], bool], int],
    server: Mapping[tuple[str, str], int],
) -> None:
    """For each publication that somebody reads, and each event thread; none where the ten rules
    hold."""
    numbers: dict[tuple[str, ...], int] = {}

    def lock(*name: str) -> int:
        return numbers.setdefault(name, len(numbers))

    for thread in system.threads.values():
        sends = system.fastdds is not None and thread.datagrams > 0
        of = lock("send", *participant(system, thread)) if sends else -1
        program.thread_send.append(of)
        program.thread_datagrams.append(thread.datagrams if sends else 0)

    for thread, publication in live:
        send = writer = queue = -1
        batch = write = 0
        if system.fastdds is not None and system.receivers(thread, publication.topic):
            send = lock("send", *participant(system, thread))
            if publication.mode == "async":
                writer = lock("writer", thread.name, publication.topic)
                queue = lock("queue", str(publication.flow_controller))
                write = min(thread.wcet, system.fastdds.write or thread.wcet)
                batch = samples_together(system.topics[publication.topic].size)
        program.publication_send.append(send)
        program.publication_writer.append(writer)
        program.publication_batch.append(batch)
        program.publication_queue.append(queue)
        program.publication_write.append(write)
        for what, decisions in (
            ("write", program.publication_length),
            ("split", program.publication_split),
            ("look", program.publication_look),
        ):
            decisions.append(decision((what, thread.name, publication.topic), writer >= 0))
    program.server_look.extend([-1] * len(program.servers))
    program.server_looks.extend([0] * len(program.servers))
    for controller in system.flow_controllers.values():
        found = numbers.get(("queue", controller.name), -1)
        if controller.limit and found >= 0:
            number = server["middleware", controller.name]
            program.server_look[number] = found
            program.server_looks[number] = looks(system).period - 1  # but before it sleeps again
    program.locks = list(numbers)
    program.lock_none.extend([-1] * len(numbers))
    for name in numbers:
        program.lock_wake.append(decision(("wake", *name), name[0] != "writer"))
