"""The claims about synchronizers: what their curves allow for, and what is said of sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ddsrta.checker.curves import Input
from ddsrta.checker.reading import (
    CertificateError,
    mapping,
    optional_integer,
    optional_word,
    record,
    shown,
    truth,
)
from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.streams import Counting, Streams
from ddsrta.checker.sums import RefutedError
from ddsrta.checker.synchronizers import (
    BY_STAMP,
    EQUAL_STAMPS,
    UNKNOWN,
    Messages,
    Sets,
    known,
    nothing,
    sets,
    with_room,
)
from ddsrta.checker.things import System
from ddsrta.checker.words import duration

_KEYS = ("counted_by", "allowed", "disparity", "gap", "waits")
_OF_THEIR_OWN = ("approximate_time", "exact_time")  # no two of their sets share a message


class SetsClaim(NamedTuple):
    """What is claimed of one: by which of its topics its sets are counted, and how much longer than
    such a message takes to come it may be kept; its figures."""

    counted_by: str | None
    allowed: int | None
    disparity: int | None
    gap: int | None
    waits: Mapping[str, int | None]
    needed: int | None = None
    period: int | None = None
    equal_stamps: bool = False


def read_claims(value: object, system: System) -> dict[str, SetsClaim]:
    """The claims of all synchronizers of a system, and of nothing else."""
    raw = mapping(value, "synchronizers")
    found: dict[str, SetsClaim] = {}
    for name, thread in system.threads.items():
        if thread.synchronizer is None:
            continue
        if name not in raw:
            raise RefutedError(f"synchronizer {shown(name)}: is not claimed")
        found[name] = _claim(raw[name], f"synchronizers.{shown(name)}", topics_of(system, name))
    for name in raw:
        if name not in found:
            raise RefutedError(f"synchronizer {shown(name)}: the system has none such")
    return found


def _claim(value: object, where: str, topics: list[str]) -> SetsClaim:
    raw = record(value, where, _KEYS, ("needed", "period", "equal_stamps"))
    waits = mapping(raw["waits"], f"{where}.waits")
    if set(waits) != set(topics):
        raise CertificateError(f"{where}.waits: are not those of its topics")
    return SetsClaim(
        optional_word(raw["counted_by"], f"{where}.counted_by", topics),
        optional_integer(raw["allowed"], f"{where}.allowed"),
        optional_integer(raw["disparity"], f"{where}.disparity"),
        optional_integer(raw["gap"], f"{where}.gap"),
        {topic: optional_integer(waits[topic], f"{where}.waits") for topic in topics},
        optional_integer(raw.get("needed"), f"{where}.needed"),
        optional_integer(raw.get("period"), f"{where}.period"),
        truth(raw.get("equal_stamps", False), f"{where}.equal_stamps"),
    )


def topics_of(system: System, name: str) -> list[str]:
    """The topic behind each input of a thread with a synchronizer: subscriptions of a callback have
    the name of its topic behind its own."""
    thread = system.threads[name]
    written = [topic for topic in thread.topics for _ in system.writers.get(topic, ())]
    return [*written, *(other.removeprefix(f"{name}/") for other in thread.follows)]


def counting(
    system: System, stages: Mapping[Key, Stage], claims: Mapping[str, SetsClaim]
) -> dict[Key, Counting]:
    """By which input the sets of each are counted, as claimed."""
    found: dict[Key, Counting] = {}
    for name, claim in claims.items():
        edge = None
        if claim.counted_by is not None:
            inputs = stages["job", name].inputs
            edge = inputs[topics_of(system, name).index(claim.counted_by)]
        found["job", name] = Counting(edge, claim.allowed, claim.equal_stamps)
    return found


class Synchronizers:
    """What holds of all sets, given streams; raises where a claim says more."""

    def __init__(self, system: System, streams: Streams, stages: Mapping[Key, Stage]) -> None:
        self.streams = streams
        self.stages = stages
        self.topics = {
            key: topics_of(system, key[1]) for key, stage in stages.items() if stage.synchronizer
        }
        self.sources = streams.sources
        self.sets: dict[Key, Sets] = {}
        for key in streams.streams:  # causes come before effects
            if key in self.topics:
                self.sets[key] = self._sets(stages[key])

    @property
    def open(self) -> bool:
        """Whether one keeps several messages of a topic, and has a queue of no given room."""
        return any(
            found.needed > 1 and each is not None and each.queue is None
            for key, found in self.sets.items()
            for each in (self.stages[key].synchronizer,)
        )

    def kept(self, stage: Stage, edge: Edge, renews: bool) -> tuple[int, int] | None:
        """From a stamp to the set, and from the arrival; None where there is no bound."""
        found, place = self.sets[stage.key], stage.inputs.index(edge)
        messages = self._messages(edge) or self._of_sets(edge)
        time = known((found.renewals if renews else found.ages)[place])
        if time is None or messages is None:
            return None
        if renews:
            return time, max(0, time - messages.best)
        return time, self._wait(found, place, messages)

    def _wait(self, found: Sets, place: int, messages: Messages | None) -> int:
        if messages is None:
            return UNKNOWN
        return found.waits[place] if found.waits else max(0, found.ages[place] - messages.best)

    def check(self, claims: Mapping[str, SetsClaim]) -> int:
        """Confirms all claims; how many they are."""
        return sum(self._check(name, claim) for name, claim in claims.items())

    def _check(self, name: str, claim: SetsClaim) -> int:
        key = ("job", name)
        stage, found = self.stages[key], self.sets[key]
        label = f"synchronizer {shown(name)}"
        if self.streams.by_number(stage):
            if not found.complete:
                because = "its sets are not counted by numbers (lemma set-curves)"
                raise RefutedError(f"{label}: {because}")
        elif claim.counted_by is not None:
            self._counted(stage, claim, label)
        figures = [("disparity", claim.disparity, found.disparity), ("gap", claim.gap, found.gap)]
        for place, (topic, edge) in enumerate(zip(self.topics[key], stage.inputs, strict=True)):
            wait = self._wait(found, place, self._messages(edge) or self._of_sets(edge))
            figures.append((f"wait of {shown(topic)}", claim.waits[topic], wait))
        for what, claimed, value in figures:
            if claimed is not None and claimed < value:
                up_to = known(value)
                found_up_to = "unbounded" if up_to is None else f"up to {duration(up_to)}"
                raise RefutedError(
                    f"{label}: {what} is {found_up_to}, claimed to be {duration(claimed)} "
                    f"(lemma {_lemma(stage)})"
                )
        self._in_the_long_run(stage, found, claim, label)
        more = (claim.needed, claim.period)
        return sum(claimed is not None for claimed in (*(one[1] for one in figures), *more))

    def _in_the_long_run(self, stage: Stage, found: Sets, claim: SetsClaim, label: str) -> None:
        """The queue that loses nothing, and how often sets are made at the most."""
        if claim.needed is not None and claim.needed < found.needed:
            most = known(found.needed)
            raise RefutedError(
                f"{label}: a queue of {claim.needed} is claimed to lose nothing, it has to keep "
                f"{'any number' if most is None else most} (lemma {_lemma(stage)})"
            )
        if claim.period is None:
            return
        period = self._period(stage)
        if period is None or claim.period > period:
            raise RefutedError(
                f"{label}: one set in {duration(claim.period)} or more is claimed, it makes one in "
                f"{'any time' if period is None else duration(period)} (lemma set-curves)"
            )

    def _period(self, stage: Stage) -> int | None:
        """Each set has a message of each topic that no other has; of `latest` one that fires."""
        from fractions import Fraction

        rates: list[Fraction] = []
        for edge in stage.inputs:
            given = self.streams.input(edge)
            if given.base.source is None:
                return None
            rates.append(given.times * Fraction(*given.base.source.rate))
        assert stage.synchronizer is not None
        rate = sum(rates) if stage.synchronizer.policy == "latest" else min(rates)
        return int(1 / rate)

    def _counted(self, stage: Stage, claim: SetsClaim, label: str) -> None:
        """Whether a message that a set is counted by is no older than is allowed for."""
        if claim.allowed is None:
            return
        assert stage.synchronizer is not None
        if stage.synchronizer.policy not in _OF_THEIR_OWN:
            because = "a message may be in several of its sets (lemma set-curves)"
            raise RefutedError(f"{label}: {because}")
        place = self.topics[stage.key].index(str(claim.counted_by))
        edge = stage.inputs[place]
        source, arrival = self.sources[edge.source], self.streams.input(edge).arrival
        found = self.sets[stage.key]
        oldest = known(min(found.counted, *found.dropped[place : place + 1], UNKNOWN))
        if source is None or arrival is None or oldest is None:
            raise RefutedError(
                f"{label}: nothing bounds how old its messages are (lemma set-curves)"
            )
        oldest += self.streams[source].before or 0  # from the base to its release
        if arrival + claim.allowed < oldest:
            raise RefutedError(
                f"{label}: what it is counted by is up to {duration(oldest)} old, more than the "
                f"claimed {duration(arrival + claim.allowed)} (lemma set-curves)"
            )

    def _messages(self, edge: Edge) -> Messages | None:
        """Those that come by an edge; None where they have no stamps."""
        key, given = self.sources[edge.source], self.streams.input(edge)
        if key is None or given.times > 1:
            return None
        return self._of_source(key, given)

    def _of_source(self, key: Key, given: Input) -> Messages:
        source, early = self.stages[key].arrival, self.streams[key].best
        assert source is not None
        first = UNKNOWN if source.gap is None else source.gap
        if source.kind == "periodic":
            after = 0 if source.offset is None else self.streams.clocks.after[key]
            first = source.period + source.jitter + after
        return Messages(
            UNKNOWN if source.gap is None else source.gap,
            source.least(2),
            first,
            given.best - early,
            UNKNOWN if given.arrival is None else given.arrival - early,
            source.most,
        )

    def _sets(self, stage: Stage) -> Sets:
        assert stage.synchronizer is not None
        policy, queue = stage.synchronizer
        if policy == "approximate_time" and self.streams.by_number(stage):
            policy = EQUAL_STAMPS
        found = [self._messages(edge) for edge in stage.inputs]
        inputs = [messages for messages in found if messages is not None]
        origins = {self.sources[edge.source] for edge in stage.inputs}
        if len(inputs) < len(found) or (policy in BY_STAMP and len(origins) > 1):
            made = nothing(len(found))
        else:
            made = sets(policy, queue, inputs, lossy=stage.anew)
        room = 1 if policy == "latest" else queue
        if policy in BY_STAMP or room is None or stage.mispaired:
            return made
        coming = zip(found, stage.inputs, strict=True)
        followed = [
            one or self._of_sets(edge) if self.streams.in_order(edge) else None
            for one, edge in coming
        ]
        return with_room(made, room, followed)

    def _of_sets(self, edge: Edge) -> Messages | None:
        """Those of the sets of another synchronizer, one of each in their order, as from when it
        was made; None of others."""
        given = self.streams.input(edge)
        before = self.sets.get(given.base.key) if given.base.rule is not None else None
        if before is None or given.times > 1 or not self.streams.in_order(edge):
            return None
        worst = UNKNOWN if given.arrival is None else given.arrival
        return Messages(before.gap, 0, UNKNOWN, given.best, worst, lambda _: UNKNOWN)


def _lemma(stage: Stage) -> str:
    """The lemma about the sets of its policy."""
    assert stage.synchronizer is not None
    return f"{stage.synchronizer.policy.replace('_', '-')}-sets"
