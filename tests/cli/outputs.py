"""A call of each command on small inputs, and what each option that names an output goes with.

Commands and options are those of the program. A new one enters by being registered there; a new
command needs its call in CALLS.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from ddsrta.__main__ import main
from ddsrta.cli.places import Folder, Output
from ddsrta.examples import TWO_THREADS
from ddsrta.lf.program.examples import CENTRALIZED, TWO_FEDERATES
from tests.cli.test_measure import APPLICATION, DELAYS
from tests.cli.test_places import all_calls, kind, word
from tests.validation.harness_trace import two_threads_trace

CALLS = {
    "analyze": "analyze s.yaml",
    "check": "check s.yaml",
    "diff": "diff s.yaml s.yaml",
    "sensitivity": "sensitivity s.yaml",
    "improve": "improve s.yaml",
    "explore": "explore study.yaml",
    "simulate": "simulate s.yaml --horizon 1s",
    "validate": "validate s.yaml --trace run",
    "measure delays": "measure --harness h delays --sizes 1kB --samples 3 --output OUT",
    "measure application": "measure --harness h application s.yaml --output OUT",
    "explain": "explain s.yaml 'control loop'",
    "report": "report s.yaml --runs 0",
    "exact": "exact s.yaml",
    "order": "order s.yaml",
    "verify": "verify s.json",
    "import": "import fastdds p.xml",
    "init": "init --node 'a: 1 Hz -> b'",
    "export": "export csv s.yaml",
    "lf stp": "lf stp f.yaml",
    "lf schedule": "lf schedule f.yaml",
    "lf lag": "lf lag --period 1ms --utilization 50",
    "lf rti": "lf rti c.yaml",
    "lf enclaves": "lf enclaves f.yaml",
    "lf simulate": "lf simulate f.yaml --runs 2 --horizon 100ms",
    "schema": "schema",
    "reproduce": "reproduce",
    "completion": "completion bash",
    "man": "man",
    "version": "version",
}
INSTEAD = {
    "simulate --html": "simulate s.yaml --attack 'control loop' --runs 10",
    "simulate --svg": "simulate s.yaml --attack 'control loop' --runs 10",
    "check --markdown": "check s.yaml --baseline s.yaml",
}
PROFILE = """<dds xmlns="http://www.eprosima.com/XMLSchemas/fastRTPS_Profiles"><profiles>
<data_writer profile_name="w"><qos/></data_writer></profiles></dds>"""
STUDY = """study: 1
base: s.yaml
objectives: [{minimize: latency}, {minimize: changes}]
parameters: {wcet: {place: threads/sensor/wcet, values: [1ms, 2ms]}}
"""
COPIED = """#!/bin/sh
for word; do case "$word" in --output=*) to=${word#*=};; --modes=*) mode=${word#*=};; esac; done
cp "udp-$mode-1000.csv" "$to"
"""
# Two refuse what is there already; a run of a system removes what an earlier one left.
STARTS_ANEW = {"simulate --checkpoint", "simulate --parquet", "measure application --output"}
OLD = b"what nobody may lose\n"


class Written(NamedTuple):
    """An option of a command, whether it names a folder, and a call with it."""

    what: str
    folder: bool
    line: str

    @property
    def anew(self) -> bool:
        return self.what in STARTS_ANEW or self.folder


def written() -> list[Written]:
    """Each option of each command that names an output."""
    found = []
    for words, actions in all_calls():
        for action in actions:
            if not issubclass(kind(action), Output):
                continue
            what = f"{' '.join(words)} {word(action)}"
            line = INSTEAD.get(what, CALLS[" ".join(words)])
            line = line if "OUT" in line else f"{line} {word(action)} OUT"
            found.append(Written(what, issubclass(kind(action), Folder), line))
    return found


def fill(folder: Path) -> None:
    """What the calls read; the harness is made of scripts that copy what was measured."""
    (folder / "s.yaml").write_text(TWO_THREADS)
    (folder / "study.yaml").write_text(STUDY)
    (folder / "f.yaml").write_text(TWO_FEDERATES)
    (folder / "c.yaml").write_text(CENTRALIZED)
    (folder / "p.xml").write_text(PROFILE)
    (folder / "tmp").mkdir()
    two_threads_trace().write(folder / "run")
    certificate = ["analyze", str(folder / "s.yaml"), "--certificate", str(folder / "s.json")]
    assert main(certificate) == 0
    programs = folder / "h/build/bin"
    programs.mkdir(parents=True)
    (folder / "h/Makefile").write_text("all:\n")
    for name, text in (("made", DELAYS), ("delays", COPIED), ("application", APPLICATION)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    for mode in ("async", "sync"):
        call = [programs / "made", "--sizes=1000B", f"--modes={mode}", "--samples=3", "--output=."]
        subprocess.run(call, cwd=folder, check=True)


def begin(folder: Path, option: Written) -> None:
    """The output as an earlier call left it, or none."""
    place = folder / "OUT"
    shutil.rmtree(place, ignore_errors=True)
    place.unlink(missing_ok=True)
    if not option.anew:
        place.write_bytes(OLD)
