"""Whose grants rest on what the runtime does not promise (lemma grant-lag)."""

from __future__ import annotations

from collections.abc import Iterable

from ddsrta.checker.lf.control import Control


def unsure(control: Control, cycles: Iterable[tuple[str, ...]]) -> set[str]:
    """Their lags are assumed, whatever their figures are."""
    federation = control.federation
    bad = {name for name in control.advancing if _tells_too_much(control, name)}
    keeps = {name for name in federation.federates if control.upstream[name]}
    if federation.rti.dnet:
        bad |= keeps
    found = {name for name in federation.federates if control.ancestors(name) & bad}
    groups = list(cycles)
    circling = {member for members in groups for member in members}
    for members in groups:
        outside = [{c.source for c in control.upstream[m]} - set(members) for m in members]
        if outside[0] & circling or any(one != outside[0] for one in outside):
            for name in federation.federates:
                if name in members or control.ancestors(name) & set(members):
                    found.add(name)
    return found


def _tells_too_much(control: Control, name: str) -> bool:
    federate = control.federation.federates[name]
    kinds = sum(action.physical for action in federate.actions.values())
    brought = any(c.physical for c in control.federation.incoming[name])
    return bool(control.upstream[name]) or brought or kinds != 1 or federate.overhead > 0
