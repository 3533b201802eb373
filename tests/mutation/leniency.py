"""Mutants of the checker: which confirm what must be refused, and whether a test notices."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ddsrta.checker import check
from tests.checker import test_lemmas as lemmas
from tests.checker.tampered import accepted, certified, changed, harder, left_out, less
from tests.checker.test_least import CASES, OTHERS, system_of
from tests.mutation.corpus import DRAWS, asked
from tests.mutation.lines import Lines
from tests.mutation.mutants import ROOT, Mutant
from tests.mutation.swap import UnswappableError, swap

MOST_SYSTEMS = 10  # on which a mutant is tried
SECONDS = 0.8  # of CPU, of one trial
SEEDS = (400, 401, 500)  # of each draw, beside those of the tests


def files() -> list[str]:
    """The checker; its reader of files is held against the other one by tests of its own."""
    found = (ROOT / "ddsrta/checker").glob("*.py")
    return sorted(str(path.relative_to(ROOT)) for path in found)


@dataclass(frozen=True)
class Case:
    """A certificate, and those like it that must be refused."""

    name: str
    kept: bool  # whether a test of the checker has it
    certificate: dict[str, Any]
    refused: tuple[dict[str, Any], ...]
    lines: frozenset[tuple[str, int]]
    seconds: float  # of one check


def cases(watched: list[str], most_seconds: float, part: float = 1.0) -> list[Case]:
    """Those of the tests, and others that are quick to check."""
    lines = Lines(watched)
    kept = CASES[: max(1, round(part * len(CASES)))]
    found = [_case(lines, f"{k} {s}", True, system_of(k, s), OTHERS, 1.0) for k, s in kept]
    found += [
        _of_lemma(lines, name, of())
        for name, of in lemmas.CASES[: round(part * len(lemmas.CASES))]
        if name not in lemmas.AFTER
    ]
    for kind, (_, draw) in DRAWS.items() if part == 1 else ():
        for seed in SEEDS:
            if (system := draw(seed)) is not None:
                found.append(
                    _case(lines, f"{kind} {seed}", False, asked(system), OTHERS, most_seconds)
                )
    return [case for case in found if case is not None]


def _of_lemma(lines: Lines, name: str, system: Any) -> Case:
    """What a refinement lowers."""
    certificate, changes = lemmas.less(name, system)
    begin = time.process_time()
    ran = lines.of(lambda: check(certificate))
    seconds = time.process_time() - begin
    refused = tuple(changed(certificate, change) for change in changes)
    return Case(name, True, certificate, refused, frozenset(ran), seconds)


def _case(
    lines: Lines, name: str, kept: bool, system: Any, others: int, most_seconds: float
) -> Case | None:
    certificate = certified(system)
    begin = time.process_time()
    if check(certificate).status != "confirmed":
        return None
    seconds = time.process_time() - begin
    if seconds > most_seconds:
        return None
    ran = lines.of(lambda: check(certificate))
    worse = [
        changed(certificate, change) for change in (*less(certificate), *left_out(certificate))
    ]
    worse += harder(system, certificate, others, name)
    refused = [each for each in worse if kept or not accepted(each)]
    return Case(name, kept, certificate, tuple(refused), frozenset(ran), seconds)


def chosen(mutant: Mutant, among: Sequence[Case]) -> list[Case]:
    """Some that run its line, those of the tests first: the quickest, and others."""
    at = (mutant.file, mutant.line)
    reached = sorted((case for case in among if at in case.lines), key=lambda case: case.seconds)
    kept = [case for case in reached if case.kept]
    rest = kept[MOST_SYSTEMS // 2 :]
    Random(mutant.name).shuffle(rest)
    others = [case for case in reached if not case.kept]
    return [*kept[: MOST_SYSTEMS // 2], *rest[: MOST_SYSTEMS // 2], *others[: MOST_SYSTEMS // 2]]


def trial(mutant: Mutant, among: Sequence[Case], every: Sequence[Case]) -> dict[str, Any]:
    """In a child: whether it confirms what must be refused; and whether the tests have such."""
    try:
        swap(mutant)
    except UnswappableError:
        return {"result": "not tried"}
    seen: dict[str, Any] = {"result": "same", "lenient": [], "stricter": 0, "errors": 0}
    begin = time.process_time()
    for case in among:
        try:
            fine = accepted(case.certificate)
        except Exception as error:
            seen |= {"result": "fails", "errors": seen["errors"] + 1, "error": repr(error)[:120]}
            continue
        if not fine:
            seen |= {"result": "stricter", "stricter": seen["stricter"] + 1}
        refused = list(case.refused)
        Random(mutant.name).shuffle(refused)
        until = time.process_time() + SECONDS / len(among)
        for certificate in refused:
            if time.process_time() > until:
                break
            if _confirms(certificate):
                seen["lenient"].append(case.name)
                if case.kept:
                    return {**seen, "result": "killed", "by": "test_least"}
                break
        if time.process_time() - begin > SECONDS:
            break
    if seen["lenient"]:
        return {**seen, "result": "killed" if _fails(every) else "survives", "by": "test_least"}
    return seen


def _confirms(certificate: dict[str, Any]) -> bool:
    try:
        return accepted(certificate)
    except Exception:
        return False


def _fails(among: Sequence[Case]) -> bool:
    """Whether one of the cases that tests have is judged in another way; all their claims."""
    for case in among:
        if case.kept:
            try:
                if not accepted(case.certificate) or any(map(accepted, case.refused)):
                    return True
            except Exception:
                return True
    return False
