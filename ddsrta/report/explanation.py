"""Where the time of one bound goes, as text: exact figures that add up."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from ddsrta.base.text import shown, width
from ddsrta.report.style import PLAIN, Style

if TYPE_CHECKING:
    from ddsrta.bounds.terms.explain import Explanation, StageExplanation

_WIDTH = 92  # of notes
_UNITS = (("s", 9), ("ms", 6), ("us", 3), ("ns", 0))


class Ruler:
    """Prints durations in one unit with their points below each other, so that a sum can be read.

    >>> ruler = Ruler([1_372_000, 5_000_000])
    >>> ruler.text(1_372_000), ruler.text(5_000_000)
    ('1.372 ms', '5.000 ms')
    """

    def __init__(self, times: list[int]) -> None:
        largest = max((abs(time) for time in times), default=0)
        self.unit, self.digits = next(u for u in _UNITS if largest >= 10 ** u[1] or u[1] == 0)
        self.decimals = max((self._decimals(time) for time in times), default=0)
        self.width = max((width(self._number(time)) for time in times), default=0)

    def _decimals(self, time: int) -> int:
        rest = abs(time) % 10**self.digits
        return len(f"{rest:0{self.digits}d}".rstrip("0")) if rest else 0

    def _number(self, time: int) -> str:
        whole, rest = divmod(abs(time), 10**self.digits)
        fraction = f"{rest:0{self.digits}d}"[: self.decimals] if self.digits else ""
        sign = "-" if time < 0 else ""
        return f"{sign}{whole}.{fraction}" if fraction else f"{sign}{whole}"

    def text(self, time: int) -> str:
        """One duration, as wide as the widest."""
        return f"{self._number(time):>{self.width}} {self.unit}"


def explanation_text(explanation: Explanation, style: Style = PLAIN) -> str:
    """Each stage with its terms, then the sum."""
    path = " → ".join(shown(part) for part in explanation.path)
    lines = [f"{style.strong(shown(explanation.chain))}  {path}", ""]
    times = [term.time for stage in explanation.stages for term in stage.terms]
    times += [stage.total for stage in explanation.stages]
    times += [explanation.bound] if explanation.bound is not None else []
    ruler = Ruler(times)
    for stage in explanation.stages:
        lines += [*_stage(stage, ruler, style), ""]
    if explanation.bound is None:
        reason = f": {shown(explanation.reason)}" if explanation.reason else ""
        return "\n".join([*lines, f"{style.unsure('unbounded')}{reason}"]) + "\n"
    lines.append(f"{style.strong(ruler.text(explanation.bound))}  bound")
    if explanation.reason:
        lines.append(shown(explanation.reason))
    return "\n".join(lines) + "\n"


def _stage(stage: StageExplanation, ruler: Ruler, style: Style) -> list[str]:
    elsewhere = stage.where and stage.stage != f"thread {stage.where}"
    where = f"  {style.faint(shown(stage.where))}" if elsewhere else ""
    heading = f"{ruler.text(stage.total)}  {style.strong(shown(stage.stage))}{where}"
    longest = max((width(shown(term.label)) for term in stage.terms), default=0)
    lines = [heading]
    lines += [f"    {style.faint(line)}" for line in wrap(shown(stage.note), _WIDTH)]
    for term in stage.terms:
        label = shown(term.label)
        label += " " * (longest - width(label)) if term.detail else ""
        detail = f"  {style.faint(shown(term.detail))}" if term.detail else ""
        lines.append(f"    {ruler.text(term.time)}  {label}{detail}")
    return lines
