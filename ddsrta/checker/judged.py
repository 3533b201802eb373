"""The claims about what was asked for: deadlines and their slack, and the verdict of all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ddsrta.checker.chains import ChainClaim
from ddsrta.checker.outcome import Outcome
from ddsrta.checker.reading import CertificateError, mapping, one_of, record, shown, truth
from ddsrta.checker.sums import RefutedError
from ddsrta.checker.things import Chain, System
from ddsrta.checker.words import duration

VERDICTS = ("met", "error", "missed", "unbounded")  # each is worse than the one before


class DeadlineClaim(NamedTuple):
    """What is said of a deadline: that it is met, and what is left to it."""

    met: bool
    slack: int | None


def read_deadlines(value: object, system: System) -> dict[str, DeadlineClaim]:
    """What is said of each chain that has one; which it is must be what the system says."""
    found = {}
    for name, item in mapping(value, "deadlines").items():
        where = f"deadlines.{shown(name)}"
        raw = record(item, where, ("constraint", "deadline", "met", "slack"))
        chain = chain_of(system, name)
        if chain is None or raw["deadline"] is None:
            raise RefutedError(f"{where}: the system has no such deadline")
        if (raw["constraint"], raw["deadline"]) != (chain.constraint, chain.deadline):
            raise RefutedError(f"{where}: is not the deadline of the system")
        slack = raw["slack"]
        if slack is not None and (isinstance(slack, bool) or not isinstance(slack, int)):
            raise CertificateError(f"{where}.slack: expected a time, not {shown(slack)}")
        found[name] = DeadlineClaim(truth(raw["met"], f"{where}.met"), slack)
    return found


def chain_of(system: System, name: str) -> Chain | None:
    """The chain of the system that a path is of."""
    return system.chains.get(name) or system.chains.get(name.rpartition("/")[0])


def check_deadlines(
    claimed: Mapping[str, DeadlineClaim], system: System, chains: Mapping[str, ChainClaim]
) -> int:
    """What is said follows from the figures that are claimed; how much is said."""
    for name in chains:
        given = chain_of(system, name)
        if given is not None and given.deadline is not None and name not in claimed:
            raise RefutedError(f"chain {shown(name)}: whether it meets its deadline is not claimed")
    for name, claim in claimed.items():
        label, given = f"chain {shown(name)}", chain_of(system, name)
        if name not in chains or given is None:
            raise RefutedError(f"{label}: the system has no such chain")
        met, slack = judged(chains[name].figures[given.constraint], given.deadline)
        if claim.met is not met:
            said = "to meet its deadline, and does not" if claim.met else "not to meet it, and does"
            raise RefutedError(f"{label}: is claimed {said}")
        if claim.slack not in (None, slack):
            left = "none" if slack is None else duration(slack)
            raise RefutedError(
                f"{label}: slack is claimed to be {duration(claim.slack)}, there is {left}"
            )
    return sum(1 + (claim.slack is not None) for claim in claimed.values())


def judged(figure: int | None, deadline: int | None) -> tuple[bool | None, int | None]:
    """Whether a figure meets a deadline, and what is left; None where there is no deadline."""
    if deadline is None:
        return None, None
    return (False, None) if figure is None else (figure <= deadline, deadline - figure)


def reached(outcome: Outcome) -> str:
    """The best verdict that confirmed claims allow for.

    >>> reached(Outcome(met=1)), reached(Outcome(met=1, violated=1))
    ('met', 'missed')
    """
    if outcome.open or outcome.unbounded:
        return "unbounded"
    if outcome.missed or outcome.violated:
        return "missed"
    return "error" if outcome.against else "met"


def check_verdict(value: object, outcome: Outcome) -> None:
    """A verdict may be worse than what follows from the claims, and not better."""
    claimed = one_of(value, "verdict", VERDICTS)
    found = reached(outcome)
    if VERDICTS.index(claimed) < VERDICTS.index(found):
        raise RefutedError(f"the verdict is claimed to be {claimed}, and is {found}")
