"""Where the time of each chain goes: a bar of its stages, each by kinds of time, and a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ddsrta.base.text import as_written, rounded_up, shown
from ddsrta.base.units import format_duration
from ddsrta.bounds.deadlines import NOT_FINISHED, called, figure_of, outcome_of
from ddsrta.bounds.deadlines import WORDS as FIGURES
from ddsrta.bounds.result import ChainResult, Result
from ddsrta.bounds.terms.explanation import LARGEST, WORDS, Explanation, StageExplanation
from ddsrta.report.elements import details, table, text
from ddsrta.report.explanation import Ruler, sampling
from ddsrta.report.table import Row
from ddsrta.report.tables import Table

if TYPE_CHECKING:
    from ddsrta.bounds.evidence.explained import Explained

_STATES = {"met": "good", "missed": "bad"}
_WORDS: dict[str, str] = {"unfinished": NOT_FINISHED}


def legend() -> str:
    """What the colours mean."""
    kinds = [(kind, words) for kind, words in WORDS.items() if kind != "less"]
    items = "".join(f"<li><i class='k-{kind}'></i>{text(words)}</li>" for kind, words in kinds)
    return f"<ul class='legend'>{items}<li>│ deadline</li></ul>"


def explained(number: int | None, name: str, result: Result, explanation: Explanation) -> str:
    """One chain: its figure beside its deadline, its bar, the largest causes, all stages; under a
    number, by which a page leads to it."""
    chain = result.chains[name]
    state, hint = outcome_of(chain, result), sampling(explanation, result)
    outcome = (
        f" <span class='{_STATES.get(state, 'unsure')}'>{_WORDS.get(state, state)}</span>"
        if state
        else ""
    )
    path = " → ".join(as_written(chain.path))
    place = "" if number is None else f" id='chain-{number}' data-chain='{number}'"
    return "\n".join(
        [
            f"<article{place}>",
            f"<h3>{text(called(name, chain.label))}{outcome}</h3>",
            f"<p>{_figure(chain)}</p><p class='f path'>{text(path)}</p>",
            *_explanation(explanation, chain.deadline),
            f"<p>{text(hint)}</p>" if hint else "",
            "</article>",
        ]
    )


def explanations(found: Explained, ids: bool = True) -> str:
    """Those that were asked for, of chains or of anything else. In a notebook several may stand
    below each other: without `ids`, which would clash."""
    parts = []
    for number, one in enumerate(found.explanations):
        if one.chain in found.result.chains:
            parts.append(explained(number if ids else None, one.chain, found.result, one))
            continue
        bound = "unbounded" if one.bound is None else format_duration(one.bound)
        head = f"<article><h3>{text(one.chain)}</h3><p>{bound}</p>"
        parts += [head, *_explanation(one, None), "</article>"]
    return "\n".join(parts)


def _explanation(explanation: Explanation, deadline: int | None) -> Iterator[str]:
    if explanation.bound is not None:
        yield _bar(explanation, deadline)
        yield _causes(explanation)
        yield details(
            "stage by stage", f"<div class='scroll' tabindex='0'>{_table(explanation)}</div>"
        )
    elif explanation.reason:
        yield f"<p class='unsure'>{text(explanation.reason)}</p>"


def _figure(chain: ChainResult) -> str:
    figure = figure_of(chain)
    what = FIGURES[chain.constraint]
    words = f"{what} {'unbounded' if figure is None else format_duration(figure)}"
    return words if chain.deadline is None else f"{words}, deadline {chain.deadline}"


def _bar(explanation: Explanation, deadline: int | None) -> str:
    """Stages from left to right. What is counted twice is shared among the parts of its stage, so
    that the bar ends at the bound."""
    bound = explanation.bound or 0
    stages = [stage for stage in explanation.stages if stage.total > 0]
    whole = max(bound, deadline or 0, 1)
    drawn = max(sum(stage.total for stage in stages), 1)
    parts = []
    for number, stage in enumerate(explanation.stages, 1):
        if stage.total > 0:
            share = stage.total * bound / (drawn * whole)
            parts.append(_segment(number, stage, share))
    line = ""
    if deadline is not None:
        line = f"<span class='limit' style='left:calc({100 * deadline / whole:.2f}% - 2px)'></span>"
    return f"<div class='stages' aria-hidden='true'>{''.join(parts)}{line}</div>"


def _segment(number: int, stage: StageExplanation, share: float) -> str:
    kinds = {kind: time for kind, time in stage.shares.items() if time > 0}
    whole = sum(kinds.values())
    parts = "".join(
        f"<i class='k-{kind}' style='width:{100 * time / whole:.2f}%'></i>"
        for kind, time in kinds.items()
    )
    told = f"{shown(stage.title)}: {format_duration(stage.total)}"
    mark = f"<b>{number}</b>" if share > 0.03 else ""
    return (
        f"<div class='stage' style='width:{100 * share:.2f}%' title='{text(told)}'>{parts}{mark}"
        "</div>"
    )


def _causes(explanation: Explanation) -> str:
    items = "".join(
        f"<li>{rounded_up(cause.time)} {text(cause.what)}</li>"
        for cause in explanation.causes[:LARGEST]
    )
    return f"<p>the largest causes:</p><ul>{items}</ul>" if items else ""


def _table(explanation: Explanation) -> str:
    titles = (">", "stage", "where", ">time", *(f">{words}" for words in WORDS.values()))
    return table(Table(titles, list(_rows(explanation))))


def _rows(explanation: Explanation) -> Iterator[Row]:
    """In one unit, exact, so that columns and rows can be added up."""
    by_kind = [stage.shares for stage in explanation.stages]
    times = [time for each in by_kind for time in each.values()]
    ruler = Ruler([*times, explanation.bound or 0])
    sums = dict.fromkeys(WORDS, 0)
    for number, (stage, kinds) in enumerate(zip(explanation.stages, by_kind, strict=True), 1):
        cells = [ruler.text(kinds[kind]) if kind in kinds else "" for kind in WORDS]
        where = "" if stage.stage == "register" else stage.where
        yield [str(number), stage.title, where, ruler.text(stage.total), *cells]
        sums.update({kind: sums[kind] + time for kind, time in kinds.items()})
    whole = [ruler.text(sums[kind]) if sums[kind] else "" for kind in WORDS]
    yield ["", "bound", "", ruler.text(explanation.bound or 0), *whole]
