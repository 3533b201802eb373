"""What the records of one federate show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ddsrta.lf.run.traces.observed import FederateSeen, ReactionSeen
from ddsrta.lf.run.traces.records import Record
from ddsrta.lf.run.traces.samples import Samples

_ReactionKey = tuple[str, int]
_Tag = tuple[int, int]
# Reactors that the compiler adds: those that send and that receive for a federate.
SENDER, RECEIVER = "ns_", "nr_"
# What a federate may have to wait for before it processes a tag: leave, and what belongs to it.
_GRANTS = {"receive_TAG", "receive_PTAG"}
_INPUTS = {"receive_TAGGED_MSG", "receive_P2P_TAGGED_MSG", "receive_PORT_ABS"}
_NO_DEADLINE = (-(1 << 63), (1 << 63) - 1)


def federate_of(name: str, number: int, records: Iterable[Record]) -> FederateSeen:
    """A federate, from its records in the order of time."""
    run = _Run()
    for record in records:
        run.add(record)
    return run.seen(name, number)


class _Reaction:
    def __init__(self) -> None:
        self.durations: list[int] = []
        self.launch: list[int] = []
        self.lags: list[int] = []
        self.deadline: int | None = None
        self.missed = 0


class _Run:
    """Counts and times so far."""

    def __init__(self) -> None:
        self.counts = Counter[str]()
        self.reactions: dict[_ReactionKey, _Reaction] = {}
        self.running: dict[tuple[_ReactionKey, int], int] = {}
        self.began: dict[_Tag, int] = {}
        self.ended: dict[_Tag, int] = {}
        self.tags: dict[_Tag, None] = {}
        self.worked = Counter[_Tag]()
        self.received: list[tuple[str, _Tag]] = []
        self.taken: set[_Tag] = set()
        self.environments: set[int] = set()
        self.now = self.done = 0
        self.grants: list[tuple[_Tag, int, bool]] = []
        self.inputs: dict[_Tag, int] = {}
        self.dispatch: list[int] = []

    def add(self, record: Record) -> None:
        """Take one more record."""
        event = record.event
        self.counts[event] += 1
        self.now = record.physical
        if event == "send_NET":
            self.environments.add(record.source)
        if record.time is None:
            return
        tag = (record.time, record.microstep)
        if event in _GRANTS:
            self.grants.append((tag, record.physical, event == "receive_PTAG"))
        elif event in _INPUTS:
            self.inputs[tag] = record.physical
        if event.startswith("reaction_"):
            self._reaction(record, tag)
        elif event == "scheduler_advancing_time_ends":
            self.began.setdefault(tag, record.physical)
            self.dispatch.append(record.physical - self._ready(tag))
        elif event in ("send_LTC", "scheduler_advancing_time_starts"):
            self.ended.setdefault(tag, record.physical)
            self.done = record.physical
        elif event in ("receive_P2P_TAGGED_MSG", "receive_TAGGED_MSG"):
            self.received.append((event, tag))

    def _ready(self, tag: _Tag) -> int:
        """When nothing was missing any more: its time, the tag before, leave, all its inputs.

        With provisional leave it need not wait for its inputs.
        """
        none = (tag, 0, False)
        _, granted, provisional = next((grant for grant in self.grants if grant[0] >= tag), none)
        inputs = max((at for known, at in self.inputs.items() if known <= tag), default=0)
        self.grants = [grant for grant in self.grants if grant[0] > tag]
        self.inputs = {known: at for known, at in self.inputs.items() if known > tag}
        return max(tag[0], self.done, granted, 0 if provisional else inputs)

    def _reaction(self, record: Record, tag: _Tag) -> None:
        key = (record.reactor, record.destination)
        reaction = self.reactions.setdefault(key, _Reaction())
        if record.event == "reaction_deadline_missed":
            reaction.missed += 1
            reaction.lags.append(record.physical - tag[0])  # the handler starts instead
        elif record.event == "reaction_starts":
            self.running[key, record.source] = record.physical
            self.tags[tag] = None
            reaction.lags.append(record.physical - tag[0])
            if tag in self.began:
                reaction.launch.append(record.physical - self.began[tag])
            if record.extra not in _NO_DEADLINE:
                reaction.deadline = record.extra
            if record.reactor.startswith(RECEIVER):
                self.taken.add(tag)
        elif (start := self.running.pop((key, record.source), None)) is not None:
            reaction.durations.append(record.physical - start)
            if not record.reactor.startswith(RECEIVER):
                self.worked[tag] += record.physical - start

    def seen(self, name: str, number: int) -> FederateSeen:
        """What there was."""
        # The records of enclaves do not tell whose time is advanced.
        shared = len(self.environments) > 1
        began = {} if shared else self.began
        lags = [(*tag, physical - tag[0]) for tag, physical in began.items()]
        spans = {tag: end - began[tag] for tag, end in self.ended.items() if tag in began}
        last = max(self.tags, default=(0, 0))
        tardy = sum(tag not in self.taken for _, tag in self.received if tag <= last)
        return FederateSeen(
            name,
            number,
            len(self.tags),
            {key: self._seen(key, shared) for key in sorted(self.reactions)},
            Samples(lag for _, _, lag in lags),
            Samples(spans.values()),
            Samples(() if shared else self.dispatch),
            tuple(sorted(lags)),
            dict(self.counts),
            tardy,
            shared,
            Samples(max(0, span - self.worked[tag]) for tag, span in spans.items()),
        )

    def _seen(self, key: _ReactionKey, shared: bool) -> ReactionSeen:
        reaction = self.reactions[key]
        began = [start for (running, _), start in self.running.items() if running == key]
        return ReactionSeen(
            *key,
            Samples(reaction.durations),
            Samples(() if shared else reaction.launch),
            Samples(reaction.lags),
            reaction.deadline,
            reaction.missed,
            self.now - min(began) if began else None,
        )
