"""ddsrta schema: the JSON Schema of system.yaml, a federation document or a study."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ddsrta.cli.parser import MET
from ddsrta.cli.places import output_argument
from ddsrta.cli.streams import put_or_write


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "kind",
        nargs="?",
        choices=("system", "federation", "study"),
        default="system",
        help="of what",
    )
    output_argument(parser)


def run(options: Namespace) -> int:
    """Print the schema."""
    import json

    from ddsrta.models.schema import json_schema

    schema = json_schema()
    if options.kind == "federation":
        from ddsrta.lf.program.schema import federation_schema

        schema = federation_schema()
    elif options.kind == "study":
        from ddsrta.exploration.study.schema import study_schema

        schema = study_schema()
    put_or_write(json.dumps(schema, indent=2) + "\n", options.output)
    return MET
