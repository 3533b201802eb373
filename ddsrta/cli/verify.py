"""ddsrta verify: the independent check of a certificate, or of a result with its evidence."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import Input
from ddsrta.cli.streams import output_style, put, read_bytes

if TYPE_CHECKING:
    from ddsrta.checker.outcome import Outcome

ADVICE = (
    "'ddsrta analyze system.yaml --certificate FILE' writes a certificate, '--format json' a "
    "result: do so again if another version of ddsrta wrote this"
)
OTHER_VERSION = (
    "another version of ddsrta wrote it: analyse the system again with this one, or verify it there"
)
_NAMED = "'ddsrta analyze' names all that is wrong with a system, 'ddsrta lf stp' with a federation"
EPILOG = """\
Of a result each figure is compared with its evidence, and that is checked. Confirmed is not met:
it says that each claim holds, and the next line what is claimed. Undecided: the limits of work were
reached first, or a result says what the checker does not know.
exit status: 0 confirmed; 1 refuted or undecided, nothing to verify, or something spoils what was
confirmed.
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument(
        "certificate",
        metavar="FILE",
        type=Input,
        help="a certificate ('ddsrta analyze --certificate FILE'), or a result (--format json); or"
        " - for stdin",
    )
    parser.add_argument(
        "--system",
        metavar="FILE",
        type=Input,
        help="also check that it is of this system.yaml or federation.yaml",
    )


def run(options: Namespace) -> int:
    """Check; the exit status says whether everything was confirmed, next to nothing that spoils
    it."""
    from ddsrta.base.text import plural, shown
    from ddsrta.checker import CertificateError, NothingError, OtherVersionError, verify_file
    from ddsrta.report.checked import DIGITS

    document = None if options.system is None else _document(options.system)
    style = output_style()
    try:
        verdict = verify_file(options.certificate, document)
    except NothingError as error:
        put(f"{style.bad('nothing to verify')}: {shown(str(error))}\n")
        return MISSED
    except CertificateError as error:
        name = "<stdin>" if options.certificate == "-" else options.certificate
        advice = OTHER_VERSION if isinstance(error, OtherVersionError) else ADVICE
        diagnostic = Diagnostic(None, f"{name}: {error}", advice)
        raise InputError([diagnostic]) from None
    count = plural(verdict.confirmed, "inequality").replace("inequalitys", "inequalities")
    if verdict.ok:
        rests = f", assuming {', '.join(map(shown, verdict.assuming))}" if verdict.assuming else ""
        what, name = verdict.outcome, verdict.certificate[:DIGITS]
        said = verdict.claims or claimed(what)
        put(f"{style.good('confirmed')}: {count} of certificate {name} hold{rests}\n{said}\n")
        put("".join(f"{style.bad('no bound holds')}: {shown(why)}\n" for why in what.against))
        return MISSED if what.against else MET
    failure = shown(verdict.failure or "an inequality does not hold")
    put(f"{style.bad(verdict.status)}: {failure}{f' (after {count})' * bool(verdict.confirmed)}\n")
    return MISSED


def _document(path: str) -> dict[str, Any]:
    """The system or federation of a file, as the checker itself reads it."""
    from ddsrta.checker import CertificateError
    from ddsrta.checker.yaml import NotReadError, read_document

    if path.endswith((".lf", ".lft")):
        message = f"{path}: programs are not compared, only the federation that is made of them"
        raise InputError([Diagnostic(None, message, "'ddsrta import' writes federation.yaml")])
    try:
        return read_document(read_bytes(path), "<stdin>" if path == "-" else path)
    except CertificateError as error:
        known = not isinstance(error, NotReadError)
        advice = _NAMED if known else ""
        raise InputError([Diagnostic(None, str(error), advice)]) from None


def claimed(outcome: Outcome) -> str:
    """What was confirmed, for confirmed is not met. What is above its deadline may be there only as
    a time limit ended the analysis: nothing is called missed here.

    >>> from ddsrta.checker.outcome import Outcome
    >>> print(claimed(Outcome(met=1, missed=1, open=1, bounded=1)))
    claimed: 1 of 2 deadlines met, 1 above it; 1 thread, callback, message or chain has no bound
    >>> print(claimed(Outcome()))
    claimed: no deadlines; threads, callbacks and messages are bounded
    >>> print(claimed(Outcome(open=3, bounded=0, kept=1, violated=1)))
    claimed: no deadlines; 1 of 2 orders met, 1 not; nothing is bounded
    """
    from ddsrta.base.text import plural

    met, missed, unbounded, endless = outcome[:4]
    asked = met + missed + unbounded
    text = f"{met} of {plural(asked, 'deadline')} met" if asked else "no deadlines"
    text += f", {missed} above it" * bool(missed) + f", {unbounded} unbounded" * bool(unbounded)
    if wanted := outcome.kept + outcome.violated:
        text += f"; {outcome.kept} of {plural(wanted, 'order')} met"
        text += f", {outcome.violated} not" * bool(outcome.violated)
    if endless and not outcome.bounded:
        return f"claimed: {text}; nothing is bounded"
    if endless:
        one = "1 thread, callback, message or chain has no bound"
        many = f"{endless} threads, callbacks, messages and chains have no bound"
        return f"claimed: {text}; {one if endless == 1 else many}"
    return f"claimed: {text}; threads, callbacks and messages are bounded"
