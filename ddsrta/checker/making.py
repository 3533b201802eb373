"""The windows of a stage that is claimed to have a bound, with all that counts in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from ddsrta.checker.sums import Claim, RefutedError, Sums
from ddsrta.checker.windows import Window

if TYPE_CHECKING:
    from ddsrta.checker.budget import Budget
    from ddsrta.checker.common import Common
    from ddsrta.checker.related import Relations
    from ddsrta.checker.relations import Neighbours
    from ddsrta.checker.stages import Key, Stage


def window_of(
    budget: Budget,
    stage: Stage,
    neighbours: Neighbours,
    claims: Mapping[Key, Claim],
    common: Common,
    claim: Claim,
    related: Callable[[Stage], Relations] | None = None,
) -> Window:
    """Those by its relations, or by others of its own."""
    streams = common.streams
    if not streams[stage.key].bounded:
        raise RefutedError(f"{stage.label}: is fed by something unbounded (lemma unbounded-work)")
    if not neighbours.fits(stage):
        raise RefutedError(
            f"{stage.label}: what its core promises adds up to more than the core "
            "(definition thread-supply)"
        )
    relations = (related or neighbours.relations)(stage)
    budget.curve(1 + relations.listed)
    sums = Sums(stage, relations, claims, common).all()
    window = Window(stage, relations, streams, sums, claim, budget)
    levels = common.levels
    if common.coupled and related is None and levels.joins(stage) and not levels.circles:
        from ddsrta.checker.openers import opened, openers

        found = openers(stage, relations, levels)
        window.openers = [partial(opened, one) for one in found]
    return window
