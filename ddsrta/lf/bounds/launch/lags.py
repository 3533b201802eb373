"""Launch lags: how long after a tag may start its messages leave, at the latest.

Work at a tag (levels, workers) is that of lemma tag-work, what is left of earlier tags that of
lemma leftover-work.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from ddsrta.base.components import reached
from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.launch.backlog import Load, backlog, rate
from ddsrta.lf.bounds.logical_time.activation import Activation
from ddsrta.lf.bounds.logical_time.moments import START, Moment, before, can_meet, is_start
from ddsrta.lf.bounds.unbounded import (
    EACH_OVERHEAD,
    MANY_MOMENTS,
    NO_SPACING,
    NO_WCET,
    PARTED,
    TAGS_OVERLOAD,
)
from ddsrta.lf.program.at_once import at_once
from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.federation import Connection
from ddsrta.lf.program.levels import levels
from ddsrta.lf.program.tags import SAME
from ddsrta.lf.program.writers import writers


class UnknownLagError(Exception):
    """No bound can be given; says why."""

    def __init__(self, because: Because) -> None:
        super().__init__(because)
        self.because = because


def percent(share: Fraction | int) -> int:
    """A share in percent, rounded up.

    >>> percent(Fraction(1001, 1000))
    101
    """
    return -(-100 * share.numerator // share.denominator)


class Launch:
    """The lags of one federate; cheap to make, everything is worked out when it is asked for."""

    def __init__(
        self,
        federate: Federate,
        sent: Sequence[Connection],
        receives: bool,
        found: Activation,
        between: int = 0,
        late: Mapping[Moment, int] | None = None,
        starts_late: bool = False,
    ) -> None:
        self.federate = federate
        # What passes between the end of a tag and the start of the next one that is waiting.
        self._between = between
        # By how much tags of a moment may start later than the federate waits.
        self._starts_late = late or {}
        # Whether it begins the first tag of all only when its first event is there.
        self._waits = starts_late
        self._first_waits = starts_late and not _reacts_at_start(federate)
        self._activation = found
        self._sends: dict[str, int] = {}
        outputs = {(connection.output, connection.shift) for connection in sent}
        for connection in sent:
            self._sends[connection.output] = self._sends.get(connection.output, 0) + connection.send
        # The compiler's own reactions change levels: those that receive come before their readers,
        # and network ports without delay get a total order. Only without inputs are levels exact.
        # GEDF_NP may put deadlines before levels: then any reaction of the tag may come before.
        given = all(reaction.level is not None for reaction in federate.reactions.values())
        self._ordered = (given or not receives) and not federate.enclaves
        self._exact = self._ordered and federate.scheduler != "GEDF_NP"
        prompt = [output for output, shift in outputs if shift == SAME]
        self._sends_early = self._exact and not receives and len(prompt) <= 1
        parallel = self._exact and federate.scheduler != "ADAPTIVE"
        self._workers = federate.workers if parallel else 1

    @cached_property
    def _levels(self) -> dict[str, int]:
        return levels(self.federate)

    @cached_property
    def _top(self) -> int:
        return max(self._levels.values(), default=0)

    @cached_property
    def moments(self) -> dict[Moment, list[str]]:
        """When it has tags, and the reactions at them."""
        return self._reacting()

    def _reacting(self) -> dict[Moment, list[str]]:
        """The tags of this federate, with the reactions that they may bring."""
        if self.federate.name in self._activation.dense:
            raise UnknownLagError(MANY_MOMENTS.of(federate=self.federate.name))
        if self.federate.name in self._activation.parted:
            raise UnknownLagError(PARTED.of(federate=self.federate.name))
        if self.federate.enclaves and self.federate.overhead:
            raise UnknownLagError(EACH_OVERHEAD.of(federate=self.federate.name))
        found = self._activation.of(self.federate)
        for moment in self._activation.tags(self.federate):
            found.setdefault(moment, [])  # a tag without reactions takes time, too
        idle = self.federate.overhead and not (self._waits or any(map(is_start, found)))
        if idle or START in self._starts_late:
            found.setdefault(START, [])
        return found

    @cached_property
    def _writers(self) -> Mapping[str, tuple[str, ...]]:
        return writers(self.federate)

    @cached_property
    def _chained(self) -> dict[str, list[str]]:
        """Who may run at once after a reaction, ahead of its level."""
        return at_once(self.federate, self._levels)

    def of_output(self, output: str, send: int) -> int:
        """The lag until a message of an output begins to be sent, `send` its own sending time."""
        names = self._writers.get(output, ())
        # What comes over a connection inside is written by a reaction of the compiler, on level 0.
        written = max((self._levels[name] for name in names), default=0)
        level = written + 1 if self._sends_early else self._top
        place = (self.federate.name, output)
        moments = self._activation.places.get(place, {})
        others = sum(self._sends.values()) - send
        return self._lag(moments, level) + others

    def to_start(self, reaction: str) -> int:
        """The lag until a reaction has started, at the latest."""
        return self.to_end(reaction) - self._cost(reaction)

    def to_end(self, reaction: str) -> int:
        """The lag until a reaction has ended, at the latest."""
        moments = self._activation.reactions.get((self.federate.name, reaction), {})
        level = self._levels[reaction] if self._exact else self._top
        lag = self._lag(moments, level) + sum(self._sends.values())
        return max(lag, self._cost(reaction))  # that of one without tags, too

    def to_done(self) -> int:
        """The lag until a tag is done, whichever it is: all its reactions, and what is sent."""
        return self._lag(self.moments, self._top) + sum(self._sends.values())

    def everything(self) -> int:
        """All that a tag can take, one after the other, and what is sent at it."""
        work = sum(map(self._cost, self.federate.reactions))
        return self.federate.overhead + work + sum(self._sends.values())

    def _lag(self, moments: Collection[Moment], level: int) -> int:
        known = self.moments
        if not moments:
            everything = [name for names in known.values() for name in names]
            left = sum(load.cost for load in self._loads(None))
            return left + self.federate.overhead + self._work(everything, level)
        return max(
            self._starts_late.get(moment, 0) + self._left_over(moment) + self._at(moment, level)
            for moment in moments
        )

    def _at(self, moment: Moment, level: int) -> int:
        """The work at a tag of a moment, whatever else can be at the same."""
        return self.federate.overhead + self._work(self._present(moment), level)

    def _present(self, moment: Moment) -> dict[str, None]:
        """The reactions that can be at a tag of a moment."""
        present: dict[str, None] = {}
        for other, names in self.moments.items():
            if can_meet(moment, other):
                present.update(dict.fromkeys(names))
        return present

    def _left_over(self, moment: Moment) -> int:
        if self._rate > 1:
            grants = ", with its grants" if self._between else ""
            load = percent(self._rate)
            raise UnknownLagError(
                TAGS_OVERLOAD.of(federate=self.federate.name, load=load, grants=grants)
            )
        return backlog(self._loads(moment), self._rate)

    @cached_property
    def _rate(self) -> Fraction:
        return rate(self._loads(None))

    @cached_property
    def share(self) -> Fraction:
        """The part of a core that all its work takes in the long run, on however many workers."""
        work = {
            moment: self._besides(moment) + sum(map(self._cost, names))
            for moment, names in self.moments.items()
        }
        return sum(
            (Fraction(cost, m.root.period) for m, cost in work.items() if m.root.period),
            Fraction(0),
        )

    def _loads(self, moment: Moment | None) -> list[Load]:
        """What each moment brings, and how close before `moment` (None: anywhere)."""
        loads = []
        if self._first_waits and self.federate.overhead:
            loads.append(Load(self.federate.overhead, None, 0))
        for other, cost in self._costs.items():
            if not cost:
                continue
            if other.root.period is None and not other.root.once:
                action = f"{other.root.federate}.{other.root.name}"
                raise UnknownLagError(NO_SPACING.of(action=action))
            nearest = 0 if moment is None else before(other, moment)
            if nearest is not None:
                later = 0 if moment is None else self._more_late(other, moment)
                loads += self._arrivals(other, cost, nearest - later)
        return loads

    def _more_late(self, earlier: Moment, moment: Moment) -> int:
        """By how much more an earlier tag than one of `moment` may start late."""
        return max(0, self._starts_late.get(earlier, 0) - self._starts_late.get(moment, 0))

    def _arrivals(self, moment: Moment, cost: int, nearest: int) -> list[Load]:
        """The loads that the tags of a moment are, the last of them `nearest` before a tag."""
        return [Load(cost, moment.root.period, nearest)]

    @cached_property
    def _costs(self) -> dict[Moment, int]:
        return self._together()

    def _together(self) -> dict[Moment, int]:
        """What the processing of each moment takes, sending included."""
        return {
            moment: self._besides(moment) + self._work(names, self._top) + self._between
            for moment, names in self.moments.items()
        }

    def _besides(self, moment: Moment) -> int:
        """What a tag of a moment takes besides its reactions: overhead, and what is sent."""
        places = self._activation.places
        sends = sum(
            takes
            for output, takes in self._sends.items()
            if moment in places.get((self.federate.name, output), ())
        )
        return self.federate.overhead + sends

    def _work(self, names: Collection[str], level: int) -> int:
        """How long the reactions keep the workers at most, until the levels up to `level` are
        done."""
        runs = self._until(dict.fromkeys(names), level)
        total = sum(map(self._cost, runs))
        if self._workers == 1:
            return total
        longest: dict[int, int] = {}
        ahead: dict[str, int] = {}
        for name in sorted(runs, key=self._levels.__getitem__, reverse=True):
            rest = [ahead[after] for after in self._chained.get(name, ()) if after in ahead]
            ahead[name] = self._cost(name) + max(rest, default=0)
            at = self._levels[name]
            if at <= level:
                longest[at] = max(longest.get(at, 0), ahead[name])
        alone = sum(longest.values())
        return min(total, -(-(total + (self._workers - 1) * alone) // self._workers))

    def _until(self, names: Mapping[str, None], level: int) -> list[str]:
        """The reactions that may run before the levels up to `level` are done."""
        return self._closed([name for name in names if self._levels[name] <= level], names)

    def _closed(self, names: Iterable[str], allowed: Collection[str]) -> list[str]:
        """With those that a worker may run at once after one of them."""
        after = self._chained
        return list(reached(names, lambda one: [n for n in after.get(one, ()) if n in allowed]))

    def _cost(self, name: str) -> int:
        wcet = self.federate.reactions[name].wcet
        if wcet is None:
            raise UnknownLagError(NO_WCET.of(reaction=f"{self.federate.name}.{name}"))
        return wcet


def known(lag: Callable[[], int]) -> tuple[int | None, Because | None]:
    """A lag, or why it is not known."""
    try:
        return lag(), None
    except UnknownLagError as error:
        return None, error.because


def _reacts_at_start(federate: Federate) -> bool:
    """Whether reactions run at the first tag, whatever comes: then that is not put off."""
    first = {"startup", *(t.name for t in federate.timers.values() if not t.offset)}
    return any(first & {*reaction.triggers} for reaction in federate.reactions.values())
