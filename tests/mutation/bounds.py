"""Mutants of what computes bounds: which lower a claim, and who notices."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from ddsrta.bounds.assemble import present
from ddsrta.bounds.evidence.certificate import claims
from ddsrta.bounds.result import Result
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.solve import solve
from ddsrta.checker import CertificateError, check
from ddsrta.models.system import System
from ddsrta.simulation import program_of
from ddsrta_kernel import COMPILED
from tests.mutation.figures import Figures, figures, lowered
from tests.mutation.lines import Lines
from tests.mutation.mutants import ROOT, Mutant
from tests.mutation.swap import UnswappableError, swap
from tests.soundness.attack import Worst, attacked
from tests.soundness.pipeline.stations import Seen, disordered

ROOMS = (  # of the kernel: all that computes
    *("curves", "works", "searches", "windows", "tandem", "groups", "phases", "rates", "sweeps"),
    "pack",
    "paths",
    "walks",
    "pending",
)
KERNEL = [f"cython_ext/ddsrta_kernel/{room}.py" for room in ROOMS]
NO_BOUNDS = (  # what explains, names or checks what others compute
    "analyze.py", "findings/", "order/repairs.py", "terms/", "end_to_end_window/terms.py",
    "closed_window/terms.py", "pending_window/terms.py", "event_alone/terms.py",
    "joint_outputs/terms.py",
    "joined_work/terms.py", "evidence/certificate.py", "evidence/checked.py", "evidence/explained.py",
    "evidence/misread.py", "evidence/refused.py",
)  # fmt: skip
STEPS = 3000 if COMPILED else 300  # of a window
MOST_SYSTEMS = 20  # on which a mutant is tried
SECONDS = 1.2  # of CPU, before a mutant that changes nothing is given up
RUNS = 24  # of an attack
ORDERS = 3  # times three runs, for orders of messages


def files(part: str) -> list[str]:
    """What computes bounds: the kernel, or what makes problems and results of it."""
    patterns = KERNEL if part == "kernel" else ["ddsrta/bounds/**/*.py", "ddsrta/policies/*.py"]
    found = {str(p.relative_to(ROOT)) for pattern in patterns for p in ROOT.glob(pattern)}
    none = tuple(f"ddsrta/bounds/{name}" for name in NO_BOUNDS)
    return sorted(file for file in found if not file.startswith(none))


class Analysed(NamedTuple):
    """A result, the solution that it presents, and its certificate."""

    solution: Solution
    result: Result
    certificate: dict[str, Any]

    @property
    def figures(self) -> Figures:
        """All that is claimed."""
        return figures(self.result, self.certificate)


def analysed(system: System) -> Analysed:
    """With less patience than usual where there is no fixed point."""
    solution = solve(system, most_steps=STEPS)
    result = present(solution)
    return Analysed(solution, result, claims(solution, result))


@dataclass(frozen=True)
class Case:
    """A system with what is claimed of it by the analysis as it is."""

    name: str
    system: System
    figures: Figures
    lines: frozenset[tuple[str, int]]
    seconds: float


def cases(
    systems: Sequence[tuple[str, System]], watched: list[str], most_seconds: float
) -> list[Case]:
    """Those that are quick, with the lines that they run."""
    lines, found = Lines(watched), []
    for name, system in systems:
        begin = time.process_time()
        known = analysed(system).figures
        seconds = time.process_time() - begin
        if seconds <= most_seconds:
            ran = lines.of(lambda system=system: analysed(system))
            found.append(Case(name, system, known, frozenset(ran), seconds))
    return found


def chosen(mutant: Mutant, among: Sequence[Case]) -> list[Case]:
    """Some that run its line, half of them the quickest."""
    at = (mutant.file, mutant.line)
    reached = sorted((case for case in among if at in case.lines), key=lambda case: case.seconds)
    quick, rest = reached[: MOST_SYSTEMS // 2], reached[MOST_SYSTEMS // 2 :]
    Random(mutant.name).shuffle(rest)
    return quick + rest[: MOST_SYSTEMS - len(quick)]


def trial(mutant: Mutant, among: Sequence[Case]) -> dict[str, Any]:
    """In a child: what becomes of the claims, and whether the checker or a run says no."""
    try:
        swap(mutant)
    except UnswappableError:
        return {"result": "not tried"}
    seen: dict[str, Any] = {"result": "same", "lowered": {}, "errors": 0, "systems": 0}
    begin = time.process_time()
    for case in among:
        if time.process_time() - begin > SECONDS * (3 if seen["lowered"] else 1):
            break
        seen["systems"] += 1
        try:
            found = analysed(case.system)
            after = found.figures
        except Exception as error:
            seen["errors"] += 1
            seen["error"] = repr(error)[:120]
            if seen["errors"] > 2 and not seen["lowered"]:
                break
            continue
        less = lowered(case.figures, after)
        if not less:
            seen["result"] = "raises" if after != case.figures else seen["result"]
            continue
        seen["lowered"][case.name] = [" ".join(map(str, key)) for key in less[:4]]
        if killer := _killer(found, less):
            return {**seen, "result": "killed", "by": killer, "on": case.name}
    if seen["lowered"]:
        return {**seen, "result": "survives"}
    return {**seen, "result": "fails"} if seen["errors"] else seen


def _killer(found: Analysed, less: list[tuple[object, ...]]) -> str | None:
    """The checker; or a run that is worse than a bound, or shows an order that is said not to be."""
    try:
        verdict = check(found.certificate)
    except CertificateError:
        return "checker"
    if verdict.status == "refuted":
        return "checker"
    system = found.solution.system
    if attacked(system, found.result, RUNS, 0):
        return "run"
    if any(str(key[0]).startswith("order") for key in less):
        program = program_of(system)
        seen = Seen(program, found.solution, found.result, [], Worst(program, []))
        if any(failure for seed in range(ORDERS) for failure in disordered(seen, seed)):
            return "run"
    return None
