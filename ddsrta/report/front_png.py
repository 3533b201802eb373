"""A Pareto front as a PNG, by matplotlib: the first two goals, or how one went on."""

from __future__ import annotations

from importlib.util import find_spec
from io import BytesIO
from typing import Any

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.exploration.study.goals import Goal
from ddsrta.exploration.study.study import Study

_PARTS = {"time": 1_000_000, "share": 10_000, "count": 1}
_UNITS = {"time": ", ms", "share": ", %", "count": ""}


def front_png(found: Study) -> bytes:
    """The picture."""
    if find_spec("matplotlib") is None:
        advice = "pip install matplotlib"
        raise InputError([Diagnostic(None, "a PNG needs the package matplotlib", advice)])
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    looks: list[dict[str, Any]] = [
        {"color": "0.6", "s": 12, "label": "keeps all that is asked"},
        {"color": "#2f7fd6", "s": 40, "label": "front", "zorder": 3},
    ]
    feasible = [each for each in found.tried if each.outcome.is_feasible]
    single = len(found.goals) == 1
    across, up = (None, found.goals[0]) if single else found.goals[:2]
    sets = [
        [(each.number, each.outcome.goals) for each in feasible],
        [(member.number, member.goals) for member in found.front],
    ]

    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for some, look in zip(sets, looks, strict=True):
        xs = [_value(goals[0], across) if across else number for number, goals in some]
        axes.scatter(xs, [_value(goals[-1 if single else 1], up) for _, goals in some], **look)
    axes.set_xlabel("candidate" if across is None else _name(across))
    axes.set_ylabel(_name(up))
    axes.set_title(found.name)
    axes.legend()
    data = BytesIO()
    figure.savefig(data, format="png", dpi=150)
    return data.getvalue()


def _value(value: int | None, goal: Goal) -> float:
    assert value is not None
    return value / _PARTS[goal.unit]


def _name(goal: Goal) -> str:
    return goal.name + _UNITS[goal.unit]
