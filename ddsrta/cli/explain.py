"""ddsrta explain: where the time of one bound goes."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError, did_you_mean
from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import Input
from ddsrta.cli.streams import output_style, put, read_system

if TYPE_CHECKING:
    from ddsrta.bounds.paths.concrete import NamedPath
    from ddsrta.bounds.result import Result
    from ddsrta.bounds.terms.explain import Explanation
    from ddsrta.models.system import System

EPILOG = """\
Of a chain given by its ends, the path with the largest bound is explained; 'CHAIN/2' is the second.
Findings of level 'error' follow, next to which no bound holds, and what is assumed.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("system", metavar="SYSTEM", type=Input, help="system.yaml, or - for stdin")
    parser.add_argument("chain", metavar="CHAIN", help="the name of a chain of the file")


def run(options: Namespace) -> int:
    """Explain one chain; the exit status says whether it has a bound, next to no error."""
    system = read_system(options.system)
    from ddsrta.bounds.evidence.checked import analyze_checked
    from ddsrta.bounds.terms.explain import explain_path
    from ddsrta.report.explanation import explanation_text
    from ddsrta.report.findings import beside, errors

    paths = paths_of(system, options.chain)
    checked, style = analyze_checked(system), output_style()
    result = checked.result
    explanations = (explain_path(checked.solution, path) for path in paths)
    explanation = max((_standing(one, result) for one in explanations), key=_how_long)
    lines = beside("the bound is not sure", result, result.assumptions, style)
    put(explanation_text(explanation, style) + "".join(f"{line}\n" for line in lines))
    return MET if explanation.bound is not None and not errors(result) else MISSED


def _standing(explanation: Explanation, result: Result) -> Explanation:
    """Nothing of a bound that the checker refuses is explained."""
    if result.check is None or result.check.status != "refuted":
        return explanation
    because = result.chains[explanation.chain].unbounded_because
    return replace(explanation, bound=None, stages=(), reason=because)


def paths_of(system: System, chain: str) -> list[NamedPath]:
    """The paths that a name stands for; raises InputError where it stands for none."""
    from ddsrta.bounds.paths.concrete import named_paths

    paths, _ = named_paths(system)
    found = [path for path in paths if path.name == chain]
    found = found or [path for path in paths if path.chain.name == chain]
    if not found:
        names = [*system.chains, *(path.name for path in paths)]
        advice = did_you_mean(chain, dict.fromkeys(names))
        raise InputError([Diagnostic(None, f"there is no chain '{chain}'", advice)])
    return found


def _how_long(explanation: Explanation) -> tuple[bool, int]:
    """Unbounded is longer than all numbers."""
    return explanation.bound is None, explanation.bound or 0
