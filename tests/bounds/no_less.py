"""What the checker confirms, and nothing less."""

from __future__ import annotations

from typing import Any

from ddsrta.checker import check


def confirms_no_less_of(claims: dict[str, Any], told: dict[str, Any], figure: str = "ddl") -> None:
    """A certificate holds; not with a nanosecond less of one figure."""
    assert check(claims).ok
    told[figure] -= 1
    verdict = check(claims)
    assert not verdict.ok
    assert "more than the claimed" in verdict.failure


def confirms_no_less(claims: dict[str, Any], assumption: str) -> None:
    """A certificate holds; not with a nanosecond less of any stage, nor without what is assumed."""
    assert check(claims).ok
    for stage in claims["stages"]:
        for key in ("response", "latency"):
            stage[key] -= 1
            assert not check(claims).ok, (stage["stage"], key)
            stage[key] += 1
    claims["assumptions"].remove(assumption)
    assert not check(claims).ok
