"""A Gantt chart as inline SVG: no scripts, no identifiers, readable on light and on dark pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ddsrta.base.text import shown, width
from ddsrta.base.units import format_duration
from ddsrta.report.gantt_rows import (
    WORDS,
    Group,
    Row,
    Tick,
    bar_words,
    groups,
    heading,
    shortened,
    ticks,
)
from ddsrta.simulation.instance import (
    AHEAD,
    BLOCKING,
    OTHER,
    OWN,
    URGENT,
    WAITING,
    Arrow,
    Bar,
    Instance,
)
from ddsrta.simulation.timeline import server_of

WIDTH = 900
_LEFT, _RIGHT = 190, 14
_PLOT = WIDTH - _LEFT - _RIGHT
_TOP = 66  # title, span of the whole, axis
_ROW, _HEAD = 22, 24
_BAR = 14  # the height of a bar
_LETTER = 6  # about the width of a small letter
_MOST = 1500  # bars; where there are more, neighbours that no eye can tell apart are joined

# Readable on white and on black, and different in lightness, too.
COLOURS = {
    OWN: "#2f7fd6",
    WAITING: "#2f7fd6",
    URGENT: "#d9483b",
    AHEAD: "#dfa22b",
    BLOCKING: "#9058b8",
    OTHER: "#8a8f98",
}
SCHEMES = "svg:root{color-scheme:light dark;color:CanvasText;background:Canvas}"


def svg(instance: Instance) -> str:
    """The chart of an instance, `WIDTH` wide and as high as it must be."""
    chart = _Chart(instance)
    body = "\n".join(chart.parts())
    title, description = escape(heading(instance)), escape(chart.description())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{chart.height}"'
        f' viewBox="0 0 {WIDTH} {chart.height}" role="img" aria-label="{title}"'
        ' font-family="system-ui,sans-serif" font-size="11" fill="currentColor"'
        f' style="max-width:100%;height:auto">\n<title>{title}</title>\n'
        f"<desc>{description}</desc>\n<style>{SCHEMES}</style>\n{body}\n</svg>\n"
    )


class _Chart:
    """Where everything is."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.groups = groups(instance)
        self.middle: dict[int, int] = {}  # of the row of a thread
        y = _TOP
        for group in self.groups:
            y += _HEAD
            for row in group.rows:
                self.middle[row.server] = y + _ROW // 2
                y += _ROW
        self.bottom = y + 4
        self.height = self.bottom + 32

    def x(self, time: int) -> str:
        """The place of a time, in hundredths of a pixel."""
        hundredths = self.place(time)
        return f"{hundredths // 100}.{hundredths % 100:02d}"

    def place(self, time: int) -> int:
        """The same as a number; what is outside is at the edge."""
        i = self.instance
        time = max(i.first, min(i.last, time))
        return 100 * _LEFT + 100 * _PLOT * (time - i.first) // (i.last - i.first)

    def description(self) -> str:
        """The chart in words."""
        i = self.instance
        hops = ", ".join(
            f"{shown(i.program.servers[a.source])} to {shown(i.program.servers[a.target])} at "
            f"{format_duration(a.arrives - i.begin)}"
            for a in i.arrows[:20]
        )
        return f"What ran on the cores that it passed. {hops}".strip()

    def parts(self) -> Iterator[str]:
        """From the back to the front."""
        i = self.instance
        yield _words(6, 18, heading(i), 108, 'font-size="14" font-weight="600"')
        yield from self._axis()
        for group in self.groups:
            yield from self._group(group)
        yield from self._ends()
        for arrow in i.arrows:
            yield self._arrow(arrow)
        yield from self._legend()

    def _axis(self) -> Iterator[str]:
        for tick in ticks(self.instance, 9):
            x = self.x(tick.time)
            yield (
                f'<line x1="{x}" y1="{_TOP}" x2="{x}" y2="{self.bottom}" stroke="currentColor"'
                ' stroke-opacity=".13"/>'
            )
            yield (
                f'<text x="{x}" y="{_TOP - 6}" text-anchor="{self._anchor(tick)}" opacity=".7">'
                f"{tick.text}</text>"
            )

    def _anchor(self, tick: Tick) -> str:
        """The last label must not stick out on the right."""
        half = _LETTER * len(tick.text) // 2
        return "end" if self.place(tick.time) // 100 + half > WIDTH - 2 else "middle"

    def _ends(self) -> Iterator[str]:
        """Release and completion, and the time between them."""
        i = self.instance
        begin, end, y = self.x(i.begin), self.x(i.end), _TOP - 27
        line = 'stroke="currentColor" stroke-width="1.2"'
        for x in (begin, end):
            yield f'<line x1="{x}" y1="{y - 5}" x2="{x}" y2="{y + 5}" {line}/>'
            yield (
                f'<line x1="{x}" y1="{_TOP}" x2="{x}" y2="{self.bottom}" {line}'
                ' stroke-dasharray="4 3"/>'
            )
        yield f'<line x1="{begin}" y1="{y}" x2="{end}" y2="{y}" {line}/>'
        b, e = self.place(i.begin) / 100, self.place(i.end) / 100
        yield _head(b, y, -1, 0) + _head(e, y, 1, 0)
        middle = (b + e) / 2
        yield (
            f'<text x="{middle:.2f}" y="{y - 5}" text-anchor="middle" font-weight="600">'
            f"{format_duration(i.value)}</text>"
        )

    def _group(self, group: Group) -> Iterator[str]:
        top = self.middle[group.rows[0].server] - _ROW // 2
        yield (
            f'<line x1="6" y1="{top - _HEAD + 4}" x2="{WIDTH - _RIGHT}" y2="{top - _HEAD + 4}"'
            ' stroke="currentColor" stroke-opacity=".3"/>'
        )
        yield _words(6, top - 5, f"core {group.core}", 28, 'font-weight="600"')
        for row in group.rows:
            yield from self._row(row)

    def _row(self, row: Row) -> Iterator[str]:
        y = self.middle[row.server]
        yield _words(14, y + 4, row.name, 22)
        yield _words(_LEFT - 8, y + 4, row.priority, 9, 'text-anchor="end" opacity=".55"')
        for begin, end in row.closed:
            yield self._rectangle(
                begin, end, y - _ROW // 2, _ROW, 'class="closed" fill-opacity=".1"', "no budget"
            )
        for bar in self._joined(row.bars):
            yield from self._bar(bar, y)

    def _joined(self, bars: Sequence[Bar]) -> Iterator[Bar]:
        """Where there are very many bars: those that touch, in the picture, as one."""
        many = len(self.instance.bars) > _MOST
        last: Bar | None = None
        for bar in bars:
            if (
                many
                and last is not None
                and bar.role == last.role
                and self.place(bar.begin) - self.place(last.end) < 50
            ):
                last = last._replace(end=max(last.end, bar.end))
                continue
            if last is not None:
                yield last
            last = bar
        if last is not None:
            yield last

    def _bar(self, bar: Bar, y: int) -> Iterator[str]:
        colour = COLOURS[bar.role]
        words = bar_words(self.instance, bar)
        if bar.role == WAITING:
            paint = f'class="{bar.role}" fill="{colour}" fill-opacity=".35"'
            yield self._rectangle(bar.begin, bar.end, y - 3, 6, paint, words)
            return
        paint = f'class="{bar.role}" fill="{colour}"'
        yield self._rectangle(bar.begin, bar.end, y - _BAR // 2, _BAR, paint, words)
        room = (self.place(bar.end) - self.place(bar.begin)) // 100
        text = self._short(bar, room // _LETTER)
        if text:
            ink = "#111" if bar.role in (AHEAD, OTHER) else "#fff"
            x = (self.place(bar.begin) + self.place(bar.end)) / 200
            yield (
                f'<text x="{x:.2f}" y="{y + 4}" text-anchor="middle" font-size="10" fill="{ink}"'
                f' pointer-events="none">{escape(text)}</text>'
            )

    def _short(self, bar: Bar, columns: int) -> str:
        """What a bar is, if there is room."""
        kind, *names = self.instance.program.stages[bar.stage]
        number = f"#{bar.number}"
        text = number if len(names) == 1 else f"{shown(names[1])} {number}"
        if kind == "job" and names[0] != server_of(self.instance.program, bar.stage):
            text = f"{shown(names[0])} {number}"  # a callback, in the row of its executor
        return next((each for each in (text, number) if width(each) < columns), "")

    def _rectangle(self, begin: int, end: int, y: int, height: int, paint: str, words: str) -> str:
        """However short: it can be seen."""
        wide = max(80, self.place(end) - self.place(begin))
        return (
            f'<rect x="{self.x(begin)}" y="{y}" width="{wide // 100}.{wide % 100:02d}"'
            f' height="{height}" rx="1" {paint}><title>{escape(words)}</title></rect>'
        )

    def _arrow(self, arrow: Arrow) -> str:
        """Between the edges of two bars, from row to row."""
        x1, x2 = self.place(arrow.leaves) / 100, self.place(arrow.arrives) / 100
        y1, y2 = self.middle[arrow.source], self.middle[arrow.target]
        down = 1 if y2 > y1 else -1
        if y1 == y2:
            down = 0
        y1 += down * _BAR // 2
        y2 -= down * (_BAR // 2 + 1)
        dx, dy = x2 - x1, y2 - y1
        length = max(1.0, (dx * dx + dy * dy) ** 0.5)
        p = self.instance.program
        names = f"{shown(p.servers[arrow.source])} → {shown(p.servers[arrow.target])}"
        what = f"{shown(arrow.what)}: {names}" if arrow.what else names
        at = format_duration(arrow.arrives - self.instance.begin)
        return (
            f"<g><title>{escape(what)} at {at}</title>"
            f'<line x1="{x1:.2f}" y1="{y1}" x2="{x2:.2f}" y2="{y2}" stroke="currentColor"'
            f' stroke-width="1.3"/>{_head(x2, y2, dx / length, dy / length)}</g>'
        )

    def _legend(self) -> Iterator[str]:
        roles = {bar.role for bar in self.instance.bars}
        x, y = 14, self.bottom + 18
        for role, words in WORDS.items():
            if role not in roles:
                continue
            place = 'y="{}" height="{}" fill-opacity="{}"'
            place = place.format(*((y - 6, 6, ".45") if role == WAITING else (y - 9, 10, "1")))
            yield f'<rect x="{x}" {place} width="14" rx="1" fill="{COLOURS[role]}"/>'
            yield _words(x + 19, y, words, 40)
            x += 19 + _LETTER * len(words) + 18
        if self.instance.closed:
            yield f'<rect x="{x}" y="{y - 9}" width="14" height="10" fill-opacity=".15"/>'
            yield _words(x + 19, y, "no budget", 40)


def _words(x: int, y: int, text: str, columns: int, how: str = "") -> str:
    """Text at a place; what is cut off can still be read by pointing at it."""
    short = shortened(text, columns)
    whole = f"<title>{escape(text)}</title>" if short != text else ""
    return f'<text x="{x}" y="{y}" {how}>{escape(short)}{whole}</text>'.replace(" >", ">", 1)


def _head(x: float, y: float, dx: float, dy: float) -> str:
    """The head of an arrow that points in a direction of length 1."""
    back_x, back_y = x - 6 * dx, y - 6 * dy
    left = f"{back_x - 2.6 * dy:.2f},{back_y + 2.6 * dx:.2f}"
    right = f"{back_x + 2.6 * dy:.2f},{back_y - 2.6 * dx:.2f}"
    return f'<polygon points="{x:.2f},{y:.2f} {left} {right}"/>'
