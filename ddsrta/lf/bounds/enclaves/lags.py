"""How late enclaves start their tags, where each worker has a core of its own.

R_j = answer_j + max(0, max over upstream i of (R_i + D_i - a_ij)): lemmas enclave-lags and
empty-tags.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ddsrta.bounds.unbounded import Because, leads
from ddsrta.lf.bounds.enclaves.again import run_again
from ddsrta.lf.bounds.enclaves.asking import Asking, asking
from ddsrta.lf.bounds.enclaves.pins import pinned_hosts
from ddsrta.lf.bounds.enclaves.split import Split, crowded_hosts
from ddsrta.lf.bounds.enclaves.upstream import mistaken
from ddsrta.lf.bounds.enclaves.work import Work
from ddsrta.lf.bounds.launch.lags import known
from ddsrta.lf.bounds.logical_time.activation import Activation, activation
from ddsrta.lf.bounds.logical_time.moments import Moment
from ddsrta.lf.bounds.offsets.links import Network
from ddsrta.lf.bounds.offsets.maxplus import Edge, Solution, solve
from ddsrta.lf.bounds.unbounded import (
    AFTER_TOO_SHORT,
    ENCLAVES_RECEIVE,
    ENCLAVES_WAIT,
    LATER_QUESTIONS,
    PHYSICAL_ENCLAVE,
)
from ddsrta.lf.program.federation import Connection, Federation
from ddsrta.lf.program.tags import Shift
from ddsrta.lf.program.zero_delay import zero_delay_cycles

_MOST_ROUNDS = 100


@dataclass(frozen=True, slots=True)
class Wait:
    """`target` starts no tag before `source` is done with the one `after` earlier.

    `busy`: from when that may start until it is done; `answer`: what questions upstream may take.
    """

    source: str
    target: str
    busy: int | None
    answer: int
    delay: int
    unknown: Because | None = None

    @property
    def weight(self) -> int | None:
        """How much later than its source the target can be."""
        return None if self.unknown or self.busy is None else self.busy + self.answer - self.delay


@dataclass(frozen=True)
class EnclaveLags:
    """`values`: how long after its time a tag may start at the latest, own earlier ones aside; and
    when it is `done`. None where there is no bound: `because` says why."""

    network: Network
    asking: Asking
    answers: Mapping[str, int]
    works: Mapping[str, Work]
    values: Mapping[str, int | None]
    done: Mapping[str, int | None]
    because: Mapping[str, Because]
    paths: Mapping[str, tuple[Wait, ...]]
    circles: tuple[tuple[str, ...], ...]
    zero_delay: tuple[tuple[str, ...], ...]


class Program:
    """The enclaves of a federation; what of their lags does not depend on how long work takes."""

    def __init__(self, cut: Split) -> None:
        self.split, self.federation = cut, cut.federation
        self.found: Activation = activation(cut.federation)
        self.asking = asking(cut.federation, self.found)
        self.crowded = crowded_hosts(cut.federation)
        self.zero_delay = zero_delay_cycles(cut.federation)
        self._numbers = {name: number for number, name in enumerate(cut.members)}
        self._receives = {c.target: None for c in self.federation.connections if self._is_inside(c)}
        self._group = {name: members for members in self.zero_delay for name in members}

    def _is_inside(self, connection: Connection) -> bool:
        """Between enclaves of one federate: what comes from other federates is not followed."""
        members = self.split.members
        return members[connection.source][0] == members[connection.target][0]

    def lags(
        self, system: Federation | None = None, later: Mapping[str, int] | None = None
    ) -> EnclaveLags:
        """The least solution, with the execution times of `system` (the same enclaves, slowed),
        where tags may be done `later` than it says for other reasons."""
        system = system or self.federation
        asked: dict[str, dict[Moment, int]] = {
            name: dict.fromkeys(moments, 0) for name, moments in self.asking.asked.items()
        }
        endless = dict(self.asking.because)
        for _ in range(_MOST_ROUNDS):
            result = self._solve(system, asked, endless)
            more = self._asked_any_time(result)
            late = self._lateness(result, asked, later or {})
            if late == asked and more.keys() <= endless.keys():
                return result
            asked, endless = late, {**more, **endless}
        message = LATER_QUESTIONS.of()
        names = (name for name, moments in asked.items() if moments)
        return self._solve(system, asked, {**dict.fromkeys(names, message), **endless})

    def _asked_any_time(self, found: EnclaveLags) -> dict[str, Because]:
        """Who may be asked by an enclave that has no bound: how late is not known."""
        result: dict[str, Because] = {}
        queue = [name for name, done in found.done.items() if done is None]
        while queue:
            by = queue.pop()
            for name, _ in self.asking.asks[by]:
                if name not in result:
                    thing = f"{by}, which may ask {name} for tags, has no bound"
                    result[name] = leads(thing, result.get(by) or found.because[by])
                    queue.append(name)
        return result

    def _lateness(
        self,
        found: EnclaveLags,
        asked: Mapping[str, Mapping[Moment, int]],
        later: Mapping[str, int],
    ) -> dict[str, dict[Moment, int]]:
        """How late after its time each empty tag may be asked for."""
        latest = {
            name: max((done or 0) + later.get(name, 0), *asked[name].values(), 0)
            + found.answers[name]
            for name, done in found.done.items()
        }
        return {
            name: {
                moment: max(latest[by] + after for by, after in askers.items())
                for moment, askers in moments.items()
            }
            for name, moments in self.asking.asked.items()
        }

    def _solve(
        self,
        system: Federation,
        asked: Mapping[str, Mapping[Moment, int]],
        endless: Mapping[str, Because],
    ) -> EnclaveLags:
        answers = self.asking.answers(system)
        works = self._works(system, asked, answers, endless)
        busy: dict[str, int | None] = {}
        because: dict[str, Because] = dict(endless)
        because.update(self._not_followed())
        for name, work in works.items():
            busy[name], unknown = known(work.to_done)
            if unknown is not None:
                because.setdefault(name, unknown)
        waits = self._waits(busy, because, answers)
        clock = len(self._numbers)
        edges = [Edge(self._numbers[w.source], self._numbers[w.target], w.weight) for w in waits]
        edges += [
            Edge(clock, number, None if name in because else answers[name])
            for name, number in self._numbers.items()
        ]
        solution = solve(clock + 1, edges, {clock: 0})
        return self._result(system, answers, works, busy, because, waits, edges, solution)

    def _works(
        self,
        system: Federation,
        asked: Mapping[str, Mapping[Moment, int]],
        answers: Mapping[str, int],
        endless: Mapping[str, Because],
    ) -> dict[str, Work]:
        sent: dict[str, list[Connection]] = {name: [] for name in self._numbers}
        for connection in system.connections:
            if not self._is_inside(connection):
                sent[connection.source].append(connection)
        return {
            name: Work(part, sent[name], name in self._receives, self.found,
                       answers[name], asked[name], system.target == "Cpp",
                       part.host not in self.crowded, endless.get(name))
            for name, part in system.federates.items()
        }  # fmt: skip

    def _not_followed(self) -> dict[str, Because]:
        """Why an enclave has no bound, whatever its work is."""
        found = {
            name: ENCLAVES_RECEIVE.of(federate=self.split.members[name][0])
            for name in self.split.receiving
        }
        pinned = pinned_hosts(self.federation)
        for name, part in self.federation.federates.items():
            if part.host in pinned:
                found[name] = pinned[part.host]
        for members in self.zero_delay:
            names = " and ".join(members)
            found.update(dict.fromkeys(members, ENCLAVES_WAIT.of(names=names)))
        if self.federation.target == "C":
            joints = [c for c in self.federation.connections if self._is_inside(c)]
            found.update(run_again(self.federation, self.found, joints))
            found.update(mistaken(joints))
            physical = self._physical()
            for connection in self.federation.connections:
                if self._is_inside(connection) and connection.source in physical:
                    found[connection.target] = PHYSICAL_ENCLAVE.of(name=connection.source)
        return found

    def _physical(self) -> set[str]:
        """Enclaves in which the outer world makes events."""
        found = {c.target for c in self.federation.connections if c.physical}
        for name, part in self.federation.federates.items():
            if any(action.is_physical for action in part.actions.values()):
                found.add(name)
        return found

    def _waits(
        self,
        busy: Mapping[str, int | None],
        because: Mapping[str, Because],
        answers: Mapping[str, int],
    ) -> list[Wait]:
        found: dict[tuple[str, str, Shift], Wait] = {}
        for connection in self.federation.connections:
            if connection.physical or not self._is_inside(connection):
                continue
            source, target = connection.source, connection.target
            wait = Wait(source, target, busy[source], answers[target], connection.shift.time,
                        because.get(source))  # fmt: skip
            found.setdefault((source, target, connection.shift), wait)
        return list(found.values())

    def _result(
        self,
        system: Federation,
        answers: Mapping[str, int],
        works: Mapping[str, Work],
        busy: Mapping[str, int | None],
        because: dict[str, Because],
        waits: list[Wait],
        edges: list[Edge],
        solution: Solution,
    ) -> EnclaveLags:
        names = list(self._numbers)
        values: dict[str, int | None] = {}
        done: dict[str, int | None] = {}
        paths: dict[str, tuple[Wait, ...]] = {}
        circles = tuple(
            tuple(names[edges[index].source] for index in indices) for indices in solution.circles
        )

        def given(edge: Edge) -> Because | None:
            return because.get(names[edge.source]) if edge.source < len(names) else None

        for name, number in self._numbers.items():
            value, takes = solution.values[number], busy[name]
            values[name] = value
            done[name] = None if value is None or takes is None else value + takes
            path = () if value is None else solution.path(number, edges)
            paths[name] = tuple(waits[index] for index in path if index < len(waits))
            if value is None and name not in because:
                why = solution.why(number, edges, names, lambda index: given(edges[index]))
                because[name] = why or AFTER_TOO_SHORT.of(others="enclaves")
        network = Network(system, (), self._numbers, self.found, works, dict.fromkeys(names, 0))
        return EnclaveLags(
            network,
            self.asking,
            answers,
            works,
            values,
            done,
            because,
            paths,
            circles,
            self.zero_delay,
        )
