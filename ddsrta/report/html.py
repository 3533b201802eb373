"""Self-contained HTML fragments for notebooks: no scripts, no files, no colours of their own
background, so that they sit on a light page as on a dark one. Every name is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ddsrta.bounds.deadlines import figure_of, outcome_of
from ddsrta.bounds.result import ChainResult, Result
from ddsrta.models.system import System
from ddsrta.report.elements import Mark, badge, checked, details, findings, orders, table, text
from ddsrta.report.findings import assumed, graded
from ddsrta.report.svg import COLOURS, chain_bar
from ddsrta.report.tables import all_tables, chains
from ddsrta.report.terminal import verdict_line
from ddsrta.report.things import chain_tables, counts, system_tables

if TYPE_CHECKING:
    from ddsrta.bounds.evidence.explained import Explained
    from ddsrta.simulation.instance import Instance

_STATES = (("good", "met"), ("bad", "missed"), ("unsure", "unbounded"))
_STYLE = (
    """\
.ddsrta{font:14px/1.45 system-ui,sans-serif;color:inherit;max-width:64rem;"""
    + ";".join(f"--{kind}:{COLOURS[state]}" for kind, state in _STATES)
    + """}
.ddsrta table{border-collapse:collapse;margin:.5em 0 1em;color:inherit;font-size:13px}
.ddsrta th{font-weight:500;opacity:.65}
.ddsrta th,.ddsrta td{padding:.25em .9em .25em 0;border:0;
border-bottom:1px solid rgba(128,128,128,.25);background:none;vertical-align:middle}
.ddsrta.ddsrta table th,.ddsrta.ddsrta table td{text-align:left}
.ddsrta td>svg{max-width:none}
.ddsrta.ddsrta table .n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.ddsrta .f{opacity:.65}
"""
    + "".join(f".ddsrta .{kind}{{color:var(--{kind})}}\n" for kind, _ in _STATES)
    + """\
.ddsrta summary{cursor:pointer;padding:.15em 0}
.ddsrta ul{margin:.3em 0 .8em;padding-left:1.2em}
"""
)


def result_html(result: Result, instances: Sequence[Instance] = ()) -> str:
    """A result as a fragment: the verdict, what is wrong, a bar for each chain, then the rest.

    `instances`: the worst ones that runs have shown, drawn as Gantt charts.

    >>> empty = Result("<toy>", "busy-window", "met", {}, (), {}, {}, {}, ())
    >>> "&lt;toy&gt;" in result_html(empty)
    True
    """
    grave, others = graded(result.warnings)
    title = verdict_line(result).split("  ", 1)[1]
    bars = [
        Mark(drawing=chain_bar(figure_of(chain), chain.deadline, outcome_of(chain, result)))
        for chain in result.chains.values()
    ]
    return fragment(
        f"<p>{badge(result)} {text(title)}</p>",
        findings(grave),
        table(chains(result), bars),
        table(orders(result)),
        details("worst instances found", _gantts(instances), " open"),
        *(details(f"{made.titles[0]}s", table(made)) for made in all_tables(result)),
        findings(assumed(result.assumptions)),
        findings(others),
        checked(result),
    )


def explained_fragment(found: Explained) -> str:
    """Explanations as a fragment: for each a bar, its largest causes, its stages.

    >>> from ddsrta.bounds.evidence.explained import explain
    >>> from ddsrta.examples import two_threads
    >>> "control loop" in explained_fragment(explain(two_threads()))
    True
    """
    from ddsrta.report.page.stages import explanations, legend

    grave, _ = graded(found.result.warnings)
    return fragment(
        findings(grave),
        legend(),
        explanations(found, ids=False),
        findings(assumed(found.result.assumptions)),
        checked(found.result),
    )


def system_html(system: System) -> str:
    """A system as a fragment: what exists, and where it runs."""
    running, rest = system_tables(system)
    return fragment(
        f"<p><b>{text(system.name)}</b> <span class='f'>{counts(system)}</span></p>",
        *map(table, running),
        *(details(made.titles[0] + "s", table(made)) for made in rest),
    )


def chain_html(chain: ChainResult) -> str:
    """One chain as a fragment: its figures, then its stages."""
    figures, stages = chain_tables(chain)
    return fragment(table(figures), details("stages", table(stages), " open"))


def fragment(*parts: str) -> str:
    """Parts, in the colours of a page, and the style that they need."""
    from ddsrta.report.page.document import notebook_style

    style = f"<style>\n{_STYLE}{notebook_style()}</style>"
    return "\n".join([style, "<div class='ddsrta'>", *(p for p in parts if p), "</div>"])


def _gantts(instances: Sequence[Instance]) -> str:
    if not instances:
        return ""
    from ddsrta.report.gantt import svg

    return "".join(svg(instance) for instance in instances)
