"""Confirms exact worst cases: runs that take so long, and that none takes longer."""

from __future__ import annotations

from typing import Any, NamedTuple

from ddsrta.checker.assumptions import NO_KEYS, NO_OVERFLOW, READER_LOCKS, assumed, not_assumed
from ddsrta.checker.budget import Budget, ExhaustedError
from ddsrta.checker.document import read_system
from ddsrta.checker.exact.closed import Closed
from ddsrta.checker.exact.model import TURNS, Figure, Key, Model, UnknownError, figure_of
from ddsrta.checker.exact.needed import Needed
from ddsrta.checker.exact.replay import Event, Replay
from ddsrta.checker.outcome import Outcome, outcome
from ddsrta.checker.reading import (
    CertificateError,
    array,
    digests,
    integer,
    names,
    of_version,
    optional_integer,
    record,
    shown,
    text,
)
from ddsrta.checker.references import check_references
from ddsrta.checker.sums import RefutedError
from ddsrta.checker.things import System
from ddsrta.checker.verdict import Verdict
from ddsrta.checker.words import duration

VERSION = 1
PROFILE = "exact"
WORK = 2_000_000_000  # entries of zones that are looked at
TURN_ORDER = "turn-order"  # flow controllers go round in the order of the file
COMMON_START = "common-start"  # sources that meet at a join begin less than a period after it
_KEYS = ("ddsrta_certificate", "profile", "system", "digest", "assumptions", "figures", "proofs")
_FIGURE = ("kind", "of", "at_most", "proof", "found", "run")


class _Claim(NamedTuple):
    """A figure: no run has more than `at_most` (none: no run has any), by a proof; and a run has
    `found` (none: no run is known that has any)."""

    figure: Figure
    at_most: int | None
    proof: int | None
    found: int | None
    run: list[Event] | None

    @property
    def label(self) -> str:
        """In words."""
        return f"{self.figure.kind} of {shown(' → '.join(self.figure.of))}"


def check_exact(certificate: object, work: int | None = None) -> Verdict:
    """Confirm every figure of a certificate, with so many units of work at most."""
    checking = _Checking(WORK if work is None else work)
    try:
        checking.run(certificate)
    except RefutedError as error:
        return checking.verdict("refuted", str(error))
    except UnknownError as error:
        return checking.verdict("undecided", f"{checking.at}: the checker does not follow {error}")
    except (ExhaustedError, RecursionError):
        failure = f"{checking.at}: cannot be decided within the limits of work"
        return checking.verdict("undecided", failure)
    return checking.verdict("confirmed")


class _Checking:
    """One check."""

    def __init__(self, work: int) -> None:
        self.budget = Budget(work)
        self.confirmed = 0
        self.at = "certificate"
        self.seal = ""
        self.assuming: tuple[str, ...] = ()
        self.outcome = Outcome()
        self.claims: list[_Claim] = []

    def verdict(self, status: Any, failure: str | None = None) -> Verdict:
        """What it came to."""
        return Verdict(
            status, self.confirmed, failure, self.assuming, self.outcome, self.budget.spent,
            self.seal, self._said() if failure is None else None,
        )  # fmt: skip

    def _said(self) -> str:
        exact = [one for one in self.claims if one.at_most is not None]
        exact = [one for one in exact if one.at_most == one.found]
        rest = len(self.claims) - len(exact)
        more = f"; {rest} are bounded, and no run is known that takes so long" if rest else ""
        return f"claimed: {len(exact)} of {len(self.claims)} figures are exact{more}"

    def run(self, certificate: object) -> None:
        """Raises what is wrong."""
        raw, system = self._opened(certificate)
        self.claims = [
            _claim(system, one, f"figures.{i}") for i, one in enumerate(array(raw["figures"], ""))
        ]
        if not self.claims:
            raise CertificateError("figures: there are none")
        self._assumed(system, Model(system, [claim.figure for claim in self.claims]))
        for claim in self.claims:
            self._replay(system, claim)
        for number, proof in enumerate(array(raw["proofs"], "proofs")):
            self._prove(system, number, proof)
        for claim in self.claims:
            self.at = claim.label
            if claim.proof is None:
                raise UnknownError("figures without a list of situations: it was too long")
            if claim.proof >= len(raw["proofs"]):
                raise CertificateError(f"{claim.label}: there is no such proof")
            if claim.run is None and claim.found is not None:
                raise UnknownError("figures without a run")
        self.outcome = outcome(system, {}, [], [])

    def _opened(self, certificate: object) -> tuple[dict[str, Any], System]:
        if isinstance(certificate, dict) and "ddsrta_certificate" in certificate:
            of_version(certificate["ddsrta_certificate"], VERSION)
        raw = record(certificate, "certificate", _KEYS)
        inside, self.seal = digests(raw, "system")
        if text(raw["digest"], "digest") != inside:
            raise RefutedError("the system was changed: its digest differs from the claimed one")
        system = read_system(raw["system"])
        check_references(system)
        self.assuming = names(raw["assumptions"], "assumptions")
        return raw, system

    def _assumed(self, system: System, model: Model) -> None:
        needed = assumed(system) | {NO_KEYS, NO_OVERFLOW, READER_LOCKS}
        if any(its.order == TURNS and len(its.queues) > 1 for its in model.servers):
            needed.add(TURN_ORDER)
        if Needed(model).begins:
            needed.add(COMMON_START)
        for rule in sorted(needed - set(self.assuming)):
            raise RefutedError(not_assumed(rule))

    def _replay(self, system: System, claim: _Claim) -> None:
        """A run takes as long as is claimed."""
        if claim.run is None or claim.found is None:
            return
        self.at = f"the run of {claim.label}"
        most = Replay(Model(system, [claim.figure, *self._with(claim)])).play(claim.run)
        self.budget.curve(len(claim.run))
        if most < claim.found:
            seen = "none" if most < 0 else duration(most)
            raise RefutedError(f"{self.at}: has {seen}, not {duration(claim.found)}")
        self.confirmed += 1

    def _with(self, claim: _Claim) -> list[Figure]:
        """What is proved together has one common start."""
        others = [one for one in self.claims if one.proof == claim.proof and one is not claim]
        return [one.figure for one in others] if claim.proof is not None else []

    def _prove(self, system: System, number: int, proof: object) -> None:
        """No run takes longer than is claimed."""
        mine = [claim for claim in self.claims if claim.proof == number]
        self.at = f"proofs.{number}"
        closed = Closed(Model(system, [claim.figure for claim in mine]), self.budget)
        worst = closed.check(proof, self.at)
        for claim, most in zip(mine, worst, strict=True):
            if most > (-1 if claim.at_most is None else claim.at_most):
                limit = "never" if claim.at_most is None else duration(claim.at_most)
                raise RefutedError(
                    f"{claim.label}: up to {duration(most)}, more than the claimed {limit} "
                    "(lemma explored-runs)"
                )
        self.confirmed += closed.followed


def _claim(system: System, value: object, where: str) -> _Claim:
    raw = record(value, where, _FIGURE)
    of: Key = names(raw["of"], where)
    if not of:
        raise CertificateError(f"{where}: is of nothing")
    claim = _Claim(
        figure_of(system, text(raw["kind"], where), of),
        optional_integer(raw["at_most"], where),
        optional_integer(raw["proof"], where),
        optional_integer(raw["found"], where),
        None if raw["run"] is None else [_event(one, where) for one in array(raw["run"], where)],
    )
    most = -1 if claim.at_most is None else claim.at_most
    if claim.proof is not None and claim.found is not None and claim.found > most:
        raise RefutedError(f"{claim.label}: a run takes longer than any")
    return claim


def _event(value: object, where: str) -> Event:
    raw = array(value, where)
    if len(raw) < 3:
        raise CertificateError(f"{where}: an event is a time, a kind, and what it is of")
    return Event(integer(raw[0], where), text(raw[1], where), names(raw[2:], where))
