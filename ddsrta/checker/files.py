"""Reads the file of a certificate: JSON without doubt about what it says."""

from __future__ import annotations

import json
import sys
from typing import Any, NoReturn

from ddsrta.checker.reading import CertificateError

LARGEST_FILE = 256 * 2**20


def load(path: str) -> object:
    """The JSON data of a file, or of stdin where the path is '-'."""
    data = _bytes(path)
    if len(data) > LARGEST_FILE:
        raise CertificateError("is larger than 256 MiB")
    if not data.strip():
        raise CertificateError("is empty")
    try:
        return json.loads(data, parse_constant=_no_constant, object_pairs_hook=_unique)
    except CertificateError:
        raise
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise CertificateError(f"is not JSON: {error.msg} ({where})") from None
    except UnicodeDecodeError:
        raise CertificateError("is not JSON, nor any other text") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise CertificateError(f"is not JSON: {error}") from None


def _bytes(path: str) -> bytes:
    if path == "-" and sys.stdin is None:
        raise CertificateError("cannot be read: it is closed")
    try:
        if path == "-":
            return sys.stdin.buffer.read(LARGEST_FILE + 1)
        with open(path, "rb") as file:
            return file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise CertificateError(f"cannot be read: {why}") from None


def _no_constant(name: str) -> NoReturn:
    raise CertificateError(f"{name} is no number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise CertificateError("a key is given twice")
    return found
