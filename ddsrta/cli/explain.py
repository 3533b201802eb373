"""ddsrta explain: where the time of one bound goes."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.streams import output_style, put, read_system
from ddsrta.models.diagnostics import Diagnostic, InputError, did_you_mean


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("system", metavar="SYSTEM", help="system.yaml, or - for stdin")
    parser.add_argument("chain", metavar="CHAIN", help="the name of a chain of the file")


def run(options: Namespace) -> int:
    """Explain one chain; the exit status says whether it has a bound."""
    system = read_system(options.system)
    from ddsrta.analysis.explain import explain
    from ddsrta.report.explanation import explanation_text

    try:
        explanation = explain(system, options.chain)
    except LookupError:
        if options.chain in system.chains:
            raise
        from ddsrta.analysis.paths import named_paths

        advice = did_you_mean(options.chain, [path.name for path in named_paths(system)[0]])
        message = f"there is no chain '{options.chain}'"
        raise InputError([Diagnostic(None, message, advice)]) from None
    put(explanation_text(explanation, output_style()))
    return MET if explanation.bound is not None else MISSED
