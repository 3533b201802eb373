"""One document for each thing: its attributes are the keys, times are integer nanoseconds, and what
has no bound or was not seen is null. Text is escaped to ASCII, so that no terminal or pipe can
spoil it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

FORMAT = 1

# The keys of a thing in their order, by its class: `key=path` where the key is not the attribute.
# Without an entry they are its fields.
_PLACE = "file=position.file line=position.line column=position.column"
_KEYS = {
    "Result": "system profile verdict threads callbacks messages chains orders synchronizers cores"
    " links queues warnings assumptions check",
    "MessageResult": "publisher topic subscriber mode ddl sent publisher_wcrt flow_controller"
    " network listener unbounded_because",
    "ChainResult": "latency data_latency=latency trigger_latency data_age reaction_time constraint"
    " deadline met slack path label hops unbounded_because",
    "Finding": f"rule severity message {_PLACE}",
    "Assumption": f"rule message {_PLACE}",
    "Simulation": "system profile choices seed seeds finished interrupted limited most_events"
    " horizon simulated events delivered violations threads callbacks messages chains queues"
    " synchronizers check=analysis.check",
    "Validation": "system source format verdict rows unmatched not_measured=unmeasured notes broken"
    " contradicted held compared check",
    "Row": "kind name figure bound violated difference measured=seen above=seen.above"
    " worst=seen.worst",
    "Verdict": "value=late.value begin=late.begin what=late.what cause text",
    "Attack": "system=result.system profile=result.profile interrupted attacked check=result.check",
    "Attacked": "name=target.name kind=target.kind of=found.measure.of bound=target.bound"
    " found=worst tightness begin end seed runs=found.runs",
    "Difference": "old=old.verdict new=new.verdict changes worse better new_bounds=comparison.new"
    " gone=comparison.gone relaxed=comparison.relaxed notes=comparison.notes is_whole all_pairs"
    " ended",
    "Sensitivity": "system=result.system verdict=result.verdict factor factor_falls"
    " factor_is_checked margins priorities left interrupted",
    "Margin": "name=parameter.name kind=parameter.kind value=parameter.value limit beyond share"
    " repair falls misses is_checked file=parameter.position.file line=parameter.position.line",
    "PriorityMargin": "name=parameter.name value=parameter.value places"
    " file=parameter.position.file line=parameter.position.line",
    "Explained": "system=result.system verdict=result.verdict explanations left check=result.check",
    "Explanation": "name=chain path bound sampled unbounded_because=reason causes stages",
    "StageExplanation": "stage where total note shares terms",
    "Change": "text texts positions",
    "Improvement": "system=before.system verdict=before.verdict score late repairs nearest tried"
    " invalid refused spaces ended untried sampled hopeless",
    "Deadline": f"chain constraint figure deadline state because {_PLACE}",
    "Repair": "changes=says kinds asks is_met size score verdict=result.verdict"
    " check=result.check.status better worse",
    "Said": f"text path old new {_PLACE}",
    "Study": "study=name system=setup.subject.present.name sampler seed=setup.sampler.seed count"
    " feasible refused excluded=searched.excluded space=setup.space.size is_whole"
    " ended=searched.ended goals base=present.goals front best=best_numbers unconfirmed",
    "Goal": "name figure names sign unit",
    "Member": "number goals changes=says asks verdict=analysis.verdict check=analysis.check",
    "Exact": "system=result.system cases assumptions check",
    "WorstCase": "name kind=target.kind of=run.measure.of bound at_most by_bound found exact"
    " deadline situations=explored.states begin=run.begin end=run.end seed runs=run.runs",
}
_known: dict[type, list[tuple[str, list[str]]]] = {}


def document(thing: object) -> dict[str, Any]:
    """The document of a result, a simulation, a validation or an attack.

    >>> from ddsrta.bounds.result import Result
    >>> document(Result("s", "busy-window", "met", {}, (), {}, {}, {}, ()))["verdict"]
    'met'
    """
    made = {"ddsrta": FORMAT, **plain(thing)}
    if not made.get("links", True):
        del made["links"]  # nothing where no link is shared
    if hasattr(thing, "certificate"):
        made["evidence"] = thing.certificate
    return made


def text_of(thing: object) -> str:
    """The text of a document. The evidence, which is for the checker, is one line."""
    made = document(thing)
    if "evidence" not in made:
        return written(made)
    import json

    evidence = json.dumps(made.pop("evidence"), allow_nan=False, separators=(",", ":"))
    text = written(made).rstrip().removesuffix("}").rstrip()
    return f'{text},\n  "evidence": {evidence}\n}}\n'


def written(made: Mapping[str, Any]) -> str:
    """The text of a document that is made."""
    import json

    return json.dumps(made, indent=2, allow_nan=False) + "\n"


def plain(value: Any) -> Any:
    """A value as JSON has it.

    >>> from ddsrta.base.diagnostics import Position
    >>> from ddsrta.bounds.result import Finding
    >>> plain([Finding("livelock", "error", "it spins", Position("s.yaml", 2, 1)), float("inf")])
    [{'rule': 'livelock', 'severity': 'error', 'message': 'it spins', 'file': 's.yaml', 'line': 2, \
'column': 1}, None]
    """
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float | Fraction):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    special = _SPECIAL.get(type(value).__name__)
    if special is not None:
        return special(value)
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return [plain(item) for item in value]
    return {key: plain(at(value, path)) for key, path in keys_of(type(value))}


def keys_of(kind: type) -> list[tuple[str, list[str]]]:
    """Each key, and the attributes on the way to its value."""
    if kind not in _known:
        keys = _KEYS.get(kind.__name__, "").split()
        keys = keys or getattr(kind, "_fields", None) or [one.name for one in fields(kind)]
        _known[kind] = [(k.partition("=")[0], k.rpartition("=")[2].split(".")) for k in keys]
    return _known[kind]


def at(value: Any, path: list[str]) -> Any:
    """What a path of attributes leads to; null where something on it is missing."""
    for name in path:
        value = None if value is None else getattr(value, name)
    return value


def _series(seen: Any) -> dict[str, Any]:
    """What was measured of one thing."""
    return {
        "max": seen.most,
        "min": seen.least,
        "mean": seen.mean,
        "p50": int(seen.percentile(50)),
        "p99": int(seen.percentile(99)),
        "p999": int(seen.percentile(999, 1000)),
        "count": seen.count,
        "histogram": [[least, count] for least, _, count in seen.histogram()],
    }


def _above(above: Any) -> dict[str, Any] | None:
    """How many were above the bound, and why as far as the trace tells."""
    if not above.count:
        return None
    causes = above.causes if above.verdicts else None
    return {"count": above.count, "causes": causes, "longest": plain(above.longest)}


_SPECIAL: dict[str, Callable[[Any], Any]] = {"Series": _series, "Above": _above}
