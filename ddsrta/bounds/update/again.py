"""Analyses again what a change reaches, and keeps the rest (definition part)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ddsrta.base.collecting import collecting_rarely
from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.assemble import Basis, present
from ddsrta.bounds.evidence.checked import analyze_checked
from ddsrta.bounds.evidence.misread import misread
from ddsrta.bounds.result import Check, Result
from ddsrta.bounds.solve import MOST_CLOSED, solve
from ddsrta.bounds.update.merge import Merge
from ddsrta.bounds.update.parts import (
    Thing,
    has_copies,
    part_of,
    rest_of,
    things,
    untouched,
)
from ddsrta.models.system import System
from ddsrta.models.validate import refuse_invalid


@collecting_rarely()
def updated(before: Result, system: System) -> Result:
    """What `analyze` says of a system, from the result of one that differs a little."""
    refuse_invalid(system)
    return _by_parts(before, system) or _anew(before, system)


def _anew(before: Result, system: System) -> Result:
    """All of it."""
    basis = before.basis
    refinements = basis.refinements if isinstance(basis, Basis) else None
    check = before.check
    if check is not None and check.status == "confirmed" and not check.without:
        return analyze_checked(system, refinements, before=_worth(before)).result
    is_checked = check is not None or before.profile == "published"
    return analyze(system, before.profile, refinements, check=is_checked)


def _worth(before: Result) -> Mapping[str, Any] | None:
    """The certificate of a result, if its check took long enough for claims to be kept."""
    from ddsrta.checker.kept import is_worth

    known, check = before.certificate, before.check
    if known is None or check is None or not is_worth(check.certificate, len(known["stages"])):
        return None
    return known


def _by_parts(before: Result, system: System) -> Result | None:
    """Of the part that a change reaches, and the rest as it is; None where that is not all."""
    kept = _kept(before, system)
    if not kept:
        return None
    if before.check is None:
        return _unchecked(before, system, kept)
    beside = _stages(before, kept)
    part = analyze_checked(rest_of(system, kept), before.basis.refinements, beside=beside).result
    if part.check is None or part.check.status != "confirmed" or part.check.without:
        return None
    merge = Merge(system, kept, before, part)
    result = merge.result()
    if _crosses(before, result):
        return None
    certificate = merge.certificate(result)
    if misread(system, certificate["system"]):
        return None
    from ddsrta.checker.parts import check_parts

    verdict = check_parts(certificate, before.certificate, part.certificate)
    if not verdict.ok:
        return None
    check = Check("confirmed", verdict.certificate)
    return replace(result, certificate=certificate, check=check)


def _unchecked(before: Result, system: System, kept: frozenset[Thing]) -> Result | None:
    refinements = before.basis.refinements
    beside = _stages(before, kept)
    part = present(solve(rest_of(system, kept), refinements, beside=beside), refinements)
    result = Merge(system, kept, before, part).result()
    return None if _crosses(before, result) else result


def _kept(before: Result, system: System) -> frozenset[Thing]:
    """What has nothing to do with a change, where that can be told: all but one part of it."""
    model, basis, check = before.model, before.basis, before.check
    if model is None or not isinstance(basis, Basis) or basis.refinements is None:
        return frozenset()
    if check is not None and (check.status != "confirmed" or check.without):
        return frozenset()
    kept = untouched(model, system)
    if kept and len(kept) == sum(1 for _ in things(system)):
        kept -= part_of(system, next(iter(things(system))))
    uncut = not basis.refinements.cut_circles  # then one circle leaves all without some of them
    common = {
        (has_copies(each), uncut and bool(each.circles))
        for each in (model, system, rest_of(system, kept))
    }
    return kept if len(common) == 1 else frozenset()


def _stages(before: Result, kept: frozenset[Thing]) -> int:
    """How many stages are kept."""
    return sum(n for name, n in before.basis.stages.items() if ("threads", name) in kept)


def _crosses(before: Result, after: Result) -> bool:
    """Whether only one of two systems is so large that few of its stages have closed windows."""
    old, new = (sum(one.basis.stages.values()) > MOST_CLOSED for one in (before, after))
    return bool(old != new)
