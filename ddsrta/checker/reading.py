"""Plain values out of untrusted JSON: each is what it must be, or a CertificateError says where."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from typing import Any

MOST = 2**60  # definition time-saturation: whatever passes this is unbounded
_LONGEST = 60
_NAMES = frozenset([str])


class CertificateError(ValueError):
    """The certificate cannot be read at all; the message says what is wrong with it, and where."""


class OtherVersionError(CertificateError):
    """It is of a version of the format that this checker does not know."""


def of_version(value: object, version: int) -> None:
    """Raises where a document is of another version of the format."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise CertificateError(f"{shown(value)} is no version of the format")
    if value != version:
        raise OtherVersionError(
            f"is of version {shown(value)} of the format, and this checker knows version {version}"
        )


def shown(value: object) -> str:
    """A value of the certificate for a message, cut where it is long.

    >>> shown("L")
    "'L'"
    """
    if isinstance(value, str):
        return repr(value if len(value) <= _LONGEST else value[:_LONGEST] + "…")
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and abs(value) <= 10**30:
        return str(value)
    kinds = {int: "a huge number", float: "a fraction", list: "a list", dict: "a mapping"}
    return kinds.get(type(value), "something else")


def record(
    value: object, where: str, keys: Collection[str], optional: Collection[str] = ()
) -> dict[str, Any]:
    """A mapping with exactly these keys, each named once, but for those that are optional."""
    if isinstance(value, dict) and len(value) == len(keys) and all(map(value.__contains__, keys)):
        return value
    found = mapping(value, where)
    for key in keys:
        if key not in found:
            raise CertificateError(f"{where}: {shown(key)} is missing")
    for key in found:
        if key not in keys and key not in optional:
            raise CertificateError(f"{where}: unknown key {shown(key)}")
    return found


def mapping(value: object, where: str) -> dict[str, Any]:
    """A mapping of names."""
    if not isinstance(value, dict):
        raise CertificateError(f"{where}: expected a mapping, not {shown(value)}")
    if not _NAMES.issuperset(map(type, value)):
        for key in value:
            if not isinstance(key, str):
                raise CertificateError(f"{where}: {shown(key)} is not a name")
    return value


def array(value: object, where: str) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise CertificateError(f"{where}: expected a list, not {shown(value)}")
    return value


def text(value: object, where: str) -> str:
    """A string."""
    if not isinstance(value, str):
        raise CertificateError(f"{where}: expected a name, not {shown(value)}")
    return value


def one_of(value: object, where: str, choices: Collection[str]) -> str:
    """One of a few words."""
    found = text(value, where)
    if found not in choices:
        raise CertificateError(f"{where}: {shown(found)} is none of {', '.join(choices)}")
    return found


def optional_word(value: object, where: str, choices: Collection[str] | None = None) -> str | None:
    """A string, perhaps one of a few words, or null."""
    if value is None:
        return None
    return text(value, where) if choices is None else one_of(value, where, choices)


def truth(value: object, where: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise CertificateError(f"{where}: expected true or false, not {shown(value)}")
    return value


def integer(value: object, where: str, least: int = 0) -> int:
    """A number within [least, 2^60]: no fraction, no truth value.

    >>> integer(5, "period", 1)
    5
    """
    if type(value) is int and least <= value <= MOST:
        return value
    if not isinstance(value, int) or isinstance(value, bool):
        raise CertificateError(f"{where}: expected an integer, not {shown(value)}")
    if not least <= value <= MOST:
        raise CertificateError(f"{where}: {shown(value)} is not within {least} … 2^60")
    return value


def optional_integer(value: object, where: str, least: int = 0) -> int | None:
    """A number, or null."""
    return None if value is None else integer(value, where, least)


def names(value: object, where: str) -> tuple[str, ...]:
    """A list of strings."""
    return tuple(text(item, where) for item in array(value, where))


def canonical(document: object) -> str:
    """Canonical JSON: keys sorted, no spaces, ASCII."""
    try:
        return json.dumps(
            document, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
        )
    except (ValueError, TypeError, RecursionError) as error:
        raise CertificateError(f"system: no JSON data ({type(error).__name__})") from None


def digest(document: object) -> str:
    """SHA-256 over canonical JSON.

    >>> digest({})[:8]
    '44136fa3'
    """
    return _sha256(canonical(document))


def digests(certificate: Mapping[str, Any], key: str) -> tuple[str, str]:
    """Of what is under a key of a certificate, and of the certificate: the first is in both.

    >>> digests({"b": 1, "a": {}}, "a") == (digest({}), digest({"a": {}, "b": 1}))
    True
    """
    inner = canonical(certificate[key])
    parts = {name: canonical(part) for name, part in certificate.items() if name != key}
    parts[key] = inner
    whole = ",".join(f"{canonical(name)}:{parts[name]}" for name in sorted(parts))
    return _sha256(inner), _sha256(f"{{{whole}}}")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()
