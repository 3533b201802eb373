"""The independent check of certificates: it shares nothing with the analysis but the theory."""

from ddsrta.checker.check import check, check_file
from ddsrta.checker.reading import CertificateError, OtherVersionError
from ddsrta.checker.result import NothingError, check_result, check_unsealed, verify_file
from ddsrta.checker.verdict import Verdict

__all__ = [
    "CertificateError",
    "NothingError",
    "OtherVersionError",
    "Verdict",
    "check",
    "check_file",
    "check_result",
    "check_unsealed",
    "verify_file",
]
