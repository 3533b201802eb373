"""What the papers show, piece by piece, beside our figures: `ddsrta reproduce` prints it.

A piece is a table or a figure of a paper. It has a table of ours, or the reason why there is none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from casestudies.analyses import DEFAULT, PUBLISHED, analysed, in_ms, in_us, message
from casestudies.statements import table
from casestudies.tables import tables
from casestudies.worst_cases import exactly, worst_cases

SCIANGULA = "Sciangula et al. 2025"
SAITO = "Saito et al."
XRONOS = "Bateni et al. 2022"
ROBLEDO = "Robledo et al. 2024"
SOYER = "Soyer 2024"
HEAD = ("", "paper", "published analysis", "ours", "exact or worst found", "measured")
NOT_PRINTED = "not printed"


@dataclass(frozen=True)
class Piece:
    """A name, the paper and the place in it, what it shows, and the folder of the case study.

    `make` gives a table in Markdown, in the unit of `unit`; without one, `why` says why not.
    """

    name: str
    source: str
    shows: str
    study: str = ""
    make: Callable[[], str] | None = None
    unit: str = ""
    why: str = ""


def _of(study: str, name: str) -> Callable[[], str]:
    """A table of a case study."""
    return lambda: tables(study)[name]()  # noqa: PLW0108  (imported when it is asked for)


def _three_topics() -> str:
    """Table 3 gives how far the measurement lies below the paper's bound."""
    from casestudies.three_topics import tables as study

    below = {
        study.FIFO: (63, 111, 69),
        study.HIGH_PRIORITY: (145, 107, 77),
        study.ROUND_ROBIN: (113, 61, 78),
        study.SYNC: (52, 87, 63),
    }
    rows = []
    for name in (*study.ASYNC, study.SYNC):
        cases = worst_cases(study.STUDY, name)
        for topic, less in zip(study.TOPICS, below[name], strict=True):
            case = cases[study.ARROW.join(("publisher", topic, "subscriber"))]
            paper = in_us(study.PRINTED_FIFO_BOUND) if name == study.FIFO else NOT_PRINTED
            published = message(analysed(study.STUDY, name, PUBLISHED), topic).ddl
            figures = (paper, in_us(published), in_us(case.target.bound), exactly(case))
            margin = f"{less // 10}.{less % 10} % below the paper's bound"
            rows.append([f"{name} DDL θ{topic[-1]}", *figures, margin])
    return table(HEAD, rows)


def _waters() -> str:
    from casestudies.waters2019 import tables as study

    chains = [name for name in study.EXPLORED if name in study.SUBCHAINS]
    exact = worst_cases(study.STUDY, "sync", *chains)
    rows = []
    for name in study.ALL:
        for chain in study.SUBCHAINS:
            case = exact.get(chain) if name == "sync" else None
            figures = [study.latency(name, chain, profile) for profile in (PUBLISHED, DEFAULT)]
            found = exactly(case) if case is not None else "not small"
            rows.append([f"{name} {chain}", NOT_PRINTED, *map(in_us, figures), found, NOT_PRINTED])
    return table(HEAD, rows)


def _testbed() -> str:
    from casestudies.ros2_testbed import tables as study

    below = {"S-S": "6.1 % below the paper's bound", "HP-HP": "16.0 % below the paper's bound"}
    rows = []
    for name in study.CONFIGURATIONS:
        cases = worst_cases(study.STUDY, name, "end to end").values()
        case = max(cases, key=lambda one: one.at_most or 0)
        figures = [in_us(study.bound(name, profile)) for profile in (PUBLISHED, DEFAULT)]
        seen = below.get(name, NOT_PRINTED)
        rows.append([f"{name} end to end", NOT_PRINTED, *figures, exactly(case), seen])
    return table(HEAD, rows)


def _sends() -> str:
    """The paper's figures are measured: it has no analysis of this."""
    from casestudies.ros1_sends import tables as study

    measured = {"random": study.UNORDERED, "priority": study.FIRST}
    rows = []
    for order in study.ORDERS:
        for copy, what in ((study.SHARE, "1606 µs / 4"), (study.FIRST, "605 µs")):
            published, ours = (
                study.sent(order, copy, profile)[study.URGENT] for profile in (PUBLISHED, DEFAULT)
            )
            seen = in_us(measured[order]) if order in measured else "–"
            cells = ["–", in_us(published), in_us(ours), "–", seen]
            rows.append([f"{order} order, a copy takes {what}", *cells])
    return table(HEAD, rows)


def _disparity() -> str:
    from casestudies.car_detection import tables as study
    from casestudies.car_detection.seen import disparities, worst

    rows = []
    for system in study.SYSTEMS:
        found = max(*disparities(system), worst(system)["disparity", "sync"])
        eq_1 = in_ms(study.EQ_1)
        measured = in_ms(study.MEASURED) if system == "system" else "–"
        rows.append([system, eq_1, eq_1, in_ms(study.disparity(system)), in_ms(found), measured])
    before = analysed(study.STUDY, "without_sync").synchronizers["car_fusion"].disparity
    found = max(disparities("without_sync"))
    rows.append(["without_sync", "–", "–", in_ms(before), in_ms(found), NOT_PRINTED])
    return table(HEAD, rows)


def _loads() -> str:
    from casestudies.car_detection import loads as study

    rows = []
    for (thread, system), measured in study.MEASURED.items():
        ours = study.percent(study.load(thread, system))
        made = "" if (thread, system) == ("scan2image", study.WITH) else ", by construction"
        row = [f"{system}: {thread}{made}", "–", "–", ours, "–", study.percent(measured)]
        rows.append(row)
    return table(HEAD, rows)


PIECES = (
    Piece(
        "three-topics",
        f"{SCIANGULA}, 6.2, Table 3",
        "delivery of three topics, four ways to send",
        "three_topics",
        _three_topics,
        "µs",
    ),
    Piece(
        "waters2019",
        f"{SCIANGULA}, 6.3",
        "twelve subchains of a vehicle, end to end",
        "waters2019",
        _waters,
        "µs",
    ),
    Piece(
        "ros2-testbed",
        f"{SCIANGULA}, 6.4",
        "three applications in a row, sixteen ways to send",
        "ros2_testbed",
        _testbed,
        "µs",
    ),
    Piece(
        "ars",
        f"{SCIANGULA}, 6.5",
        "five chains of the Autoware reference system",
        "ars",
        _of("ars", "bounds"),
        "ms",
    ),
    Piece(
        "statements-6.2",
        f"{SCIANGULA}, 6.2",
        "what its text states",
        "three_topics",
        _of("three_topics", "statements"),
        "µs",
    ),
    Piece(
        "statements-6.3",
        f"{SCIANGULA}, 6.3",
        "what its text states",
        "waters2019",
        _of("waters2019", "statements"),
        "ms",
    ),
    Piece(
        "statements-6.4",
        f"{SCIANGULA}, 6.4",
        "what its text states",
        "ros2_testbed",
        _of("ros2_testbed", "statements"),
        "µs",
    ),
    Piece(
        "statements-6.5",
        f"{SCIANGULA}, 6.5",
        "what its text states",
        "ars",
        _of("ars", "statements"),
        "ms",
    ),
    Piece(
        "saito-send",
        f"{SAITO}, Fig. 11",
        "when the copy of the most urgent subscriber has left",
        "ros1_sends",
        _sends,
        "µs",
    ),
    Piece(
        "saito-difference",
        f"{SAITO}, Eq. 1, V B",
        "how far apart image and scan are, and before",
        "car_detection",
        _disparity,
        "ms",
    ),
    Piece(
        "saito-load",
        f"{SAITO}, Table II",
        "load of a processor, without the sync node and with it",
        "car_detection",
        _loads,
    ),
    Piece(
        "xronos-order",
        f"{XRONOS}, Fig. 3",
        "which orders are possible, how often runs show them",
        "xronos_order",
        _of("xronos_order", "sequences"),
    ),
    Piece(
        "xronos-offsets",
        f"{XRONOS}, III A, VII",
        "offsets that keep the order",
        "xronos_federations",
        _of("xronos_federations", "orders"),
    ),
    Piece(
        "xronos-alignment",
        f"{XRONOS}, Fig. 4",
        "what aligns trajectories with motions",
        "xronos_federations",
        _of("xronos_federations", "alignment"),
    ),
    Piece(
        "enclaves",
        f"{ROBLEDO}, V",
        "lags of seven partitions into enclaves",
        "baseband",
        _of("baseband", "figures"),
        "ms",
    ),
    Piece(
        "soyer-scenarios",
        f"{SOYER}, 4",
        "deadlines under five schedulers",
        "soyer_scenarios",
        _of("soyer_scenarios", "claims"),
        "ms",
    ),
    Piece(
        "soyer-throttling",
        f"{SOYER}, 4",
        "which loads are throttled",
        "soyer_scenarios",
        _of("soyer_scenarios", "throttling"),
        "ms",
    ),
    Piece(
        "sciangula-measured",
        f"{SCIANGULA}, Figs. 12, 13, 15, 16",
        "its measured latencies and bounds",
        why="closed: its figures have no numbers, and its data are not published",
    ),
    Piece(
        "sciangula-runtimes",
        f"{SCIANGULA}, Table 5",
        "how long its analysis takes",
        why="closed: its program is not published; ours is timed by 'make bench'",
    ),
    Piece(
        "saito-variance",
        f"{SAITO}, Fig. 11",
        "variances of send times",
        why="not yet: bounds say nothing of variances",
    ),
    Piece(
        "xronos-rates",
        f"{XRONOS}, Fig. 3",
        "how often each order comes, over periods and offsets",
        why="not yet: frequencies are those of runs with assumed offsets, not of its machines",
    ),
    Piece(
        "xronos-throughput",
        f"{XRONOS}, VII",
        "throughput of coordination",
        why="not yet: messages a second are not modelled, lags and offsets are",
    ),
    Piece(
        "enclaves-dropped",
        f"{ROBLEDO}, V",
        "dropped and late jobs of 10,000 subframes",
        why="not yet: bounds and runs of lags stand for them; its times are not published",
    ),
    Piece(
        "soyer-lag-controller",
        SOYER,
        "a controller that evens out lags",
        why="not yet: a gain is no bound, and what a controller sleeps is not modelled",
    ),
)
