"""Whether the checker reads the file of a system as it was read: with a reader of its own."""

from __future__ import annotations

from typing import Any

from ddsrta.models.system import System


def misread(system: System, document: dict[str, Any]) -> str | None:
    """Where the file says something else than the document of the system; None where it does not,
    or where there is no file. Raises whatever keeps the checker's reader from reading it.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.models.document import to_document
    >>> document = to_document(two_threads())
    >>> misread(two_threads(), document)
    >>> document["threads"]["sensor"]["wcet"] = 7
    >>> misread(two_threads(), document)
    'it reads the file differently: threads.sensor.wcet is 1000000, not 7'
    """
    if system.written is None:
        return None
    from ddsrta.checker.yaml import read_document

    found = read_document(system.written.text, system.written.path)
    if found == document:
        return None
    return f"it reads the file differently: {_difference(found, document)}"


def _difference(found: Any, document: Any, where: str = "") -> str:
    """The first of them."""
    if isinstance(found, dict) and isinstance(document, dict):
        for key in (*found, *document):
            if key not in found or key not in document:
                return f"{where}{key} is {'there' if key in found else 'not there'}"
            if found[key] != document[key]:
                return _difference(found[key], document[key], f"{where}{key}.")
    if isinstance(found, list) and isinstance(document, list) and len(found) == len(document):
        pairs = enumerate(zip(found, document, strict=True))
        number, (one, other) = next((n, pair) for n, pair in pairs if pair[0] != pair[1])
        return _difference(one, other, f"{where}{number}.")
    return f"{where.removesuffix('.')} is {_shown(found)}, not {_shown(document)}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 60 else f"{text[:60]}…"
