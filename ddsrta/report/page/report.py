"""The page of a system: verdict, chains, graph, where the time goes, worst run, loads, findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from ddsrta.base.frozen import frozen
from ddsrta.base.text import plural
from ddsrta.base.units import format_duration
from ddsrta.bounds.deadlines import figure_of, outcome_of, state_of, worst_first
from ddsrta.bounds.result import ChainResult, Result
from ddsrta.report import elements
from ddsrta.report.elements import Mark, badge, details, findings, orders, scroll, table, text
from ddsrta.report.findings import assumed, graded
from ddsrta.report.page.document import Section, document, foot
from ddsrta.report.page.network import Path, network_of, path_of
from ddsrta.report.page.network_svg import MOST_CHAINS, MOST_NODES, network_svg
from ddsrta.report.page.stages import explained, explanations, legend
from ddsrta.report.svg import chain_bar
from ddsrta.report.tables import (
    callbacks,
    chains,
    cores,
    links,
    messages,
    queues,
    synchronizers,
    threads,
)
from ddsrta.report.terminal import verdict_line

if TYPE_CHECKING:
    from ddsrta.bounds.evidence.checked import Checked
    from ddsrta.bounds.evidence.explained import Explained
    from ddsrta.bounds.terms.explanation import Explanation
    from ddsrta.exploration.attacks import Attacked
    from ddsrta.exploration.comparison import Comparison
    from ddsrta.exploration.difference.difference import Difference
    from ddsrta.exploration.sensitivity import Sensitivity
    from ddsrta.models.system import System

_BROKEN = ": a run above a bound is a defect in ddsrta, please report it"
MOST_EXPLAINED = 60  # chains, the latest first


@frozen
class Report:
    """What a page is made of: a result; what explains its chains, by their names; the worst runs
    that were found, or why there are none; and what was asked for beside that: how far values can
    go, and what changed against a baseline."""

    result: Result
    explanations: Mapping[str, Explanation] = field(default_factory=dict)
    attacked: Sequence[Attacked] = ()
    not_attacked: str = ""
    sensitivity: Sensitivity | None = None
    changes: Difference | Comparison | None = None


def reported(checked: Checked) -> Report:
    """What a page says of a system that was analysed: its worst chains are explained.

    >>> from ddsrta.bounds.evidence.checked import analyze_checked
    >>> from ddsrta.examples import two_threads
    >>> list(reported(analyze_checked(two_threads())).explanations)
    ['control loop']
    """
    result = checked.result
    if result.check is not None and result.check.status == "refuted":
        return Report(result)  # nothing of a bound that the checker refuses is explained
    from ddsrta.bounds.evidence.explained import explain_chains

    wanted = [name for name, _ in worst_first(result)[:MOST_EXPLAINED]]
    return Report(result, {one.chain: one for one in explain_chains(checked, wanted)})


def report_html(report: Report) -> str:
    """The whole page.

    >>> from ddsrta import analyze
    >>> from ddsrta.examples import two_threads
    >>> page = report_html(Report(analyze(two_threads())))
    >>> "<title>two threads</title>" in page, "id='graph'" in page, "http://" in page[:200]
    (True, True, False)
    """
    result = report.result
    return document(result.system, _head(result), list(_sections(report)), _foot(result))


def explained_html(found: Explained) -> str:
    """A page of explanations alone.

    >>> from ddsrta.bounds.evidence.explained import explain
    >>> from ddsrta.examples import two_threads
    >>> "id='time'" in explained_html(explain(two_threads()))
    True
    """
    result = found.result
    sections = [
        Section("errors", "Errors", findings(graded(result.warnings)[0])),
        Section("time", "Where the time goes", legend() + explanations(found)),
        Section("assumptions", "Assumptions", findings(assumed(result.assumptions))),
    ]
    return document(result.system, _head(result), sections, _foot(result))


def _sections(report: Report) -> Iterator[Section]:
    result = report.result
    grave, others = graded(result.warnings)
    places = {name: number for number, name in enumerate(result.chains)}
    order = [(places[name], name, chain) for name, chain in worst_first(result)]
    yield Section("errors", "Errors", findings(grave))
    yield Section("chains", "Chains", _chains(report, order) + scroll(table(orders(result))))
    if report.changes is not None:
        from ddsrta.report.page.changes import changes_html

        yield Section("changes", "What changed", scroll(changes_html(report.changes)))
    yield Section("graph", "Graph", _graph(result))
    yield Section("time", "Where the time goes", _time(report, order))
    yield Section("worst", "Worst run found", _worst(report))
    yield Section("loads", "Loads and queues", _loads(result))
    yield Section("sensitivity", "How far values can go", _sensitivity(report.sensitivity))
    yield Section("findings", "Findings", findings(others))
    yield Section("assumptions", "Assumptions", findings(assumed(result.assumptions)))
    yield Section("all", "All figures", "".join(_figures(result)))


def _head(result: Result) -> str:
    summary = verdict_line(result).split("  ", 1)[1].partition(": ")[2]
    head = f"<h1>{text(result.system)}</h1><p>{badge(result)}{text(summary)}</p>"
    return head + elements.checked(result)


def _figures(result: Result) -> Iterator[str]:
    """All tables, folded; rows know the chains that pass what they are of."""
    passed = passing(result) if result.model is not None else {}
    known = result.model.threads if result.model is not None else {}

    def marks(things: Iterable[object]) -> list[Mark]:
        numbers = (passed.get(thing, ()) for thing in things)
        return [Mark(f" data-c='{' '.join(map(str, each))}'" if each else "") for each in numbers]

    def declared(name: str) -> str:
        return known[name].declared_as if name in known else name

    ways = [(declared(m.publisher), m.topic, declared(m.subscriber)) for m in result.messages]
    jobs = [declared(name) for name in result.callbacks]
    yield details("messages", scroll(table(messages(result), marks(ways))))
    yield details("threads", scroll(table(threads(result), marks(result.threads))))
    yield details("callbacks", scroll(table(callbacks(result), marks(jobs))))
    yield details("synchronizers", scroll(table(synchronizers(result))))


def _chains(report: Report, order: Sequence[tuple[int, str, ChainResult]]) -> str:
    made = chains(report.result)
    marks = [
        Mark(
            f" data-chain='{number}'",
            f"chain-{number}" if name in report.explanations else "",
            chain_bar(figure_of(chain), chain.deadline, outcome_of(chain, report.result)),
        )
        for number, name, chain in order
    ]
    rows = [made.rows[number] for number, *_ in order]
    return scroll(table(made._replace(rows=rows), marks), " chains")


def graph_svg(system: System, result: Result) -> str:
    """The graph of a system, with the ways of its chains; red are those that may be late.

    >>> from ddsrta import analyze
    >>> from ddsrta.examples import two_threads
    >>> graph_svg(two_threads(), analyze(two_threads())).startswith("<svg ")
    True
    """
    named = list(result.chains.values())[:MOST_CHAINS]
    late = {number: state_of(c) not in ("met", None) for number, c in enumerate(named)}
    paths = paths_of(system, result)
    return network_svg(network_of(system, result), paths, late)


def paths_of(system: System, result: Result) -> list[Path]:
    """What the first chains of a result pass."""
    named = list(result.chains.values())[:MOST_CHAINS]
    return [path_of(system, chain.path) for chain in named]


def passing(result: Result) -> dict[object, list[int]]:
    """The numbers of the chains that pass each node and way."""
    assert result.model is not None
    found: dict[object, list[int]] = {}
    for number, path in enumerate(paths_of(result.model, result)):
        for thing in (*path.nodes, *path.ways):
            found.setdefault(thing, []).append(number)
    return found


def _graph(result: Result) -> str:
    """The drawing, in a frame that scrolls."""
    if result.model is None:
        return ""
    if (count := len(result.model.threads)) > MOST_NODES:
        return f"<p>{plural(count, 'thread')}: more than a picture can show.</p>"
    zooms = (("1.25", "larger"), ("0.8", "smaller"), ("fit", "whole width"), ("one", "full size"))
    tools = "".join(f"<button data-zoom='{by}'>{words}</button>" for by, words in zooms)
    return (
        "<p class='f'>Threads and callbacks in the lanes of their cores, with the topics that each "
        "publishes; ≤ is the bound of a response. A bar at the left: released by time. Dashes: "
        "released directly. Point at a chain, or choose it, to see its way.</p>"
        f"<div class='tools' hidden>{tools}</div>"
        "<div class='graph' tabindex='0' role='region' aria-label='graph'>"
        f"{graph_svg(result.model, result)}</div>"
    )


def _time(report: Report, order: Sequence[tuple[int, str, ChainResult]]) -> str:
    found = report.explanations
    shown = [each for each in order if each[1] in found]
    if not shown:
        return ""
    parts = [explained(number, name, report.result, found[name]) for number, name, _ in shown]
    left = len(order) - len(shown)
    more = f"<p class='f'>{plural(left, 'more chain')}: ddsrta explain SYSTEM CHAIN</p>"
    return legend() + "\n".join(parts) + more * (left > 0)


def _worst(report: Report) -> str:
    """The worst instance of each that was attacked, beside its bound."""
    if not report.attacked:
        return f"<p class='f'>{text(report.not_attacked)}</p>" if report.not_attacked else ""
    from ddsrta.report.gantt import svg
    from ddsrta.report.worst_instance import instance_of

    parts = []
    for one in report.attacked:
        bound = "unbounded" if one.target.bound is None else format_duration(one.target.bound)
        found = "never seen" if one.worst is None else format_duration(one.worst)
        runs = plural(one.found.runs, "run")
        words = f"{one.target.name}: {found} found in {runs}, the bound is {bound}"
        how = " class='bad'" if one.broken else ""
        parts.append(f"<p{how}>{text(words + _BROKEN * one.broken)}</p>")
        if (instance := instance_of(one.found)) is not None:
            parts.append(f"<div class='gantt' tabindex='0'>{svg(instance)}</div>")
    return "".join(parts)


def _sensitivity(found: Sensitivity | None) -> str:
    if found is None:
        return ""
    from ddsrta.report.sensitivity_html import margins_html

    return margins_html(found)


def _loads(result: Result) -> str:
    marks = [Mark(drawing=_load(core.utilization)) for core in result.cores.values()]
    whole = (table(cores(result), marks), table(links(result)), table(queues(result)))
    return "".join(map(scroll, whole))


def _load(load: float) -> str:
    full = " bad" if load > 1 else ""
    return f"<span class='load{full}'><i style='width:{100 * min(load, 1):.1f}%'></i></span>"


def _foot(result: Result) -> str:
    """What the page came from."""
    digest = [f"certificate {result.check.certificate}"] if result.check is not None else []
    return foot(f"profile {result.profile}", *digest)
