"""A study for a terminal: the front as a table and a picture, and what its members change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddsrta.base.text import plural, shown
from ddsrta.exploration.study.goals import Goal
from ddsrta.exploration.study.study import Member, Study
from ddsrta.report.front_text import scatter
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import UNBOUNDED, Cell, Row, down, joined, table, up

MOST_ROWS = 30
MOST_TOLD = 3  # members whose changes are told
MOST_CHANGES = 12  # of a member


def goal_text(goal: Goal, value: int | None) -> str:
    """A value of a goal: never better than it is.

    >>> goal_text(Goal("latency", ("a",)), 1_234_567), goal_text(Goal("cores", ("c",)), 2)
    ('1.235 ms', '2')
    """
    if value is None:
        return UNBOUNDED
    if goal.unit == "time":
        return down(value) if goal.figure == "slack" else up(value)
    if goal.unit == "share":
        tenths = -(-value // 1000)
        return f"{tenths // 10}.{tenths % 10} %"
    return str(value)


def study_text(found: Study, style: Style = PLAIN, every: bool = False) -> str:
    """The front and how it came about; with `every`, all of its members and their changes."""
    sections = [
        [head_text(found, style)],
        _table(found, style, every),
        _picture(found),
        *([*_member(found, each, style, every)] for each in told(found, every)),
        _left_out(found, style),
        [*how_lines(found, style)],
    ]
    return joined(sections)


def told(found: Study, every: bool) -> Sequence[Member]:
    """The members whose changes are told: those that are best in a goal, before others."""
    if every:
        return found.front
    best = dict.fromkeys(member.number for member in found.best)
    chosen = [each for each in found.front if each.number in best]
    return chosen[:MOST_TOLD]


def head_text(found: Study, style: Style) -> str:
    """What was found, in a line."""
    name = shown(found.name)
    if not found.front:
        return f"{style.bad('nothing')} that was tried of '{name}' keeps all that is asked"
    count = plural(len(found.front), "candidate")
    if len(found.front) == 1:
        return f"{style.good('best')} of '{name}'{' in all goals' * (len(found.goals) > 1)}"
    return f"{style.good('front')} of '{name}': {count}; each is better than any other in some goal"


def _table(found: Study, style: Style, every: bool) -> list[str]:
    members = found.front if every else found.front[:MOST_ROWS]
    lines = table(*front_rows(found, members), style)
    if len(members) < len(found.front):
        lines.append(f"  … and {len(found.front) - len(members)} more: --all")
    return lines


def front_rows(found: Study, members: Sequence[Member]) -> tuple[list[str], list[Row]]:
    """The titles and rows of a table: the base, then members of the front."""
    titles = [">candidate", *(f">{goal.name}" for goal in found.goals), "best in"]
    rows: list[Row] = [["base", *_goals(found, found.present.goals), _base_word(found)]]
    best = [member.number for member in found.best]
    for member in members:
        names = [goal.name for goal, n in zip(found.goals, best, strict=True) if n == member.number]
        word = ", ".join(names) if len(found.goals) > 1 else ""
        rows.append([str(member.number), *_goals(found, member.goals), Cell(word, "good")])
    return titles, rows


def _base_word(found: Study) -> Cell:
    wrong = found.present.wrong[0]
    return Cell("", "") if not wrong else Cell(f"{wrong} of what is asked fails", "bad")


def _goals(found: Study, values: Sequence[int | None]) -> list[str]:
    return [goal_text(goal, value) for goal, value in zip(found.goals, values, strict=True)]


def _picture(found: Study) -> list[str]:
    """The first two goals of all that keep what is asked."""
    if len(found.goals) < 2 or len(found.front) < 2:
        return []
    across, up_ = found.goals[:2]
    front = [(member.goals[0], member.goals[1]) for member in found.front]
    others = [each.outcome.goals[:2] for each in found.tried if each.outcome.is_feasible]
    return scatter(
        [(x, y) for x, y in front if x is not None and y is not None],
        [(pair[0], pair[1]) for pair in others if pair[0] is not None and pair[1] is not None],
        (across.name, up_.name),
        (lambda value: goal_text(across, value), lambda value: goal_text(up_, value)),
    )


def _member(found: Study, member: Member, style: Style, every: bool) -> Iterator[str]:
    head = f"[{member.number}]"
    said = member.says if every else member.says[:MOST_CHANGES]
    for number, each in enumerate(said):
        place = f"{each.position.file}:{each.position.line}"
        mark = head if not number else " " * len(head)
        yield f"{mark} {style.strong(shown(each.text))}  {style.faint(shown(place))}"
    if not said:
        yield f"{head} the base as it is"
    if len(said) < len(member.says):
        yield f"{' ' * len(head)} … and {len(member.says) - len(said)} more: --all"
    for note in member.asks:
        yield f"{' ' * len(head)} {style.unsure('mind')}: {shown(note)}"


def _left_out(found: Study, style: Style) -> list[str]:
    return [
        style.unsure(f"candidate {each.number} is left out: {shown(each.because)}")
        for each in found.unconfirmed
    ]


def how_lines(found: Study, style: Style) -> Iterator[str]:
    """What was tried, and what that says."""
    parts = [f"{found.feasible} keep all that is asked"]
    refused = found.refused
    parts += [f"{refused} {'is no system' if refused == 1 else 'are no systems'}"] * bool(refused)
    tried = plural(len(found.tried), "candidate")
    yield style.faint(
        f"tried {tried} by {found.sampler} (seed {found.setup.sampler.seed}): {', '.join(parts)}"
    )
    excluded = found.searched.excluded
    if excluded:
        words = f"{plural(excluded, 'point')} of the space not tried"
        yield style.faint(f"{words}: the constraints of the study forbid them")
    if found.front:
        count = plural(len(found.front), "candidate")
        yield f"{style.good('confirmed')}: the bounds of {count}, each analysed anew"
    if found.is_whole:
        yield f"whole: all {plural(found.setup.space.size, 'point')} of the space were looked at"
    else:
        of = _size(found.setup.space.size)
        why = f": {found.searched.ended}" if found.searched.ended else ""
        yield style.unsure(f"not whole: the space has {of} points, others may be better{why}")
    near = found.nearest
    if near is not None:
        fails, unbounded, off = near.outcome.wrong
        words = f"{unbounded} without a bound" if unbounded else f"{off / 10_000:.1f} % in all"
        yield f"nearest: candidate {near.number} fails {fails} of what is asked, by {words}"


def _size(count: int) -> str:
    """
    >>> _size(5040), _size(1_234_567_890_123)
    ('5,040', '1.2e+12')
    """
    return f"{count:,}" if count < 10_000_000 else f"{count:.1e}"
