"""Confirms a certificate, or says which of its claims does not hold (lemma global-fixed-point)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ddsrta.base.collecting import collecting_rarely
from ddsrta.checker.assumptions import not_assumed
from ddsrta.checker.budget import Budget, ExhaustedError
from ddsrta.checker.chains import ChainClaim, check_chain, check_names
from ddsrta.checker.claimed import MessageClaim, message_claims
from ddsrta.checker.closed import Closed
from ddsrta.checker.common import Common
from ddsrta.checker.deliveries import check_ddl, check_sent
from ddsrta.checker.end_to_end import EndToEnd
from ddsrta.checker.files import load
from ddsrta.checker.groups import Groups
from ddsrta.checker.judged import check_verdict
from ddsrta.checker.levels import Levels
from ddsrta.checker.making import window_of
from ddsrta.checker.matching import Synchronizers, counting
from ddsrta.checker.opened import Opened, Staged, opened, remember, staged
from ddsrta.checker.outcome import Outcome, outcome
from ddsrta.checker.overflow import Overflow
from ddsrta.checker.pending import Pending
from ddsrta.checker.points import Points
from ddsrta.checker.pools import add_shadows
from ddsrta.checker.precedence import Precedence
from ddsrta.checker.reading import (
    CertificateError,
    digest,
    mapping,
    shown,
)
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.reserved_work import add_work
from ddsrta.checker.responses import check_response, read_responses
from ddsrta.checker.rest import Confirmed, check_rest, read_rest
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.streams import Counting, Streams
from ddsrta.checker.sums import NO_WAITS, Claim, RefutedError
from ddsrta.checker.tandem import Tandems
from ddsrta.checker.things import Limit, System
from ddsrta.checker.totals import Totals
from ddsrta.checker.verdict import Verdict

if TYPE_CHECKING:
    from ddsrta.checker.beside import Beside
    from ddsrta.checker.circles import Return
    from ddsrta.checker.kept import Kept
    from ddsrta.checker.lock_sets import LockSets


def check_file(
    path: str, system_document: dict[str, Any] | None = None, work: int | None = None
) -> Verdict:
    """Check a certificate file; with a document, also that it is of that system."""
    certificate = load(path)
    if system_document is not None:
        claimed = mapping(certificate, "certificate").get("digest")
        if claimed != digest(system_document):
            return Verdict("refuted", 0, other_system(certificate, system_document))
    return check(certificate, work)


def other_system(certificate: object, document: dict[str, Any]) -> str:
    """That a certificate is not of the system or federation that a file says."""
    inside, outside = (
        "federation" if isinstance(one, dict) and "federation" in one else "system"
        for one in (certificate, document)
    )
    if inside != outside:
        return f"the certificate is of a {inside}, and the file has a {outside}"
    return f"the certificate is not of this {outside}: its digest differs"


def check(certificate: object, work: int | None = None) -> Verdict:
    """Confirm every inequality that the claims of a certificate rest on, with so many units of work
    at most: evaluations of curves, not seconds.

    Raises CertificateError for what is no certificate at all.
    """
    return check_read(certificate, work)[0]


class Read(NamedTuple):
    """What a certificate is about, as it was read for its check."""

    system: System
    stages: dict[Key, Stage]


@collecting_rarely()
def check_read(
    certificate: object,
    work: int | None = None,
    before: object = None,
    is_over: Callable[[], bool] | None = None,
) -> tuple[Verdict, Read | None]:
    """The same, with what the certificate is about where that was read: always where it is
    confirmed, but for those of federations. With a certificate `before` that this process
    confirmed, its claims about what does the same here are not looked at again; the work for them
    counts. What looks at a system ends where time `is_over`."""
    profile = certificate.get("profile") if isinstance(certificate, dict) else None
    if isinstance(profile, str) and profile.startswith("lf-"):
        from ddsrta.checker.lf.check import PROFILES, check_lf

        if profile in PROFILES:
            return check_lf(certificate, profile, work), None
    if profile == "exact":
        from ddsrta.checker.exact.check import check_exact

        return check_exact(certificate, work), None
    checking = _Checking(work, is_over)
    verdict = _verdict(checking, certificate, before)
    if verdict.ok:
        remember(checking.seal, verdict.work)
    return replace(verdict, certificate=checking.seal), checking.read


def _verdict(checking: _Checking, certificate: object, before: object) -> Verdict:
    budget = checking.budget
    try:
        checking.run(certificate, before)
        budget.curve(checking.known)
    except RefutedError as error:
        if budget.cut is None:
            return Verdict("refuted", checking.confirmed, str(error), work=budget.spent)
        failure = f"{error}; {budget.cut} was not looked at in full"
    except (ExhaustedError, RecursionError):
        failure = f"{checking.where}: cannot be decided within the limits of work"
    else:
        found = checking.confirmed, None, checking.assuming, checking.outcome, budget.spent
        return Verdict("confirmed", *found)
    return Verdict("undecided", checking.confirmed, failure, work=budget.spent)


class _Checking:
    """One check; `at` is where it stands."""

    def __init__(self, work: int | None, is_over: Callable[[], bool] | None = None) -> None:
        self.confirmed = 0
        self.budget = Budget(work, is_over)
        self.at: str | Stage = "certificate"
        self.assuming: tuple[str, ...] = ()
        self.outcome = Outcome()
        self.idle: dict[str, Limit] = {}  # what flow controllers are said never to reach
        self.read: Read | None = None
        self.seal = ""  # the digest of the certificate
        self.kept: Kept | None = None
        self.known = 0  # the work for claims that were confirmed before

    @property
    def where(self) -> str:
        """The same in words."""
        return self.at if isinstance(self.at, str) else self.at.label

    def run(self, certificate: object, before: object) -> None:
        given = opened(certificate)
        raw, system, self.assuming, self.seal, self.idle = given
        found = staged(given)
        claims, implied, stages, apart, matched = found
        self.read = Read(system, implied)
        messages = message_claims(raw["messages"], stages)
        chains = check_names(system, mapping(raw["chains"], "chains"))
        responses = read_responses(raw.get("callbacks", {}), system)
        rest, plain = read_rest(raw, system), stages
        streams = self._streams(system, stages, claims, counting(system, stages, matched))
        if system.sleeps:
            stages = self._waiting(system, stages, streams, claims)
        elif any(c.waits != NO_WAITS or c.window is not None for c in claims.values()):
            what = "stages: waits, or the windows of these, are claimed where nothing waits for any"
            raise CertificateError(what)
        neighbours = Neighbours(system, stages)
        self._keep(before, given, found, neighbours)
        self._stand_ins(streams, neighbours)
        levels = Levels(stages, neighbours, streams, self.budget)
        groups = Groups(levels, streams, not system.sleeps)
        points = Points(self.budget)
        locks = self._lock_sets(system, plain, neighbours)
        closed = Closed(stages, streams, neighbours, self.budget, system, locks)
        order = Precedence(streams, neighbours, groups.effects)
        end_to_end = EndToEnd(order, stages, claims, self.budget, groups.hold)
        pending = Pending(streams, neighbours, claims, order, closed, groups.hold)
        self._windows(neighbours, groups, claims, points, (closed, end_to_end, pending))
        self._idle(system, stages, streams, claims)
        tandems = Tandems(neighbours, stages, points, claims)
        self.at = "synchronizers"
        synchronizers = Synchronizers(system, streams, stages)
        self.confirmed += synchronizers.check(matched)
        windows = groups, tandems, synchronizers, end_to_end, closed, pending
        totals = Totals(stages, streams, points, *windows, claims)
        if self.kept:
            points.quiet, totals.known = self.kept.known()
        overflow = Overflow(system, plain, streams, claims, totals.waits)
        totals.lost = self._lost(overflow, synchronizers.open, apart)
        self._messages(system, totals, claims, messages)
        self._responses(system, totals, claims, responses)
        self._chains(system, totals, chains)
        self.at = "what follows from all that"
        looked = Confirmed(system, plain, streams, neighbours, claims, chains, totals)
        self.confirmed += check_rest(rest, looked, self.kept.hops if self.kept else None)
        ddls = [message.ddl for message in messages.values()]
        jobs = {key[1]: claims[key].on_paths for key in stages if key[0] == "job"}
        bounds = [*{**jobs, **responses}.values(), *ddls]
        bounds += [claims[key].response for key, one in stages.items() if one.sent is not None]
        self.outcome = outcome(system, chains, bounds, [one.met for one in rest.orders.values()])
        self._verdict(raw)

    def _streams(
        self,
        system: System,
        stages: Mapping[Key, Stage],
        claims: Mapping[Key, Claim],
        counts: Mapping[Key, Counting],
    ) -> Streams:
        """What comes to all stages if the claims hold."""
        return Streams(
            stages,
            {key: claim.latency for key, claim in claims.items()},
            self.budget,
            counts,
            {} if system.sleeps else {key: c.at_pace for key, c in claims.items()},
            self._returns(system, stages, claims, counts) if system.has_rounds else None,
        )

    def _keep(self, before: object, given: Opened, found: Staged, neighbours: Neighbours) -> None:
        """Finds out what was confirmed before of what does the same here."""
        if before is not None:
            from ddsrta.checker.kept import Kept, earlier

            known = earlier(before)
            self.known = known.work
            self.kept = Kept(known, given, found, neighbours)

    def _stand_ins(self, streams: Streams, neighbours: Neighbours) -> None:
        """What is there for others that run elsewhere."""
        add_shadows(streams, neighbours.shadows.values())
        add_work(streams, neighbours)

    def _verdict(self, raw: dict[str, Any]) -> None:
        if "verdict" in raw:
            check_verdict(raw["verdict"], self.outcome)
            self.confirmed += 1

    def _waiting(
        self,
        system: System,
        stages: Mapping[Key, Stage],
        streams: Streams,
        claims: dict[Key, Claim],
    ) -> dict[Key, Stage]:
        """With what stages wait for in their costs."""
        from ddsrta.checker.locks import confirmed_waits

        self.budget.renew()
        return confirmed_waits(system, stages, streams, claims)

    def _returns(
        self,
        system: System,
        stages: Mapping[Key, Stage],
        claims: Mapping[Key, Claim],
        counts: Mapping[Key, Counting],
    ) -> dict[Key, Return]:
        """What comes back round circles."""
        from ddsrta.checker.rounds import returns

        return returns(system, stages, claims, counts, self.budget)

    def _lock_sets(
        self, system: System, stages: Mapping[Key, Stage], neighbours: Neighbours
    ) -> LockSets | None:
        """Who shares locks."""
        if system.fastdds is None:
            return None
        from ddsrta.checker.lock_sets import LockSets

        return LockSets(system, stages, neighbours)

    def _idle(
        self,
        system: System,
        stages: Mapping[Key, Stage],
        streams: Streams,
        claims: Mapping[Key, Claim],
    ) -> None:
        """That limits are never reached, where that is said."""
        if self.idle:
            from ddsrta.checker.idle_limits import check_idle

            check_idle(system, self.idle, stages, streams, claims)

    def _lost(self, overflow: Overflow, open_: bool, apart: tuple[str, ...]) -> frozenset[Key]:
        """What full queues may lose; that none does is assumed unless the claims exclude it."""
        lost = overflow.losing()
        for rule in overflow.rests_on(self.assuming, bool(lost) or open_):
            raise RefutedError(not_assumed(rule))
        if lost:
            from ddsrta.checker.mispaired import check_mispaired

            check_mispaired(overflow.stages, overflow.streams, lost, apart)
        return lost

    def _messages(
        self,
        system: System,
        totals: Totals,
        claims: dict[Key, Claim],
        messages: dict[Key, MessageClaim],
    ) -> None:
        if any(claim.swaps for claim in claims.values()):
            from ddsrta.checker.taken import check_taken

            self.confirmed += check_taken(totals, claims)
        for key, message in messages.items():
            self.at = f"message {'/'.join(key[1:])}"
            if not self.kept or not self.kept.message(key):
                check_ddl(system, totals, claims, key, message.ddl)
                check_sent(system, totals, claims, key, message.sent)
            self.confirmed += (message.ddl is not None) + (message.sent is not None)

    def _responses(
        self,
        system: System,
        totals: Totals,
        claims: dict[Key, Claim],
        responses: dict[str, int | None],
    ) -> None:
        for name, response in responses.items():
            self.at = f"callback {shown(name)}"
            if not self.kept or not self.kept.response(name):
                check_response(system, totals, claims, name, response)
            self.confirmed += response is not None

    def _chains(self, system: System, totals: Totals, chains: dict[str, ChainClaim]) -> None:
        for name, chain in chains.items():
            self.at = f"chain {shown(name)}"
            if not self.kept or not self.kept.chain(name):
                check_chain(system, totals, name, chain)
            self.confirmed += sum(figure is not None for figure in chain.figures.values())

    def _windows(
        self,
        neighbours: Neighbours,
        groups: Groups,
        claims: dict[Key, Claim],
        points: Points,
        windows: tuple[Closed, EndToEnd, Pending],
    ) -> None:
        closed, end_to_end, pending = windows
        responses = {key: claim.response for key, claim in claims.items()}
        common = Common(groups.streams, responses, groups.levels, groups.effects, groups.hold)
        others: list[Beside] = []
        if any(claim.is_seen for claim in claims.values()):
            from ddsrta.checker.beside import beside

            others = beside(neighbours, groups, claims, end_to_end.order, closed)
        for key, stage in groups.stages.items():
            claim = claims[key]
            if claim[:3] == (None, None, None):
                continue
            self.at = stage
            if stage.swaps:
                known = claim._replace(response=None, latency=None, paced=None, window=None)
                apart = stage, neighbours, claims, common, known, neighbours.in_any_order
                points.swapping.add(key)
                points.later(points.of(key), partial(window_of, self.budget, *apart))
            if self.kept and self.kept.stage(key):
                known = claim._replace(response=None, latency=None, paced=None)
                points.later(
                    key, partial(window_of, self.budget, stage, neighbours, claims, common, known)
                )
                self.confirmed += 1
                continue
            self.budget.renew()
            left = groups.at_pace(key, claim).by_response(groups.streams[key].before)
            left = closed.unconfirmed(key, left)
            left = pending.unconfirmed(stage, left)
            for other in others:
                left = other.unconfirmed(stage, left)
            open_claim = groups.unconfirmed(key, left)
            make = partial(window_of, self.budget, stage, neighbours, claims, common, open_claim)
            if open_claim[:3] == (None, None, None) and open_claim.paced is None:
                points.later(key, make)
                self.confirmed += 1
            else:
                self.confirmed += points.add(key, make())
