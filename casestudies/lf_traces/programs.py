"""The traced programs, and what their traces show."""

from __future__ import annotations

import re
import tarfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from casestudies.shared_data import shared
from ddsrta.formats.yaml_writer import write
from ddsrta.lf.draft.program import read
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads
from ddsrta.lf.run.traces import RunSeen, observe

_CHAIN = ("s.out → p.in", "p.out → q.in", "q.out → d.in")
# Programs with an RTI, and their connections.
CENTRALIZED = {
    "Chain4": _CHAIN,
    "Chain4N": _CHAIN,
    "Diamond": ("s.out → p.in", "s.out → q.in", "p.out → d.a", "q.out → d.b"),
    "After": ("s.out → d.in after: 3ms",),
    "PhysUp": ("s.out → d.in",),
    "PhysUpA": ("s.out → d.in after: 5ms",),
    "Zdc": ("c.req → s.req", "s.resp → c.resp"),
}
# What the receivers of the decentralized one wait for.
WAITS = {"d1": "200us", "d2": "2ms", "d3": "forever", "d4": "0ms"}
# Programs of one process: a timer of 10 ms, and one of 100 ms whose reaction is busy for 50 ms.
ENCLAVES = {
    "NoEnc": "no enclaves; fast → slow after 20 ms",
    "Enc": "enclaves; fast → slow after 20 ms",
    "Enc0": "enclaves; fast → slow without `after`",
    "Enc1": "enclaves; slow → fast without `after`",
}


@cache
def enclaves(program: str) -> Federation:
    """A program with enclaves, and the largest times of its trace; dispatch is that of NoEnc, as
    traces of enclaves do not tell it from waiting."""
    with TemporaryDirectory() as folder, _archive(program) as archive:
        archive.extractall(folder, filter="data")
        (place,) = {file.parent for file in Path(folder).rglob("*.lft")}
        source = str(shared(f"lf/traces/{program}.lf"))
        text = write(read([source], trace=str(place), version="0.13.0"))
    text = re.sub("^    overhead: .*\n", "", text, flags=re.MULTILINE)
    overhead = f"    overhead: {run('NoEnc').federates['main'].dispatch.most}ns\n"
    return loads(text.replace("  main:\n", f"  main:\n{overhead}", 1))


@cache
def run(program: str) -> RunSeen:
    """The traces of a program; raises MissingDataError where they are not at hand."""
    with TemporaryDirectory() as folder, _archive(program) as archive:
        archive.extractall(folder, filter="data")
        (place,) = {file.parent for file in Path(folder).rglob("*.lft")}
        return observe(str(place))


def _archive(program: str) -> tarfile.TarFile:
    return tarfile.open(shared(f"lf/traces/{program}.tar.xz"))
