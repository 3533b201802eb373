"""ddsrta measure: the harness, built and run."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from ddsrta.base.diagnostics import Diagnostic, InputError, shown
from ddsrta.cli.parser import MET, MISSED
from ddsrta.cli.places import OUTPUT, Folder, Input, Output
from ddsrta.cli.say import say
from ddsrta.cli.streams import read_system, write

if TYPE_CHECKING:
    from ddsrta.measure.blocks import Block

SIZES = "1kB,3kB,5kB,24kB,500kB,750kB,1500kB"
_SCRATCH = ".block."
_LEAST, _LARGEST, _MOST_SIZES = 32, 16_000_000, 32
EPILOG = """\
  delays       how long the middleware's threads are at a message, for sizes: a CSV file of samples
               for each size and mode, and the 'delays:' of a system.yaml. A campaign that was
               interrupted goes on, with the same call, with the first file that is not whole.
  application  runs the system as real threads and writes a trace for 'ddsrta validate'. A run that
               was interrupted starts anew.

harness/README.md says how far to trust the results.
exit status: 0 complete, 1 something was lost or a run ended early, 2 the call is wrong
"""


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("--harness", metavar="FOLDER", help="its sources (default: beside ddsrta)")
    kinds = parser.add_subparsers(metavar="delays|application", dest="what", required=True)
    delays = kinds.add_parser("delays", allow_abbrev=False, help="δ for payload sizes")
    delays.add_argument(
        *OUTPUT, metavar="FOLDER", type=Folder, required=True, help="where the results go"
    )
    delays.add_argument(
        "--sizes", type=_sizes, default=_sizes(SIZES), help=f"of payloads (default: {SIZES})"
    )
    delays.add_argument("--samples", metavar="N", type=_samples, default=50_000, help="of each")
    run_ = kinds.add_parser("application", allow_abbrev=False, help="a system as real threads")
    run_.add_argument("system", metavar="SYSTEM", type=Input, help="system.yaml, or - for stdin")
    run_.add_argument(*OUTPUT, metavar="FILE", type=Output, required=True, help="the trace")
    for name in ("--duration", "--jobs", "--watchdog", "--seed", "--spare"):
        run_.add_argument(name, metavar="VALUE", help="as 'application --help' says")
    run_.add_argument("--one-participant", action="store_true", help="Fast DDS: share a mutex")
    for each in (delays, run_):
        each.add_argument(
            "--middleware", choices=("udp", "fastdds", "cyclone"), default="udp",
            help="what sends and receives (default: %(default)s)",
        )  # fmt: skip
        each.add_argument("--cpus", metavar="LIST", help="the CPUs to use")
        each.add_argument("--reliable", action="store_true", help="instead of best-effort topics")


def _sizes(text: str) -> list[int]:
    from ddsrta.base.units import parse_size

    try:
        sizes = sorted({parse_size(word) for word in text[:2000].split(",")})
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None
    if sizes[0] < _LEAST or sizes[-1] > _LARGEST or len(sizes) > _MOST_SIZES:
        limits = f"{_LEAST} B to {_LARGEST // 1_000_000} MB, at most {_MOST_SIZES} of them"
        raise ArgumentTypeError(f"sizes are {limits}")
    return sizes


def _samples(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= 10_000_000):
        raise ArgumentTypeError(f"{shown(text)} is no number of samples from 1 to 10000000")
    return int(text)


def run(options: Namespace) -> int:
    """Build the harness, run it, and say in the exit status how it went."""
    from ddsrta.measure.harness import build, harness_folder

    folder = harness_folder(options.harness)
    plan = _plan(options) if options.what == "application" else ""
    if plan:
        _discard(options.output)
    _say("building the harness")
    build(folder)
    return _application(folder, plan, options) if plan else _delays(folder, options)


def _plan(options: Namespace) -> str:
    from ddsrta.formats.harness_plan import plan

    return plan(read_system(options.system))


def _discard(path: str) -> None:
    """However this run ends, the trace of an earlier one must not pass for it."""
    place = os.path.realpath(path)
    try:
        if os.path.isfile(place):
            os.unlink(place)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError([Diagnostic(None, f"cannot write '{path}': {reason}")]) from error


def _common(options: Namespace) -> list[str]:
    chosen = [f"--middleware={options.middleware}"]
    if options.cpus is not None:
        chosen.append(f"--cpus={options.cpus}")
    return chosen + ["--reliable"] * options.reliable


def _application(folder: Path, plan: str, options: Namespace) -> int:
    from ddsrta.measure import harness

    call = [*_common(options), f"--output={options.output}"]
    for name in ("duration", "jobs", "watchdog", "seed", "spare"):
        if (value := getattr(options, name)) is not None:
            call.append(f"--{name}={value}")
    call += ["--one-participant"] * options.one_participant
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "plan"
        path.write_text(plan, encoding="utf-8")
        _say("running the system; Ctrl-C ends it and keeps what was seen")
        return _status("application", harness.run(folder, "application", [str(path), *call]))


def _delays(folder: Path, options: Namespace) -> int:
    """Block by block, each in a folder of its own until it is whole."""
    from ddsrta.measure import harness
    from ddsrta.measure.blocks import table

    place = Path(options.output)
    _claim(place, {"samples": options.samples, "call": _common(options)})
    modes = ("sync",) if options.middleware == "cyclone" else ("async", "sync")
    wanted = [(size, mode) for size in options.sizes for mode in modes]
    blocks: list[Block] = []
    for left in place.glob(f"{_SCRATCH}*"):  # of a call that was killed
        shutil.rmtree(left, ignore_errors=True)
    for number, (size, mode) in enumerate(wanted, 1):
        name = f"{options.middleware}-{mode}-{size}.csv"
        block = _known(place / name, size, options.samples)
        if block is None:
            _say(f"{number} of {len(wanted)}: {size} B, {mode}")
            with tempfile.TemporaryDirectory(dir=place, prefix=_SCRATCH) as scratch:
                call = [f"--sizes={size}B", f"--modes={mode}", f"--samples={options.samples}"]
                call += [*_common(options), f"--output={scratch}"]
                status = harness.run(folder, "delays", call)
                block = _known(Path(scratch) / name, size, options.samples)
                if status or block is None:
                    _say(f"{name} is not whole; the same call goes on from here")
                    return _status("delays", status or MISSED)
                os.replace(Path(scratch) / name, place / name)
        else:
            _say(f"{number} of {len(wanted)}: {name} is there already")
        blocks.append(block)
    write(str(place / f"{options.middleware}.yaml"), table(blocks))
    _say(f"{place / options.middleware}.yaml has the 'delays:' of a system.yaml")
    return MET


def _known(path: Path, size: int, samples: int) -> Block | None:
    """The block in a file; one that is not whole, or of something else, is measured again."""
    from ddsrta.measure.blocks import BlockError, read_block

    if not path.exists():
        return None
    try:
        return read_block(path, size, samples)
    except BlockError as error:
        _say(f"{path.name} is not used: {error}")
        return None


def _claim(place: Path, campaign: dict[str, object]) -> None:
    """One folder is of one campaign: samples of different settings must not be mixed."""
    place.mkdir(parents=True, exist_ok=True)
    note = place / "campaign.json"
    text = json.dumps(campaign) + "\n"
    try:
        before = note.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        if any(place.glob("*.csv")):
            _refuse(f"{place}: there are CSV files of something else", "name another folder")
        write(str(note), text)
        return
    if before != text:
        _refuse(f"{place}: it has samples with other settings", "name another folder")


def _refuse(message: str, advice: str) -> NoReturn:
    raise InputError([Diagnostic(None, message, advice)])


def _status(program: str, status: int) -> int:
    """That of the harness: 1 and 2 mean the same there."""
    if status < 0 or status > 2:
        _refuse(f"'{program}' ended with the status {status}", "nothing follows from its result")
    return status


def _say(text: str) -> None:
    say(f"ddsrta: {text}")
