"""Small histograms of plain text."""

from __future__ import annotations

from ddsrta.base.text import rounded_up, shown
from ddsrta.base.units import Duration
from ddsrta.report.style import PLAIN, Style
from ddsrta.simulation.simulation import Observation
from ddsrta_simulator.program import bucket, bucket_least

LINES = 12
WIDTH = 40


def histogram_lines(name: str, seen: Observation, style: Style = PLAIN) -> list[str]:
    """Bars for equally wide ranges of values, each named by its upper edge.

    >>> seen = Observation(3, 1, 4, 2, 3, 3, 5, ((1, 1), (3, 3)))
    >>> print("\\n".join(histogram_lines("backlog of L", seen)))
    backlog of L
      1   1  #############
      2   0
      3   3  ########################################
    """
    counts: dict[int, int] = {}
    first = seen.histogram[0][0]
    step = max(1, -(-((seen.max or 0) - first + 1) // LINES))
    for least, count in seen.histogram:
        edge = bucket_least(bucket(least) + 1) - 1
        middle = min(least + (edge - least) // 2, seen.max or 0)
        line = (middle - first) // step
        counts[line] = counts.get(line, 0) + count
    timed = isinstance(seen.max, Duration)
    edges = [min(first + (line + 1) * step - 1, seen.max or 0) for line in range(max(counts) + 1)]
    texts = [rounded_up(edge, 3) if timed else str(edge) for edge in edges]
    wide, most = max(map(len, texts)), max(counts.values())
    digits = len(f"{most:,}")
    lines = [shown(name)]
    for line, text in enumerate(texts):
        count = counts.get(line, 0)
        bar = "#" * max(count * WIDTH // most, min(1, count))
        lines.append(f"  {text:>{wide}}   {count:>{digits},}  {style.faint(bar)}".rstrip())
    return lines
