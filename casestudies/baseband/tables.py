"""The tables of the baseband case: bounds and runs of each partition, and what the paper states."""

from __future__ import annotations

from casestudies.analyses import in_ms
from casestudies.baseband.figures import FOUND, read
from casestudies.baseband.found import shape, tried
from casestudies.baseband.program import PARTITIONS, TRAFFIC
from casestudies.statements import Statement, ordered, statement_table, table

STUDY = "baseband"
KINDS = ("bound", "seen")
EVEN = ("low", "medium", "high")
PAPERS = tuple(name for name in PARTITIONS if name != "reactors")


def figure(kind: str, partition: str, traffic: str) -> int:
    """One that can be compared."""
    return ordered(read()[kind][partition][traffic])


def order(kind: str, traffic: str) -> list[str]:
    """The partitions from the best to the worst; those without a bound last."""
    return sorted(PARTITIONS, key=lambda name: figure(kind, name, traffic))


def _orders(kind: str) -> str:
    rows = []
    for traffic in EVEN:
        names = order(kind, traffic)
        known = [name for name in names if read()[kind][name][traffic] is not None]
        rest = [name for name in names if name not in known]
        text = " < ".join(known)
        rows.append(f"{traffic}: {text}{' < without a bound: ' if rest else ''}{', '.join(rest)}")
    return "; ".join(rows)


def _least(kind: str, traffic: str) -> int:
    return min(figure(kind, name, traffic) for name in PAPERS)


STATEMENTS = (
    Statement(
        "enclaves1 best",
        "enclaves1 has the fewest misses of all programs in Lingua Franca, with each traffic",
        _orders,
        lambda kind: all(order(kind, traffic)[0] == "enclaves1" for traffic in EVEN),
        "the paper counts misses of 10,000 drawn subframes, at a load that makes them; at ours "
        "nobody is late. Bounds have all users at their most, when nobody waits for a slower one: "
        "then one timeline on all threads is best, and enclaves cost their overhead",
    ),
    Statement(
        "enclaves1 over finer ones",
        "enclaves1 is better than enclaves3, 4, 5 and 6 with each traffic",
        _orders,
        lambda kind: all(
            figure(kind, "enclaves1", traffic) < figure(kind, name, traffic)
            for traffic in EVEN
            for name in ("enclaves3", "enclaves4", "enclaves5", "enclaves6")
        ),
        "follows from the first. A stage that is an enclave waits for the whole tag of the one "
        "before, and pays overhead",
    ),
    Statement(
        "enclaves6 worst",
        "enclaves6 is the worst of all, worse than the program without enclaves",
        _orders,
        lambda kind: all(
            figure(kind, "enclaves6", traffic) >= figure(kind, name, traffic)
            for traffic in EVEN
            for name in PARTITIONS
        ),
        "460 tags for each subframe: at 10 us each more than half of the threads",
    ),
)


def _figures() -> str:
    rows = []
    for partition in (*PARTITIONS, FOUND):
        count = str(PARTITIONS.get(partition, "see below"))
        cells = [in_ms(read()[kind][partition][t]) for t in TRAFFIC for kind in KINDS]
        rows.append([partition, count, *cells])
    heads = [f"{traffic}, {kind}" for traffic in TRAFFIC for kind in KINDS]
    return table(["partition", "enclaves", *heads], rows)


def _found() -> str:
    rows = []
    for traffic in TRAFFIC:
        best = min(PARTITIONS, key=lambda name: figure("bound", name, traffic))
        known = read()["bound"][best][traffic]
        rows.append([traffic, shape(traffic), str(tried(traffic)),
                     in_ms(read()["bound"][FOUND][traffic]), in_ms(known),
                     best if known is not None else "none"])  # fmt: skip
    head = ["traffic", "found", "tried", "bound", "least bound of the paper's", "which is"]
    return table(head, rows)


TABLES = {
    "figures": _figures,
    "statements": lambda: statement_table("the paper", STATEMENTS, KINDS),
    "found": _found,
}
