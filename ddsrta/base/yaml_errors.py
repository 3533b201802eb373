"""What is wrong with a text that is not YAML, in words that help."""

from __future__ import annotations

import re

import yaml

from ddsrta.base.diagnostics import Diagnostic, InputError, Position
from ddsrta.base.yaml_tree import DEEPEST_NESTING

_INDENTATION = "check the indentation of this line and of those above"
_ADVICE = {
    "a tab is no indentation": "indent with spaces",
    "found a tab character that violates indentation": "indent with spaces",
    "found character that cannot start any token": "put the text into quotes",
    "mapping values are not allowed in this context": _INDENTATION
    + "; a text that holds ': ' needs quotes",
    "could not find expected ':'": "a key is followed by a colon and a space, as in 'key: value'",
    "did not find expected key": _INDENTATION,
    "did not find expected '-' indicator": _INDENTATION,
    "did not find expected ',' or '}'": "a '{' is closed by '}', its entries are parted by commas",
    "did not find expected ',' or ']'": "a '[' is closed by ']', its entries are parted by commas",
    "did not find expected <document start>": _INDENTATION,
    "found unexpected end of stream": "a quote is not closed",
}
_FOUND_TOO_LATE = ("could not find expected ':'", "found unexpected end of stream")
_OTHER_BREAK = re.compile(b"\r|\xc2\x85|\xe2\x80[\xa8\xa9]")
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def check_characters(text: bytes, file: str) -> None:
    """libyaml names no place for a character that no text holds: find it first."""
    try:
        text.decode("utf-8")
        at = text.find(b"\x00")
        problem = "a NUL character"
    except UnicodeDecodeError as error:
        at = error.start
        problem = "not UTF-8 text"
    if at >= 0:
        advice = "save the file as UTF-8" if text[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        before = text[:at].decode("utf-8")
        raise InputError([Diagnostic(_position(before, file), problem, advice)])


def syntax_error(error: yaml.YAMLError, text: bytes, file: str) -> Diagnostic:
    """The parser's complaint with its position, and what to do where the complaint is obscure."""
    decoded = text.decode("utf-8")
    if not isinstance(error, yaml.MarkedYAMLError):
        return _unreadable(error, decoded, file)
    problem = error.problem or error.context or "cannot be read"
    mark, opened = error.problem_mark, error.context_mark
    if mark is None or (problem in _FOUND_TOO_LATE and opened is not None):
        mark = opened
    position = Position(file, mark.line + 1, mark.column + 1) if mark else Position(file, 1, 1)
    position = min(position, end_of(text, file))
    here = decoded.removeprefix("\ufeff")[mark.index : mark.index + 1] if mark else ""
    if "cannot start any token" in problem and (here == "\t" or "'\\t'" in problem):
        problem = "a tab is no indentation"
    if "nesting depth" in problem:  # newer parsers have a limit of their own, far above ours
        return Diagnostic(position, f"nested more than {DEEPEST_NESTING} levels deep")
    advice = _ADVICE.get(problem, "")
    if "is closed by" in advice and opened:
        advice += f"; this one opens at line {opened.line + 1}, column {opened.column + 1}"
    return Diagnostic(position, f"not valid YAML: {problem}", advice)


def _unreadable(error: yaml.YAMLError, decoded: str, file: str) -> Diagnostic:
    """libyaml gives the place of a character that it refuses in bytes, and calls it 'position'."""
    if match := _UNPRINTABLE.search(decoded):
        name = f"U+{ord(match[0]):04X}"
        position = _position(decoded[: match.start()], file)
        return Diagnostic(position, f"a control character, {name}")
    message = "not valid YAML: " + str(error).split("\n", 1)[0][:200]
    return Diagnostic(Position(file, 1, 1), message)


def end_of(text: bytes, file: str) -> Position:
    """The place behind the last character."""
    if _OTHER_BREAK.search(text):
        return _position(text.decode("utf-8"), file)
    last = text[text.rfind(b"\n") + 1 :].decode("utf-8").removeprefix("\ufeff")
    return Position(file, text.count(b"\n") + 1, len(last) + 1)


def _position(before: str, file: str) -> Position:
    """The place behind some text, counted as libyaml does; the text may have millions of lines."""
    text = before.removeprefix("\ufeff").replace("\r\n", "\n")
    for other in "\r\x85\u2028\u2029":
        text = text.replace(other, "\n")
    return Position(file, text.count("\n") + 1, len(text) - text.rfind("\n"))
