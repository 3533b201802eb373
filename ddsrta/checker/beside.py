"""Windows that may confirm claims beside those of stages alone, where claims say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ddsrta.checker.closed import Closed
from ddsrta.checker.groups import Groups
from ddsrta.checker.precedence import Precedence
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.sums import Claim


class Beside(Protocol):
    """Windows of some kind."""

    def unconfirmed(self, stage: Stage, claim: Claim) -> Claim:
        """What of a claim they do not confirm."""


def beside(
    neighbours: Neighbours,
    groups: Groups,
    claims: Mapping[Key, Claim],
    order: Precedence,
    closed: Closed,
) -> list[Beside]:
    """Those of flow controllers (lemma joint-outputs), of SCHED_OTHER (lemma fair-share), of whole
    paths (lemma latest-by-path), and of what shares locks (lemma sharing-window)."""
    found: list[Beside] = []
    if any(claim.joint for claim in claims.values()):
        from ddsrta.checker.joint import Joint

        found.append(Joint(groups.stages, groups.streams, neighbours, groups.hold))
    if any(claim.fair for claim in claims.values()):
        from ddsrta.checker.fair_share import FairShares

        responses = {key: claim.response for key, claim in claims.items()}
        found.append(FairShares(neighbours, groups.streams, responses, groups.hold))
    if any(claim.path for claim in claims.values()):
        from ddsrta.checker.end_to_end import EndToEnd
        from ddsrta.checker.latest import Latest

        budget = groups.streams.budget
        along = EndToEnd(order, groups.stages, claims, budget, groups.hold, by_turn=True)
        found.append(Latest(along))
    if any(claim.sharing for claim in claims.values()):
        from ddsrta.checker.sharing import Sharing

        found.append(Sharing(closed))
    return found
