"""Reads the file of a certificate: JSON without doubt about what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

from ddsrta.checker.reading import CertificateError

LARGEST_FILE = 256 * 2**20


def load(path: str) -> object:
    """The JSON data of a file."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise CertificateError(f"cannot be read: {error}") from None
    if len(data) > LARGEST_FILE:
        raise CertificateError("is larger than 256 MiB")
    try:
        return json.loads(data, parse_constant=_no_constant, object_pairs_hook=_unique)
    except CertificateError:
        raise
    except (ValueError, RecursionError, MemoryError) as error:
        raise CertificateError(f"is no JSON: {error}") from None


def _no_constant(name: str) -> NoReturn:
    raise CertificateError(f"{name} is no number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise CertificateError("a key is given twice")
    return found
