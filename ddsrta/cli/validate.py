"""ddsrta validate: the bounds of a system beside what a run of it showed."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.cli.analyze import PROFILES, add_profile
from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import Input, Output, output_arguments
from ddsrta.cli.streams import (
    put,
    put_or_write,
    read_federation,
    read_system,
    style_of,
    write,
)

if TYPE_CHECKING:
    from ddsrta.validation.compare import Validation

EPILOG = """\
traces, told apart by their content:
  harness       what 'application' of harness/ writes
  ros2_tracing  the folder of a trace by 'ros2 trace', CARET or LTTng (CTF 1.8)
  Lingua Franca the folder of the .lft files of a run, or of the CSV of trace_to_csv; SYSTEM is
                the federation then
  CSV           a line 'name,latency_ns', then a name and a whole number on each line; names are
                those of chains, threads, callbacks, or PUBLISHER -> TOPIC -> SUBSCRIBER

verdicts, the gravest first: VIOLATION something was above its bound; ASSUMPTION BROKEN the trace
contradicts what the bounds assume; DISTURBED what was above a bound is covered by evidence of the
machine; UNCHECKED the checker could not decide on the bounds; VACUOUS no finite bound was
compared; OK none of these
exit status: 0 OK; 1 any other verdict; 2 nothing can be concluded, as the trace lost events, is cut
off or damaged, or the call is wrong
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument(
        "system", metavar="SYSTEM", type=Input, help="system.yaml, - for stdin, or a federation"
    )
    parser.add_argument(
        "--trace", metavar="FILE", type=Input, required=True, help="what was measured"
    )
    add_profile(parser)
    output_arguments(parser, "a table, or everything")
    parser.add_argument(
        "--html",
        metavar="FILE",
        type=Output,
        help="write a page with each bound over its distribution",
    )


def run(options: Namespace) -> int:
    """Analyse, read, compare, and say in the exit status how it went."""
    from ddsrta.formats.ctf import LossyTraceError
    from ddsrta.lf.run.traces.records import TraceError
    from ddsrta.validation.measured import InconclusiveError

    try:
        return _validate(options)
    except (InconclusiveError, LossyTraceError, TraceError) as error:
        if options.format == "json":
            from ddsrta.report.json import FORMAT, written

            reasons = [str(one) for one in error.diagnostics]
            put(written({"ddsrta": FORMAT, "verdict": "inconclusive", "reasons": reasons}))
        raise


def _system(options: Namespace) -> Validation:
    system = read_system(options.system)
    from ddsrta.validation.validate import validate

    return validate(system, options.trace, profile=options.profile)


def _federation(options: Namespace) -> Validation:
    if options.profile != PROFILES[0]:
        raise InputError([Diagnostic(None, "--profile is for systems, not for federations")])
    federation = read_federation(options.system)
    from ddsrta.validation.lf import validate_federation

    return validate_federation(federation, options.trace)


def _validate(options: Namespace) -> int:
    from ddsrta.validation.reading import is_federation

    validation = _federation(options) if is_federation(options.system) else _system(options)
    if options.html is not None:
        from ddsrta.report.validation_html import validation_html

        write(options.html, validation_html(validation))
    if options.format == "json":
        from ddsrta.report.json import text_of

        put_or_write(text_of(validation), options.output)
    else:
        from ddsrta.report.validation import validation_text

        put_or_write(validation_text(validation, style_of(options.output)), options.output)
    return MET if validation.verdict == "ok" else MISSED
