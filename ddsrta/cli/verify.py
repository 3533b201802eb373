"""ddsrta verify: the independent check of a certificate."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import Input
from ddsrta.cli.streams import output_style, put, read_system
from ddsrta.models.diagnostics import Diagnostic, InputError


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "certificate",
        metavar="FILE",
        type=Input,
        help="written by 'ddsrta analyze --certificate FILE'",
    )
    parser.add_argument(
        "--system", metavar="SYSTEM", type=Input, help="also check that it is of this system"
    )


def run(options: Namespace) -> int:
    """Check; the exit status says whether everything was confirmed."""
    from ddsrta.checker import CertificateError, check_file
    from ddsrta.report.text import plural, shown

    document = None
    if options.system is not None:
        from ddsrta.models.document import to_document

        document = to_document(read_system(options.system))
    try:
        verdict = check_file(options.certificate, document)
    except CertificateError as error:
        advice = "a certificate is written by 'ddsrta analyze system.yaml --certificate FILE'"
        diagnostic = Diagnostic(None, f"{options.certificate}: {error}", advice)
        raise InputError([diagnostic]) from None
    style = output_style()
    confirmed = plural(verdict.confirmed, "inequality").replace("inequalitys", "inequalities")
    if verdict.ok:
        rests = f", assuming {', '.join(map(shown, verdict.assuming))}" if verdict.assuming else ""
        put(f"{style.good('confirmed')}: {confirmed} hold{rests}\n")
        return MET
    failure = shown(verdict.failure or "an inequality does not hold")
    put(f"{style.bad('refuted')}: {failure} (after {confirmed})\n")
    return MISSED
