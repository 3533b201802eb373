"""What a closed window is made of, term by term (lemma closed-window)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ddsrta.bounds.closed_window.windows import ClosedWindow
from ddsrta.bounds.load import Waits
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.terms.diagnose import described, place
from ddsrta.bounds.terms.flow import counted
from ddsrta.bounds.terms.window import Term, times

MOST_TERMS = 40  # of more stages, those of one core are one


def closed_terms(
    solution: Solution, window: ClosedWindow, way: Sequence[int] = ()
) -> Iterator[Term]:
    """All that is done and sent since nothing was there; what is left of the window is idle. Of the
    stages on the way one unit each is own work."""
    waits: Waits = "any" if solution.compiled.slowest_releases else "none"
    cores: Counter[str] = Counter()
    owned: Counter[str] = Counter()
    for number, (count, cost, _) in window.counts.items():
        core = place(solution, number)
        own = cost * (number in way)
        cores[core] += count * cost
        owned[core] += own
        if len(window.counts) <= MOST_TERMS:
            name = described(solution, number)
            product = times(count, cost, counted(solution, number, waits))
            yield Term(f"{name} on {core}", *product, kind="together", own=own)
    for core, work in cores.items() if len(window.counts) > MOST_TERMS else ():
        yield Term(f"all that counts on {core}", work, kind="together", own=owned[core])
    yield Term(
        "without supply", window.gaps, "reservations, and threads of SCHED_DEADLINE", "waits"
    )
    yield Term("asleep for limits", window.asleep, "flow controllers, for their bytes", "waits")
    if window.fork is not None:
        source = described(solution, window.fork.origin)
        detail = f"two cores work side by side on what {source} leads to"
        yield Term("done at the same time", -window.overlap, detail, "less")
    ways = sum(count * way for count, _, way in window.counts.values())
    yield Term("on the ways", ways, "network, or delays of 'follows'", "way")


def closed_note(solution: Solution, window: ClosedWindow) -> str:
    """Where it is, and what it counts."""
    placed = {place(solution, number).rpartition(" ")[2] for number in window.counts}
    cores = ", ".join(sorted(placed))
    if window.sharing:
        return f"all that shares locks or cores with it on {cores}, since none was pending"
    if window.apart:
        return f"all that is done on {cores} since none was pending, with all that long ways bring"
    return f"all that is done on {cores} and on the way there, since none of it was pending"
