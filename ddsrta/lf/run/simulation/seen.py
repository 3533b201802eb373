"""What runs show. After the first tardy message of a run no bound holds any more: what comes from
then on is kept apart."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Most:
    """How many times something was seen, and the most of it.

    `clean`: the most before any tardy message of its run, which is what bounds speak of. `run`: the
    first run that showed the most.
    """

    count: int = 0
    most: int | None = None
    clean: int | None = None
    run: int | None = None

    def add(self, value: int, clean: bool, run: int) -> None:
        """One more."""
        self.count += 1
        if self.most is None or value > self.most:
            self.most, self.run = value, run
        if clean and (self.clean is None or value > self.clean):
            self.clean = value


@dataclass
class Seen:
    """Of all runs. Times are on the clock of the federate that they belong to, from a tag's time.

    `start`: until a tag starts, by federate; `done`: until all of it is done; `launch`: until a
    message begins to be sent, by connection; `arrival`: until it is received, from its own tag;
    `reactions`: until one starts; `ended`: until it has ended (of enclaves alone); `chains`: until
    the end of the last reaction, from the first tag. `grants`: for each federate, lags of grants
    with the time since it told of the last completion: those that no other exceeds in both.
    """

    run: int = 0
    clean: bool = True
    tags: Counter[str] = field(default_factory=Counter)
    start: dict[str, Most] = field(default_factory=dict)
    done: dict[str, Most] = field(default_factory=dict)
    launch: dict[int, Most] = field(default_factory=dict)
    arrival: dict[int, Most] = field(default_factory=dict)
    reactions: dict[tuple[str, str], Most] = field(default_factory=dict)
    ended: dict[tuple[str, str], Most] = field(default_factory=dict)
    chains: dict[str, Most] = field(default_factory=dict)
    tardy: dict[int, Most] = field(default_factory=dict)
    missed: Counter[tuple[str, str]] = field(default_factory=Counter)
    grants: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    messages: Counter[tuple[str, str]] = field(default_factory=Counter)
    waiting: set[str] = field(default_factory=set)
    distinct: int = 0
    _moments: set[tuple[int, int]] = field(default_factory=set)

    def begin(self, run: int) -> None:
        """The next run."""
        self.run, self.clean = run, True
        self._moments = set()

    def tag(self, federate: str, tag: tuple[int, int]) -> None:
        """A federate starts a tag; `distinct` counts those of all federates together once."""
        self.tags[federate] += 1
        if tag not in self._moments:
            self._moments.add(tag)
            self.distinct += 1

    def add(self, most: Most, value: int) -> None:
        """One more of something."""
        most.add(value, self.clean, self.run)

    def late(self, connection: int, value: int) -> None:
        """A tardy message: nothing that follows in this run is bounded."""
        self.tardy.setdefault(connection, Most()).add(value, self.clean, self.run)
        self.clean = False

    def grant(self, federate: str, lag: int, since: int) -> None:
        """A grant, `lag` after its tag's time and `since` its federate was done with the last."""
        if not self.clean:
            return
        known = self.grants.setdefault(federate, [])
        if any(lag <= one and since <= other for one, other in known):
            return
        known[:] = [(a, b) for a, b in known if a > lag or b > since] + [(lag, since)]
