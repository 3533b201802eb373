"""Results of `ddsrta lf` that are checked: by the checker, which shares nothing with them."""

from __future__ import annotations

from typing import Any

from ddsrta.bounds.result import Check
from ddsrta.checker import CertificateError, check
from ddsrta.models.document import digest


def self_check(certificate: dict[str, Any]) -> Check:
    """What the checker says of a certificate.

    >>> from ddsrta.lf.bounds.offsets.certificate import stp_certificate
    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.offsets.judge import judge
    >>> self_check(stp_certificate(judge(two_federates()))).status
    'confirmed'
    """
    seal = digest(certificate)
    try:
        verdict = check(certificate)
    except CertificateError as error:
        return Check("refuted", seal, because=str(error))
    if verdict.ok:
        return Check("confirmed", seal)
    refuted = verdict.status == "refuted"
    return Check("refuted" if refuted else "unchecked", seal, because=verdict.failure)
