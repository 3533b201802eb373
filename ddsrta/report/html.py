"""Self-contained HTML fragments for notebooks: no scripts, no files, no colours of their own
background, so that they sit on a light page as on a dark one. Every name is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from ddsrta.base.text import plural, rounded_down, rounded_up, shown
from ddsrta.base.units import Duration, format_duration, format_size
from ddsrta.bounds.result import ChainResult, Finding, Result
from ddsrta.models.system import System, Thread
from ddsrta.report.checked import check_line
from ddsrta.report.deadlines import WORDS, figure_of, is_unbounded, state_of
from ddsrta.report.findings import assumed
from ddsrta.report.orders import order_text, violated
from ddsrta.report.svg import COLOURS, chain_bar
from ddsrta.report.terminal import NOTHING, UNBOUNDED, percent, verdict_line

if TYPE_CHECKING:
    from ddsrta.simulation.instance import Instance

_STYLE = """\
<style>
.ddsrta{font:14px/1.45 system-ui,sans-serif;color:inherit;max-width:64rem}
.ddsrta table{border-collapse:collapse;margin:.5em 0 1em;color:inherit;font-size:13px}
.ddsrta th{font-weight:500;opacity:.65;text-align:left}
.ddsrta th,.ddsrta td{padding:.25em .9em .25em 0;border:0;
border-bottom:1px solid rgba(128,128,128,.25);background:none;vertical-align:middle}
.ddsrta .n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.ddsrta .f{opacity:.65}
.ddsrta summary{cursor:pointer;padding:.15em 0}
.ddsrta ul{margin:.3em 0 .8em;padding-left:1.2em}
</style>"""
_LARGEST = 500  # rows of a table; a notebook is not the place for more


def result_html(result: Result, instances: Sequence[Instance] = ()) -> str:
    """A result as a fragment: the verdict, what is wrong, a bar for each chain, then the rest.

    `instances`: the worst ones that runs have shown, drawn as Gantt charts.

    >>> empty = Result("<toy>", "busy-window", "met", {}, (), {}, {}, {}, ())
    >>> "&lt;toy&gt;" in result_html(empty)
    True
    """
    grave = [finding for finding in result.warnings if finding.severity == "error"]
    others = [finding for finding in result.warnings if finding.severity != "error"]
    title = verdict_line(result).split("  ", 1)[1]
    return _fragment(
        f"<p>{_badge(result.verdict)} {_text(title)}</p>",
        _findings(grave),
        _chains(result),
        _orders(result),
        _details("worst instances found", _gantts(instances), " open"),
        _details("messages", _messages(result)),
        _details("threads", _threads(result)),
        _details("callbacks", _callbacks(result)),
        _details("cores", _cores(result)),
        _details("links", _links(result)),
        _details("queues", _queues(result)),
        _findings(assumed(result.assumptions)),
        _findings(others),
        _checked(result),
    )


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
    middleware = [*system.flow_controllers.values(), *system.listeners.values()]
    return _fragment(
        f"<p><b>{_text(system.name)}</b> <span class='f'>{summary}</span></p>",
        _table(
            "thread core priority wcet released",
            "llnnl",
            (
                [t.name, t.core, _priority(t.priority, t.reservation), _exact(t.wcet), _released(t)]
                for t in threads
            ),
        ),
        _table(
            "callback executor wcet released",
            "llnl",
            ([c.name, c.executor or "", _exact(c.wcet), _released(c)] for c in callbacks),
        ),
        _details(
            "executors",
            _table(
                "executor core priority kind",
                "llnl",
                (
                    [
                        e.name,
                        ", ".join(e.cores) or e.core,
                        _priority(e.priority, e.reservation),
                        e.kind,
                    ]
                    for e in system.executors.values()
                ),
            ),
        ),
        _details(
            "middleware",
            _table(
                "thread core priority policy",
                "llnl",
                (
                    [m.name, m.core, _priority(m.priority, m.reservation), m.policy]
                    for m in middleware
                ),
            ),
        ),
        _details(
            "topics",
            _table(
                "topic size priority",
                "lnn",
                ([t.name, format_size(t.size), str(t.priority)] for t in system.topics.values()),
            ),
        ),
        _details(
            "chains",
            _table(
                "chain deadline path",
                "lnl",
                (
                    [
                        chain.name,
                        NOTHING if chain.deadline is None else _exact(chain.deadline),
                        " → ".join(chain.path or chain.ends or ()),
                    ]
                    for chain in system.chains.values()
                ),
            ),
        ),
    )


def _priority(priority: int, reservation: object) -> str:
    return "deadline" if reservation else str(priority)


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


def _fragment(*parts: str) -> str:
    return "\n".join([_STYLE, "<div class='ddsrta'>", *(p for p in parts if p), "</div>"])


def _text(text: str) -> str:
    return escape(shown(text), quote=True)


def _badge(verdict: str) -> str:
    colour = COLOURS.get(verdict, COLOURS["missed"])
    return f"<b style='color:{colour}'>{_text(verdict.upper())}</b>"


def _table(
    titles: str | Sequence[str], kinds: str, rows: Iterable[Sequence[str]], raw: int = -1
) -> str:
    """Rows of text; `kinds` has n for numbers, l for text; column `raw` is markup already."""
    names = titles.split() if isinstance(titles, str) else titles
    classes = [" class='n'" if kind == "n" else "" for kind in kinds]
    head = "".join(f"<th{c}>{_text(n)}</th>" for n, c in zip(names, classes, strict=True))
    lines = []
    for row in rows:
        cells = (cell if i == raw else _text(cell) for i, cell in enumerate(row))
        pairs = zip(cells, classes, strict=True)
        lines.append("<tr>" + "".join(f"<td{c}>{cell}</td>" for cell, c in pairs) + "</tr>")
    if not lines:
        return ""
    cut = f"<p class='f'>and {len(lines) - _LARGEST} more</p>" if len(lines) > _LARGEST else ""
    body = "".join(lines[:_LARGEST])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{cut}"


def _details(title: str, body: str, state: str = "") -> str:
    return f"<details{state}><summary>{title}</summary>{body}</details>" if body else ""


def _bound(value: Duration | None) -> str:
    return UNBOUNDED if value is None else rounded_up(value)


def _findings(findings: Sequence[Finding]) -> str:
    items = []
    for finding in findings:
        kind = {"error": "missed", "warning": "unbounded"}.get(finding.severity)
        colour = f" style='color:{COLOURS[kind]}'" if kind else ""
        place = f" <span class='f'>{_text(str(finding.position))}</span>"
        items.append(
            f"<li><b{colour}>{_text(finding.severity)}</b> {_text(finding.message)}"
            f"{place if finding.position else ''}</li>"
        )
    return f"<ul>{''.join(items)}</ul>" if items else ""


def _chains(result: Result) -> str:
    rows = [_chain(name, chain) for name, chain in result.chains.items()]
    titles = ["chain", "figure", "bound", "deadline", "slack", ""]
    reasons = {
        f"<li><b>{_text(name)}</b> is unbounded: {_text(chain.unbounded_because)}</li>": None
        for name, chain in result.chains.items()
        if chain.unbounded_because
    }
    listed = f"<ul>{''.join(reasons)}</ul>" if reasons else ""
    return _table(titles, "llnnnl", rows, raw=5) + listed


def _checked(result: Result) -> str:
    """What the checker said: as loud as it is bad."""
    bad = result.check is not None and result.check.status != "confirmed"
    how = f"style='color:{COLOURS['missed']}'" if bad else "class='f'"
    return f"<p {how}>{_text(check_line(result))}</p>"


def _orders(result: Result) -> str:
    rows = (
        [name, order_text(o.topics), o.subscriber, "always" if o.met else violated(o)]
        for name, o in result.orders.items()
    )
    return _table("order topics subscriber holds", "llll", rows)


def _chain(name: str, chain: ChainResult) -> list[str]:
    key, figure = chain.constraint, figure_of(chain)
    if figure is None and chain.deadline is None and chain.data_age is not None:
        key, figure = "data_age", chain.data_age  # what a path through registers has instead
    unbounded = is_unbounded(chain, key) or chain.deadline is not None
    missing = UNBOUNDED if unbounded else NOTHING
    return [
        name,
        WORDS[key],
        missing if figure is None else rounded_up(figure),
        NOTHING if chain.deadline is None else str(chain.deadline),
        NOTHING if chain.slack is None else rounded_down(chain.slack),
        chain_bar(figure, chain.deadline, state_of(chain)),
    ]


def _gantts(instances: Sequence[Instance]) -> str:
    if not instances:
        return ""
    from ddsrta.report.gantt import svg

    return "".join(svg(instance) for instance in instances)


def _messages(result: Result) -> str:
    rows = ([m.publisher, m.topic, m.subscriber, m.mode, _bound(m.ddl)] for m in result.messages)
    return _table("publisher topic subscriber mode delivery", "lllln", rows)


def _threads(result: Result) -> str:
    rows = ([name, t.core, _bound(t.wcrt)] for name, t in result.threads.items())
    return _table("thread core response", "lln", rows)


def _callbacks(result: Result) -> str:
    rows = (
        [name, callback.executor, callback.core, _bound(callback.wcrt), callback.by or ""]
        for name, callback in result.callbacks.items()
    )
    return _table("callback executor core response by", "lllnl", rows)


def _cores(result: Result) -> str:
    rows = ([name, percent(core.utilization)] for name, core in result.cores.items())
    return _table("core load", "ln", rows)


def _links(result: Result) -> str:
    rows = (
        [
            f"{name} ({percent(link.utilization)})",
            sent,
            str(message.transmission),
            _bound(message.wcrt),
        ]
        for name, link in result.links.items()
        for sent, message in link.messages.items()
    )
    return _table(["link", "message", "time", "response"], "llnn", rows)


def _queues(result: Result) -> str:
    rows = (
        [
            name,
            UNBOUNDED if queue.backlog is None else str(queue.backlog),
            NOTHING if queue.capacity is None else str(queue.capacity),
        ]
        for name, queue in result.queues.items()
    )
    return _table(["queue", "at most", "room"], "lnn", rows)
