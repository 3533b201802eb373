"""Compares the result of an analysis, figure by figure, with what its evidence confirms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeGuard

from ddsrta.base.collecting import collecting_rarely
from ddsrta.checker.check import Read, check, check_read, other_system
from ddsrta.checker.files import load
from ddsrta.checker.leaves import compare
from ddsrta.checker.reading import (
    CertificateError,
    array,
    digest,
    mapping,
    of_version,
    record,
    text,
)
from ddsrta.checker.said import said
from ddsrta.checker.sums import RefutedError
from ddsrta.checker.verdict import Verdict
from ddsrta.checker.words import message_name

VERSION = 1


class NothingError(Exception):
    """There is nothing that could be verified; the message says why."""


def verify_file(
    path: str, system_document: dict[str, Any] | None = None, work: int | None = None
) -> Verdict:
    """Check the certificate, or the result, in a file; with a document, also that it is of that
    system."""
    document = load(path)
    certificate = evidence_of(document) if is_result(document) else document
    claimed = mapping(certificate, "certificate").get("digest")
    if system_document is not None and claimed != digest(system_document):
        return Verdict("refuted", 0, other_system(certificate, system_document))
    verdict = check_result(document, work) if is_result(document) else check(document, work)
    return replace(verdict, certificate=_seal(certificate, verdict))


def is_result(document: object) -> TypeGuard[dict[str, Any]]:
    """Whether it is the result of an analysis, and no certificate."""
    if not isinstance(document, dict) or "ddsrta" not in document:
        return False
    return "threads" in document or isinstance(document.get("federation"), str)


@collecting_rarely()
def check_result(document: Mapping[str, Any], work: int | None = None) -> Verdict:
    """Confirm the evidence of a result, that the result says no more, and that it has its digest.

    Raises NothingError where it has none, and CertificateError where that is no certificate.
    """
    verdict = check_unsealed(document, work)
    if verdict.status == "refuted":
        return verdict
    sealed = record(document.get("check"), "check", ("status", "certificate", "without", "because"))
    failure = None
    if sealed["certificate"] != _seal(document["evidence"], verdict):
        failure = "check.certificate is not the digest of the evidence"
    elif sealed["status"] not in ("confirmed", "unchecked", "refuted"):
        failure = "check.status is none that there is"
    return replace(verdict, status="refuted", failure=failure) if failure else verdict


@collecting_rarely()
def check_unsealed(
    document: Mapping[str, Any],
    work: int | None = None,
    before: object = None,
    is_over: Callable[[], bool] | None = None,
) -> Verdict:
    """The same of a result that says nothing of its check yet; the verdict has the digest. Claims
    of a certificate `before` that was confirmed here are not looked at again where they hold; it
    ends where time `is_over`."""
    evidence = evidence_of(document)
    verdict, read = check_read(evidence, work, before, is_over)
    if not verdict.ok:
        return verdict
    verdict = replace(verdict, certificate=_seal(evidence, verdict))
    try:
        unknown = _compare(document, evidence, read, verdict)
    except RefutedError as error:
        return replace(verdict, status="refuted", failure=str(error))
    if unknown is not None:
        failure = f"{unknown}: the checker does not know what that is"
        return replace(verdict, status="undecided", failure=failure)
    return verdict


def evidence_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """The certificate that a result carries."""
    of_version(document.get("ddsrta"), VERSION)
    if document.get("profile") == "published":
        raise NothingError("the profile 'published' has no certificates, and can be optimistic")
    if document.get("evidence") is None:
        where = (
            ": of federations, those of 'lf stp', 'rti', 'schedule' and 'enclaves' have some"
            if "federation" in document
            else "; 'ddsrta analyze system.yaml --format json' writes it, but older ones did not"
        )
        raise NothingError(f"the result has no evidence{where}")
    return mapping(document["evidence"], "evidence")


def _compare(
    document: Mapping[str, Any], evidence: dict[str, Any], read: Read | None, verdict: Verdict
) -> str | None:
    """Raises where the result says more; the first key that nothing is known of."""
    if read is None:
        from ddsrta.checker.lf.said import said as said_of_federation

        return _first(compare(said_of_federation(evidence), _figures(document)))
    shape = dict(document)
    shape["messages"] = _by_name(document.get("messages"))
    assuming = {text(mapping(item, "assumptions").get("rule"), "assumptions.rule")
                for item in array(document.get("assumptions"), "assumptions")}  # fmt: skip
    for rule in verdict.assuming:
        if rule not in assuming:
            raise RefutedError(f"assumptions lack {rule!r}")
    for key in ("check", "evidence", "assumptions", "warnings"):
        shape.pop(key, None)
    return _first(compare(said(evidence, read, verdict.outcome), shape))


def _seal(certificate: object, verdict: Verdict) -> str:
    return verdict.certificate or digest(mapping(certificate, "certificate"))


def _first(unknown: Iterator[str]) -> str | None:
    """What is not known, once all that is known holds."""
    return next(iter([*unknown]), None)


def _figures(document: Mapping[str, Any]) -> dict[str, Any]:
    """Of a federation; what is empty says nothing."""
    empty = {key for key in ("repairs", "what_if") if document.get(key) == []}
    return {k: v for k, v in document.items() if k not in {"check", "evidence", *empty}}


def _by_name(value: object) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for item in array(value, "messages"):
        raw = mapping(item, "messages")
        ends = (text(raw.get(k), f"messages.{k}") for k in ("publisher", "topic", "subscriber"))
        name = message_name(tuple(ends))
        if name in found:
            raise CertificateError(f"messages: {name} is there twice")
        found[name] = raw
    return found
