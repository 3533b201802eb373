"""A study as one page, or as a notebook shows it: the front as a table and in pictures, and what
its members change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from ddsrta.base.text import plural
from ddsrta.exploration.study.study import Member, Study
from ddsrta.report.elements import details, scroll, table, text
from ddsrta.report.front_svg import Axis, Dot, front_svg
from ddsrta.report.html import fragment
from ddsrta.report.page.document import Section, document
from ddsrta.report.study import front_rows, goal_text, head_text, how_lines
from ddsrta.report.style import PLAIN
from ddsrta.report.table import Row
from ddsrta.report.tables import Table

MOST_PICTURES = 6
TRIED = "candidate"


def study_page(found: Study) -> str:
    """The whole page, without a network or other files."""
    how = "".join(f"<p class='f'>{text(line)}</p>" for line in how_lines(found, PLAIN))
    legend = "<p class='f'>blue: the front; red: the base; grey: what keeps all that is asked</p>"
    sections = [
        Section("front", "Front", scroll(_front(found))),
        Section("pictures", "Pictures", legend + "".join(_pictures(found))),
        Section("changes", "What each changes", "".join(_changes(found))),
        Section("left-out", "Left out", scroll(table(_left_out(found)))),
    ]
    head = f"<h1>{text(found.name)}</h1><p>{text(head_text(found, PLAIN))}</p>{how}"
    return document(f"{found.name}: a study", head, sections, "")


def study_html(found: Study) -> str:
    """The same as a fragment."""
    return fragment(
        f"<p>{text(head_text(found, PLAIN))}</p>",
        _front(found),
        "".join(_pictures(found)),
        details("what each changes", "".join(_changes(found))),
        table(_left_out(found)),
        *(f"<p class='f'>{text(line)}</p>" for line in how_lines(found, PLAIN)),
    )


def _front(found: Study) -> str:
    titles, rows = front_rows(found, found.front)
    return table(Table(tuple(titles), rows))


def _pictures(found: Study) -> Iterator[str]:
    """Each two goals in which candidates differ; of one goal, how it went on with them."""
    if len(found.goals) == 1:
        yield _one_goal(found)
        return
    for one, other in list(combinations(_differing(found), 2))[:MOST_PICTURES]:
        base = found.present.goals[one], found.present.goals[other]
        front = [
            Dot(x, y, _says(found, member))
            for member in found.front
            if (x := member.goals[one]) is not None and (y := member.goals[other]) is not None
        ]
        others = [
            Dot(x, y)
            for each in found.tried
            if each.outcome.is_feasible
            if (x := each.outcome.goals[one]) is not None
            if (y := each.outcome.goals[other]) is not None
        ]
        known = base[0] is not None and base[1] is not None
        at_base = Dot(base[0] or 0, base[1] or 0, "base") if known else None
        if front:
            axes, only = (_axis(found, one), _axis(found, other)), len(found.goals) == 2
            yield f"<figure>{front_svg(front, others, at_base, axes, only)}</figure>"


def _differing(found: Study) -> Sequence[int]:
    """Goals that are not the same whatever is chosen; all, where no two are."""
    seen = [each.outcome.goals for each in found.tried if each.outcome.is_feasible]
    every = range(len(found.goals))
    differing = [n for n in every if len({goals[n] for goals in (found.present.goals, *seen)}) > 1]
    return differing if len(differing) > 1 else every


def _one_goal(found: Study) -> str:
    """The goal of each candidate, in the order in which they were tried."""
    dots = [
        Dot(each.number, value)
        for each in found.tried
        if each.outcome.is_feasible and (value := each.outcome.goals[0]) is not None
    ]
    best = [
        Dot(member.number, value, _says(found, member))
        for member in found.front
        if (value := member.goals[0]) is not None
    ]
    if not best:
        return ""
    return f"<figure>{front_svg(best, dots, None, (Axis(TRIED, str), _axis(found, 0)))}</figure>"


def _axis(found: Study, number: int) -> Axis:
    goal = found.goals[number]
    return Axis(goal.name, lambda value: goal_text(goal, value))


def _says(found: Study, member: Member) -> str:
    values = zip(found.goals, member.goals, strict=True)
    return f"[{member.number}] " + ", ".join(f"{g.name} {goal_text(g, v)}" for g, v in values)


def _changes(found: Study) -> Iterator[str]:
    for member in found.front:
        rows: list[Row] = [
            [each.text, f"{each.position.file}:{each.position.line}"] for each in member.says
        ]
        body = scroll(table(Table(("change", "place"), rows))) or "<p>the base as it is</p>"
        body += "".join(f"<p>mind: {text(note)}</p>" for note in member.asks)
        yield details(f"[{member.number}] {plural(len(member.says), 'place')}", body)


def _left_out(found: Study) -> Table:
    rows: list[Row] = [[str(each.number), each.because] for each in found.unconfirmed]
    return Table((">candidate", "left out, because"), rows)
