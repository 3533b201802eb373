"""Reads the traces of a run, which stand in one folder, and says what they show."""

from __future__ import annotations

import os
import re
from itertools import islice

from ddsrta.base.diagnostics import Diagnostic, InputError, shown
from ddsrta.lf.run.traces.federate import federate_of
from ddsrta.lf.run.traces.hops import Hops, rti_of
from ddsrta.lf.run.traces.observed import RTI, FederateSeen, RtiSeen, RunSeen
from ddsrta.lf.run.traces.records import Lft, Record, TraceError
from ddsrta.lf.run.traces.table import Table

MOST_RECORDS = 4_000_000
_NAME = re.compile(r"(?:federate__)?(.+?)(?:_main)?(?:_([0-9]{1,9}))?")


def files_of(folder: str, version: str | None = None) -> list[Lft | Table]:
    """The traces in a folder: `.lft` files, or without any, tables of trace_to_csv."""
    names = sorted(os.listdir(folder))
    lft = [os.path.join(folder, name) for name in names if name.endswith(".lft")]
    csv = [os.path.join(folder, name) for name in names if name.endswith(".csv")]
    # trace_to_csv puts a summary beside each table.
    csv = [path for path in csv if not path.endswith("_summary.csv")]
    if not lft and not csv:
        message = f"there is no trace in {shown(folder, 200)}: no file ends with .lft or .csv"
        raise InputError([Diagnostic(None, message, "run the program with 'tracing: true'")])
    return [Lft(path, version) for path in lft] if lft else [Table(path) for path in csv]


def name_of(file: str) -> tuple[str, int]:
    """The federate that a file is of, and its number.

    >>> name_of("federate__d1_main_3"), name_of("main_0"), name_of("rti")
    (('d1', 3), ('main', 0), ('rti', -1))
    """
    found = _NAME.fullmatch(file)
    assert found is not None
    return found[1], int(found[2] or -1)


def observe(folder: str, version: str | None = None) -> RunSeen:
    """What the traces of a run show; raises InputError, with the byte where a file is damaged.

    `version` is that of Lingua Franca, for `.lft` files that it cannot be told from.
    """
    files = files_of(folder, version)
    starts = [file.start for file in files if file.start is not None]
    begin = min(starts, default=0)
    owners = [name_of(file.name) for file in files]
    hops = Hops({number: name for name, number in owners})
    federates: dict[str, FederateSeen] = {}
    rti: RtiSeen | None = None
    for file, (name, number) in zip(files, owners, strict=True):
        records = _sorted(file, 0 if file.start is None else file.start - begin)
        if file.rti:
            rti = rti_of(records)
        else:
            federates[name] = federate_of(name, number, records)
        hops.add(RTI if file.rti else name, records)
    tags = max((federate.tags for federate in federates.values()), default=0)
    return RunSeen(federates, hops.seen(rti is not None), tags, rti)


def _sorted(file: Lft | Table, shift: int) -> list[Record]:
    """The records in the order of time, counted from the same start as those of other files."""
    records = list(islice(file, MOST_RECORDS + 1))
    if len(records) > MOST_RECORDS:
        message = f"there are more than {MOST_RECORDS} records"
        raise TraceError(file.path, "the whole file", message, "trace a shorter run")
    if shift:
        records = [
            r._replace(time=None if r.time is None else r.time + shift, physical=r.physical + shift)
            for r in records
        ]
    return sorted(records, key=lambda record: record.physical)
