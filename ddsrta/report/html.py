"""Self-contained HTML fragments for notebooks: no scripts, no files, no colours of their own
background, so that they sit on a light page as on a dark one. Every name is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ddsrta.base.priorities import FAIR
from ddsrta.base.text import plural
from ddsrta.base.units import format_duration, format_size
from ddsrta.bounds.deadlines import figure_of, state_of
from ddsrta.bounds.result import ChainResult, Result
from ddsrta.models.executors import Executor
from ddsrta.models.system import Middleware, System, Thread
from ddsrta.report.elements import Mark, badge, checked, details, findings, orders, table, text
from ddsrta.report.findings import assumed, graded
from ddsrta.report.svg import COLOURS, chain_bar
from ddsrta.report.table import NOTHING, Cell, Row, bound
from ddsrta.report.tables import Table, all_tables, chains, chains_of
from ddsrta.report.terminal import verdict_line

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
.ddsrta th{font-weight:500;opacity:.65;text-align:left}
.ddsrta th,.ddsrta td{padding:.25em .9em .25em 0;border:0;
border-bottom:1px solid rgba(128,128,128,.25);background:none;vertical-align:middle}
.ddsrta .n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
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
        Mark(drawing=chain_bar(figure_of(chain), chain.deadline, state_of(chain)))
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

    return fragment(legend(), explanations(found, ids=False), checked(found.result))


def system_html(system: System) -> str:
    """A system as a fragment: what exists, and where it runs."""
    threads = [thread for thread in system.threads.values() if thread.executor is None]
    callbacks = [thread for thread in system.threads.values() if thread.executor is not None]
    counts = [
        (len(system.cores), "core"),
        *[(len(threads), "thread")] * bool(threads),
        *[(len(callbacks), "callback")] * bool(callbacks),
        (len(system.topics), "topic"),
        (len(system.chains), "chain"),
    ]
    summary = ", ".join(plural(count, noun) for count, noun in counts)
    return fragment(
        f"<p><b>{text(system.name)}</b> <span class='f'>{summary}</span></p>",
        table(_threads(threads)),
        table(_callbacks(callbacks)),
        *(details(title, table(made)) for title, made in _details_of(system)),
    )


def _threads(threads: Sequence[Thread]) -> Table:
    titles = ("thread", "core", ">priority", ">wcet", "released")
    return Table(
        titles, [[t.name, t.core, _priority(t), _exact(t.wcet), _released(t)] for t in threads]
    )


def _callbacks(callbacks: Sequence[Thread]) -> Table:
    rows: list[Row] = [[c.name, c.executor or "", _exact(c.wcet), _released(c)] for c in callbacks]
    return Table(("callback", "executor", ">wcet", "released"), rows)


def _details_of(system: System) -> Iterator[tuple[str, Table]]:
    """What is folded."""
    executors: list[Row] = [
        [e.name, ", ".join(e.cores) or e.core, _priority(e), e.kind]
        for e in system.executors.values()
    ]
    yield "executors", Table(("executor", "core", ">priority", "kind"), executors)
    middleware: list[Row] = [
        [m.name, m.core, _priority(m), m.policy]
        for m in (*system.flow_controllers.values(), *system.listeners.values())
    ]
    yield "middleware", Table(("thread", "core", ">priority", "policy"), middleware)
    topics: list[Row] = [
        [t.name, format_size(t.size), str(t.priority)] for t in system.topics.values()
    ]
    yield "topics", Table(("topic", ">size", ">priority"), topics)
    paths: list[Row] = [
        [
            chain.name,
            NOTHING if chain.deadline is None else _exact(chain.deadline),
            " → ".join(chain.path or chain.ends or ()),
        ]
        for chain in system.chains.values()
    ]
    yield "chains", Table(("chain", ">deadline", "path"), paths)


def _priority(thing: Thread | Executor | Middleware) -> str:
    if thing.priority == FAIR:
        return "other"
    return "deadline" if thing.reservation else str(thing.priority)


def _exact(value: int) -> str:
    return format_duration(value)


def _released(thread: Thread) -> str:
    """What releases a thread, in a few words."""
    if thread.arrival is not None:
        kind = type(thread.arrival).__name__.lower()
        times = {"periodic": "period", "sporadic": "distance", "burst": "period"}
        time = getattr(thread.arrival, times.get(kind, "period"))
        return f"{kind}, {_exact(time)}"
    subscribed = thread.subscribes.topics if thread.subscribes else ()
    followed = thread.follows.threads if thread.follows else ()
    return f" {thread.activation} ".join((*subscribed, *followed))


def chain_html(chain: ChainResult) -> str:
    """One chain as a fragment: its figures, then its stages."""
    name = f"{chain.path[0]} → {chain.path[-1]}"
    rows: list[Row] = [
        [hop.stage, Cell(hop.where, "faint"), bound(hop.response), bound(hop.latency)]
        for hop in chain.hops
    ]
    stages = Table(("stage", "where", ">response", ">up to its end"), rows)
    return fragment(table(chains_of({name: chain})), details("stages", table(stages), " open"))


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
