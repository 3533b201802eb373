"""Faults put into what reads system.yaml: a default that is not what it should be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, NamedTuple

from ddsrta.base.structures import Record
from ddsrta.models.reference import records


class Fault(NamedTuple):
    """A default of a record, and another one."""

    record: Record
    key: str
    wrong: int | str

    def __str__(self) -> str:
        return f"{self.record.title}.{self.key}"

    def put_in(self, monkeypatch: Any) -> None:
        """Make things of the record with the wrong default."""
        made = self.record.of
        make = made.make
        monkeypatch.setattr(
            made, "make", lambda values, name: make({self.key: self.wrong, **values}, name)
        )


def defaults() -> Iterator[Fault]:
    """Every number, word or truth that a record has where its key is left out."""
    for record in records():
        known = {each.name: each.default for each in fields(record.of.cls)} if record.of else {}
        for key, attribute in record.of.fields.items() if record.of else ():
            if isinstance(known[attribute], int | str):
                yield Fault(record, key, _other(known[attribute]))


def _other(value: int | str) -> int | str:
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else f"{value}x"
