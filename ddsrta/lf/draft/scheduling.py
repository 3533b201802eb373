"""What the target code of reactions says about the actions that it schedules, where that is plain.

A body says it if it names the action only to read it, and to schedule it once with an extra delay
that is written out. Whatever else there is in it (a loop, a macro, the action in another call), the
extra delay is not known; nor where there is code that does not name the action at all, as a macro
may schedule it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ddsrta.lf.program.language.syntax import Code, Reaction
from ddsrta.lf.program.language.values import Span, code_time

_C = ("C", "CCpp")
_PYTHON = "Python"
# Each character is looked at a bounded number of times: a quote that nothing ends stays code.
_TEXT = r"\"(?:\\.|[^\"\\\n])*+\"|'(?:\\.|[^'\\\n])*+'"
_OPEN = r"(?P<open>\"(?:\\.|[^\"\\\n])*+|'(?:\\.|[^'\\\n])*+)"
_NOT_CODE = re.compile(rf"/\*.*?(?:\*/|\Z)|//[^\n]*|{_TEXT}|{_OPEN}", re.DOTALL)
_NOT_PYTHON = re.compile(rf"#[^\n]*|{_TEXT}|{_OPEN}")
_MORE_THAN_ONCE = re.compile(r"\b(?:for|while|do|goto|def|lambda|import|exec|eval)\b|#")
_EXTRA = r"([^,()]*+(?:\([^,()]*+\))?)\s*[,)]"
_FUNCTION = r"\b(?:lf_)?(?:schedule|SCHEDULE)(?:_int|_token|_copy|_value)?"
_CALL = _FUNCTION + r"\s*\(\s*{name}\s*," + _EXTRA
_METHOD = r"\b{name}\s*\.\s*schedule\s*\(" + _EXTRA
_READ = r"\b{name}\s*(?:->|\.)\s*(?:value|is_present|has_value|token|length)\b"


def extra_delay(action: str, reactions: Iterable[Reaction], target: str) -> int | None:
    """What reactions add when they schedule an action: one time in ns, or None for any time.

    >>> body = Reaction("", (), (), (), None, None, "", 0, bodies=(" lf_schedule(a, MSEC(5)); ",))
    >>> extra_delay("a", [body], "C"), extra_delay("a", [body], "Rust")
    (5000000, None)
    """
    found = {_of_bodies(action, reaction, target) for reaction in reactions} - {"never"}
    if not found:
        return 0
    (first, *others) = found
    return first if isinstance(first, int) and not others else None


def _of_bodies(action: str, reaction: Reaction, target: str) -> int | str | None:
    """`never` if the reaction does not schedule it."""
    if not reaction.has_body or target not in (*_C, _PYTHON):
        return None
    code = _NOT_CODE if target in _C else _NOT_PYTHON
    body = "\n".join(code.sub(_kept, text) for text in reaction.bodies)
    name = re.escape(action)
    calls = re.findall((_CALL if target in _C else _METHOD).format(name=name), body)
    reads = len(re.findall(_READ.format(name=name), body))
    if len(re.findall(rf"\b{name}\b", body)) != len(calls) + reads:
        return None
    if not calls:
        return "never" if reads or not body.strip() else None
    if len(calls) > 1 or _MORE_THAN_ONCE.search(body):
        return None
    return _time(calls[0].strip())


def _kept(found: re.Match[str]) -> str:
    return found["open"] or " "


def _time(text: str) -> int | None:
    if text in ("0", "0LL", "NSEC(0)"):
        return 0
    value = code_time(Code(text, 0))
    return value.nanoseconds if isinstance(value, Span) else None
