"""A Pareto front by matplotlib: the first two goals, or how one went on. What is not of the front
is painted in colours that can be seen on white and on black."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from ddsrta.exploration.study.goals import Goal
from ddsrta.exploration.study.study import Study
from ddsrta.report.frames import needed

_PARTS = {"time": 1_000_000, "share": 10_000, "count": 1}
_UNITS = {"time": ", ms", "share": ", %", "count": ""}
_TRIED: dict[str, Any] = {"color": "0.55", "s": 12, "label": "keeps all that is asked"}
_FRONT: dict[str, Any] = {"color": "#2f7fd6", "s": 40, "label": "front", "zorder": 3}
_BASE: dict[str, Any] = {"color": "#d9483b", "marker": "x", "label": "base", "zorder": 4}


def front_plot(found: Study, axes: Any = None) -> Any:
    """The picture, in `axes` if there are some; returns the axes."""
    needed("matplotlib", "plot")
    if axes is None:
        from matplotlib import pyplot

        _, axes = pyplot.subplots(figsize=(6.4, 4.2), layout="constrained")
    single = len(found.goals) == 1
    across, up = (None, found.goals[0]) if single else found.goals[:2]
    kept = [(each.number, each.outcome.goals) for each in found.tried if each.outcome.is_feasible]
    front = [(member.number, member.goals) for member in found.front]
    for some, look in ((kept, _TRIED), (front, _FRONT), ([(0, found.present.goals)], _BASE)):
        dots = [
            (_value(goals[0], across) if across else number, _value(goals[not single], up))
            for number, goals in some
            if None not in goals[:2]
        ]
        if dots:
            axes.scatter(*zip(*dots, strict=True), **look)
    axes.set_xlabel("candidate" if across is None else _name(across))
    axes.set_ylabel(_name(up))
    axes.set_title(found.name, loc="left", fontsize="medium")
    if axes.collections:
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=3, frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return axes


def front_png(found: Study) -> bytes:
    """The same as a file, whatever else matplotlib is used for."""
    needed("matplotlib", "plot")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    front_plot(found, figure.add_subplot())
    data = BytesIO()
    figure.savefig(data, format="png", dpi=150)
    return data.getvalue()


def _value(value: int | None, goal: Goal) -> float:
    assert value is not None
    return value / _PARTS[goal.unit]


def _name(goal: Goal) -> str:
    return goal.name + _UNITS[goal.unit]
