"""Each of GEDF_NP's two orders alone, as plain runs show them."""

from __future__ import annotations

from random import Random

from ddsrta.lf.program.reader import loads
from tests.lf.bounds.schedulers.plain_runs import Choices, Order, run_workers
from tests.lf.bounds.schedulers.test_schedulers_own import ONE

MS = 1_000_000


def starts(order: Order) -> dict[str, int]:
    """One worker, longest times; milliseconds as nanoseconds, so that the run is short."""
    federate = loads(ONE.format(workers=1).replace("ms", "ns")).federates["f"]
    return run_workers(federate, order, Choices(Random(1), longest=True, chaining=False), 100)


def test_levels_first_runs_both_sources_before_any_sink() -> None:
    assert starts("level first") == {"srcb": 0, "srca": 20, "sinkb": 30, "sinka": 32}


def test_deadlines_first_runs_the_urgent_sink_before_the_other_source() -> None:
    """As observed with reactor-c 282c75d: source, B40, source, B50."""
    assert starts("deadline first") == {"srcb": 0, "sinkb": 20, "srca": 22, "sinka": 32}
