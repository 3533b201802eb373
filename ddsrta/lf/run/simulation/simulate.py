"""Many runs of a federation, and what they show beside the bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ddsrta.bounds.result import Finding, Verdict
from ddsrta.lf.bounds.offsets.judge import Report, judge
from ddsrta.lf.bounds.rti.judge import RtiReport, judge_rti
from ddsrta.lf.program.federation import Coordination, Federation
from ddsrta.lf.run.simulation.attack import all_attacks
from ddsrta.lf.run.simulation.choices import Choices, Kind
from ddsrta.lf.run.simulation.compare import Row, rows_centralized, rows_decentralized, waits_of
from ddsrta.lf.run.simulation.run import run_centralized, run_decentralized
from ddsrta.lf.run.simulation.seen import Seen

KINDS: tuple[Kind, ...] = ("worst", "mixed", "random")
_PERIODS = 100
_SECOND = 1_000_000_000


@dataclass(frozen=True)
class Simulation:
    """What runs show. `rows` has everything that has a bound; `tardy` are numbers of messages, and
    `missed` of late starts; `messages` are those with the RTI; `attacks` of the runs are made to
    reach offsets."""

    federation: Federation
    coordination: Coordination
    report: Report | RtiReport
    runs: int
    attacks: int
    seed: int
    horizon: int
    rows: tuple[Row, ...]
    seen: Seen
    findings: tuple[Finding, ...]

    @property
    def violations(self) -> tuple[Row, ...]:
        """What was seen above its bound: a defect of the bound."""
        return tuple(row for row in self.rows if row.violated)

    @property
    def tardy(self) -> int:
        """How many messages were tardy."""
        return sum(most.count for most in self.seen.tardy.values())

    @property
    def missed(self) -> int:
        """How often a reaction started after its deadline."""
        return sum(self.seen.missed.values())

    @property
    def verdict(self) -> Verdict:
        """That of the bounds, unless the runs are worse."""
        return "missed" if self.tardy or self.missed else self.report.verdict


def simulate(
    federation: Federation, *, runs: int = 100, seed: int = 1, horizon: int | None = None
) -> Simulation:
    """Runs with the file's coordination; the same arguments give the same result.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> found = simulate(two_federates(), runs=3)
    >>> found.verdict, found.violations, found.seen.arrival[0].most
    ('met', (), 1650000)
    """
    horizon = default_horizon(federation) if horizon is None else horizon
    seen = Seen()
    if federation.coordination == "centralized":
        rti = judge_rti(federation)
        for number in range(runs):
            seen.begin(number)
            run_centralized(federation, _choices(seed, number), horizon, seen)
        rows, findings = rows_centralized(rti, seen), tuple(_notes(federation, {}))
        return Simulation(
            federation, "centralized", rti, runs, 0, seed, horizon, tuple(rows), seen, findings
        )
    report = judge(federation)
    waits = waits_of(report)
    drawn = [*all_attacks(report.offsets), *(_choices(seed, number) for number in range(runs))]
    for number, choices in enumerate(drawn):
        seen.begin(number)
        run_decentralized(federation, waits, choices, horizon, seen)
    unknown = {name: None for name, value in report.waits.values.items() if value is None}
    rows, findings = rows_decentralized(report, seen), tuple(_notes(federation, unknown))
    attacks = len(drawn) - runs
    return Simulation(
        federation, "decentralized", report, runs, attacks, seed, horizon, tuple(rows), seen,
        findings,
    )  # fmt: skip


def _choices(seed: int, number: int) -> Choices:
    return Choices(seed + number, KINDS[number % len(KINDS)])


def default_horizon(federation: Federation) -> int:
    """A hundred times the longest time between events that the file names.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> default_horizon(two_federates())
    500000000
    """
    times = [0]
    for federate in federation.federates.values():
        times += [timer.period or timer.offset for timer in federate.timers.values()]
        times += [action.min_spacing or 0 for action in federate.actions.values()]
    times += [connection.min_spacing or 0 for connection in federation.connections]
    return _PERIODS * max(times) or _SECOND


def _notes(federation: Federation, unbounded: Mapping[str, None]) -> Iterator[Finding]:
    for name in unbounded:
        federate = federation.federates[name]
        if federate.maxwait is None:
            message = f"{name} has no offset: it is simulated with maxwait 0"
            yield Finding("no-offset", "note", message, federation.where("federates", name))
    missing = list(_missing(federation))
    if missing:
        names = ", ".join(missing[:4]) + (", …" if len(missing) > 4 else "")
        yield Finding("taken-as-0", "note", f"not given, and taken as 0: {names}", None)
    for name, federate in federation.federates.items():
        if federate.enclaves:
            message = f"the enclaves of {name} are simulated as one"
            where = federation.where("federates", name, "enclaves")
            yield Finding("enclaves-as-one", "note", message, where)


def _missing(federation: Federation) -> Iterator[str]:
    for name, federate in federation.federates.items():
        for reaction in federate.reactions.values():
            if reaction.wcet is None:
                yield f"wcet of {name}.{reaction.name}"
    central = federation.coordination == "centralized"
    for connection in federation.connections:
        if federation.latency(connection) is None and (connection.physical or not central):
            yield f"latency of {connection.name}"
        if federation.clock_error(connection.source, connection.target) is None:
            yield f"clock error between {connection.source} and {connection.target}"
    if central and federation.rti.service is None:
        yield "service of the RTI"
    if central and federation.rti.hop is None and federation.rti.host is None:
        yield "hop of the RTI"
