"""Certificates that claim a little too much, which the checker must refuse: one figure 1 ns less, a
claim left out, or the claims of a system for one that is harder."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any

from ddsrta.bounds.assemble import present
from ddsrta.bounds.evidence.certificate import claims
from ddsrta.bounds.solve import solve
from ddsrta.checker import CertificateError
from ddsrta.checker.check import check_read
from ddsrta.models.document import digest, to_document
from ddsrta.models.system import System
from ddsrta.models.validate import validate

Path = tuple[str | int, ...]
Change = tuple[Path, Any]  # a place, and what it has instead
GONE = "(left out)"
STEPS = 3000  # of a window of the analysis
_MORE = ("slack", "period")  # the more of it there is, the better
_HEAD = ("ddsrta_certificate", "profile", "system", "digest")


def certified(system: System) -> dict[str, Any]:
    """The claims of the analysis."""
    solution = solve(system, most_steps=STEPS)
    return claims(solution, present(solution))


def accepted(certificate: dict[str, Any], before: dict[str, Any] | None = None) -> bool:
    """Whether the checker confirms it; what it cannot read it does not. Beside one `before` that it
    confirmed, it looks at what is claimed otherwise, and nothing else."""
    try:
        return check_read(certificate, None, before)[0].ok
    except CertificateError:
        return False


def changed(certificate: dict[str, Any], change: Change) -> dict[str, Any]:
    """A copy with something else in one place."""
    path, value = change
    top = {**certificate, path[0]: copy.deepcopy(certificate[path[0]])}
    place: Any = top
    for step in path[:-1]:
        place = place[step]
    if value == GONE:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return top


def less(certificate: dict[str, Any]) -> list[Change]:
    """Each figure 1 ns less, or more of what is the better the more there is; loads a thousandth. A
    window may be longer than it has to be: `test_claimed_windows.py` has those."""
    return [
        (path, figure + 1 if path[-1] in _MORE else figure - 1)
        for path, figure in figures(certificate)
        if figure and path[-1] != "window"
    ] + [
        (("cores", core, "utilization"), claim["utilization"] * 0.999)
        for core, claim in certificate["cores"].items()
        if claim["utilization"]
    ]


def left_out(certificate: dict[str, Any]) -> list[Change]:
    """Each claim left out, and everything that is assumed or may be skipped."""
    found: list[Change] = []
    for key, value in certificate.items():
        if key not in _HEAD and isinstance(value, dict | list):
            places = value if isinstance(value, dict) else range(len(value))
            found += [((key, place), GONE) for place in places]
    return found


def harder(
    system: System, certificate: dict[str, Any], count: int, name: str
) -> list[dict[str, Any]]:
    """The claims beside so many other systems, of which the analysis claims more somewhere."""
    found = []
    others = list(_changed(system))
    Random(name).shuffle(others)
    for other in others[:count]:
        if validate(other):
            continue
        its = certified(other)
        if _is_above(its, certificate):
            document = to_document(other)
            found.append({**certificate, "system": document, "digest": digest(document)})
    return found


def _is_above(other: dict[str, Any], certificate: dict[str, Any]) -> bool:
    """Some figure is larger, or has no bound at all. A pace that is not below the latency is not
    claimed, and then the latency tells."""
    there = dict(figures(other))
    return any(
        there[path] > figure if path in there else path[-1] != "paced"
        for path, figure in figures(certificate)
        if path[-1] not in ("window", "later", *_MORE)
    )


def figures(certificate: dict[str, Any]) -> Iterator[tuple[Path, int]]:
    """All numbers outside of the system."""
    for key, value in certificate.items():
        if key not in _HEAD:
            yield from _numbers(value, (key,))


def _numbers(value: Any, path: Path) -> Iterator[tuple[Path, int]]:
    if isinstance(value, dict | list):
        for step, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _numbers(item, (*path, step))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path, value


def _changed(value: Any) -> Iterator[Any]:
    """The same with one number one more or less, or one truth the other one."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield type(value)(value + 1)
        yield type(value)(value - 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            for new in _changed(item):
                yield {**value, key: new}
    elif isinstance(value, tuple) and type(value) is tuple:
        for at, item in enumerate(value):
            for new in _changed(item):
                yield (*value[:at], new, *value[at + 1 :])
    elif is_dataclass(value):
        for field in fields(value):
            if field.init and field.name != "tree":
                for new in _changed(getattr(value, field.name)):
                    with contextlib.suppress(ValueError):  # what cannot be
                        yield replace(value, **{field.name: new})
