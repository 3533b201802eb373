"""Checkpoints: a file from which an interrupted simulation goes on as if nothing had happened.

A line that names the format, a line of JSON, then blobs of the lengths that it names, then a sum of
everything. Nothing in it is executed when it is read.
"""

from __future__ import annotations

import json
from array import array
from pathlib import Path
from typing import Any
from zlib import crc32

from ddsrta.base.diagnostics import Diagnostic, InputError, shown
from ddsrta.base.files import atomic_write_bytes
from ddsrta.base.version import VERSION
from ddsrta.simulation.job import Start
from ddsrta.simulation.ledger import Ledger
from ddsrta.simulation.observations import Seen
from ddsrta.simulation.plan import Plan

MAGIC = b"ddsrta checkpoint 1\n"
SETTINGS = ("horizon", "choices", "first", "count", "parquet")


def save(ledger: Ledger, path: str) -> None:
    """Write a checkpoint, whole or not at all."""
    plan = ledger.plan
    seen = ledger.seen.numbers().tobytes()
    head = {
        "made_by": VERSION,
        "program": plan.fingerprint(),
        "settings": {name: getattr(plan, name) for name in SETTINGS},
        "done": sorted(ledger.done),
        "seen": len(seen),
        "starts": [
            {"seed": seed, "reached": s.reached, "parts": s.parts, "state": len(s.state)}
            for seed, s in sorted(ledger.starts.items())
        ],
    }
    blobs = [s.state for _, s in sorted(ledger.starts.items())]
    body = b"".join([MAGIC, json.dumps(head).encode() + b"\n", seen, *blobs])
    try:
        atomic_write_bytes(path, body + crc32(body).to_bytes(4, "big"))
    except OSError as error:
        raise _wrong(f"cannot write '{path}': {error.strerror or error}") from error


class Checkpoint:
    """A checkpoint that was read; `settings` is how the simulation was called."""

    def __init__(self, path: str) -> None:
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            message = f"cannot read '{path}': {error.strerror or error}"
            raise _wrong(message, "a first run with --checkpoint writes it") from error
        self.path = path
        try:
            self._read(data)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise _wrong(f"'{path}' is no checkpoint, or is damaged") from error

    def _read(self, data: bytes) -> None:
        if not data.startswith(MAGIC) or crc32(data[:-4]).to_bytes(4, "big") != data[-4:]:
            raise ValueError
        line, _, rest = data[len(MAGIC) : -4].partition(b"\n")
        head = json.loads(line)
        self.settings: dict[str, Any] = {name: head["settings"][name] for name in SETTINGS}
        self.made_by: str = head["made_by"]
        self.program: str = head["program"]
        self.done: list[int] = head["done"]
        numbers = array("q")
        numbers.frombytes(rest[: head["seen"]])
        self.seen = Seen.from_numbers(numbers)
        self.starts: dict[int, Start] = {}
        place = head["seen"]
        for entry in head["starts"]:
            state = rest[place : place + entry["state"]]
            place += entry["state"]
            self.starts[entry["seed"]] = Start(state, entry["reached"], entry["parts"])

    def ledger(self, plan: Plan) -> Ledger:
        """Where the simulation was; an InputError says that the checkpoint is of another one."""
        if self.made_by != VERSION:
            advice = "go on with that one, or begin again"
            raise _wrong(f"'{self.path}' was made by the ddsrta {shown(self.made_by)}", advice)
        if plan.fingerprint() != self.program:
            raise _wrong(f"'{self.path}' is the checkpoint of another system")
        for name, value in self.settings.items():
            if getattr(plan, name) != value:
                asked = getattr(plan, name)
                called = {"first": "seed", "count": "seeds"}.get(name, name)
                message = f"'{self.path}' was made with {called} {value}, not {asked}"
                raise _wrong(message, "leave the option out to go on as before")
        ledger = Ledger(plan)
        ledger.done, ledger.seen, ledger.starts = set(self.done), self.seen, dict(self.starts)
        return ledger


def _wrong(message: str, advice: str = "") -> InputError:
    return InputError([Diagnostic(None, message, advice)])
