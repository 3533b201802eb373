"""Where the time of bounds goes, as text: exact figures that add up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from ddsrta.base.text import plural, shown, width
from ddsrta.base.units import format_duration
from ddsrta.bounds.deadlines import WORDS as WORDS_OF_FIGURES
from ddsrta.bounds.deadlines import Deadline, called, figure_of, state_of
from ddsrta.bounds.terms.explanation import LARGEST
from ddsrta.report.findings import beside
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import UNBOUNDED
from ddsrta.report.tables import Said

if TYPE_CHECKING:
    from ddsrta.bounds.evidence.explained import Explained
    from ddsrta.bounds.result import ChainResult, Result
    from ddsrta.bounds.terms.explanation import Explanation, StageExplanation
    from ddsrta.bounds.terms.window import Term

_HOW_MUCH = " ('ddsrta sensitivity' tells which, and by how much)"
_WIDTH = 92  # of notes
_SCREEN = 40  # lines of stages
_PLAIN = 8  # terms of which the largest can be seen at once
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


def explanation_text(explanation: Explanation, style: Style = PLAIN, terms: bool = True) -> str:
    """Each stage with its terms, then the sum. Without `terms`, of what does not fit a screen less:
    by kinds of terms, or stages alone; and the largest causes first."""
    stages = explanation.stages
    ruler = Ruler(_times(explanation))
    lines = [_heading(explanation, style), ""]
    bodies = [_body(stages, ruler, style, detail) for detail in ((0,) if terms else (0, 1, 2))]
    body = next((each for each in bodies if len(each) <= _SCREEN), bodies[-1])
    if not terms and sum(len(stage.terms) for stage in stages) > _PLAIN:
        lines += [*cause_lines(explanation, style, ruler), ""]
    lines += body
    if explanation.bound is None:
        reason = f": {shown(explanation.reason)}" if explanation.reason else ""
        return "\n".join([*lines, f"{style.unsure('unbounded')}{reason}"]) + "\n"
    lines.append(f"{style.strong(ruler.text(explanation.bound))}  bound")
    if body is not bodies[0]:
        lines.append(style.faint("term by term: --terms"))
    if explanation.reason:
        lines.append(shown(explanation.reason))
    return "\n".join(lines) + "\n"


def cause_lines(
    explanation: Explanation, style: Style = PLAIN, ruler: Ruler | None = None
) -> list[str]:
    """The largest causes of a bound, and the rest of it."""
    found = [cause for cause in explanation.causes if cause.time > 0][:LARGEST]
    rest = (explanation.bound or 0) - sum(cause.time for cause in found)
    ruler = ruler or Ruler([*(cause.time for cause in found), rest])
    lines = [f"  {ruler.text(cause.time)}  {shown(cause.what)}" for cause in found]
    lines = [f"  {style.faint('most of it:')}", *lines] if rest else lines
    return [*lines, *[f"  {ruler.text(rest)}  {style.faint('all else')}"] * (rest != 0)]


def sampling(explanation: Explanation, result: Result) -> str:
    """That what samples is alone too slow for the deadline, where it is."""
    chain = result.chains.get(explanation.chain)
    if chain is None or chain.deadline is None or explanation.sampled <= chain.deadline:
        return ""
    return samples_for(explanation.sampled)


def samples_for(time: int, is_all: bool = True) -> str:
    """What a chain waits for whatever priorities and cores are; `is_all`: that makes it late."""
    return (
        f"{format_duration(time)} of it is waiting for what samples at times of its own"
        f"{', more than the whole deadline' if is_all else ''}: shorter periods make that less, "
        f"other priorities and cores do not{'' if is_all else _HOW_MUCH}"
    )


def explained_text(explained: Explained, style: Style = PLAIN, terms: bool = False) -> str:
    """What was asked for; where nothing was named, only the largest causes of each. Then what the
    bounds are assumed on, and what the checker said of them."""
    result = explained.result
    lines = beside("the bound is not sure", result, result.assumptions, style)
    return _explained(explained, style, terms) + "".join(f"{line}\n" for line in lines)


def _explained(explained: Explained, style: Style, terms: bool) -> str:
    if explained.named:
        texts = []
        for one in explained.explanations:
            hint = sampling(one, explained.result)
            texts.append(explanation_text(one, style, terms) + (f"{hint}\n" if hint else ""))
        return "\n".join(texts)
    lines, said = [], Said()
    for one in explained.explanations:
        lines.append(_standing(explained.result.chains[one.chain], one, style))
        if one.bound is None:
            why = f": {shown(said.of(one.chain, one.reason))}" if one.reason else ""
            lines.append(f"  {style.unsure('unbounded')}{why}")
        lines += cause_lines(one, style) if one.bound is not None else []
        hint = sampling(one, explained.result)
        lines += [*([f"  {hint}"] if hint else []), ""]
        if terms:
            lines += [explanation_text(one, style)]
    if explained.left:
        lines += [f"and {plural(explained.left, 'late chain')} more", ""]
    if not explained.explanations:
        lines += ["no chains: name a thread, callback or message", ""]
    return "\n".join([*lines, ""])


def _standing(chain: ChainResult, explanation: Explanation, style: Style) -> str:
    """A chain, its figure and its deadline."""
    name, figure = style.strong(shown(called(explanation.chain, chain.label))), figure_of(chain)
    if chain.deadline is None:
        return f"{name}  {WORDS_OF_FIGURES[chain.constraint]} {figure or UNBOUNDED}"
    deadline = Deadline(
        explanation.chain, chain.constraint, figure, chain.deadline,
        state_of(chain) or "unbounded", None, None,
    )  # fmt: skip
    return f"{name}  {deadline.sentence}"


def _heading(explanation: Explanation, style: Style) -> str:
    path = " → ".join(shown(part) for part in explanation.path)
    name = style.strong(shown(explanation.chain))
    return name if path == shown(explanation.chain) else f"{name}  {path}"


def _times(explanation: Explanation) -> list[int]:
    times = [term.time for stage in explanation.stages for term in stage.terms]
    times += [stage.total for stage in explanation.stages]
    return times + ([explanation.bound] if explanation.bound is not None else [])


def _body(stages: Sequence[StageExplanation], ruler: Ruler, style: Style, detail: int) -> list[str]:
    """Stages with all terms, with one line for each kind of them, or alone."""
    lines: list[str] = []
    for stage in stages:
        served = stage.title == stage.stage
        elsewhere = served and stage.where and stage.stage != f"thread {stage.where}"
        where = f"  {style.faint(shown(stage.where))}" if elsewhere else ""
        lines.append(f"{ruler.text(stage.total)}  {style.strong(shown(stage.title))}{where}")
        if detail == 0:
            width = min(_WIDTH, max(20, style.columns - 4)) if style.columns else _WIDTH
            lines += [f"    {style.faint(line)}" for line in wrap(shown(stage.note), width)]
        terms = stage.terms if detail == 0 else stage.kinds
        if not served and [(term.label, term.detail) for term in terms] == [(stage.title, "")]:
            terms = ()  # its title says it all
        if detail < 2:
            lines += [*_terms(terms, ruler, style), ""]
    return lines if detail < 2 else [*lines, ""]


def _terms(terms: Sequence[Term], ruler: Ruler, style: Style) -> Iterator[str]:
    longest = max((width(shown(term.label)) for term in terms), default=0)
    for term in terms:
        label = shown(term.label)
        label += " " * (longest - width(label)) if term.detail else ""
        detail = f"  {style.faint(shown(term.detail))}" if term.detail else ""
        yield f"    {ruler.text(term.time)}  {label}{detail}"
