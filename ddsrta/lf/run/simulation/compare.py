"""What was seen beside what is bounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from ddsrta.lf.bounds.launch.lags import known
from ddsrta.lf.bounds.logical_time.certain import shares_tag
from ddsrta.lf.bounds.offsets.judge import Report
from ddsrta.lf.bounds.rti.judge import RtiReport
from ddsrta.lf.program.shapes import Forever
from ddsrta.lf.run.simulation.seen import Most, Seen


@dataclass(frozen=True, slots=True)
class Row:
    """One thing of a kind: the most that was seen, and the bound (None: there is none).

    `clean`: the most of what the bound speaks of: before any tardy message of its run.
    """

    kind: str
    name: str
    seen: int | None
    clean: int | None
    bound: int | None
    count: int = 0
    run: int | None = None

    @property
    def violated(self) -> bool:
        """Whether more was seen than can be."""
        return self.clean is not None and self.bound is not None and self.clean > self.bound


def rows_decentralized(report: Report, seen: Seen) -> list[Row]:
    """Federates, connections, reactions and chains under `ddsrta lf stp`."""
    return list(_decentralized(report, seen))


def _decentralized(report: Report, seen: Seen) -> Iterator[Row]:
    network, values = report.network, report.waits.values
    federation = network.federation
    for name in federation.federates:
        yield _done(report.waits.values[name], network.absent[name], name, seen,
                    network.launches[name].to_done)  # fmt: skip
    for link in network.links:
        wait, weight = values[link.connection.source], link.weight
        name = link.connection.name
        launch = None if wait is None or link.lag is None else wait + link.absent + link.lag
        yield _row("launch", name, seen.launch.get(link.index), launch)
        need = None if wait is None or weight is None else wait + weight
        yield _row("arrival", name, seen.arrival.get(link.index), need)
        most = seen.tardy.get(link.index, Most())
        never = (
            need is not None
            and _never_tardy(report, link.index, need)
            and not shares_tag(network.found, link.connection)
        )
        first = None if most.clean is None else 1
        yield Row("tardy", name, most.count, first, 0 if never else None, most.count, most.run)
    yield from _reactions(report, seen, {n: network.absent[n] for n in federation.federates})
    for name, latency in report.chains.items():
        yield _row("chain", name, seen.chains.get(name), latency.latency)


def _never_tardy(report: Report, index: int, need: int) -> bool:
    """Whether the receiver waits long enough: by what is given, or by its offset."""
    for check in report.checks:
        if check.link.index == index:
            return check.outcome not in ("shared", "violated", "unbounded")
    target = report.network.federation.connections[index].target
    wait = report.waits.values[target]
    return wait is not None and wait >= need


def _reactions(report: Report | RtiReport, seen: Seen, absent: dict[str, int]) -> Iterator[Row]:
    found, network = (
        (report.waits, report.network)
        if isinstance(report, Report)
        else (report.lags, report.lags.network)
    )
    for name, federate in network.federation.federates.items():
        for reaction in federate.reactions:
            wait = found.values[name]
            lag = known(partial(network.launches[name].to_start, reaction))[0]
            bound = None if wait is None or lag is None else wait + absent[name] + lag
            yield _row(
                "reaction", f"{name}.{reaction}", seen.reactions.get((name, reaction)), bound
            )


def rows_centralized(report: RtiReport, seen: Seen) -> list[Row]:
    """Federates, reactions and chains under `ddsrta lf rti`."""
    return list(_centralized(report, seen))


def _centralized(report: RtiReport, seen: Seen) -> Iterator[Row]:
    found = report.lags
    for name in found.network.federation.federates:
        between = known(partial(found.control.between, name))[0]
        # A grant may come later than the lag where the federate was not done with the tag before.
        lags = [lag for lag, since in seen.grants.get(name, []) if since > (between or 0)]
        most = max(lags, default=None)
        bound = None if between is None else found.values[name]
        yield Row("grant", name, most, most, bound)
        yield _done(found.values[name], 0, name, seen, found.network.launches[name].to_done)
    yield from _reactions(report, seen, dict.fromkeys(found.network.federation.federates, 0))
    for name, price in report.chains.items():
        yield _row("chain", name, seen.chains.get(name), price.centralized.latency)


def _done(wait: int | None, absent: int, name: str, seen: Seen, lag: Callable[[], int]) -> Row:
    value, _ = known(lag)
    bound = None if wait is None or value is None else wait + absent + value
    return _row("done", name, seen.done.get(name), bound)


def _row(kind: str, name: str, most: Most | None, bound: int | None) -> Row:
    most = most or Most()
    return Row(kind, name, most.most, most.clean, bound, most.count, most.run)


def waits_of(report: Report) -> dict[str, int | Forever]:
    """How long each federate waits in a run: as given, else its offset, else not at all."""
    found: dict[str, int | Forever] = {}
    for name, federate in report.network.federation.federates.items():
        given = federate.maxwait
        value = report.waits.values[name]
        found[name] = given if given is not None else value if value is not None else 0
    return found
