"""All figures of an analysis as one table: CSV, or Parquet for tools that read columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.formats.exported import Exported

if TYPE_CHECKING:
    from ddsrta.bounds.result import Result
    from ddsrta.models.system import System


class Row(NamedTuple):
    """One figure of one thing. A `bound` is in ns, or a number of messages; None is unbounded,
    `because` of that. The first row is the verdict, which findings and the check decide, too."""

    kind: str
    name: str
    figure: str
    bound: int | None
    limit: int | None = None
    met: bool | None = None
    where: str | None = None
    because: str | None = None


def rows(result: Result) -> Iterator[Row]:
    """The verdict, then chains, messages, threads, callbacks, links and queues, a row for each of
    their figures.

    >>> from ddsrta import analyze
    >>> from ddsrta.examples import two_threads
    >>> list(rows(analyze(two_threads())))[1][:6]
    ('chain', 'control loop', 'latency', 3.286 ms, 8 ms, True)
    """
    verdict = result.verdict
    yield Row("system", result.system, "verdict", None, None, verdict == "met", None, verdict)
    for name, chain in result.chains.items():
        for figure in ("latency", "trigger_latency", "data_age", "reaction_time"):
            wanted = figure == chain.constraint
            bound = getattr(chain, figure)
            if wanted or bound is not None:
                limit, met = (chain.deadline, chain.met) if wanted else (None, None)
                why = chain.unbounded_because if bound is None else None
                yield Row("chain", name, figure, bound, limit, met, None, why)
    for one in result.messages:
        name = f"{one.publisher} → {one.topic} → {one.subscriber}"
        yield Row("message", name, "delivery", one.ddl, because=one.unbounded_because)
    for kind in ("threads", "callbacks"):
        for name, each in getattr(result, kind).items():
            because = each.unbounded_because
            yield Row(kind[:-1], name, "response", each.wcrt, None, None, each.core, because)
    for link, found in result.links.items():
        for name, sent in found.messages.items():
            because = sent.unbounded_because
            yield Row("transfer", name, "response", sent.wcrt, None, None, link, because)
    for name, queue in result.queues.items():
        because = queue.unbounded_because
        yield Row("queue", name, "backlog", queue.backlog, queue.capacity, because=because)


def _analysed(system: System) -> tuple[Result, tuple[str, ...]]:
    """The result, and what of it is in no row."""
    from ddsrta.bounds.analyze import analyze

    result = analyze(system)
    status = result.check.status if result.check else "unchecked"
    said = [f"what the checker says: {status}"]
    said += [f"order '{name}'" for name in result.orders]
    said += [f"synchronizer of '{name}'" for name in result.synchronizers]
    rules = dict.fromkeys(finding.rule for finding in result.warnings)
    said += [f"findings: {', '.join(rules)}"] if rules else []
    return result, tuple(said)


def export_csv(system: System) -> Exported:
    """The rows below a line with the names of the columns; what is unbounded has no number."""
    result, left_out = _analysed(system)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(Row._fields)
    for row in rows(result):
        met = {True: "true", False: "false", None: ""}[row.met]
        bound, limit = (None if v is None else int(v) for v in (row.bound, row.limit))
        writer.writerow(row._replace(met=met, bound=bound, limit=limit))  # type: ignore[arg-type]
    return Exported(stream.getvalue(), left_out)


def export_parquet(system: System) -> Exported:
    """The same with types: 64-bit integers, and nulls where there is no number."""
    from importlib.util import find_spec

    if find_spec("pyarrow") is None:
        advice = "install it with: pip install 'ddsrta[parquet]'"
        raise InputError([Diagnostic(None, "Parquet files need the package pyarrow", advice)])
    import pyarrow
    import pyarrow.parquet

    result, left_out = _analysed(system)
    kinds = {"bound": pyarrow.int64(), "limit": pyarrow.int64(), "met": pyarrow.bool_()}
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in Row._fields])
    columns = [list(column) for column in zip(*rows(result), strict=True)]
    table = pyarrow.table(dict(zip(Row._fields, columns, strict=True)), schema=schema)
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink)
    return Exported(sink.getvalue().to_pybytes(), left_out)
