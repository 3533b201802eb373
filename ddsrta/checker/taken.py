"""How long messages take that others may go before (lemma turns-in-order)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ddsrta.checker.chains import compare_with, whatever_is_least
from ddsrta.checker.stages import Key
from ddsrta.checker.sums import Claim, RefutedError
from ddsrta.checker.totals import Totals
from ddsrta.checker.walks import Effort


def check_taken(totals: Totals, claims: Mapping[Key, Claim]) -> int:
    """Confirms what is claimed of each; how many they are."""
    found = {key: claim.taken for key, claim in claims.items() if claim.taken is not None}
    for key, taken in found.items():
        whatever_is_least(totals, [key], partial(_check, totals, key, taken))
    return len(found)


def _check(totals: Totals, key: Key, taken: int, effort: Effort) -> None:
    if effort == Effort.CLAIMS:
        raise RefutedError("no other claim says it")
    value = totals.total([key], effort, data=False, limit=taken)
    compare_with(f"{totals.stages[key].label}: taken", taken, value)
