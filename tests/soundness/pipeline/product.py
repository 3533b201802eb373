"""The parts of the product that the pipeline uses, also of earlier states of it: the pipeline can be
copied into another checkout and run there. What that has no word for is left out of what is drawn."""

from __future__ import annotations

from inspect import signature
from typing import Any

from ddsrta.base.structures import Either, ListOf, MapOf, Record
from ddsrta.bounds.evidence.certificate import claims
from ddsrta.bounds.result import Result
from ddsrta.bounds.solution import Solution
from ddsrta.models.grammar import SYSTEM
from tests.soundness import bounds

try:
    from ddsrta.bounds.assemble import present
except ImportError:
    from ddsrta.bounds.analyze import present

__all__ = ["certified", "claims_of", "known", "present", "status_of"]
claims_of = getattr(bounds, "claims_of", None) or bounds._claims


def certified(solution: Solution, result: Result) -> dict[str, Any]:
    """The certificate of a result; earlier it was made of the solution alone."""
    if len(signature(claims).parameters) == 1:
        return claims(solution)
    return claims(solution, result)


def status_of(verdict: Any) -> str:
    """confirmed, refuted or undecided; earlier there was no word for the last."""
    if hasattr(verdict, "status"):
        return str(verdict.status)
    if verdict.ok:
        return "confirmed"
    return "undecided" if "limits of work" in verdict.failure else "refuted"


def known(data: Any, shape: Any = SYSTEM) -> Any:
    """A file with the keys that the grammar has."""
    if isinstance(shape, Either):
        kinds = {dict: shape.mapping, list: shape.sequence}
        return known(data, kinds.get(type(data), shape.scalar))
    if isinstance(shape, Record) and isinstance(data, dict):
        return {k: known(v, shape.keys[k].shape) for k, v in data.items() if k in shape.keys}
    if isinstance(shape, MapOf) and isinstance(data, dict):
        return {name: known(value, shape.item) for name, value in data.items()}
    if isinstance(shape, ListOf) and isinstance(data, list):
        return [known(value, shape.item) for value in data]
    return data
