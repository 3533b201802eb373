"""How many of what a program has."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise
from zlib import crc32

from ddsrta_simulator.program import BURST, Program
from ddsrta_simulator.structs import Int


class Counts:
    """Of each kind; of events, those of each kind follow each other."""

    cores: Int
    supplies: Int
    servers: Int
    queues: Int
    stages: Int
    threads: Int
    first_transfer: Int  # of stages; before it those of jobs and samples
    first_message: Int
    moving: Int  # supplies between which servers move
    publications: Int
    streams: Int
    links: Int
    ways: Int  # streams, then links
    hops: Int
    locks: Int
    ends: Int
    sources: Int
    measures: Int
    history: Int  # releases that sources have to remember
    origins: Int
    first_timer: Int  # of servers, where some sleep for their limits
    first_source: Int
    first_way: Int
    first_core: Int
    events: Int
    leaves: Int  # of the tournament of events
    nodes: Int
    crc: Int
    placements: list[list[int]]  # of each core: the supplies with a budget, shortest periods first

    def __init__(self, program: Program) -> None:
        self.cores = len(program.cores)
        self.supplies = len(program.supply_core)
        self.servers = len(program.server_supply)
        self.queues = program.server_queue[self.servers]
        self.stages = len(program.stage_server)
        self.threads = len(program.thread_worst)
        self.first_message = self.stages - len(program.stream_hop)
        self.first_transfer = self.first_message - len(program.transfer_stage)
        self.moving = len(program.set_supply)
        self.publications = len(program.publication_mode)
        self.streams = len(program.stream_hop)
        self.links = len(program.link_hop)
        self.ways = self.streams + self.links
        self.hops = len(program.hop_target)
        self.locks = len(program.lock_none)
        self.ends = len(program.end_first)
        self.sources = len(program.source_thread)
        self.measures = len(program.measures)
        self.history = sum(reach(program, source) for source in range(self.sources))
        self.origins = max(program.thread_origins, default=0)
        self.first_timer = self.supplies
        self.first_source = self.first_timer + (self.servers if any(program.server_limit) else 0)
        self.first_way = self.first_source + self.sources
        self.first_core = self.first_way + self.ways
        self.events = self.first_core + self.cores
        self.leaves = 2
        while self.leaves < self.events:
            self.leaves *= 2
        self.nodes = 2 * self.leaves
        numbers = [getattr(program, f.name) for f in fields(program) if f.type == "array[int]"]
        self.crc = crc32(b"".join([values.tobytes() for values in numbers]))
        starts = program.core_supply
        self.placements = [
            sorted(
                (supply for supply in range(first, last) if program.supply_budget[supply]),
                key=lambda supply: program.supply_period[supply],
            )
            for first, last in pairwise(starts)
        ]


def reach(program: Program, source: int) -> int:
    """How many releases a source has to remember."""
    if program.source_model[source] == BURST:
        return program.source_b[source]
    return program.source_distance[source + 1] - program.source_distance[source]
