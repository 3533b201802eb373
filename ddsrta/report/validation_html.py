"""A validation as a page: each bound as a line over the distribution of what was measured."""

from __future__ import annotations

from html import escape

from ddsrta.base.text import plural, rounded_up, shown
from ddsrta.base.units import Duration
from ddsrta.report.checked import check_text
from ddsrta.report.style import PLAIN
from ddsrta.report.svg import COLOURS, distribution
from ddsrta.report.table import UNBOUNDED, up
from ddsrta.report.validation import NOTE, difference, title, verdict_lines
from ddsrta.validation.compare import Row, Validation

_LARGEST = 500  # drawings on a page
_STYLE = """\
<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{font-size:1rem;margin:1.6em 0 .2em}
p{margin:.2em 0}
.f{opacity:.65}
@media(prefers-color-scheme:dark){body{background:#16181c;color:#e6e6e6}}
</style>"""


def validation_html(validation: Validation) -> str:
    """The whole page, without scripts or other files. Every name is escaped."""
    colour = COLOURS["met" if validation.verdict == "ok" else "missed"]
    verdict, *violations = (_text(line) for line in verdict_lines(validation, PLAIN))
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f"<title>{_text(validation.system)}: bounds and measurements</title>{_STYLE}</head><body>",
        f"<h1 style='color:{colour};font-size:1.2rem'>{verdict}</h1>",
        *(f"<p style='color:{colour}'>{line}</p>" for line in violations),
        *(_drawn(row) for row in validation.rows[:_LARGEST]),
    ]
    if (left := len(validation.rows) - _LARGEST) > 0:
        parts.append(f"<p>and {left} more, which --format json has</p>")
    lines = [f"not in the system: {name}; {advice}" for name, advice in validation.unmatched]
    lines += [f"not measured: {name}" for name in validation.unmeasured]
    lines += [f"note: {note}" for note in validation.notes]
    lines.append(check_text(validation.check, validation.profile))
    lines += [NOTE, "Heights are logarithmic; the line is the bound; red is above it."]
    parts += [f"<p class='f'>{_text(line)}</p>" for line in lines]
    return "\n".join(parts) + "\n</body></html>\n"


def _drawn(row: Row) -> str:
    seen = row.seen
    text = (
        f"bound {up(row.bound, UNBOUNDED)}, longest {Duration(seen.most)}, "
        f"difference {difference(row)}, "
        f"p99 {rounded_up(seen.percentile(99))}, {plural(seen.count, 'sample')}"
    )
    colour = f" style='color:{COLOURS['missed']}'" if row.violated else ""
    drawing = distribution(seen.histogram(), seen.most, row.bound, shown(row.name))
    return f"<h2{colour}>{_text(title(row))}</h2>\n<p>{_text(text)}</p>\n{drawing}"


def _text(text: str) -> str:
    return escape(shown(text))
