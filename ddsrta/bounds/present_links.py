"""What is said of shared links: their loads, and how long each message takes there (lemma
shared-link)."""

from __future__ import annotations

from ddsrta.base.units import Duration, duration
from ddsrta.bounds.load import link_loads, sent_name
from ddsrta.bounds.placement import LINK
from ddsrta.bounds.result import LinkResult, TransferResult
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.stages import Key
from ddsrta.bounds.terms.reasons import reason


def link_results(solution: Solution) -> dict[str, LinkResult]:
    """Of all shared links; a message has the name 'publisher/topic/subscriber'."""
    system = solution.system
    found: dict[str, dict[str, TransferResult]] = {name: {} for name in system.media}
    for stage in solution.compiled.stages:
        if stage.server[0] == LINK:
            sent = _transfer(solution, stage.key, stage.cost)
            found[stage.server[1]][sent_name(stage.key)] = sent
    loads = link_loads(solution.compiled)
    return {
        name: LinkResult(system.media[name].kind, sum(loads[name].values()), messages)
        for name, messages in found.items()
    }


def _transfer(solution: Solution, key: Key, cost: int) -> TransferResult:
    response = on_link(solution, key)
    return TransferResult(duration(response), Duration(cost), reason(solution, key))


def on_link(solution: Solution, key: Key) -> int | None:
    """From when a message is handed to its link to when it is received."""
    response = solution.response(key)
    if response is None:
        return None
    medium = solution.system.media[solution.compiled.stages[solution.number(key)].server[1]]
    return response - medium.rules.early(medium.settings)
