"""What the checker said of a result, for every format that shows one."""

from __future__ import annotations

from ddsrta.base.text import shown
from ddsrta.bounds.result import Check, Result
from ddsrta.report.style import PLAIN, Style

UNASKED = ", but for orders that the file does not ask for: they are not claimed"
DIGITS = 12  # of a digest, for people


def check_line(result: Result, style: Style = PLAIN, orders: bool = False) -> str:
    """One line, whatever became of it; beside it stand all `orders` that can be seen, or no more
    than what the result says of those that are wanted.

    >>> from ddsrta.bounds.result import Check
    >>> def line(check, profile="busy-window"):
    ...     return check_line(Result("s", profile, "met", {}, (), {}, {}, {}, (), check=check))
    >>> line(Check("confirmed", "3f2a91c05d1be8"))
    'checked: confirmed, certificate 3f2a91c05d1b'
    >>> line(Check("unchecked", "3f2a91c05d1be8", because="too much work"))
    'UNCHECKED: too much work, certificate 3f2a91c05d1b'
    >>> line(None)
    'not checked'
    >>> line(None, "published")
    'not checked: the published analysis has no certificates'
    """
    return check_text(result.check, result.profile, style, UNASKED if orders else "")


def check_text(check: Check | None, profile: str = "", style: Style = PLAIN, but: str = "") -> str:
    """The same where the rest of the result is not at hand."""
    if check is None:
        why = "the published analysis has no certificates" if profile == "published" else ""
        return style.faint(f"not checked{': ' * bool(why)}{why}")
    because = f": {shown(check.because)}" if check.because else ""
    certificate = f", certificate {check.certificate[:DIGITS]}"
    if check.status == "unchecked":
        return f"{style.bad('UNCHECKED')}{because}{certificate}"
    if check.status == "refuted":
        return f"{style.bad('REFUTED')}{because}{certificate}"
    left = f" without {shown(', '.join(check.without))}" if check.without else ""
    return style.faint(f"checked: confirmed{left}{but}{certificate}")


def check_fields(result: Result) -> dict[str, str]:
    """The same for formats that keep names and values."""
    check = result.check
    if check is None:
        return {"check": "not checked"}
    fields = {"check": check.status, "certificate": check.certificate}
    if check.without:
        fields["without"] = ", ".join(check.without)
    if check.because:
        fields["because"] = shown(check.because)
    return fields
