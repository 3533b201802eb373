"""Exact worst cases of the case studies that are small, and bounds beside them."""

from __future__ import annotations

from functools import cache

from casestudies.analyses import PUBLISHED, analysed, in_us, loaded
from casestudies.statements import table
from ddsrta.exploration.exact.exact import WorstCase, exact


@cache
def worst_cases(study: str, name: str, *wanted: str) -> dict[str, WorstCase]:
    """Of chains and messages, by name."""
    return {one.target.name: one for one in exact(loaded(study, name), wanted).cases}


def exact_table(study: str, *names: str, wanted: tuple[str, ...] = ()) -> str:
    """All that has a bound in these systems, or what is wanted: both bounds, and the exact worst
    case."""
    rows = []
    for name in names:
        published = analysed(study, name, PUBLISHED)
        ddls = {(m.publisher, m.topic, m.subscriber): m.ddl for m in published.messages}
        for what, case in worst_cases(study, name, *wanted).items():
            is_chain = what in published.chains
            of_paper = published.chains[what].latency if is_chain else ddls[case.run.measure.of]
            figure = f"{'latency' if is_chain else 'DDL'} {what}"
            wrong = "**" if of_paper is not None and of_paper < (case.found or 0) else ""
            ours = in_us(case.target.bound), exactly(case), above(case.target.bound, case)
            rows.append([name, figure, f"{wrong}{in_us(of_paper)}{wrong}", *ours])
    head = ["system", "figure", "`published`", "`busy-window`", "exact", "bound / exact"]
    return table(head, rows)


def exactly(case: WorstCase) -> str:
    """The worst case in µs, where a run has it; else between which figures it is."""
    return in_us(case.at_most) if case.exact else f"{in_us(case.found)} to {in_us(case.at_most)}"


def above(bound: int | None, case: WorstCase) -> str:
    """A bound over the worst case, rounded up; of one that is not exact, over the worst run."""
    if bound is None or not case.found:
        return "–"
    hundredths = -(-100 * bound // case.found)
    return f"{hundredths // 100}.{hundredths % 100:02}"
