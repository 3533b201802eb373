"""What a trace shows beyond the bounds of the draft that was made of it.

Parts are measured one by one, and some that are not in the model lie between them: a draft of a
trace has to cover that trace.
"""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.bounds.rti.judge import judge_rti
from ddsrta.lf.draft.costs import Costs, federate_in_trace
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.run.traces.observed import RunSeen

MOST_ROUNDS = 5


def beyond(federation: Federation, run: RunSeen, costs: Costs) -> Mapping[str, int]:
    """By federate, how much later than its bounds a tag or a reaction started."""
    found: dict[str, int] = {}
    if federation.coordination == "centralized":
        central = judge_rti(federation)
        waits, starts = central.lags.values, central.starts
    else:
        report = judge(federation)
        waits, starts = report.waits.values, report.starts
    for name, federate in federation.federates.items():
        seen, wait = run.federates.get(federate_in_trace(name)), waits.get(name)
        if seen is not None and wait is not None:
            late = max(seen.alone(), default=0) - wait - federate.overhead
            found[name] = max(0, late)
    for start in starts:
        reaction = costs.shown.get(
            (start.federate, _path(federation, start.federate, start.reaction))
        )
        if reaction is not None and start.latest is not None and reaction.lags.most is not None:
            late = reaction.lags.most - start.latest
            found[start.federate] = max(found.get(start.federate, 0), late)
    return {name: late for name, late in found.items() if late > 0}


def _path(federation: Federation, federate: str, reaction: str) -> str:
    """The reaction as annotations name it: below the main reactor."""
    alone = len(federation.federates) == 1 and federate == "main"
    return reaction if alone else f"{federate}.{reaction}"
