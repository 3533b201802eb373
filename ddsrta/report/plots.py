"""Pictures of results by matplotlib: chains beside their deadlines, stages, bounds beside what was
seen or measured. Times are in milliseconds; nothing is drawn where there is no number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ddsrta.bounds.deadlines import WORDS, figure_of, outcome_of
from ddsrta.bounds.result import ChainResult, Result
from ddsrta.models.system import Constraint
from ddsrta.report.frames import needed

_MS = 1_000_000
_MOST = 40  # rows of a picture
_COLOURS: dict[str | None, str] = {"met": "tab:green", "missed": "tab:red", None: "tab:blue"}
_NO_BOUND = "no bound"


class _Bar(NamedTuple):
    """A row: up to where, what stands beside it, a mark, and a deadline beside that."""

    name: str
    until: float | None
    colour: str = "tab:blue"
    mark: int | None = None
    due: int | None = None


def plot(thing: object, axes: Any = None) -> Any:
    """A picture of a result, one of its chains, a simulation, a validation, worst cases or
    margins."""
    needed("matplotlib", "plot")
    from matplotlib import pyplot

    draw = _DRAWN[type(thing).__name__]
    bars, title, mark, unit = draw(thing)
    if axes is None:
        height = 1.2 + 0.32 * max(1, min(len(bars), _MOST))
        _, axes = pyplot.subplots(figsize=(8, height), layout="constrained")
    _draw(axes, bars, mark)
    axes.set_title(title, loc="left", fontsize="medium")
    axes.set_xlabel(unit)
    return axes


def _draw(axes: Any, bars: Sequence[_Bar], mark: str) -> None:
    shown = bars[:_MOST]
    for row, bar in enumerate(shown):
        if bar.until is None:
            axes.text(0, row, f" {_NO_BOUND}", va="center", color="tab:orange")
        else:
            axes.barh(row, bar.until, height=0.6, color=bar.colour)
    _mark(axes, mark, "|", 14, [bar.mark for bar in shown])
    _mark(axes, "deadline", "d", 7, [bar.due for bar in shown])
    left = len(bars) - len(shown)
    names = [bar.name for bar in shown]
    axes.set_yticks(
        range(len(shown)), [*names[:-1], f"{names[-1]} (and {left} more)"] if left else names
    )
    axes.set_ylim(max(1, len(shown)) - 0.4, -0.6)
    axes.margins(x=0.04)
    axes.set_xlim(left=0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _mark(axes: Any, label: str, marker: str, size: int, places: Sequence[int | None]) -> None:
    marks = [(place, row) for row, place in enumerate(places) if place is not None]
    if marks:
        colour = axes.xaxis.label.get_color()  # that of the text: dark styles have a light one
        axes.plot(*zip(*marks, strict=True), marker, ms=size, mew=2, color=colour, label=label)
        axes.legend(
            loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0, frameon=False, ncols=2
        )


_Drawing = tuple[list[_Bar], str, str, str]


def _result(result: Result) -> _Drawing:
    """Green is in time, red is late; beside an error nothing is in time."""
    bars = []
    for name, chain in result.chains.items():
        key, figure = _asked(chain)
        state = outcome_of(chain, result)
        said = name if key == "latency" else f"{name}: {WORDS[key]}"
        colour = _COLOURS.get(state, "tab:orange")
        bars.append(_Bar(said, _ms(figure), colour, _ms(chain.deadline)))
    return bars, f"{result.system}: {result.verdict.upper()}", "deadline", "ms"


def _asked(chain: ChainResult) -> tuple[Constraint, int | None]:
    """The figure that is asked for; of a sampled chain without a deadline its age."""
    if figure_of(chain) is None and chain.deadline is None and chain.data_age is not None:
        return "data_age", chain.data_age
    return chain.constraint, figure_of(chain)


def _chain(chain: ChainResult) -> _Drawing:
    """Up to the end of each stage; behind what samples, from its release on."""
    bars = [
        _Bar(
            f"{hop.stage.partition(' from ')[0]}  {hop.where.rpartition(' on ')[2]}",
            _ms(hop.latency),
        )
        for hop in chain.hops
    ]
    key, figure = _asked(chain)
    said = f"{WORDS[key]} {_NO_BOUND if figure is None else figure}"
    sampled = chain.latency is None and chain.data_age is not None
    unit = "ms to the end of each stage" + ", since the last timer" * sampled
    return bars, f"{chain.path[0]} → {chain.path[-1]}: {said}", "", unit


def _simulation(simulation: Any) -> _Drawing:
    bars = [
        _Bar(f"{name}: {key.replace('_', ' ')}", _ms(seen.max), _seen(seen), _ms(seen.bound),
             _ms(chain.deadline) if key == chain.constraint else None)
        for name, chain in simulation.chains.items()
        for key in ("latency", "data_age", "reaction_time")
        if (seen := getattr(chain, key)) is not None and seen.count
    ]  # fmt: skip
    return bars, f"{simulation.system}: longest seen", "bound", "ms"


def _validation(validation: Any) -> _Drawing:
    bars = [
        _Bar(f"{row.name}: {row.figure.replace('_', ' ')}", _ms(row.seen.most),
             "tab:red" if row.violated else "tab:blue", _ms(row.bound))
        for row in validation.rows
    ]  # fmt: skip
    return bars, f"{validation.system}: longest measured ({validation.verdict})", "bound", "ms"


def _exact(found: Any) -> _Drawing:
    """The worst that was found, and what no run has more than."""
    bars = [
        _Bar(case.name, _ms(case.found or 0), mark=_ms(case.at_most), due=_ms(case.deadline))
        for case in found.cases
    ]
    return bars, f"{found.result.system}: the longest found", "no run has more", "ms"


def _sensitivity(found: Any) -> _Drawing:
    """Margins or, of a late system, repairs."""
    rows = [(row, limit) for row in found.margins if (limit := row.target) is not None]
    parts = [(row.parameter.name, float(100 * row.part(limit))) for row, limit in rows]
    bars = [_Bar(name, min(100, part)) for name, part in parts]
    late = any(row.limit is None for row in found.margins)
    what = "enough alone to be in time" if late else "how far each may go"
    return bars, f"{found.result.system}: {what}", "", "% of what it is; more ends at 100"


def _seen(seen: Any) -> str:
    return "tab:red" if seen.violated else "tab:blue"


def _ms(time: int | None) -> Any:
    """
    >>> _ms(1_500_000)
    1.5
    """
    return None if time is None else time / _MS


_DRAWN: dict[str, Callable[[Any], _Drawing]] = {
    "Result": _result,
    "ChainResult": _chain,
    "Exact": _exact,
    "Sensitivity": _sensitivity,
    "Simulation": _simulation,
    "Validation": _validation,
}
