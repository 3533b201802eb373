"""ddsrta import: a system.yaml to start from, out of files of other tools."""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser, Namespace
from importlib import import_module
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, InputError, did_you_mean, shown
from ddsrta.cli.combinations import refuse
from ddsrta.cli.parser import MET
from ddsrta.cli.places import Input, output_argument
from ddsrta.cli.say import say
from ddsrta.cli.streams import put_or_write

if TYPE_CHECKING:
    from ddsrta.formats.draft import Draft

# Each format and the module of ddsrta.formats that has `read(paths)` for it.
FORMATS = {
    "caret": "caret",
    "irobot": "irobot",
    "fastdds": "fastdds_xml",
    "amalthea": "tasks.amalthea_read",
    "mast": "tasks.mast_read",  # whose `read` takes a unit, too
    "trace": "ros2_trace.draft",
    "lf": "",  # ddsrta.lf.draft, whose `read` takes more
}

EPILOG = """\
formats:
  caret    CARET architecture files (YAML): callbacks, executors, named paths
  irobot   topologies of iRobot's ros2-performance (JSON), a process each
  fastdds  Fast DDS profiles (XML): flow controllers, modes, priorities, histories, threads
  amalthea an AMALTHEA model (.amxmi): tasks, ticks, stimuli, priorities, event chains
  mast     a model of MAST (text): processors of fixed priorities, transactions; --unit says in what
           its times are
  trace    the folder of a trace by `ros2 trace`, CARET or LTTng (CTF 1.8): who is in the system,
           and the execution times that were observed
  lf       a program of Lingua Franca (.lf): a federation document; --annotations says what the
           program does not (execution times, values of parameters), --trace has a folder of .lft
           or CSV traces of a run, --lf-version the version that it is for

Without a format, a folder is a trace, a name with .lf a program and one with .amxmi a model; else
the first character of the first file tells: '<', '{', a part of a MAST model, or another.
What had to be guessed ends with a comment '# guessed: …', what was measured with '# observed: …';
what was left out is said on top and on stderr.
"""

# What a launch file of ROS 2 has in each of its languages: XML, YAML and Python.
_LAUNCH = re.compile(rb"^(<launch[\s>]|launch:|def generate_launch_description\()", re.M)


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.usage = "ddsrta import [FORMAT] FILE... [--into SYSTEM] [--output system.yaml]"
    parser.add_argument(
        "files", metavar="[FORMAT] FILE", type=Input, nargs="+", help="what to import"
    )
    parser.add_argument("--format", choices=FORMATS, help="the format, instead of in front")
    parser.add_argument(
        "--into", metavar="SYSTEM", type=Input, help="fastdds: put it into this system.yaml"
    )
    parser.add_argument(
        "--annotations", metavar="FILE", type=Input, help="lf: what the program does not say"
    )
    parser.add_argument("--trace", metavar="FOLDER", type=Input, help="lf: traces of a run")
    parser.add_argument("--unit", choices=("ns", "us", "ms", "s"), help="mast: that of its times")
    parser.add_argument("--lf-version", metavar="VERSION", help="lf: its version, as 0.12.1")
    output_argument(parser)


def run(options: Namespace) -> int:
    """Print or write the system, and print what to know about it on stderr."""
    kind, paths = _format(options.format, options.files)
    if kind != "lf":
        names = ("annotations", "trace", "lf_version")
        refuse(options, names, f"goes with lf, not with {kind}")
    if kind != "mast":
        refuse(options, ("unit",), f"goes with mast, not with {kind}")
    if options.into is not None:
        if kind != "fastdds":
            message = f"--into goes with fastdds, not with {kind}"
            raise InputError([Diagnostic(None, message, "import it on its own")])
        _merge(paths, options.into, options.output)
        return MET
    from ddsrta.formats.yaml_writer import write

    draft: Draft
    if kind == "lf":
        from ddsrta.lf.draft import read

        draft = read(paths, options.annotations, options.trace, options.lf_version)
    else:
        more = {} if options.unit is None else {"unit": options.unit}
        draft = import_module(f"ddsrta.formats.{FORMATS[kind]}").read(paths, **more)
    put_or_write(write(draft), options.output)
    _say("guessed", draft.guesses())
    _say("left out", list(draft.left_out))
    return MET


def _format(given: str | None, files: list[str]) -> tuple[str, list[str]]:
    """The format and the files: the first word is a format if it names one."""
    if given is not None:
        return given, files
    first = files[0]
    if first in FORMATS and len(files) > 1:
        return first, files[1:]
    if not os.path.exists(first) and "." not in first:
        problem = "no file is given" if first in FORMATS else f"there is no format {shown(first)}"
        raise InputError([Diagnostic(None, problem, did_you_mean(first, FORMATS))])
    return _detect(first), files


def _detect(path: str) -> str:
    """What the name or the first character tells; the reader complains if it is wrong."""
    if os.path.isdir(path):
        return "trace"
    for end, kind in ((".lf", "lf"), (".amxmi", "amalthea")):
        if path.endswith(end):
            return kind
    try:
        with open(path, "rb") as stream:
            begin = stream.read(65536)
    except (OSError, ValueError):
        return "caret"  # the reader says why the file cannot be read
    text = begin.removeprefix(b"\xef\xbb\xbf").lstrip()
    if re.search(r"launch\.(py|xml|ya?ml)$", path) or _LAUNCH.search(text):
        message = f"{shown(path)}: a launch file says which nodes run, not what their callbacks do"
        advice = "import a trace of its run ('ros2 trace'), or tell its nodes to 'ddsrta init'"
        raise InputError([Diagnostic(None, message, advice)])
    if re.match(rb"(--[^-].*\n\s*)*(model|processing_resource|scheduler)\s*\(", text, re.I):
        return "mast"
    return {b"<": "fastdds", b"{": "irobot"}.get(text[:1], "caret")


def _merge(paths: list[str], into: str, output: str | None) -> None:
    from ddsrta.base.yaml_tree import LARGEST_FILE
    from ddsrta.formats.fastdds_merge import merge
    from ddsrta.formats.fastdds_xml import profiles_of

    profiles = profiles_of(paths)
    with open(into, "rb") as stream:
        data = stream.read(LARGEST_FILE + 1)
    merged = merge(profiles, data, into)
    put_or_write(merged.text, output)
    _say("put in", merged.placed or ["nothing: the system says all of it already"])
    _say("left out", list(merged.left_out))
    _say("note", [profiles.defaults] if profiles.defaults else [])
    if not merged.keeps_comments:
        _say("note", ["the file is written anew, its comments and layout are lost"])
    _say("not valid yet", merged.problems)


def _say(what: str, lines: list[str]) -> None:
    from ddsrta.base.text import shown as safe

    for line in lines:
        say(f"{what}: {safe(line)}")
