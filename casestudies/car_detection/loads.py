"""What the processor has to do for the distances, without the synchronizer and with it."""

from __future__ import annotations

from fractions import Fraction

from casestudies.analyses import analysed, loaded
from casestudies.statements import table
from ddsrta.models.system import System

STUDY = "car_detection"
WITHOUT, WITH = "without_sync", "system"
MEASURED = {  # Table II, of a processor
    ("scan2image", WITHOUT): Fraction(1337, 10_000),
    ("scan2image", WITH): Fraction(70, 10_000),
    ("sync", WITH): Fraction(267, 10_000),
}


def _period(system: System, thread: str) -> int:
    arrival = system.threads[thread].arrival
    assert arrival is not None
    return arrival.least_distance(2)


def load(thread: str, name: str) -> Fraction:
    """The most of a processor that the jobs of a thread take in the long run. `scan2image` runs for
    each scan, or for each set; `sync` looks at each message, and what one look costs is taken from
    its measured load."""
    system = loaded(STUDY, name)
    if thread == "sync":
        return MEASURED["sync", WITH]
    wcet = system.threads[thread].wcet
    if name == WITHOUT:
        return Fraction(wcet, _period(system, "lidar"))
    period = analysed(STUDY, name).synchronizers["sync"].period
    assert period
    return Fraction(wcet, int(period))


def look() -> int:
    """What the paper's node takes for one message on average, in ns, if its load is 2.67 %."""
    system = loaded(STUDY, WITH)
    rate = sum(Fraction(1, _period(system, name)) for name in ("camera", "lidar"))
    return int(MEASURED["sync", WITH] / rate)


def percent(part: Fraction) -> str:
    """Rounded up to hundredths.

    >>> percent(Fraction(1, 3))
    '33.34 %'
    """
    hundredths = -(-part * 10_000 // 1)
    return f"{hundredths // 100}.{hundredths % 100:02} %"


def loads() -> str:
    """Without and with the node: what is measured, and what our bounds allow."""
    rows = []
    for name in (WITHOUT, WITH):
        threads = ("scan2image",) if name == WITHOUT else ("scan2image", "sync")
        measured = sum(MEASURED[thread, name] for thread in threads)
        ours = sum(load(thread, name) for thread in threads)
        cells = [percent(load("scan2image", name)), percent(MEASURED["scan2image", name])]
        cells += ["–" if name == WITHOUT else percent(MEASURED["sync", WITH])]
        rows.append([f"`{name}.yaml`", *cells, percent(ours), percent(Fraction(measured))])
    head = ["", "scan2image, at most", "measured", "sync, measured"]
    return table([*head, "both, at most", "both, measured"], rows)
