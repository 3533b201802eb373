"""Confirms a certificate of `ddsrta lf`, or says which of its claims does not hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ddsrta.checker.budget import ExhaustedError
from ddsrta.checker.lf.claims import Tally, read_head
from ddsrta.checker.lf.enclaves.check import Certificate
from ddsrta.checker.lf.rti import Rti
from ddsrta.checker.lf.schedule import Schedule
from ddsrta.checker.lf.starts import UncertifiedError
from ddsrta.checker.lf.stp import KEYS, Stp
from ddsrta.checker.outcome import Outcome
from ddsrta.checker.sums import RefutedError
from ddsrta.checker.verdict import Verdict

Check = Callable[[object, Tally], "tuple[str, tuple[str, ...], Outcome]"]


def _stp(certificate: object, tally: Tally) -> tuple[str, tuple[str, ...], Outcome]:
    checking = Stp(read_head(certificate, KEYS), tally)
    checking.run()
    return checking.head.verdict, checking.head.assuming, checking.outcome


def _rti(certificate: object, tally: Tally) -> tuple[str, tuple[str, ...], Outcome]:
    checking = Rti(certificate, tally)
    checking.run()
    return checking.head.verdict, checking.assuming, checking.outcome


def _schedule(certificate: object, tally: Tally) -> tuple[str, tuple[str, ...], Outcome]:
    checking = Schedule(certificate, tally)
    checking.run()
    return checking.head.verdict, checking.head.assuming, checking.outcome


def _enclaves(certificate: object, tally: Tally) -> tuple[str, tuple[str, ...], Outcome]:
    checking = Certificate(certificate, tally)
    checking.run()
    return checking.head.verdict, checking.head.assuming, checking.here.outcome


PROFILES: Mapping[str, Check] = {
    "lf-stp": _stp, "lf-rti": _rti, "lf-schedule": _schedule, "lf-enclaves": _enclaves,
}  # fmt: skip


def check_lf(certificate: object, profile: str, work: int | None = None) -> Verdict:
    """Confirm every figure of a certificate, with so many units of work at most."""
    tally = Tally(work)
    try:
        verdict, assuming, outcome = PROFILES[profile](certificate, tally)
    except RefutedError as error:
        return Verdict("refuted", tally.confirmed, str(error), work=tally.budget.spent)
    except UncertifiedError as error:
        return Verdict("undecided", tally.confirmed, str(error), work=tally.budget.spent)
    except (ExhaustedError, RecursionError):
        failure = f"{tally.at}: cannot be decided within the limits of work"
        return Verdict("undecided", tally.confirmed, failure, work=tally.budget.spent)
    claims = f"claimed: {verdict}; {said(outcome)}"
    found = tally.confirmed, None, assuming, outcome, tally.budget.spent
    return Verdict("confirmed", *found, claims=claims)


def said(outcome: Outcome) -> str:
    """What was claimed, for confirmed is not met.

    >>> said(Outcome(met=1, missed=2, open=3))
    '1 of 3 deadlines and chains met, 2 missed; 3 federates have no bound'
    >>> said(Outcome())
    'no deadlines and no chains'
    """
    asked = outcome.met + outcome.missed + outcome.unbounded
    text = "no deadlines and no chains"
    if asked:
        text = f"{outcome.met} of {asked} deadlines and chains met"
        text += f", {outcome.missed} missed" if outcome.missed else ""
        text += f", {outcome.unbounded} unbounded" if outcome.unbounded else ""
    if outcome.open:
        some = "1 federate has" if outcome.open == 1 else f"{outcome.open} federates have"
        text += f"; {some} no bound"
    return text
