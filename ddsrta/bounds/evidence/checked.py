"""Results that are checked: by the checker, which shares nothing with the analysis."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ddsrta.base.frozen import frozen
from ddsrta.bounds.assemble import present
from ddsrta.bounds.deadlines import figure_of, is_called_off
from ddsrta.bounds.evidence.certificate import claims
from ddsrta.bounds.evidence.misread import misread
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.result import Check, Finding, Result
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.solve import solve
from ddsrta.bounds.unbounded import CALLED_OFF
from ddsrta.models.arrivals import Periodic
from ddsrta.models.bandwidth import limited, without_limits
from ddsrta.models.document import digest
from ddsrta.models.system import System

if TYPE_CHECKING:
    from ddsrta.base.watch import Watch

WORK = 4_000_000  # evaluations of curves, of all checks of a system together
WORK_EACH = 20_000  # and of each of its threads; an Autoware graph takes 8,500
MOST_WORK = 40_000_000  # no more than `verify` may do, or that takes a minute and 2 GiB
_DROPPED = (  # the refinements that are left out together, those that came last first
    ("counts_before",),
    ("one_opener",),
    ("reserved_work",),
    ("sharing_windows",),
    ("limit_gaps",),
    ("fair_shares",),
    ("turns_in_order",),
    ("equal_stamps",),
    ("silent_senders",),
    ("held_back",),
    ("kept_open",),
    ("cut_circles", "rounds_in_turn"),
    ("meetings_in_order",),
    ("latest_by_paths",),
    ("one_at_a_time",),
    ("done_before",),
    ("closed_counts", "clocked_counts"),
    ("pending_windows", "pending_pools", "releasing", "side_by_side"),
    ("events_alone",),
    ("last_tokens", "slowest_inputs", "slowest_releases", "room_ages", "set_counts"),
    (
        "closed_windows",
        "lock_windows",
        "limit_windows",
        "fork_overlaps",
        "closed_sets",
        "ways_apart",
    ),
    ("end_to_end_windows",),
    ("bursts_once", "token_buckets"),
    ("effects",),
    ("tandem", "copies", "joint_outputs", "leaving_early", "copies_in_tandem", "costless_sends"),
    (
        "offsets",
        "spacing",
        "program_order",
        "in_step",
        "ahead_in_step",
        "chain_windows",
        "deadline_servers",
        "fresh_budgets",
        "offset_windows",
    ),
    ("idle_limits",),
)
_NO_OFFSETS = "without offsets latencies count from other events than in a certificate"


@frozen
class Checked:
    """A result, and the solution that it is of."""

    solution: Solution
    result: Result


class _Judged(NamedTuple):
    """What the checker says of the bounds, and why if it does not confirm them; final where other
    bounds of the same system cannot do better; and the digest of the certificate, if it has it."""

    status: Literal["confirmed", "refuted", "undecided"]
    because: str | None
    is_final: bool = False
    seal: str = ""


def analyze_checked(
    system: System,
    refinements: Refinements | None = None,
    watch: Watch | None = None,
    beside: int = 0,
    before: object = None,
) -> Checked:
    """The bounds of a valid system that the checker confirms: with all refinements, or where it
    refuses those, with fewer; none where it refuses all, and `unchecked` ones where it cannot say.
    With a certificate of a system `before`, the checker looks at what does not do the same."""
    undecided: Checked | None = None
    refusal: str | None = None
    checker, wanted = _Checker(system, watch, before), refinements or Refinements.all()
    for chosen, without in _attempts(system, wanted):
        solution = solve(system, chosen, watch=watch, beside=beside)
        result = present(solution, wanted)
        certificate = claims(solution, result)
        result = replace(result, certificate=certificate)
        judged = checker.judge(result, chosen, solution.ended)
        check = Check("confirmed", judged.seal or digest(certificate), without, refusal)
        result = replace(result, check=check)
        if judged.status == "confirmed":
            return Checked(solution, _said(result, refusal))
        if judged.status == "undecided":
            check = replace(check, status="unchecked", because=judged.because)
            undecided = Checked(solution, _said(replace(result, check=check), refusal))
        else:
            undecided, refusal = None, refusal or judged.because
        if judged.is_final or refusal is None:
            break
    if undecided is not None:
        return undecided
    from ddsrta.bounds.evidence.refused import refused

    return Checked(solution, refused(result, refusal or ""))


def _attempts(system: System, wanted: Refinements) -> Iterator[tuple[Refinements, tuple[str, ...]]]:
    """What is wanted, then always less, down to the plain windows; and what that leaves out."""
    full = _names(_used(wanted, system))
    chosen, left = wanted, full
    yield chosen, ()
    for dropped in _DROPPED:
        chosen = replace(chosen, **dict.fromkeys(dropped, False))
        if _has_offsets(system):
            chosen = replace(chosen, offsets=wanted.offsets)
        now = _names(_used(chosen, system))
        if now != left:
            left = now
            yield chosen, tuple(name for name in full if name not in left)


def _used(refinements: Refinements, system: System) -> Refinements:
    """Those that may hold, with all limits that may be idle left out."""
    if not limited(system):
        return replace(refinements.of(system), idle_limits=False)
    if refinements.idle_limits:
        system = without_limits(system, system.flow_controllers)
    return refinements.of(system)


def _names(refinements: Refinements) -> tuple[str, ...]:
    chosen = (field.name for field in fields(refinements) if getattr(refinements, field.name))
    return tuple(name.replace("_", " ") for name in chosen)


def _has_offsets(system: System) -> bool:
    """Whether sources have known offsets: then claims count from the event that they share."""
    arrivals = (thread.arrival for thread in system.threads.values())
    return any(isinstance(each, Periodic) and each.offset is not None for each in arrivals)


class _Checker:
    """What judges the results of one system, with one limit of work for all of them."""

    def __init__(self, system: System, watch: Watch | None, before: object = None) -> None:
        self.system, self.watch, self.before = system, watch, before
        self.left = min(WORK + WORK_EACH * len(system.threads), MOST_WORK) if WORK else 0
        self.has_read = False

    def judge(self, result: Result, refinements: Refinements, ended: str | None = None) -> _Judged:
        """What the checker says; where it fails, or time has ended, it has said nothing."""
        if ended:
            return _Judged("undecided", ended, is_final=True)
        from ddsrta.checker import CertificateError

        try:
            document = result.to_dict()
            read = document["evidence"]["system"]
            if not self.has_read and (wrong := misread(self.system, read)):
                return _Judged("refuted", wrong, is_final=True)
            self.has_read = True
            if _has_offsets(self.system) and not refinements.offsets:
                return _Judged("undecided", _NO_OFFSETS)
            return self._checked(document)
        except CertificateError as error:
            return _Judged("undecided", f"the checker cannot read it: {error}", is_final=True)
        except Exception as error:  # a fault of whatever kind confirms nothing
            message = f"the checker failed: {type(error).__name__}: {error}"
            return _Judged("undecided", message, is_final=True)

    def _checked(self, document: dict[str, Any]) -> _Judged:
        """What is shown, figure by figure."""
        from ddsrta.checker import CertificateError, check_unsealed

        is_over = self.watch.is_over if self.watch else None
        if self.before is not None:
            before, self.before = self.before, None  # whatever else is tried stands alone
            with suppress(CertificateError):  # it may have been changed, or be forgotten
                verdict = check_unsealed(document, self.left, before, is_over)
                if verdict.ok:
                    return _Judged(verdict.status, None, seal=verdict.certificate)
        verdict = check_unsealed(document, self.left, is_over=is_over)
        self.left = max(0, self.left - verdict.work)
        if verdict.status == "undecided" and is_over and is_over():
            return _Judged("undecided", CALLED_OFF.of(), is_final=True)
        return _Judged(verdict.status, verdict.failure, seal=verdict.certificate)


def _said(result: Result, refusal: str | None) -> Result:
    """With findings for what the checker refused, and what it could not decide."""
    check, found = result.check, []
    assert check is not None
    result = _unfinished(result) if result.is_ended else result
    if check.status == "unchecked":
        message = f"the checker did not decide whether the bounds hold: {check.because}"
        found.append(Finding("unchecked", "error", message))
    if check.without:
        left = ", ".join(check.without)
        message = f"these bounds are without {left}: the checker refuses those with it: {refusal}"
        found.append(Finding("refuted", "warning", message))
    return replace(result, warnings=(*found, *result.warnings)) if found else result


def _unfinished(result: Result) -> Result:
    """What a time limit ended: bounds may still fall, so no deadline is missed, and no order can be
    violated, for those that are not there yet."""
    chains = {
        name: replace(chain, met=None)
        if chain.met is False and (figure_of(chain) is not None or is_called_off(chain))
        else chain
        for name, chain in result.chains.items()
    }
    orders = {
        name: order if order.met else replace(order, met=None)
        for name, order in result.orders.items()
    }
    reached = "unbounded" if result.verdict == "missed" else result.verdict
    return replace(result, chains=chains, orders=orders, verdict=reached)
