"""What commands on federations print is checked before."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ddsrta.cli.places import Output
from ddsrta.cli.streams import put_or_write, style_of, write

if TYPE_CHECKING:
    from ddsrta.report.style import Style


def checked_arguments(parser: ArgumentParser) -> None:
    """What those commands have in common."""
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        type=Output,
        help="write what 'ddsrta verify' needs to check the figures",
    )
    parser.add_argument(
        "--allow",
        choices=("unchecked",),
        action="append",
        default=[],
        help="pass although the checker could not decide within its limits of work",
    )


def put_checked(
    options: Namespace,
    certificate: dict[str, Any],
    as_text: Callable[[Style], str],
    as_dict: Callable[[], dict[str, Any]],
) -> bool:
    """Print what is checked; whether it may be met. Of what is refused no figure is printed."""
    from dataclasses import asdict

    from ddsrta.base.text import shown
    from ddsrta.lf.bounds.checked import self_check
    from ddsrta.report.checked import check_text

    check = self_check(certificate)
    refused = check.status == "refuted"
    if options.certificate:
        write(options.certificate, json.dumps(certificate) + "\n")
    if options.format == "json":
        name = certificate["federation"]["name"]
        none = {"ddsrta": 1, "federation": name, "verdict": "error"}
        document = none if refused else as_dict()
        document |= {"check": asdict(check), "evidence": certificate}
        put_or_write(json.dumps(document, indent=2, allow_nan=False) + "\n", options.output)
    else:
        style = style_of(options.output)
        name = shown(certificate["federation"]["name"])
        text = f"ERROR  {name}: refused by the checker, so that no figure is a bound\n"
        text = text if refused else as_text(style)
        put_or_write(f"{text}\n{check_text(check, style=style)}\n", options.output)
    return check.status == "confirmed" or ("unchecked" in options.allow and not refused)
