"""The sets that message_filters itself made of some messages are those of the state machines, of
the engine, and of its choice among the sets of `latest`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

import ddsrta
from ddsrta.simulation import program_of, worst_choices
from ddsrta.simulation.build_synchronizers import ACTIVATION
from ddsrta_simulator import simulator
from tests.simulation.state_machines import machine_of
from tests.simulation.synchronizers import LatestTime

Sets = list[tuple[int, tuple[int, ...]]]  # which message made it, and its members


class Message(NamedTuple):
    """One of a line."""

    number: int
    topic: int
    stamp: int
    now: int


class Line(NamedTuple):
    """Messages, and what message_filters made of them."""

    policy: str
    topics: int
    queue: int
    messages: list[Message]
    sets: Sets


def read(text: str) -> Line:
    """A line of the file."""
    what, messages, sets = text.split(" | ")
    policy, topics, queue = what.split()
    came = []
    for number, message in enumerate(messages.split()):
        topic, _, rest = message.partition(":")
        stamp, _, now = rest.partition("@")
        came.append(Message(number, int(topic), int(stamp), int(now or number)))
    made = [each.split("=") for each in sets.split()]
    found = [(int(by), tuple(map(int, of.split(",")))) for by, of in made]
    return Line(policy, int(topics), 0 if queue == "-" else int(queue), came, found)


FILE = Path(__file__).with_name("message_filters.txt").read_text(encoding="utf-8")
LINES = [read(text) for text in FILE.splitlines() if not text.startswith("#")]


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.policy} {line.topics}")
def test_the_state_machine_makes_the_sets(line: Line) -> None:
    alone = machine_of(ACTIVATION[line.policy], line.topics, line.queue)
    made: Sets = []
    for message in line.messages:
        found = alone.add(message.topic, message)
        made += [(message.number, tuple(each.number for each in members)) for members in found]
    if line.policy == "latest":  # it makes all that there can be
        assert set(line.sets) < set(made)
    else:
        assert made == line.sets


class Engine(simulator.Engine):
    """It only says which sets it makes."""

    def make_set(self, thread: int) -> None:
        """The members, by the number of the job that they are of."""
        hops = range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1])
        self.made.append(tuple(self.job(self.unit[self.member[hop]].job).index for hop in hops))


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.policy} {line.topics}")
def test_the_engine_makes_the_sets(line: Line) -> None:
    program = program_of(ddsrta.loads(system(line)))
    choices = worst_choices(program)
    if line.policy == "latest":
        choices.decision_habit[program.decisions.index(("fires", "fuse"))] = 0
    engine = Engine(program, choices, 0, 1)
    fuse = program.stages.index(("job", "fuse"))
    made: Sets = []
    for message in line.messages:
        engine.made = []
        job, hop = engine.make_job(0, -1), program.thread_hop[fuse] + message.topic
        engine.job(job).stamp = message.stamp
        engine.add_token(hop, job)
        engine.match(fuse, hop)
        made += [(message.number, members) for members in engine.made]
    if line.policy == "latest":
        assert set(line.sets) < set(made)
    else:
        assert made == line.sets


@pytest.mark.parametrize("line", [line for line in LINES if line.policy == "latest"])
def test_latest_time_chooses_among_the_sets_of_latest(line: Line) -> None:
    alone = LatestTime(line.topics)
    made = [
        (message.number, members)
        for message in line.messages
        for members in alone.add(message.topic, message.stamp, message.now)
    ]
    stamps = [message.stamp for message in line.messages]
    assert made == [(by, tuple(stamps[each] for each in members)) for by, members in line.sets]


def system(line: Line) -> str:
    """Something with that synchronizer; of exact_time all messages have to be of one thread."""
    topics = [f"x{i}" for i in range(line.topics)]
    sends = [[{"topic": topic}] for topic in topics]
    if line.policy == "exact_time":
        sends = [[each for one in sends for each in one]]
    fuse: dict[str, object] = {
        "topics": topics, "listener": "L", "activation": "and", "synchronize": line.policy,
    }  # fmt: skip
    if line.queue:
        fuse["queue"] = line.queue
    own = {"core": "m/c", "wcet": "1ns"}
    threads = {
        f"p{i}": {**own, "priority": 2, "period": "60ns", "publishes": of}
        for i, of in enumerate(sends)
    }
    return json.dumps({
        "ddsrta": 1, "machines": {"m": {"cores": ["c"]}},
        "delays": {"listener": {"1B": "1ns"}, "publisher": {"1B": "1ns"}},
        "topics": {topic: {"size": "1B"} for topic in topics},
        "listeners": {"L": {"core": "m/c", "priority": 1}},
        "threads": {**threads, "fuse": {**own, "priority": 3, "subscribes": fuse}},
    })  # fmt: skip
