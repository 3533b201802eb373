"""A validation as a page: each bound as a line over the distribution of what was measured."""

from __future__ import annotations

from ddsrta.base.text import plural, rounded_up, shown
from ddsrta.base.units import Duration
from ddsrta.report.checked import check_text
from ddsrta.report.elements import text
from ddsrta.report.page.document import Section, document, foot
from ddsrta.report.style import PLAIN
from ddsrta.report.svg import distribution
from ddsrta.report.table import UNBOUNDED, up
from ddsrta.report.validation import NOTE, difference, title, verdict_lines
from ddsrta.validation.compare import Row, Validation

_LARGEST = 500  # drawings on a page


def validation_html(validation: Validation) -> str:
    """The whole page, without scripts or other files. Every name is escaped."""
    paint = "good" if validation.verdict == "ok" else "bad"
    verdict, *violations = (text(line) for line in verdict_lines(validation, PLAIN))
    head = f"<h1>{text(validation.system)}</h1><p class='{paint}'>{verdict}</p>"
    head += "".join(f"<p class='{paint}'>{line}</p>" for line in violations)
    drawn = [_drawn(row) for row in validation.rows[:_LARGEST]]
    if (left := len(validation.rows) - _LARGEST) > 0:
        drawn.append(f"<p>and {left} more, which --format json has</p>")
    lines = [f"not in the system: {name}; {advice}" for name, advice in validation.unmatched]
    lines += [f"not measured: {name}" for name in validation.unmeasured]
    notes = [f"note: {note}" for note in validation.notes]
    notes.append(check_text(validation.check, validation.profile))
    notes += [NOTE, "Heights are logarithmic; the line is the bound; red is above it."]
    sections = [
        Section("measured", "Bounds and measurements", "\n".join(drawn)),
        Section("names", "Only on one side", _lines(lines)),
        Section("notes", "Notes", _lines(notes)),
    ]
    return document(f"{validation.system}: bounds and measurements", head, sections, foot())


def validation_fragment(validation: Validation) -> str:
    """The table alone, as notebooks show it."""
    from ddsrta.report.elements import table
    from ddsrta.report.html import fragment
    from ddsrta.report.tables import Table
    from ddsrta.report.validation import TITLES, cells_of

    verdict = "".join(f"<p>{text(line)}</p>" for line in verdict_lines(validation, PLAIN))
    rows = Table(TITLES, [cells_of(row) for row in validation.rows])
    notes = [*validation.notes, check_text(validation.check, validation.profile)]
    return fragment(verdict, table(rows), _lines(notes))


def _lines(lines: list[str]) -> str:
    return "".join(f"<p class='f'>{text(line)}</p>" for line in lines)


def _drawn(row: Row) -> str:
    seen = row.seen
    words = (
        f"bound {up(row.bound, UNBOUNDED)}, longest {Duration(seen.most)}, "
        f"difference {difference(row)}, "
        f"p99 {rounded_up(seen.percentile(99))}, {plural(seen.count, 'sample')}"
    )
    late = " class='bad'" if row.violated else ""
    drawing = distribution(seen.histogram(), seen.most, row.bound, shown(row.name))
    head = f"<h3{late}>{text(title(row))}</h3>\n<p>{text(words)}</p>"
    return f"{head}\n<div class='scroll'>{drawing}</div>"
